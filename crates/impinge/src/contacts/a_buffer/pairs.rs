//! From what rays meet to pairs of triangles that may collide ("PCS generation"), each once. The twin of `pairs.wgsl`.

use super::fragments::{Fragment, Fragments, Sheet};

/// Pairs of triangles by their numbers among all, the lower first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Sorted and each once, when nothing was added since [`Self::tidy`].
    pub triangles: Vec<[u32; 2]>,
    /// Rays that meet two surfaces near each other.
    pub rays: usize,
    /// Pairs left by the last tidying.
    tidied: usize,
}

/// Pairs are tidied when so many were added, and as many again as there are.
const UNTIDY: usize = 1 << 16;

impl Pairs {
    /// Adds what some rays see: two surfaces at most `near` apart that may collide.
    pub fn add(&mut self, sheet: &Sheet, fragments: &Fragments, near: f32) {
        for ray in 0..fragments.rays() {
            let before = self.triangles.len();
            each_near(sheet, fragments.of(ray), near, |p, q| {
                let pair = [p.triangle(), q.triangle()];
                self.triangles.push([pair[0].min(pair[1]), pair[0].max(pair[1])]);
            });
            self.rays += usize::from(self.triangles.len() > before);
            // Most rays see what their neighbours saw.
            if self.triangles.len() > 2 * self.tidied + UNTIDY {
                self.tidy();
            }
        }
    }

    /// Sorts, and leaves every pair once.
    pub fn tidy(&mut self) {
        self.triangles.sort_unstable();
        self.triangles.dedup();
        self.tidied = self.triangles.len();
    }
}

/// Calls `visit` for every two surfaces of a ray that are at most `near` apart and may collide; the nearer first.
pub fn each_near(sheet: &Sheet, met: &[Fragment], near: f32, mut visit: impl FnMut(Fragment, Fragment)) {
    for (k, p) in met.iter().enumerate() {
        // Differences of sorted depths grow, rounded or not.
        for q in met[k + 1..].iter().take_while(|q| q.depth - p.depth <= near) {
            if may_collide(sheet, [p.triangle(), q.triangle()]) {
                visit(*p, *q);
            }
        }
    }
}

/// Whether two triangles are of two bodies, or of one that may collide with itself and share no vertex: neighbours are near
/// each other everywhere.
fn may_collide(sheet: &Sheet, pair: [u32; 2]) -> bool {
    let [p, q] = pair.map(|triangle| sheet.triangles[triangle as usize]);
    let [a, b] = [p, q].map(|corners| sheet.vertices[corners[0] as usize].body as usize);
    if a != b {
        return true;
    }
    sheet.parts.get(a).is_some_and(|part| part.with_itself) && !p.iter().any(|vertex| q.contains(vertex))
}

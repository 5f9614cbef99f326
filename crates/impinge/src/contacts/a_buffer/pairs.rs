//! Pairs of triangles that may collide, from fragments ("PCS generation"), each once. The twin of
//! `pairs.wgsl`.

use super::fragments::{Fragment, Fragments, Sheet};

/// Pairs of triangles numbered across all bodies, the lower first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Sorted and unique, if nothing was added since [`Self::tidy`].
    pub triangles: Vec<[u32; 2]>,
    /// Rays with two surfaces near each other.
    pub rays: usize,
    /// Pairs after the last [`Self::tidy`].
    tidied: usize,
}

/// Pairs are tidied when this many were added, and as many again as there are.
const UNTIDY: usize = 1 << 16;

impl Pairs {
    /// Adds the pairs of some rays: two surfaces at most `near` apart that may collide.
    pub fn add(&mut self, sheet: &Sheet, fragments: &Fragments, near: f32) {
        for ray in 0..fragments.rays() {
            let before = self.triangles.len();
            each_near(sheet, fragments.of(ray), near, |p, q| {
                let pair = [p.triangle(), q.triangle()];
                self.triangles.push([pair[0].min(pair[1]), pair[0].max(pair[1])]);
            });
            self.rays += usize::from(self.triangles.len() > before);
            // Most rays give the pairs of their neighbours.
            if self.triangles.len() > 2 * self.tidied + UNTIDY {
                self.tidy();
            }
        }
    }

    /// Sorts and removes duplicates.
    pub fn tidy(&mut self) {
        self.triangles.sort_unstable();
        self.triangles.dedup();
        self.tidied = self.triangles.len();
    }
}

/// Calls `visit` for every two fragments of a ray that are at most `near` apart and may collide; the nearer
/// first.
pub fn each_near(sheet: &Sheet, met: &[Fragment], near: f32, mut visit: impl FnMut(Fragment, Fragment)) {
    for (k, p) in met.iter().enumerate() {
        // Differences of sorted depths are monotone, rounded or not.
        for q in met[k + 1..].iter().take_while(|q| q.depth - p.depth <= near) {
            if may_collide(sheet, [p.triangle(), q.triangle()]) {
                visit(*p, *q);
            }
        }
    }
}

/// Whether two triangles are of two bodies, or of one with self-collision and without a common vertex:
/// neighbours are near each other everywhere.
fn may_collide(sheet: &Sheet, pair: [u32; 2]) -> bool {
    let [p, q] = pair.map(|triangle| sheet.triangles[triangle as usize]);
    let [a, b] = [p, q].map(|corners| sheet.vertices[corners[0] as usize].body as usize);
    if a != b {
        return true;
    }
    sheet.regions.get(a).is_some_and(|region| region.with_itself)
        && !p.iter().any(|vertex| q.contains(vertex))
}

//! All fragments of all rays ("Surface accumulation"). The twin of `fragments.wgsl`.
//!
//! Coverage and depth are computed in floats, with sums in the order of the shader: both sides give the same
//! bits.

use super::region_of_interest::RegionOfInterest;
use crate::image::ScreenVertex;
use crate::image::crossed::crossed;
use crate::image::gather::Member;
use crate::util::tolerance::MIN_DIVISOR;
use std::ops::Range;

/// Triangles that can be numbered, at most: one bit of a surface is for its facing.
pub const MAX_TRIANGLES: u32 = 1 << 31;

/// Where a ray meets a surface: the paper's two channels, depth and triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fragment {
    /// Between 0 and 1.
    pub depth: f32,
    /// Twice the number of the triangle across all bodies, plus one for a back face.
    pub surface: u32,
}

impl Fragment {
    /// The triangle, numbered across all bodies. Its body is [`crate::image::gather::owner`].
    pub fn triangle(self) -> u32 {
        self.surface >> 1
    }

    /// Whether the ray leaves the body there, if it is closed.
    pub fn is_back(self) -> bool {
        self.surface & 1 == 1
    }
}

/// The fragments of the rays of some rows, in row order: those of ray `i`, nearest first, are
/// `fragments[first[i]..first[i + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fragments {
    /// Where the fragments of each ray begin, and where the last ray's end.
    pub first: Vec<usize>,
    /// All fragments.
    pub fragments: Vec<Fragment>,
}

impl Fragments {
    /// The fragments of one ray.
    pub fn of(&self, ray: usize) -> &[Fragment] {
        &self.fragments[self.first[ray]..self.first[ray + 1]]
    }

    /// The number of rays.
    pub fn rays(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Maximum number of fragments of any ray.
    pub fn deepest(&self) -> usize {
        self.first.windows(2).map(|two| two[1] - two[0]).max().unwrap_or(0)
    }
}

/// The input: a view of all triangles.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// Rays across.
    pub width: u32,
    /// Vertices in the image.
    pub vertices: &'a [ScreenVertex],
    /// Triangles over them.
    pub triangles: &'a [[u32; 3]],
    /// The bodies.
    pub members: &'a [Member],
    /// The region of interest of each.
    pub regions: &'a [RegionOfInterest],
}

impl Sheet<'_> {
    /// Calls `emit` for every fragment of some rows, with its column and row.
    pub fn cover(&self, rows: &Range<u32>, mut emit: impl FnMut(u32, u32, Fragment)) {
        for (triangle, corners) in (0u32..).zip(self.triangles) {
            let corners = corners.map(|vertex| self.vertices[vertex as usize]);
            let body = corners[0].body as usize;
            let (Some(member), Some(region)) = (self.members.get(body), self.regions.get(body)) else {
                continue;
            };
            let corners = corners.map(|v| [v.x, v.y, v.depth]);
            let Some(slope) = Slope::of(corners) else { continue };
            let surface = 2 * triangle + u32::from(slope.turns_right != member.mirrored);
            let within = |axis: usize, from: u32, to: u32| {
                let [low, high] = extent(&corners, axis);
                middles(low, high, from, to)
            };
            let columns = within(0, region.columns[0], region.columns[1]);
            let [low, high] = extent(&corners, 2);
            for y in within(1, region.rows[0].max(rows.start), region.rows[1].min(rows.end)) {
                let Some([left, right]) = crossed(&corners, y) else { continue };
                let first = (left.floor() as u32).max(columns.start);
                for x in (first..columns.end).take_while(|x| (*x as f32) < right) {
                    let column = (2 * x + 1) as f32 * 0.5;
                    if !(left <= column && column < right) {
                        continue;
                    }
                    // Seen edge-on, a plane gives no useful depth, but the triangle's own range bounds it.
                    let depth = slope.depth(x, y).max(low).min(high);
                    if region.depths[0] <= depth && depth <= region.depths[1] {
                        emit(x, y, Fragment { depth, surface });
                    }
                }
            }
        }
    }

    /// The number of fragments of every ray of some rows.
    pub fn counts(&self, rows: &Range<u32>) -> Vec<u32> {
        let mut counts = vec![0; rows.len() * self.width as usize];
        self.cover(rows, |x, y, _| counts[((y - rows.start) * self.width + x) as usize] += 1);
        counts
    }

    /// The fragments of some rows, whose numbers are `counts`.
    pub fn accumulate(&self, rows: &Range<u32>, counts: &[u32]) -> Fragments {
        let mut first = vec![0; counts.len() + 1];
        for (ray, count) in counts.iter().enumerate() {
            first[ray + 1] = first[ray] + *count as usize;
        }
        let mut next = first.clone();
        let mut fragments = vec![Fragment::default(); first[counts.len()]];
        self.cover(rows, |x, y, fragment| {
            let at = &mut next[((y - rows.start) * self.width + x) as usize];
            fragments[*at] = fragment;
            *at += 1;
        });
        for two in first.windows(2) {
            fragments[two[0]..two[1]]
                .sort_unstable_by(|p, q| p.depth.total_cmp(&q.depth).then(p.surface.cmp(&q.surface)));
        }
        Fragments { first, fragments }
    }

    /// Calls `visit` with the fragments of some rows at a time, so that memory is bounded. `counts` are those
    /// of all rows.
    pub fn each_strip(&self, height: u32, counts: &[u32], mut visit: impl FnMut(Range<u32>, &Fragments)) {
        let width = self.width as usize;
        let in_row =
            |y: u32| counts[y as usize * width..][..width].iter().map(|&n| n as usize).sum::<usize>();
        let mut row = 0;
        while row < height {
            // A strip of as many rows as memory allows, and at least one.
            let (mut end, mut held) = (row + 1, in_row(row));
            while end < height && held + in_row(end) <= MAX_HELD_FRAGMENTS {
                held += in_row(end);
                end += 1;
            }
            let rows = row..end;
            visit(rows.clone(), &self.accumulate(&rows, &counts[row as usize * width..end as usize * width]));
            row = end;
        }
    }
}

/// Fragments held at once, if rows allow.
const MAX_HELD_FRAGMENTS: usize = 1 << 24;

fn extent([a, b, c]: &[[f32; 3]; 3], axis: usize) -> [f32; 2] {
    [a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis])]
}

/// Pixels of a range whose centres are in `low <= x < high`.
fn middles(low: f32, high: f32, from: u32, to: u32) -> Range<u32> {
    let first = |at: f32| (at - 0.5).ceil().max(from as f32).min(to as f32) as u32;
    first(low)..first(high)
}

/// The plane of a triangle as a depth over every pixel.
struct Slope {
    start: [f32; 3],
    across: f32,
    down: f32,
    turns_right: bool,
}

impl Slope {
    /// `None` for a triangle seen edge-on.
    fn of([a, b, c]: [[f32; 3]; 3]) -> Option<Self> {
        let u: [f32; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let v: [f32; 3] = std::array::from_fn(|k| c[k] - a[k]);
        let (x, y, z) = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        if z.abs() <= MIN_DIVISOR || z.is_nan() {
            return None;
        }
        let inverse = 1.0 / z;
        Some(Self { start: a, across: x * inverse, down: y * inverse, turns_right: z > 0.0 })
    }

    fn depth(&self, x: u32, y: u32) -> f32 {
        let [column, row] = [x, y].map(|pixel| (2 * pixel + 1) as f32 * 0.5);
        self.start[2] - self.across * (column - self.start[0]) - self.down * (row - self.start[1])
    }
}

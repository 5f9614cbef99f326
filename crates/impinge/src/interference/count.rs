//! An image of edges, and what lies before them: the thesis' three passes (4.4.1, algorithm 1).
//!
//! A pixel holds the edge that was drawn into it last, because the thesis draws without a depth test; what that hides is
//! looked at in further layers.

use super::edges::{Drawn, Line};
use crate::image::raster;
use std::ops::Range;

/// One edge of every pixel, and its depth there: what rays are cast at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    /// Number of the edge's line, from 1; 0 for none.
    pub lines: Vec<u32>,
    /// Its depth, where there is one.
    pub depths: Vec<f32>,
    /// Index of its body among members, where there is one.
    pub bodies: Vec<u32>,
}

/// Calls `emit` for every pixel that shows a line, with its column, its row, and the line's depth: in every column that
/// the line passes (or in every row, if it is steep), the pixel nearest to it.
pub fn trace(line: &Line, [width, height]: [u32; 2], mut emit: impl FnMut(u32, u32, f32)) {
    let level = line.is_level();
    let (along, across) = if level { (0, 1) } else { (1, 0) };
    let [mut a, mut b] = line.ends.map(|end| end.map(f64::from));
    if a[along] > b[along] {
        std::mem::swap(&mut a, &mut b);
    }
    let (steps, limit) = if level { (width, f64::from(height)) } else { (height, f64::from(width)) };
    let length = b[along] - a[along];
    // The casts saturate. Middles of pixels from `a`, which belongs to the line, to `b`, which does not.
    let first = (a[along] - 0.5).ceil() as u32;
    let end = ((b[along] - 0.5).ceil() as u32).min(steps);
    for step in first..end {
        let part = (f64::from(step) + 0.5 - a[along]) / length;
        // The pixel whose middle is nearest. Of two, the one that a strip would have: it owns its left borders, and its upper
        // one where that is level. Seen from a strip that falls to the right, the lower border is on the left.
        let at = a[across] + part * (b[across] - a[across]);
        let other = if level && b[across] > a[across] { at.floor() } else { at.ceil() - 1.0 };
        let depth = a[2] + part * (b[2] - a[2]);
        // What lies outside the depth of the image is clipped: there are no bodies.
        if (0.0..limit).contains(&other) && (0.0..=1.0).contains(&depth) {
            let other = other as u32;
            let [x, y] = if level { [step, other] } else { [other, step] };
            emit(x, y, depth as f32);
        }
    }
}

/// Pass 1: the edge that every pixel shows. After the first layer, only edges drawn before those of the last one.
pub fn targets(pixels: [u32; 2], lines: &[Line], last: Option<&Targets>) -> Targets {
    let count = pixels[0] as usize * pixels[1] as usize;
    let mut targets = Targets { lines: vec![0; count], depths: vec![0.0; count], bodies: vec![0; count] };
    for (index, line) in lines.iter().enumerate() {
        let number = index as u32 + 1;
        trace(line, pixels, |x, y, depth| {
            let pixel = (y * pixels[0] + x) as usize;
            if last.is_none_or(|last| number < last.lines[pixel]) {
                targets.lines[pixel] = number;
                targets.depths[pixel] = depth;
                targets.bodies[pixel] = line.body;
            }
        });
    }
    targets
}

/// Whose surfaces count before an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// All, as in the thesis: the edge must stand clear of its own body.
    All,
    /// Those of other bodies.
    Others,
    /// Those of its own body.
    Own,
}

impl Whose {
    /// Whether surfaces of a body count before an edge of another, or of the same.
    #[inline]
    pub fn counts(self, surface: u32, edge: u32) -> bool {
        match self {
            Self::All => true,
            Self::Others => surface != edge,
            Self::Own => surface == edge,
        }
    }
}

/// Surfaces of one body under one pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Surface {
    /// Index among members.
    body: u32,
    /// Entered by the ray, not left.
    front: bool,
}

/// Calls `emit` for every surface of an active body under every pixel of some rows.
fn surfaces(
    Drawn { pixels: [width, _], vertices, triangles, members, .. }: &Drawn,
    rows: &Range<u32>,
    mut emit: impl FnMut(usize, f32, Surface),
) {
    for &corners in *triangles {
        let t = corners.map(|vertex| vertices[vertex as usize]);
        let Some(member) = members.get(t[0].body as usize).filter(|member| member.active) else { continue };
        let surface = Surface { body: t[0].body, front: (raster::turn(&t) < 0.0) != member.mirrored };
        raster::cover(t, &(0..*width), rows, |x, y, depth| {
            emit((y * width + x) as usize, depth, surface);
        });
    }
}

/// What lies before the edge of every pixel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Front faces less back faces before the edge: in how many solids it is. 0 without an edge.
    pub before: Vec<i32>,
    /// Of these, those of bodies that are not closed, which could hide others by their signs.
    pub open: Vec<i32>,
    /// Surfaces that are listed if the pixel is marked: of bodies that count and reach as deep as the edge. 0 without one.
    pub met: Vec<u32>,
}

impl Counts {
    /// Whether the edge of a pixel may be inside something.
    pub(super) fn is_marked(&self, pixel: usize) -> bool {
        self.before[pixel] != 0 || self.open[pixel] != 0
    }
}

/// Passes 2 and 3: front faces up, back faces down.
pub fn count(drawn: &Drawn, targets: &Targets, whose: Whose) -> Counts {
    let all = targets.lines.len();
    let mut counts = Counts { before: vec![0; all], open: vec![0; all], met: vec![0; all] };
    surfaces(drawn, &(0..drawn.pixels[1]), |pixel, depth, surface| {
        if targets.lines[pixel] != 0 && whose.counts(surface.body, targets.bodies[pixel]) {
            counts.met[pixel] += u32::from(reaches(drawn, whose, surface.body, targets.depths[pixel]));
            if depth < targets.depths[pixel] {
                let sign = if surface.front { 1 } else { -1 };
                counts.before[pixel] += sign;
                counts.open[pixel] += if drawn.members[surface.body as usize].closed { 0 } else { sign };
            }
        }
    });
    counts
}

/// One surface under a marked pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// The pixel.
    pub pixel: u32,
    /// Index of the body among members, [`Self::BACK`], [`Self::BEFORE`].
    pub surface: u32,
}

impl Crossing {
    /// The surface is left by the ray, not entered.
    pub const BACK: u32 = 1 << 31;
    /// The surface is before the edge, not behind it.
    pub const BEFORE: u32 = 1 << 30;

    /// Index of the body among members.
    pub fn body(self) -> u32 {
        self.surface & !(Self::BACK | Self::BEFORE)
    }

    /// 1 where a ray enters, -1 where it leaves.
    pub fn sign(self) -> i32 {
        if self.surface & Self::BACK == 0 { 1 } else { -1 }
    }

    /// Whether it is before the edge.
    pub fn is_before(self) -> bool {
        self.surface & Self::BEFORE != 0
    }
}

/// Crossings held at once, if rows allow.
const MAX_HELD_CROSSINGS: usize = 1 << 24;

/// Whether a body reaches as deep as an edge. A closed one that does not is not around it: it is left as often as it is
/// entered, on one side of it. The thesis asks every body.
fn reaches(drawn: &Drawn, whose: Whose, body: u32, depth: f32) -> bool {
    let [low, high] = drawn.ranges[body as usize];
    whose == Whose::All || (low..=high).contains(&depth)
}

/// Calls `take` with every surface that counts under the marked pixels, of bodies that reach as deep as their edges: a strip
/// of rows at a time, all crossings of some pixels, in no particular order, and no more than can be held.
pub fn crossings(
    drawn: &Drawn,
    targets: &Targets,
    counts: &Counts,
    whose: Whose,
    mut take: impl FnMut(&mut Vec<Crossing>),
) {
    let [width, height] = drawn.pixels;
    let in_row = |y: u32| -> usize {
        let row = (y * width) as usize..((y + 1) * width) as usize;
        row.map(|pixel| if counts.is_marked(pixel) { counts.met[pixel] as usize } else { 0 }).sum()
    };
    let mut held = Vec::new();
    let mut row = 0;
    while row < height {
        let mut expected = in_row(row);
        let mut end = row + 1;
        while end < height && expected + in_row(end) <= MAX_HELD_CROSSINGS {
            expected += in_row(end);
            end += 1;
        }
        if expected > 0 {
            held.clear();
            held.reserve(expected);
            surfaces(drawn, &(row..end), |pixel, depth, surface| {
                let edge = targets.depths[pixel];
                let counts_there = whose.counts(surface.body, targets.bodies[pixel]);
                if counts.is_marked(pixel) && counts_there && reaches(drawn, whose, surface.body, edge) {
                    let back = if surface.front { 0 } else { Crossing::BACK };
                    let before = if depth < edge { Crossing::BEFORE } else { 0 };
                    held.push(Crossing { pixel: pixel as u32, surface: surface.body | back | before });
                }
            });
            take(&mut held);
        }
        row = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels_of(ends: [[f32; 3]; 2]) -> Vec<(u32, u32)> {
        let mut pixels = Vec::new();
        trace(&Line { ends, body: 0 }, [8, 6], |x, y, _| pixels.push((x, y)));
        pixels
    }

    #[test]
    fn a_line_shows_in_one_pixel_of_every_column_or_row_it_passes() {
        assert_eq!(pixels_of([[1.0, 2.2, 0.5], [4.0, 2.9, 0.5]]), [(1, 2), (2, 2), (3, 2)]);
        assert_eq!(pixels_of([[4.0, 2.9, 0.5], [1.0, 2.2, 0.5]]), [(1, 2), (2, 2), (3, 2)], "backwards");
        assert_eq!(pixels_of([[1.0, 1.0, 0.5], [4.0, 4.0, 0.5]]), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(pixels_of([[2.3, 0.4, 0.5], [2.9, 3.5, 0.5]]), [(2, 0), (2, 1), (2, 2)], "its end is not");
        assert_eq!(pixels_of([[1.6, 2.0, 0.5], [2.4, 2.3, 0.5]]), [], "between two columns");
        assert_eq!(pixels_of([[2.0, 2.0, 0.5]; 2]), [], "a point, or an edge along the rays");
        assert_eq!(pixels_of([[-9.0, 2.5, 0.5], [99.0, 2.5, 0.5]]).len(), 8, "cut off at the borders");
        assert_eq!(pixels_of([[0.0, -5.0, 0.5], [8.0, 3.0, 0.5]]), [(5, 0), (6, 1), (7, 2)]);
        assert_eq!(pixels_of([[0.0, 2.5, -1.0], [8.0, 2.5, 1.0]]).len(), 4, "clipped where it comes out");
        assert_eq!(pixels_of([[f32::NAN, 2.5, 0.5], [8.0, 2.5, 1.0]]), []);
    }

    #[test]
    fn the_last_line_is_seen_and_layers_go_back_through_the_others() {
        let line = |depth: f32| Line { ends: [[0.0, 2.5, depth], [8.0, 2.5, depth]], body: 0 };
        let lines = [line(0.1), line(0.3), line(0.2)];
        let mut last: Option<Targets> = None;
        for expected in [3, 2, 1, 0] {
            let next = targets([8, 6], &lines, last.as_ref());
            assert_eq!(next.lines[2 * 8 + 3], expected);
            last = Some(next);
        }
    }
}

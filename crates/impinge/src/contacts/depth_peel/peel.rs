//! Collision rays from triangles (4, 4.1, 4.2, 8.2).
//!
//! A ray that starts outside a closed surface meets front and back faces in turn. So does a ray through many
//! disjoint solids; two equal facings in a row, or a back face first, show that solids overlap, or that one
//! overlaps itself or is inverted. Open surfaces have no such order: there, a surface that follows another
//! within a small distance makes the ray a collision ray.
//!
//! On the GPU, surfaces are found in order by peeling, one pass for each layer or two. Here every ray lists
//! its fragments, and [`is_collision`] gives the result of peeling such a list: the definition of the other.

use super::rays::Rays;
use super::{AtLimit, PeelOptions, Sides};
use crate::image::gather::Member;
use crate::image::view::View;
use crate::image::{ScreenVertex, raster};
use std::ops::Range;

/// Bits of the depth of a fragment.
pub const DEPTH_BITS: u32 = 24;

/// A fragment as a number that grows with depth: depth, then one bit for an open surface, then one for a back
/// face. At equal depth front faces come first, so that solids that touch face to face overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fragment(pub u32);

impl Fragment {
    /// A fragment at a depth between 0 and 1.
    #[inline]
    pub fn new(depth: f32, closed: bool, back: bool) -> Self {
        let steps = (1u32 << DEPTH_BITS) as f32;
        let depth = ((depth * steps) as u32).clamp(1, (1 << DEPTH_BITS) - 1);
        Self(depth << 2 | u32::from(!closed) << 1 | u32::from(back))
    }

    /// Depth in steps of 2^-24.
    pub fn depth(self) -> u32 {
        self.0 >> 2
    }

    /// Whether its surface is closed.
    pub fn is_closed(self) -> bool {
        self.0 & 2 == 0
    }

    /// Whether it is a back face.
    pub fn is_back(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The fragments of the rays of some rows: those of ray `i`, sorted, are `fragments[first[i]..first[i + 1]]`;
/// rays in row order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// Where each ray's fragments begin, and where the last ray's end.
    pub first: Vec<usize>,
    /// All fragments.
    pub fragments: Vec<Fragment>,
}

impl Layers {
    /// The fragments of one ray, in order.
    pub fn of(&self, ray: usize) -> &[Fragment] {
        &self.fragments[self.first[ray]..self.first[ray + 1]]
    }
}

/// The rule that makes a ray a collision ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The ends that are peeled.
    pub sides: Sides,
    /// Passes done.
    pub passes: u32,
    /// The verdict on deeper rays.
    pub at_limit: AtLimit,
    /// Open surfaces collide with what follows within this many steps of depth.
    pub near: u32,
}

impl Rule {
    /// For a view of a scene whose deepest ray has `deepest` fragments.
    pub fn new(options: &PeelOptions, view: &View, deepest: u32) -> Self {
        let steps = f64::from(1u32 << DEPTH_BITS);
        Self {
            sides: options.sides,
            passes: options.passes_for(deepest),
            at_limit: options.at_limit,
            near: (options.near(view) * steps).clamp(0.0, steps) as u32,
        }
    }

    /// Layers peeled of a ray that has enough of them.
    pub fn layers(&self) -> u32 {
        self.passes * if self.sides == Sides::Both { 2 } else { 1 }
    }
}

/// Calls `emit` for every fragment of some rows, with the ray's column and row. A ray on an edge that two
/// triangles share meets one of them.
pub fn rasterise(
    width: u32,
    rows: &Range<u32>,
    vertices: &[ScreenVertex],
    triangles: &[[u32; 3]],
    members: &[Member],
    mut emit: impl FnMut(u32, u32, Fragment),
) {
    for &corners in triangles {
        let t = corners.map(|vertex| vertices[vertex as usize]);
        let Some(member) = members.get(t[0].body as usize).filter(|member| member.active) else { continue };
        // With y down, counter-clockwise has a negative area: a front face.
        let back = (raster::turn(&t) > 0.0) != member.mirrored;
        raster::cover(t, &(0..width), rows, |x, y, depth| {
            emit(x, y, Fragment::new(depth, member.closed, back));
        });
    }
}

/// The number of fragments of every ray.
pub fn counts(
    [width, height]: [u32; 2],
    vertices: &[ScreenVertex],
    triangles: &[[u32; 3]],
    members: &[Member],
) -> Vec<u32> {
    let mut counts = vec![0; width as usize * height as usize];
    rasterise(width, &(0..height), vertices, triangles, members, |x, y, _| {
        counts[(y * width + x) as usize] += 1;
    });
    counts
}

/// The fragments of every ray of some rows, in order. `counts` are those of all rows.
pub fn layers(
    width: u32,
    rows: &Range<u32>,
    counts: &[u32],
    vertices: &[ScreenVertex],
    triangles: &[[u32; 3]],
    members: &[Member],
) -> Layers {
    let begin = (rows.start * width) as usize;
    let rays = (rows.end * width) as usize - begin;
    let mut first = vec![0usize; rays + 1];
    for ray in 0..rays {
        first[ray + 1] = first[ray] + counts[begin + ray] as usize;
    }
    let mut next = first.clone();
    let mut fragments = vec![Fragment(0); first[rays]];
    rasterise(width, rows, vertices, triangles, members, |x, y, fragment| {
        let at = &mut next[(y * width + x) as usize - begin];
        fragments[*at] = fragment;
        *at += 1;
    });
    for ray in 0..rays {
        fragments[first[ray]..first[ray + 1]].sort_unstable();
    }
    Layers { first, fragments }
}

/// Fragments held at once, if rows allow.
const MAX_HELD_FRAGMENTS: usize = 1 << 24;

/// The collision rays, and the largest number of fragments of any ray: the depth complexity (4.1), from which
/// `rule` is made.
pub fn sample(
    [width, height]: [u32; 2],
    vertices: &[ScreenVertex],
    triangles: &[[u32; 3]],
    members: &[Member],
    rule: impl Fn(u32) -> Rule,
) -> (Rays, u32) {
    let counts = counts([width, height], vertices, triangles, members);
    let deepest = counts.iter().copied().max().unwrap_or(0);
    let rule = rule(deepest);
    let mut rays = Rays::new(width, height);
    each_ray([width, height], &counts, vertices, triangles, members, |x, y, met| {
        if is_collision(met, &rule) {
            rays.set(x, y);
        }
    });
    (rays, deepest)
}

/// Calls `visit` for every ray with fragments, with its column, its row and its fragments, in order: some
/// rows at a time, so that memory is bounded. `counts` are those of all rays.
pub fn each_ray(
    [width, height]: [u32; 2],
    counts: &[u32],
    vertices: &[ScreenVertex],
    triangles: &[[u32; 3]],
    members: &[Member],
    mut visit: impl FnMut(u32, u32, &[Fragment]),
) {
    let in_row =
        |y: u32| counts[(y * width) as usize..][..width as usize].iter().map(|&n| n as usize).sum::<usize>();
    let mut row = 0;
    while row < height {
        // A strip of as many rows as memory allows, and at least one.
        let mut end = row + 1;
        let mut held = in_row(row);
        while end < height && held + in_row(end) <= MAX_HELD_FRAGMENTS {
            held += in_row(end);
            end += 1;
        }
        let layers = layers(width, &(row..end), counts, vertices, triangles, members);
        for y in row..end {
            for x in 0..width {
                let met = layers.of(((y - row) * width + x) as usize);
                if !met.is_empty() {
                    visit(x, y, met);
                }
            }
        }
        row = end;
    }
}

/// The interval in which solids overlap on a collision ray: inside two at once, or twice in one. If the
/// facings give no such interval, from the first of the surfaces that are too near to each other to the last;
/// else the whole range of the ray. `None` for a ray without fragments.
pub fn overlap(met: &[Fragment], rule: &Rule) -> Option<[Fragment; 2]> {
    let (mut inside, mut doubly, mut near) = (0i32, None, None);
    let stretch = |known: Option<[Fragment; 2]>, from: Fragment, to: Fragment| {
        Some(known.map_or([from, to], |[first, _]| [first, to]))
    };
    for (k, &fragment) in met.iter().enumerate() {
        if inside > 1 && k > 0 {
            doubly = stretch(doubly, met[k - 1], fragment);
        }
        if k > 0 && (are_near(met[k - 1], fragment, rule.near) || met[k - 1].depth() == fragment.depth()) {
            near = stretch(near, met[k - 1], fragment);
        }
        if fragment.is_closed() {
            inside += if fragment.is_back() { -1 } else { 1 };
        }
    }
    doubly.or(near).or(Some([*met.first()?, *met.last()?]))
}

/// Whether a ray with these fragments, sorted, is a collision ray.
///
/// Equal fragments cannot be peeled apart. There are some where fewer layers are found than were counted:
/// coincident surfaces with the same facing.
pub fn is_collision(met: &[Fragment], rule: &Rule) -> bool {
    let mut distinct = met.to_vec();
    distinct.dedup();
    let two_sided = rule.sides == Sides::Both;
    let per_pass = if two_sided { 2 } else { 1 };
    let needed = distinct.len().div_ceil(per_pass) as u32;
    let steps = rule.passes.min(needed) as usize;

    let mut front = (None, false); // last fragment, and whether a back face must come next
    let mut rear = (None, true);
    for step in 0..steps {
        if !follows(&mut front, distinct[step], rule.near) {
            return true;
        }
        if two_sided && !follows(&mut rear, distinct[distinct.len() - 1 - step], rule.near) {
            return true;
        }
    }
    // That all was peeled is known when a pass finds nothing more, or after as many passes as there are
    // fragments.
    if rule.passes <= needed && rule.passes < (met.len().div_ceil(per_pass)) as u32 {
        return rule.at_limit == AtLimit::Mark;
    }
    let meeting = match (front.0, rear.0) {
        (Some(a), Some(b)) if a != b => are_near(a, b, rule.near) || front.1 == rear.1,
        // A closed surface that both ends have reached is valid for both.
        (Some(a), Some(_)) if a.is_closed() => false,
        // What must come next from one end must not be what must come next from the other.
        _ => front.1 == rear.1,
    };
    meeting || distinct.len() < met.len()
}

/// Advances to the next fragment; `false` if it violates the alternation.
fn follows(state: &mut (Option<Fragment>, bool), next: Fragment, near: u32) -> bool {
    let clear = !state.0.is_some_and(|last| are_near(last, next, near));
    let expected = !next.is_closed() || next.is_back() == state.1;
    state.0 = Some(next);
    if next.is_closed() {
        state.1 = !next.is_back();
    }
    clear && expected
}

fn are_near(a: Fragment, b: Fragment, near: u32) -> bool {
    !(a.is_closed() && b.is_closed()) && a.depth().abs_diff(b.depth()) <= near
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "F" a front face, "B" a back face, "f" and "b" of open surfaces, a digit a distance.
    fn ray(text: &str) -> Vec<Fragment> {
        let mut depth = 1000;
        let mut met = Vec::new();
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                depth = depth - 100 + digit;
            } else {
                let open = u32::from(letter.is_lowercase());
                met.push(Fragment(depth << 2 | open << 1 | u32::from(letter.eq_ignore_ascii_case(&'b'))));
                depth += 100;
            }
        }
        met.sort_unstable();
        met
    }

    fn on(text: &str, sides: Sides, passes: u32, at_limit: AtLimit) -> bool {
        is_collision(&ray(text), &Rule { sides, passes, at_limit, near: 5 })
    }

    #[test]
    fn two_equal_facings_or_a_back_face_first_make_a_collision_ray() {
        for sides in [Sides::Front, Sides::Both] {
            let on = |text| on(text, sides, 99, AtLimit::Stop);
            for clear in ["FB", "FBFB", "FBFBFBFB", ""] {
                assert!(!on(clear), "{clear}");
            }
            for colliding in ["FFBB", "FFB", "BF", "BFBF", "FBFFBB", "FFBBFB", "F", "B", "FBFFBBFB"] {
                assert!(on(colliding), "{colliding}");
            }
        }
    }

    #[test]
    fn surfaces_that_lie_in_each_other_collide() {
        // A solid's back and the next one's front at one depth: they touch.
        assert!(on("FB0FB", Sides::Both, 99, AtLimit::Stop));
        // The same front twice.
        assert!(on("FB F0FB".replace(' ', "").as_str(), Sides::Both, 99, AtLimit::Stop));
    }

    #[test]
    fn open_surfaces_collide_with_what_is_near() {
        for sides in [Sides::Front, Sides::Both] {
            let on = |text| on(text, sides, 99, AtLimit::Stop);
            for clear in ["f", "ff", "fFB", "FfB", "FBf", "FfbB", "F5BF5B", "fbf"] {
                assert!(!on(clear), "{clear}");
            }
            for colliding in ["f5f", "F5fB", "Ff5B", "ff5f", "f5ff", "FfFB", "Ff5bB"] {
                assert!(on(colliding), "{colliding}");
            }
        }
    }

    #[test]
    fn the_overlap_is_where_a_ray_is_in_two_solids() {
        let rule = Rule { sides: Sides::Both, passes: 99, at_limit: AtLimit::Stop, near: 5 };
        let depths = |text| overlap(&ray(text), &rule).map(|ends| ends.map(Fragment::depth));
        assert_eq!(depths(""), None);
        assert_eq!(depths("FFBB"), Some([1100, 1200]));
        assert_eq!(depths("FBFFBBFB"), Some([1300, 1400]));
        assert_eq!(depths("FFBFBB"), Some([1100, 1400]), "from the first stretch to the last");
        assert_eq!(depths("FB0FB"), Some([1100, 1100]), "they touch");
        assert_eq!(depths("Ff5B"), Some([1100, 1105]), "near an open surface");
        assert_eq!(depths("BF"), Some([1000, 1100]), "inside out: all of it");
    }

    #[test]
    fn deeper_rays_stop_or_are_marked_at_the_limit() {
        let deep = "FBFBFFBB";
        assert!(!on(deep, Sides::Front, 4, AtLimit::Stop));
        assert!(on(deep, Sides::Front, 4, AtLimit::Mark));
        assert!(on(deep, Sides::Front, 6, AtLimit::Stop), "the second F is the sixth layer");
        assert!(
            on(deep, Sides::Both, 2, AtLimit::Stop),
            "seen from the back, the second B is the second layer"
        );
        assert!(!on("FBFBFB", Sides::Both, 3, AtLimit::Mark), "all of it was peeled");
        assert!(on("FBFBFB", Sides::Both, 2, AtLimit::Mark), "not all of it was peeled");
    }

    #[test]
    fn marking_at_the_limit_misses_nothing_that_full_peeling_finds() {
        let letters = ['F', 'B', 'f', 'b', '0', '5'];
        for code in 0..6usize.pow(6) {
            let text: String = (0..6).map(|k| letters[code / 6usize.pow(k) % 6]).collect();
            for sides in [Sides::Front, Sides::Both] {
                let full = on(&text, sides, 99, AtLimit::Stop);
                for passes in 1..5 {
                    assert!(!full || on(&text, sides, passes, AtLimit::Mark), "{text} {sides:?} {passes}");
                    assert!(full || !on(&text, sides, passes, AtLimit::Stop), "{text} {sides:?} {passes}");
                }
            }
        }
    }

    #[test]
    fn every_ray_through_a_square_meets_it_once() {
        let corner = |x: f32, y: f32| ScreenVertex { x, y, depth: 0.5, body: 0 };
        // The diagonal passes through the middles of pixels, and so do two sides.
        let vertices = [corner(1.5, 1.5), corner(6.5, 1.5), corner(6.5, 6.5), corner(1.5, 6.5)];
        let member = Member {
            id: crate::BodyId::default(),
            first_vertex: 0,
            vertices: 4,
            first_triangle: 0,
            triangles: 2,
            closed: true,
            mirrored: false,
            active: true,
        };
        let triangles = [[0, 1, 2], [0, 2, 3]];
        let counts = counts([8, 8], &vertices, &triangles, &[member]);
        let whole = layers(8, &(0..8), &counts, &vertices, &triangles, &[member]);
        let strip = layers(8, &(3..5), &counts, &vertices, &triangles, &[member]);
        for y in 0..8 {
            for x in 0..8 {
                let expected = usize::from((1..6).contains(&x) && (1..6).contains(&y));
                let met = whole.of(y * 8 + x);
                assert!(!(3..5).contains(&y) || strip.of((y - 3) * 8 + x) == met);
                assert_eq!(met.len(), expected, "{x} {y}");
                assert!(met.iter().all(|fragment| fragment.is_back()), "turns right");
            }
        }
    }
}

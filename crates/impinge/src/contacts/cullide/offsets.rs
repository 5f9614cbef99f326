//! From a triangle to a box around it, so large that what a rasteriser gets wrong hides no contact (3.3, 3.4).
//!
//! One axis of the box is the longest edge of the triangle, another is in its plane; the box holds the triangle and a ball of
//! radius [`Offset::radius`] about each of its points. Lengths are pixels, along the rays too ([`super::Image::deep`]).
//!
//! # Only half of a box is drawn
//!
//! Sides of the box are turned so that none goes towards the eye. The three faces at its first corner are then its front, the
//! three at its last corner its back. Questions draw backs, the buffer is filled with fronts (4).
//!
//! # What a rasteriser is taken to do
//!
//! Let `L` be the most pixels that the terms of an image coordinate add up to, `S` the longest edge of a triangle, and
//! `f = 2^-19 L + 2^-18 S +` the rounding of doubles, in pixels ([`super::Image`]).
//!
//! 1. Corners of triangles, projected in floats, are off by at most `f`.
//! 2. So are corners of boxes, computed from them: the terms that are as large as `L` are rounded four times, those that are as
//!    large as `S` at most 64 times, and that covers how far computed axes are from square.
//! 3. Corners are moved to a grid by less than [`SNAPPING`](crate::util::tolerance::SNAPPING) across and down: eight bits below the
//!    pixel, rounded in any way.
//! 4. A pixel is drawn if its middle is in the triangle so moved, and of triangles that share an edge one is, clipped or not.
//! 5. Its depth is that of the triangle's plane, off by no more than the plane rises within `f` pixels, and [`DEPTH_ERROR`].
//!
//! # Proof
//!
//! Let two bodies have triangles with points no more than a distance `D` apart; `Q` is the point midway. Let `C` be the middle of
//! the pixel that `Q` is seen in, and take either triangle. By 1 it is drawn as another with a point that is within
//! `D / 2 + sqrt(3) f` of `Q`. The radius is `D / 2 + sqrt(3) (1/2 + 16 f)`, the second term being the course's `sqrt(3) p / 2` with
//! a `p` that is a pixel, as its middle is sampled, and room for errors. So the box holds a ball about `Q`, and as `C` is at
//! most `sqrt(2) / 2` beside `Q`, a ball about the point of the same depth over `C`, of radius
//! `m = sqrt(3) (1/2 + 15 f) - sqrt(2) / 2 > 0.158 + 25 f`.
//!
//! *The middle is covered.* The outline of the box passes `C` at `m` or more. By 2 and 3 it is moved by at most
//! `k = sqrt(2) (SNAPPING + f) < 0.006 + 1.5 f < m`. A surface whose outline goes around `C` once covers it: by 4 some triangle of
//! the back is drawn there, and some triangle of the front.
//!
//! *It is deep enough.* Every face of the back has two sides on the outline. A face that is drawn over `C` is, before it is moved,
//! within `k` of it, so both its widths across those sides are at least `m - k`, and the heights of its triangles at least
//! half of that; drawn, `(m - k) / 2 - 2 k > 0.064 + 8 f`. So a place within `f` of `C` has, in the drawn triangle, coordinates
//! whose absolute values add up to less than 1.5, and the same coordinates in the plane of the box's own face give a place that
//! is within `f + 1.5 k < m / 2` of `C`. That plane has the box on one side. So its depth there is at least that of the box,
//! which is that of `Q` and `0.86 m > 0.13 + 21 f` more. By 5 and by what corners are off in depth (1 and 2, where depths count as
//! pixels: at most `MAX_PIXELS_DEEP` of them, which keeps that error below 0.1) the fragment is as deep as `Q`. The front is
//! the same the other way round.
//!
//! So whichever body is drawn second, its back is as deep as the front of the first at `C`: the answer is not "fully visible".
//! In one pass one of them is second, in the other pass the other. Neither is culled. Where a face is seen from the side, it
//! does not matter to which half it is counted: it covers nothing. Images hold every `Q` with more than a pixel around it, and
//! the whole of every box in depth; where they cannot, nothing is culled.
//!
//! The boxes of bodies and of triangles, which are asked too, are exact.
//!
//! [`DEPTH_ERROR`]: crate::util::tolerance::DEPTH_ERROR

use crate::contacts::grid::bounds::{cross, dot, minus};
use crate::util::tolerance::OFFSET_SIZE;

/// The growth of boxes, in pixels. Both zero: the triangle itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Offset {
    /// Half of the course's `p`: half a pixel and 16 errors; 0 where completeness is not needed.
    pub half: f32,
    /// Half of the distance within which surfaces count.
    pub apart: f32,
}

impl Offset {
    /// The radius for a triangle with this longest edge.
    pub fn radius(&self, longest: f32) -> f32 {
        let half = if self.half > 0.0 { self.half + OFFSET_SIZE * longest } else { 0.0 };
        3.0f32.sqrt() * half + self.apart
    }
}

/// A box: a corner, and the three sides that begin there. None of them points towards the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Boxed {
    /// The corner nearest to the eye.
    pub corner: [f32; 3],
    /// The sides.
    pub sides: [[f32; 3]; 3],
}

/// Corners, as sums of sides (bit 0 for the first, and so on), of the six triangles of the back: all faces at corner 7.
pub const BACK: [[usize; 3]; 6] = [[4, 5, 7], [4, 7, 6], [1, 3, 7], [1, 7, 5], [2, 6, 7], [2, 7, 3]];

/// The same of the front: all faces at corner 0.
pub const FRONT: [[usize; 3]; 6] = [[0, 1, 3], [0, 3, 2], [0, 2, 6], [0, 6, 4], [0, 4, 5], [0, 5, 1]];

/// Edges shorter than this many pixels have no direction.
const NO_EDGE: f32 = 1e-10;

fn times(a: [f32; 3], by: f32) -> [f32; 3] {
    a.map(|c| c * by)
}

impl Boxed {
    /// The box of a triangle in pixels. The twin of `offsets.wgsl`.
    pub fn around(corners: [[f32; 3]; 3], offset: &Offset) -> Self {
        let square = |a: usize, b: usize| {
            let edge = minus(corners[b], corners[a]);
            dot(edge, edge)
        };
        let squares = [square(0, 1), square(1, 2), square(2, 0)];
        let first = if squares[0] >= squares[1] && squares[0] >= squares[2] {
            0
        } else if squares[1] >= squares[2] {
            1
        } else {
            2
        };
        let [a, b, c] = [corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]];
        let (u, v) = (minus(b, a), minus(c, a));
        let longest = dot(u, u).sqrt();
        // Any axes will do if they are orthogonal: extents are measured along them.
        let along = if longest > NO_EDGE { times(u, 1.0 / longest) } else { [1.0, 0.0, 0.0] };
        let height = minus(v, times(along, dot(v, along)));
        let high = dot(height, height).sqrt();
        let beside = if high > NO_EDGE && high > 1e-4 * longest {
            times(height, 1.0 / high)
        } else if along[0].abs() < 0.6 {
            [1.0, 0.0, 0.0]
        } else {
            [0.0, 1.0, 0.0]
        };
        let square = minus(beside, times(along, dot(beside, along)));
        let across = times(square, 1.0 / dot(square, square).sqrt());
        let radius = offset.radius(longest);
        let mut boxed = Self { corner: a, sides: [along, across, cross(along, across)] };
        for side in &mut boxed.sides {
            let axis = if side[2] < 0.0 { side.map(|c| -c) } else { *side };
            let (p, q) = (dot(u, axis), dot(v, axis));
            let low = p.min(q).min(0.0) - radius;
            let high = p.max(q).max(0.0) + radius;
            boxed.corner = std::array::from_fn(|k| boxed.corner[k] + low * axis[k]);
            *side = times(axis, high - low);
        }
        boxed
    }

    /// One of its eight corners.
    pub fn corner(&self, k: usize) -> [f32; 3] {
        let side = |i: usize, axis: usize| if k >> i & 1 == 1 { self.sides[i][axis] } else { 0.0 };
        std::array::from_fn(|axis| self.corner[axis] + side(0, axis) + side(1, axis) + side(2, axis))
    }
}

//! The few vector operations that shapes and motions need, on plain arrays.

pub use impinge::Point;
use impinge::Pose;

/// `a + b`.
pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`.
pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a * s`.
pub fn scale(a: Point, s: f64) -> Point {
    a.map(|c| c * s)
}

/// `a + b * s`.
pub fn along(a: Point, b: Point, s: f64) -> Point {
    add(a, scale(b, s))
}

/// Scalar product.
pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length.
pub fn norm(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// Distance between two points.
pub fn distance(a: Point, b: Point) -> f64 {
    norm(sub(a, b))
}

/// The direction of `a`, or x when `a` has none.
pub fn unit(a: Point) -> Point {
    let length = norm(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { [1.0, 0.0, 0.0] }
}

/// Two directions that make a right-handed frame with the direction `axis`.
pub fn frame_around(axis: Point) -> [Point; 2] {
    let helper = if axis[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let u = unit(cross(axis, helper));
    [u, cross(axis, u)]
}

/// From 0 at `x <= 0` to 1 at `x >= 1`, with horizontal ends.
pub fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A turn about `axis` (any length), then a move. Lab scenes pass finite numbers; anything else stays put.
pub fn turned(axis: Point, angle: f64, t: Point) -> Pose {
    Pose::from_axis_angle(unit(axis), angle, t).unwrap_or_default()
}

/// A move. Lab scenes pass finite numbers; anything else stays put.
pub fn moved(t: Point) -> Pose {
    Pose::from_translation(t).unwrap_or_default()
}

/// One of the 24 rotations of the cube, then a move: exact wherever the sum `coordinate + t` is.
pub fn quarter_turned(which: usize, t: Point) -> Pose {
    let mut rows = [[0.0; 4]; 3];
    let even = (which % 24 / 4).is_multiple_of(2);
    let axes = [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0], [2, 0, 1], [0, 2, 1]][which % 24 / 4];
    // An even permutation needs an even number of sign changes, an odd one an odd number.
    let signs = [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]][which % 4];
    let last = signs[0] * signs[1] * if even { 1.0 } else { -1.0 };
    for (row, (&axis, sign)) in axes.iter().zip([signs[0], signs[1], last]).enumerate() {
        rows[row][axis] = sign;
        rows[row][3] = t[row];
    }
    Pose::from_rows(rows).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_quarter_turns_are_24_different_rotations() {
        let mut seen = BTreeSet::new();
        for which in 0..24 {
            let pose = quarter_turned(which, [0.0; 3]);
            let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|p| pose.apply(p));
            assert_eq!(cross(x, y), z, "{which} is a reflection");
            seen.insert(format!("{pose:?}"));
        }
        assert_eq!(seen.len(), 24);
    }
}

//! The little vector arithmetic that several stages share. Constructions, plain `f64`.

use super::Point;

/// The same direction with length 1; `None` when it has none, or one that is not finite.
pub(crate) fn unit(v: Point) -> Option<Point> {
    // Scaled first, so that no square overflows or vanishes.
    let largest = v.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
    if v.iter().any(|c| !c.is_finite()) || largest == 0.0 {
        return None;
    }
    let v = v.map(|c| c / largest);
    let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
    Some(v.map(|c| c / length))
}

/// Perpendicular to both, and as long as the area between them.
pub(crate) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

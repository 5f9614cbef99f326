//! The few vector operations that drawing needs.

/// A vector or point of the normalised scene.
pub(super) type V = [f32; 3];

pub(super) fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: V, s: f32) -> V {
    a.map(|c| c * s)
}

pub(super) fn dot(a: V, b: V) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Of length 1, or zero where the argument is too short to have a direction.
pub(super) fn unit(a: V) -> V {
    // Scaled first: the square of a small triangle's normal would vanish in single precision.
    let largest = a.iter().fold(0.0, |m: f32, c| m.max(c.abs()));
    if !(largest.is_normal()) {
        return [0.0; 3];
    }
    let a = a.map(|c| c / largest);
    scale(a, 1.0 / dot(a, a).sqrt())
}

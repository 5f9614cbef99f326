//! Whether the boxes of two bodies, along the axes of each, are apart (3, step 1).

use crate::scene::vector::{cross, unit};
use crate::scene::{Bounds, Point, Pose};
use crate::util::tolerance::BOX_SLACK;

/// A box in the coordinates of a body, where the body stands: its middle, and half of each edge.
struct Stood {
    middle: Point,
    halves: [Point; 3],
}

impl Stood {
    fn new(bounds: &Bounds, pose: &Pose) -> Self {
        let rows = pose.rows();
        let middle = std::array::from_fn(|k| bounds.min[k] / 2.0 + bounds.max[k] / 2.0);
        let half = |k: usize| bounds.max[k] / 2.0 - bounds.min[k] / 2.0;
        Self { middle: pose.apply(middle), halves: std::array::from_fn(|k| rows.map(|row| row[k] * half(k))) }
    }
}

/// Whether something separates two boxes for certain: the normal of a face, or of an edge of each.
pub fn are_apart(a: (&Bounds, &Pose), b: (&Bounds, &Pose)) -> bool {
    if a.0.is_empty() || b.0.is_empty() {
        return true;
    }
    let magnitude = |(bounds, pose): (&Bounds, &Pose)| pose.magnitude(bounds.magnitude());
    let largest = magnitude(a).max(magnitude(b)).max(f64::MIN_POSITIVE);
    let [a, b] = [a, b].map(|(bounds, pose)| Stood::new(bounds, pose));
    // As parts of the largest number on the way, so that nothing overflows and every error is a few roundoffs of 1.
    let [a, b] = [a, b].map(|s| Stood {
        middle: s.middle.map(|c| c / largest),
        halves: s.halves.map(|h| h.map(|c| c / largest)),
    });
    let faces = |s: &Stood| {
        std::array::from_fn::<Point, 3, _>(|k| cross(s.halves[(k + 1) % 3], s.halves[(k + 2) % 3]))
    };
    let edges = a.halves.into_iter().flat_map(|p| b.halves.map(|q| cross(p, q)));
    let axes = faces(&a).into_iter().chain(faces(&b)).chain(edges);
    let dot = |p: Point, q: Point| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let between: Point = std::array::from_fn(|k| b.middle[k] - a.middle[k]);
    // Any vector may separate; of length 1, so that no product of it vanishes.
    axes.into_iter().filter_map(unit).any(|axis| {
        let reach: f64 = a.halves.iter().chain(&b.halves).map(|half| dot(axis, *half).abs()).sum();
        dot(axis, between).abs() > reach + BOX_SLACK
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Bounds = Bounds { min: [-1.0; 3], max: [1.0; 3] };

    #[test]
    fn turned_boxes_are_told_apart_where_upright_ones_are_not() {
        let turned =
            Pose::from_axis_angle([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4, [2.2, 2.2, 0.0]).unwrap();
        // Upright, it reaches from 0.79 on both axes; turned, its face is 3.11 - 1 from the middle, and a corner at 1.41.
        assert!(are_apart((&UNIT, &Pose::IDENTITY), (&UNIT, &turned)));
        let nearer =
            Pose::from_axis_angle([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4, [1.6, 1.6, 0.0]).unwrap();
        assert!(!are_apart((&UNIT, &Pose::IDENTITY), (&UNIT, &nearer)));
    }

    #[test]
    fn boxes_that_touch_overlap_or_are_flat_are_not_apart() {
        for t in [[2.0, 0.0, 0.0], [2.0, 2.0, 2.0], [0.5, 0.1, 0.0], [0.0; 3]] {
            let pose = Pose::from_translation(t).unwrap();
            assert!(!are_apart((&UNIT, &Pose::IDENTITY), (&UNIT, &pose)), "{t:?}");
        }
        let flat = Bounds { min: [-1.0, -1.0, 0.0], max: [1.0, 1.0, 0.0] };
        assert!(!are_apart((&flat, &Pose::IDENTITY), (&flat, &Pose::IDENTITY)));
        let up = Pose::from_translation([0.0, 0.0, 1e-3]).unwrap();
        assert!(are_apart((&flat, &Pose::IDENTITY), (&flat, &up)));
        assert!(are_apart((&UNIT, &Pose::IDENTITY), (&Bounds::EMPTY, &Pose::IDENTITY)));
        // So thin that products of its sides vanish; and brought back from far away, which leaves errors of its own.
        for k in 1..200 {
            let m = f64::from(k) / 137.0;
            let thin =
                |from: f64, to: f64| Bounds { min: [from, -1e-160, -1e-160], max: [to, 1e-160, 1e-160] };
            let [a, b] = [thin(m - 0.3, m), thin(m, m + 0.7)];
            assert!(!are_apart((&a, &Pose::IDENTITY), (&b, &Pose::IDENTITY)), "{k}");
            let far = 1e13 * m;
            let away = Bounds { min: [far, far, -1.0], max: [far, far, 1.0] };
            let turned = Pose::from_axis_angle([0.0, 0.0, 1.0], 0.7, [0.0; 3]).unwrap();
            let back = turned.apply([far, far, 0.0]).map(|c| -c);
            let pose = Pose::from_axis_angle([0.0, 0.0, 1.0], 0.7, back).unwrap();
            let point = pose.apply([far, far, 0.0]);
            let there = Bounds { min: point, max: point };
            assert!(!are_apart((&away, &pose), (&there, &Pose::IDENTITY)), "{k}");
        }
        let huge = Bounds { min: [-1e300; 3], max: [1e300; 3] };
        assert!(!are_apart((&huge, &Pose::IDENTITY), (&UNIT, &Pose::IDENTITY)));
    }
}

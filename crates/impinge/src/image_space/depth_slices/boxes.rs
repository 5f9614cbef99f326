//! Whether the boxes of two bodies, along the axes of each, are apart (3, step 1).

use crate::bounds::Bounds;
use crate::mesh::Point;
use crate::pose::Pose;
use crate::tolerance::BOX_SLACK;
use crate::vector::cross;

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
    let [a, b] = [a, b].map(|(bounds, pose)| Stood::new(bounds, pose));
    // As parts of the largest coordinate, so that nothing overflows.
    let all = [&a, &b].into_iter().flat_map(|s| s.halves.into_iter().chain([s.middle])).flatten();
    let largest = all.fold(f64::MIN_POSITIVE, |most: f64, c| most.max(c.abs()));
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
    axes.into_iter().any(|axis| {
        let reach: f64 = a.halves.iter().chain(&b.halves).map(|half| dot(axis, *half).abs()).sum();
        // Coordinates are at most 1 here, and each has errors of a few roundoffs of that.
        let slack = BOX_SLACK * axis.iter().map(|c| c.abs()).sum::<f64>();
        dot(axis, between).abs() > reach + slack
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
        let huge = Bounds { min: [-1e300; 3], max: [1e300; 3] };
        assert!(!are_apart((&huge, &Pose::IDENTITY), (&UNIT, &Pose::IDENTITY)));
    }
}

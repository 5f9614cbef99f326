//! The narrow phase, pair by pair: the exact triangle tests, for pairs that cross, that are apart and that are
//! coplanar. The last need exact arithmetic far more often than the others.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::Point;
use impinge::exact::{neighbours_touch, triangles_touch};
use std::hint::black_box;

type Triangle = [Point; 3];

/// About the z axis, in the plane z = `height`, turned by `turn` radians.
fn flat(height: f64, turn: f64) -> Triangle {
    [0.0, 2.1, 4.2].map(|corner: f64| [(corner + turn).cos(), (corner + turn).sin(), height])
}

/// Across the plane z = 0, through the z axis.
const UPRIGHT: Triangle = [[-0.3, -0.2, -1.0], [0.4, 0.1, -0.9], [0.1, 0.2, 1.1]];

fn two_bodies(c: &mut Criterion) {
    let mut group = c.benchmark_group("triangles_touch");
    let cases = [
        ("crossing", flat(0.0, 0.3), UPRIGHT, true),
        // Boxes overlap, so culling passes such a pair on; one plane separates them.
        (
            "apart",
            [[0.0, 0.0, 0.0], [1.0, 0.1, 0.9], [0.1, 1.0, 0.8]],
            [[0.9, 0.9, 0.1], [0.9, 0.2, 0.1], [0.2, 0.9, 0.1]],
            false,
        ),
        ("coplanar, crossing", flat(0.1, 0.3), flat(0.1, 1.0), true),
        ("coplanar, apart", flat(0.1, 0.3), flat(0.1, 0.9).map(|[x, y, z]| [x + 1.9, y + 0.7, z]), false),
    ];
    for (name, a, b, touch) in cases {
        assert_eq!(triangles_touch(&a, &b), touch, "{name}");
        group.bench_function(name, |bencher| bencher.iter(|| triangles_touch(black_box(&a), black_box(&b))));
    }
    group.finish();
}

fn one_body(c: &mut Criterion) {
    let mut group = c.benchmark_group("neighbours_touch");
    let [u, v, a] = [[0.0, 0.0, 0.1], [1.0, 0.0, 0.1], [0.3, 0.9, 0.1]];
    let cases = [
        ("shared edge, bent", [[u, v, a], [v, u, [0.4, -0.8, 0.5]]], [[0, 1, 2], [1, 0, 3]], false),
        ("shared edge, flat", [[u, v, a], [v, u, [0.4, -0.8, 0.1]]], [[0, 1, 2], [1, 0, 3]], false),
        ("shared edge, folded flat", [[u, v, a], [v, u, [0.5, 0.4, 0.1]]], [[0, 1, 2], [1, 0, 3]], true),
        (
            "shared vertex, apart",
            [[u, v, a], [u, [-0.7, 0.2, 0.4], [-0.2, -0.9, 0.3]]],
            [[0, 1, 2], [0, 3, 4]],
            false,
        ),
        (
            "shared vertex, crossing",
            [[u, v, a], [u, [0.6, 0.2, -0.4], [0.5, 0.3, 0.6]]],
            [[0, 1, 2], [0, 3, 4]],
            true,
        ),
        ("nothing shared, crossing", [flat(0.0, 0.3), UPRIGHT], [[0, 1, 2], [3, 4, 5]], true),
    ];
    for (name, corners, indices, touch) in cases {
        assert_eq!(neighbours_touch(corners, indices), touch, "{name}");
        group.bench_function(name, |bencher| {
            bencher.iter(|| neighbours_touch(black_box(corners), black_box(indices)));
        });
    }
    group.finish();
}

criterion_group!(benches, two_bodies, one_body);
criterion_main!(benches);

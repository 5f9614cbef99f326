//! A frame: new positions or poses, then all contacts, of scenes small enough to repeat many times.

#[path = "../tests/common/mod.rs"]
mod common;

use common::Moving;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use impinge::{Collider, Options, Query};

const TRIANGLES: usize = 20_000;
/// Of the period, so that bodies move as between two frames of a film.
const STEP: f64 = 1.0 / 240.0;

fn scenes() -> [Moving; 3] {
    [Moving::two_deforming, Moving::self_colliding, Moving::rigid].map(|make| make(TRIANGLES))
}

fn collide(c: &mut Criterion) {
    for query in [Query::All, Query::Any] {
        let mut group = c.benchmark_group(format!("collide, {query:?}"));
        for mut moving in scenes() {
            let mut collider = Collider::new(Options { query, ..Options::default() });
            let mut time = 0.0;
            group.bench_function(moving.name, |bencher| {
                bencher.iter_custom(|repeats| {
                    let mut total = std::time::Duration::ZERO;
                    for _ in 0..repeats {
                        time += STEP * Moving::PERIOD;
                        moving.set_time(time);
                        let start = std::time::Instant::now();
                        std::hint::black_box(collider.collide(&moving.scene).unwrap());
                        total += start.elapsed();
                    }
                    total
                });
            });
        }
        group.finish();
    }
}

fn first_frame(c: &mut Criterion) {
    let mut group = c.benchmark_group("collide, nothing kept");
    for moving in scenes() {
        group.bench_function(moving.name, |bencher| {
            bencher.iter_batched_ref(
                Collider::default,
                |collider| collider.collide(&moving.scene).unwrap().contacts.len(),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn set_positions(c: &mut Criterion) {
    let mut moving = Moving::two_deforming(TRIANGLES);
    let (id, points) = moving.positions().map(|(id, points)| (id, points.to_vec())).unwrap();
    let doubles: Vec<[f64; 3]> = points.iter().map(|point| point.map(f64::from)).collect();
    let mut group = c.benchmark_group("set_positions");
    group.bench_function("f32", |bencher| bencher.iter(|| moving.scene.set_positions(id, &points)));
    group.bench_function("f64", |bencher| bencher.iter(|| moving.scene.set_positions(id, &doubles)));
    group.finish();
}

criterion_group!(benches, collide, first_frame, set_positions);
criterion_main!(benches);

//! The longest frame of a strongly deforming scene against the median: what `cargo xtask frames` runs. Two bumpy
//! balls overlap; each is swirled about its axis, pole against pole, until patches that were round are spirals, and
//! back. The shapes stay about the same, so what changes from frame to frame is the quality of what a collider keeps.

mod common;

use anyhow::Result;
use clap::Parser;
use common::{grouped, median};
use impinge::{Collider, Options, Scene};
use impinge_lab::shapes::{Shape, bumpy_sphere};
use std::f64::consts::TAU;
use std::time::Instant;

/// The longest frame of many.
#[derive(Parser)]
struct Arguments {
    /// Triangles of both bodies together.
    #[arg(long, default_value_t = 100_000)]
    triangles: usize,
    /// Frames, from round to swirled and back.
    #[arg(long, default_value_t = 1000)]
    frames: usize,
    /// The motion is run so many times and each frame counts with its shortest time: whatever else the machine does
    /// only ever adds, and seldom to the same frame twice.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// 0 for as many as the machine has.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Look for collisions of each body with itself, too.
    #[arg(long = "self")]
    with_themselves: bool,
}

/// Frames in which memory grows and nothing is kept yet.
const FIRST: usize = 5;
/// Turns by which the poles are ahead of the equator at the most.
const SWIRL: f64 = 1.5;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { triangles, frames, runs, threads, with_themselves } = arguments;
    let shapes = [1, 2].map(|seed| bumpy_sphere(triangles / 2, seed));
    let mut times = vec![f64::INFINITY; frames];
    let mut contacts = 0;
    for _ in 0..runs.max(1) {
        let mut scene = Scene::new();
        let bodies = [0, 1].map(|k| scene.add(["a", "b"][k], shapes[k].mesh_f32()));
        for body in bodies {
            scene.set_self_collision(body, with_themselves)?;
        }
        let mut collider = Collider::new(Options { threads, ..Options::default() });
        contacts = 0;
        for (frame, least) in times.iter_mut().enumerate() {
            let time = frame as f64 / frames as f64;
            let positions = [swirled(&shapes[0], time, 0.0), swirled(&shapes[1], -time, 1.1)];
            let start = Instant::now();
            for (body, positions) in bodies.iter().zip(&positions) {
                scene.set_positions(*body, positions)?;
            }
            contacts += collider.collide(&scene)?.contacts.len();
            *least = least.min(1e3 * start.elapsed().as_secs_f64());
        }
    }

    let first: Vec<String> = times.iter().take(FIRST).map(|ms| format!("{ms:.2}")).collect();
    let later = times.get(FIRST..).unwrap_or_default();
    let mut sorted = later.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at =
        |part: f64| sorted.get((part * (sorted.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
    let (middle, p99, longest) = (median(later), at(0.99), at(1.0));
    let where_longest = later.iter().position(|&ms| ms == longest).unwrap_or(0) + FIRST;
    let count: usize = shapes.iter().map(|shape| shape.triangles.len()).sum();
    println!(
        "{} triangles, {frames} frames, {} contacts a frame",
        grouped(count),
        grouped(contacts / frames.max(1))
    );
    println!("first   {} ms", first.join(", "));
    println!("median  {middle:.2} ms");
    println!("p99     {p99:.2} ms, {:.2}x the median", p99 / middle);
    println!("longest {longest:.2} ms, {:.2}x the median, in frame {where_longest}", longest / middle);
    Ok(())
}

/// The shape at a time in turns, its centre moved along x.
fn swirled(shape: &Shape, time: f64, aside: f64) -> Vec<[f32; 3]> {
    let most = TAU * SWIRL * (TAU * time).sin();
    let place = |&[x, y, z]: &[f64; 3]| {
        let (sin, cos) = (most * z).sin_cos();
        [x * cos - y * sin + aside, x * sin + y * cos, z].map(|coordinate| coordinate as f32)
    };
    shape.positions.iter().map(place).collect()
}

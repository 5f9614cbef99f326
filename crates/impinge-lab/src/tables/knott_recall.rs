//! What casting rays at edges finds and what it misses, by resolution and by triangles: where the thesis gives up, "over
//! five thousand" polygons in a pair (4.7.2), and what further layers and views see.

use super::crowd::{Pairs, Room, crowd, exact_pairs, found_pairs};
use anyhow::Result;
use impinge::Scene;
use impinge::stages::Direction;
use impinge::stages::interference::{Identify, RayCastOptions};
use impinge_gpu::{Context, GpuCollider};
use std::io::Write;

const RESOLUTIONS: [u32; 6] = [64, 128, 256, 512, 1024, 2048];
const TRIANGLES: [usize; 6] = [12, 80, 320, 1280, 5120, 20_480];
/// Bodies in a scene, and scenes.
const BODIES: usize = 12;
const SCENES: u64 = 2;

/// A way of looking.
struct Way {
    name: &'static str,
    options: RayCastOptions,
}

fn ways() -> [Way; 3] {
    let ours = RayCastOptions::default();
    let thesis = RayCastOptions { identify: Identify::LastDrawn, ..ours };
    let way = |name, options| Way { name, options };
    [
        way("the thesis' algorithm 4, one view", thesis),
        way("ours, one view", ours),
        way("ours, three views", RayCastOptions { direction: Direction::Axes, ..ours }),
    ]
}

/// Recall and precision of some answers together, in percent.
#[derive(Default)]
struct Score {
    right: usize,
    found: usize,
    exact: usize,
}

impl Score {
    fn add(&mut self, found: &Pairs, exact: &Pairs) {
        self.right += found.intersection(exact).count();
        self.found += found.len();
        self.exact += exact.len();
    }

    fn text(&self) -> String {
        // Rounded down: 100 is all of them.
        let percent = |of: usize| (100 * self.right).checked_div(of).unwrap_or(100);
        format!("{} / {}", percent(self.exact), percent(self.found))
    }
}

/// Prints the tables.
pub(super) fn recall(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nRecall / precision of body pairs in percent, against the exact answer: {SCENES} scenes of {BODIES} bodies,\n\
         by triangles of a body (down) and pixels across and down (across)."
    )?;
    let mut collider = GpuCollider::new(context.clone())?;
    for way in ways() {
        write!(out, "\n{:<38}", way.name)?;
        RESOLUTIONS.iter().try_for_each(|n| write!(out, "{n:>12}"))?;
        writeln!(out)?;
        for triangles in TRIANGLES {
            let scenes: Vec<(Scene, Pairs)> = (0..SCENES)
                .map(|seed| {
                    let scene = crowd(BODIES, triangles, Room::Cube(1.6), seed + 1)?;
                    let exact = exact_pairs(&scene);
                    Ok((scene, exact))
                })
                .collect::<Result<_>>()?;
            let pairs: usize = scenes.iter().map(|(_, exact)| exact.len()).sum();
            write!(out, "{:<38}", format!("  {triangles} triangles, {pairs} pairs"))?;
            for n in RESOLUTIONS {
                let mut score = Score::default();
                for (scene, exact) in &scenes {
                    let options = RayCastOptions { resolution: [n; 2], ..way.options };
                    score.add(&found_pairs(&collider.interference(scene, &options)?), exact);
                }
                write!(out, "{:>12}", score.text())?;
                out.flush()?;
            }
            writeln!(out)?;
        }
    }
    writeln!(
        out,
        "\nThe thesis draws body after body, and in a pixel full of edges shows the last of them; it gives up at over 5000\n\
         polygons in a pair. Ours draws edges scattered, and looks at {} of a pixel.",
        RayCastOptions::default().layers
    )?;
    Ok(())
}

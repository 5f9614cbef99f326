//! Every scene of the lab through depth peeling: what is found, and what sampling costs, by blending and by atomics.

use super::measure::{RUNS, measure, ms};
use anyhow::Result;
use impinge::stages::depth_peel::PeelOptions;
use impinge_gpu::{Context, GpuCollider};
use std::io::Write;

/// Runs every scene at about so many triangles and prints a row for each.
pub fn sampling(context: &Context, resolution: u32, triangles: usize, out: &mut impl Write) -> Result<()> {
    let options = PeelOptions { resolution: [resolution; 2], ..PeelOptions::default() };
    writeln!(
        out,
        "Every scene of the lab at about {triangles} triangles, its middle and its last frame, where boxes overlap.\n\
         Here: {}, {resolution} x {resolution} rays, median of {RUNS}.\n",
        context.adapter
    )?;
    writeln!(
        out,
        "{:<16} {:>9} {:>8} {:>6} {:>7} {:>9} {:>11} {:>7} {:>12} {:>7}",
        "scene, frame",
        "contacts",
        "recall",
        "views",
        "layers",
        "plain ms",
        "sampling ms",
        "ratio",
        "by atomics",
        "ratio"
    )?;
    let mut colliders =
        [GpuCollider::new(context.clone())?, GpuCollider::with_atomics(context.clone(), true)?];
    for scene in crate::all() {
        let mut motion = scene.build(triangles, 1);
        for frame in [motion.frames / 2, motion.frames - 1] {
            motion.set_frame(frame)?;
            let [blended, atomic] = colliders
                .each_mut()
                .map(|collider| measure(collider, &motion.scene, &motion.scene, &options));
            let (blended, atomic) = (blended?, atomic?);
            if blended.image.layers == 0 {
                continue;
            }
            writeln!(
                out,
                "{:<16} {:>9} {:>6.1} % {:>6} {:>7} {:>9.2} {:>11.1} {:>7.2} {:>12.1} {:>7.2}",
                format!("{} {frame}", scene.name),
                blended.exact.len(),
                blended.recall(),
                blended.image.views,
                blended.image.layers,
                ms(blended.plain),
                ms(blended.image.sample),
                blended.ratio(),
                ms(atomic.image.sample),
                atomic.ratio(),
            )?;
        }
    }
    writeln!(
        out,
        "\nratio: sampling / (views x layers x one plain depth-only render of the same view, same run)."
    )?;
    Ok(())
}

//! The complete method on a GPU, beside one plain render of the same scene and beside the CPU: how long it takes, what is left after
//! every stage, and what two triangles across the whole scene cost.

use super::measure::ms;
use anyhow::{Result, ensure};
use impinge::contacts::{GridOptions, GridStats, PeelOptions};
use impinge::{Bounds, Collider, Mesh, Method, Options, Scene};
use impinge_gpu::{Context, GpuCollider};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Frames that are measured of each scene, and how often; the median counts.
const FRAMES: usize = 5;
const ROUNDS: usize = 3;

/// Plain renders beside each of them: one alone may take half as long again as the next.
const RENDERS: usize = 3;

/// The variable that names the folder where the scenes of the peer benchmark are.
const PEERS: &str = "IMPINGE_PEERS";

/// Runs the scenes of the peer benchmark, where they are, and those of the lab, at so many triangles; only those with this in their
/// name.
pub fn conservative(context: &Context, triangles: usize, only: &str, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "The conservative method on {}: medians of {FRAMES} frames, {ROUNDS} times each, in turns with a plain depth-only render of the whole\n\
         scene at 1024 x 1024 and with bvh on the CPU. Contacts are compared with bvh's in every frame.\n",
        context.adapter
    )?;
    writeln!(
        out,
        "{:<16} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9} {:>8} {:>9} {:>8} {:>7} {:>8} {:>9}  place, keep, grid, pairs, look",
        "scene",
        "triangles",
        "contacts",
        "kept",
        "candidates",
        "in doubt",
        "settled",
        "bytes",
        "ms",
        "render",
        "ratio",
        "bvh ms",
        "2 across",
    )?;
    let mut table = Table { context, out };
    let folder = peers();
    let mut found = false;
    for name in ["bunnies-deform", "horses-deform", "cloth-ball", "rigid-blobs", "creatures", "knots-800k"] {
        let path = folder.join(name).join("scene.toml");
        if path.exists() && name.contains(only) {
            found = true;
            let file = impinge_io::load_scene_file(&path)?;
            let (mut scene, ids) = file.to_scene()?;
            table.row(name, |frame| {
                file.apply_frame(&mut scene, &ids, frame)?;
                Ok(scene.clone())
            })?;
        }
    }
    if !found && only.is_empty() {
        writeln!(
            table.out,
            "(the peer benchmark's scenes are not in {}; {PEERS} names another folder)",
            folder.display()
        )?;
    }
    for lab in crate::all().iter().filter(|lab| lab.name.contains(only)) {
        let mut motion = lab.build(triangles, 1);
        let first = motion.frames / 2;
        table.row(lab.name, |frame| {
            motion.set_frame((first + frame % 2).min(motion.frames - 1))?;
            Ok(motion.scene.clone())
        })?;
    }
    writeln!(
        out,
        "\nratio: ms / render. in doubt: candidates left to exact arithmetic on the CPU. settled: candidates that floats left in doubt\n\
         and the GPU told about by exact arithmetic. bytes: read back for each contact, beyond a constant of 256 a\n\
         run. 2 across: the same with two triangles across the whole scene added, in times of the time without (inf: too crowded for\n\
         this device's buffers, which is an error). place, keep, grid, pairs, look: milliseconds of these stages, by the GPU's own clock."
    )?;
    Ok(())
}

/// Where the peer benchmark keeps its scenes.
fn peers() -> PathBuf {
    let folder = std::env::var_os(PEERS).map(PathBuf::from);
    let home =
        || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache").join("impinge-peers"));
    folder.or_else(home).unwrap_or_default().join("scenes")
}

struct Table<'a, W: Write> {
    context: &'a Context,
    out: &'a mut W,
}

impl<W: Write> Table<'_, W> {
    /// One scene; `at` gives it as it stands in a frame.
    fn row(&mut self, name: &str, mut at: impl FnMut(usize) -> Result<Scene>) -> Result<()> {
        let options = |method| Options { method, containment: false, ..Options::default() };
        let collider = |method| -> Result<GpuCollider> {
            let mut collider = GpuCollider::new(self.context.clone())?;
            collider.options = options(method);
            Ok(collider)
        };
        let (mut gpu, mut wide) = (
            collider(Method::Grid(GridOptions::default()))?,
            collider(Method::Grid(GridOptions::default()))?,
        );
        let mut plain =
            collider(Method::DepthPeel(PeelOptions { passes: Some(1), ..PeelOptions::default() }))?;
        let mut cpu = Collider::new(options(Method::Bvh));
        let mut times: [Vec<Duration>; 4] = Default::default();
        let (mut triangles, mut contacts, mut stages) = (0, 0, GridStats::default());
        let mut bytes = 0;
        let mut parts: [Vec<Duration>; 5] = Default::default();
        // The first frame compiles shaders and makes room.
        for frame in (0..FRAMES).cycle().take(ROUNDS * FRAMES + 1) {
            let scene = at(frame)?;
            let across = with_two_across(&scene)?;
            let everything = seen_whole(&scene)?;
            plain.collide(&everything)?;
            // What was drawn first warms up what is drawn second.
            plain.time_plain_render()?;
            let mut lap = |k: usize, start: Instant| times[k].push(start.elapsed());
            let start = Instant::now();
            let report = gpu.collide(&scene)?;
            lap(0, start);
            let report = report.clone();
            let stats = report.grid().copied().unwrap_or_default();
            let told = told_times(&gpu);
            parts.iter_mut().zip(told).for_each(|(part, time)| part.push(time));
            for _ in 0..RENDERS {
                times[1].push(plain.time_plain_render()?);
            }
            let start = Instant::now();
            let truth = cpu.collide(&scene)?;
            times[2].push(start.elapsed());
            ensure!(report.contacts == truth.contacts, "{name}, frame {frame}: contacts differ from bvh's");
            let start = Instant::now();
            // A scene may be too crowded with them.
            let crowded = wide.collide(&across).is_err();
            times[3].push(if crowded { Duration::MAX } else { start.elapsed() });
            (triangles, contacts) = (report.stages.triangles, contacts + report.contacts.len());
            bytes += stats.bytes_read_back.saturating_sub(256);
            stages.add(&stats);
        }
        let median = |mut times: Vec<Duration>| {
            times.remove(0);
            times.sort_unstable();
            times[times.len() / 2]
        };
        let [gpu, plain, cpu, wide] = times.map(median);
        let parts = parts.map(|times| format!("{:.1}", ms(median(times)))).join(", ");
        let frames = ROUNDS * FRAMES + 1;
        let percent = |count: usize| 100.0 * count as f64 / stages.candidates.max(1) as f64;
        writeln!(
            self.out,
            "{:<16} {:>9} {:>9} {:>9} {:>10} {:>7.2} % {:>7.2} % {:>8.1} {:>9.1} {:>8.1} {:>7.2} {:>8.2} {:>9.2}  {parts}",
            name,
            triangles,
            contacts / frames,
            stages.kept / frames,
            stages.candidates / frames,
            percent(stages.doubtful),
            percent(stages.exact_signs),
            bytes as f64 / contacts.max(1) as f64,
            ms(gpu),
            ms(plain),
            ms(gpu) / ms(plain).max(1e-6),
            ms(cpu),
            if wide == Duration::MAX { f64::INFINITY } else { ms(wide) / ms(gpu).max(1e-6) },
        )?;
        self.out.flush()?;
        Ok(())
    }
}

/// What the GPU says that its stages took, in the order they run; zero where it keeps no time.
fn told_times(collider: &GpuCollider) -> [Duration; 5] {
    let times = collider.gpu_times().unwrap_or_default();
    [times.project, times.sample, times.merge, times.separate, times.pack]
}

/// The same, with every body in the picture.
fn seen_whole(scene: &Scene) -> Result<Scene> {
    let mut whole = scene.clone();
    let ids: Vec<_> = whole.bodies().map(|(id, _)| id).collect();
    ids.into_iter().try_for_each(|id| whole.set_self_collision(id, true))?;
    Ok(whole)
}

/// The same, with two tilted triangles from one end to the other.
fn with_two_across(scene: &Scene) -> Result<Scene> {
    let bodies = scene.bodies().map(|(_, body)| body);
    let positions =
        bodies.flat_map(|body| (0..body.mesh().positions().len()).map(|k| body.world_position(k)));
    let Bounds { min, max } = Bounds::of(positions);
    let mut wide = scene.clone();
    if (0..3).all(|k| min[k] <= max[k]) {
        let at = |x: f64, y: f64, z: f64| {
            let t = [x, y, z];
            std::array::from_fn(|k| min[k] + t[k] * (max[k] - min[k]))
        };
        let corners = vec![at(0.0, 0.1, 0.0), at(1.0, 0.0, 0.3), at(0.9, 1.0, 1.0), at(0.0, 0.8, 0.6)];
        wide.add("across", Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]])?);
    }
    Ok(wide)
}

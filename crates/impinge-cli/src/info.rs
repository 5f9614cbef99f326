//! `impinge info`: this program, this machine, and what it would do here.

use crate::error::Error;
use crate::method_options::Place;
use crate::names;
use crate::outcome::Outcome;
use impinge::Collider;
use impinge_gpu::wgpu::{AdapterInfo, DeviceType, Features};
use impinge_gpu::{ADAPTER_VARIABLE, AUTO_TRIANGLES, Context, adapter, auto};
use std::io::Write;

pub(crate) fn run(out: &mut impl Write) -> Result<Outcome, Error> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    writeln!(out, "impinge {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(
        out,
        "machine   {} {}, {}",
        std::env::consts::OS,
        std::env::consts::ARCH,
        names::counted(cores, "core", "cores")
    )?;
    writeln!(out, "lanes     {}", Collider::default().lanes())?;
    writeln!(out, "formats   OBJ, STL, PLY, OFF, glTF, GLB; scene.toml with .npy")?;
    writeln!(
        out,
        "
method        complete  what it does
bvh           yes       trees of boxes over the triangles of each body, then exact tests
brute_force   yes       exact tests of every triangle against every other; the oracle
grid          yes       boxes of triangles in a grid, on a GPU; exact tests where floats prove nothing
depth_peel    sampled   rays through the scene, on a GPU; exact tests where they meet surfaces out of order
ray_cast      sampled   rays to the edges of solids, on a GPU; an edge is inside what its ray enters and does not leave
depth_slices  proven    cells of space that both of two bodies take, on a GPU; exact tests where cells do not tell
a_buffer      sampled   everything that rays meet, on a GPU; exact tests of surfaces that follow each other closely
cullide       proven    bodies, and parts of them, that hide nothing of each other go, on a GPU; exact tests of the rest

--method auto chooses {}.
It takes grid for scenes of {} triangles or more where there is a GPU that is not software, else bvh: in
software bvh is always faster, and for less the way to a GPU and back costs more than it saves (an estimate: no GPU has
been measured). Both list the same contacts.
depth_peel and a_buffer miss contacts between their rays, so auto does not choose them. The contacts they list are exact.
ray_cast tells which closed bodies are inside which, and where, but lists no contacts. It misses what no pixel shows.
depth_slices tells which surfaces meet, as surely as bvh unless --certainty says otherwise; contacts with --triangles. It
does not look for self-collision.
cullide misses nothing between bodies unless --plain says so, and does not look for self-collision either. With --distance
it also lists candidates: bodies with boxes nearer to each other than that; distances are not computed.

method        what it needs of an adapter
bvh           none is used
brute_force   none is used
grid          any WebGPU device, software too
depth_peel    any WebGPU device, software too. Blends 32-bit floats where it can (float32-blendable), else
              uses atomics; has times of the GPU itself where it can tell them (timestamp-query)
ray_cast      any WebGPU device, software too. Spares fragments where a device can be told to ask the stencil before
              shaders (shader-early-depth-test)
depth_slices  any WebGPU device, software too
a_buffer      any WebGPU device, software too
cullide       any WebGPU device, software too
",
        chosen(),
        names::count(AUTO_TRIANGLES),
    )?;
    adapters(out)?;
    Ok(Outcome::Clear)
}

/// What the rule of the library gives here, for a small scene and for a large one.
fn chosen() -> String {
    let place = Place::of_gpu_method(None);
    let here = || match &place {
        Place::Gpu(name) => adapter(name.as_deref()),
        _ => None,
    };
    let [small, large] = [1_000, 1_000_000].map(|triangles| {
        format!("{} for {} triangles", auto(triangles, here).name(), names::count(triangles))
    });
    format!("{small} and {large} on this machine")
}

/// The methods that run on it.
const ON_A_GPU: &str = "grid, depth_peel, ray_cast, depth_slices, a_buffer and cullide";

/// Every adapter, and which of them would be used. To find none is an answer too.
fn adapters(out: &mut impl Write) -> Result<(), Error> {
    let adapters = impinge_gpu::adapters();
    let place = Place::of_gpu_method(None);
    let context = match &place {
        Place::Cpu => None,
        Place::Gpu(name) | Place::Fastest(name) => Some(Context::on(name.as_deref())),
    };
    if !adapters.is_empty() {
        let chosen =
            context.as_ref().and_then(|context| context.as_ref().ok()).map(|context| &context.adapter);
        table(&adapters, chosen.and_then(|name| adapters.iter().position(|info| info.name == *name)), out)?;
    }
    match context {
        None => writeln!(
            out,
            "{ADAPTER_VARIABLE} is none: {ON_A_GPU} run on the CPU, unless --adapter\nnames one"
        )?,
        Some(Err(error)) => {
            writeln!(out, "{ON_A_GPU} cannot run on a GPU: {}", Error::from(error))?;
        }
        Some(Ok(context)) => {
            let can = |able| if able { "yes" } else { "no" };
            writeln!(
                out,
                "* is what {ON_A_GPU} use, unless\n  \
                 --adapter or {ADAPTER_VARIABLE} names another\n  \
                 float32-blendable: {}, timestamp-query: {}",
                can(context.device.features().contains(Features::FLOAT32_BLENDABLE)),
                can(context.has_timestamps())
            )?;
        }
    }
    Ok(())
}

fn table(adapters: &[AdapterInfo], chosen: Option<usize>, out: &mut impl Write) -> Result<(), Error> {
    let mut rows = vec![["  adapter", "type", "backend", "driver"].map(str::to_owned)];
    rows.extend(adapters.iter().enumerate().map(|(number, info)| {
        let mark = if chosen == Some(number) { '*' } else { ' ' };
        let driver = format!("{} {}", info.driver, info.driver_info);
        [
            format!("{mark} {}", info.name),
            kind(info.device_type).to_owned(),
            info.backend.to_string(),
            driver.trim().to_owned(),
        ]
    }));
    let [w0, w1, w2]: [usize; 3] =
        std::array::from_fn(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    for [adapter, kind, backend, driver] in &rows {
        let line = format!("{adapter:w0$}  {kind:w1$}  {backend:w2$}  {driver}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn kind(kind: DeviceType) -> &'static str {
    match kind {
        DeviceType::DiscreteGpu => "discrete",
        DeviceType::IntegratedGpu => "integrated",
        DeviceType::VirtualGpu => "virtual",
        DeviceType::Cpu => "software",
        DeviceType::Other => "unknown",
    }
}

//! `impinge info`: this program, this machine, and what it would do here.

use crate::Outcome;
use crate::error::Error;
use crate::method_options::Place;
use crate::names;
use impinge::Collider;
use impinge_gpu::wgpu::{AdapterInfo, DeviceType, Features};
use impinge_gpu::{ADAPTER_VARIABLE, Context};
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
depth_peel    sampled   rays through the scene, on a GPU; exact tests where they meet surfaces out of order
ray_cast      sampled   rays to the edges of solids, on a GPU; an edge is inside what its ray enters and does not leave
depth_slices  proven    cells of space that both of two bodies take, on a GPU; exact tests where cells do not tell

--method auto chooses {}: it is complete, and faster than brute_force on all but the smallest scenes.
depth_peel misses contacts between its rays, so auto does not choose it. The contacts that it lists are exact.
ray_cast tells which closed bodies are inside which, and where, but lists no contacts. It misses what no pixel shows.
depth_slices tells which surfaces meet, as surely as bvh unless --certainty says otherwise; contacts with --triangles. It
does not look for self-collision.

method        what it needs of an adapter
bvh           none is used
brute_force   none is used
depth_peel    any WebGPU device, software too. Blends 32-bit floats where it can (float32-blendable), else
              uses atomics; has times of the GPU itself where it can tell them (timestamp-query)
ray_cast      any WebGPU device, software too. Spares fragments where a device can be told to ask the stencil before
              shaders (shader-early-depth-test)
depth_slices  any WebGPU device, software too
",
        auto()
    )?;
    adapters(out)?;
    Ok(Outcome::Clear)
}

/// Asked of the library itself, on an empty scene.
fn auto() -> &'static str {
    names::method(Collider::default().collide(&impinge::Scene::new()).method)
}

/// Every adapter, and which of them would be used. To find none is an answer too.
fn adapters(out: &mut impl Write) -> Result<(), Error> {
    let adapters = impinge_gpu::adapters();
    let place = Place::of_gpu_method(None);
    let context = match &place {
        Place::Cpu => None,
        Place::Gpu(name) => Some(Context::on(name.as_deref())),
    };
    if !adapters.is_empty() {
        let chosen =
            context.as_ref().and_then(|context| context.as_ref().ok()).map(|context| &context.adapter);
        table(&adapters, chosen.and_then(|name| adapters.iter().position(|info| info.name == *name)), out)?;
    }
    match context {
        None => writeln!(
            out,
            "{ADAPTER_VARIABLE} is none: depth_peel, ray_cast and depth_slices run on the CPU, unless --adapter names one"
        )?,
        Some(Err(error)) => {
            writeln!(
                out,
                "depth_peel, ray_cast and depth_slices cannot run on a GPU: {}",
                Error::from(error)
            )?;
        }
        Some(Ok(context)) => {
            let can = |able| if able { "yes" } else { "no" };
            writeln!(
                out,
                "* is what depth_peel, ray_cast and depth_slices use, unless --adapter or {ADAPTER_VARIABLE} names \
                 another\n  \
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

//! `impinge info`: this program, this machine, and what it would do here.

use crate::Outcome;
use crate::error::Error;
use impinge::Collider;
use std::io::Write;

pub(crate) fn run(out: &mut impl Write) -> Result<Outcome, Error> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    writeln!(out, "impinge {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(
        out,
        "machine   {} {}, {}",
        std::env::consts::OS,
        std::env::consts::ARCH,
        crate::names::counted(cores, "core", "cores")
    )?;
    writeln!(out, "lanes     {}", Collider::default().lanes())?;
    writeln!(out, "gpu       not used: this version works on the CPU")?;
    writeln!(out, "formats   OBJ, STL, PLY, OFF, glTF, GLB; scene.toml with .npy")?;
    writeln!(out, "\nmethod        complete  what it does")?;
    writeln!(
        out,
        "bvh           yes       trees of boxes over the triangles of each body, then exact tests"
    )?;
    writeln!(out, "brute_force   yes       exact tests of every triangle against every other; the oracle")?;
    writeln!(out, "\n--method auto chooses {}: it is complete, and faster than brute_force", auto())?;
    writeln!(out, "on all but the smallest scenes. No method here is sampled: none misses a contact.")?;
    Ok(Outcome::Clear)
}

/// Asked of the library itself, on an empty scene.
fn auto() -> &'static str {
    crate::names::method(Collider::default().collide(&impinge::Scene::new()).method)
}

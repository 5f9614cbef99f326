//! What was typed after `impinge particles`.

use clap::Args as ClapArgs;
use std::path::PathBuf;

// Lines of help stay under 80 characters, so that no terminal breaks them.
const PARTICLES_EXAMPLES: &str = "\
Examples:
  impinge particles hail.toml                 what was hit, by collider
  impinge particles hail.toml --json          every impact of every step
  impinge particles hail.toml --png maps.png  where surfaces were hit
  impinge particles hail.toml --wav hail.wav  what that sounds like
  impinge particles hail.toml --adapter cpu   on a GPU, or software for one

docs/particles.md describes the file:

  [steps]
  count = 60
  duration = 0.05
  [[emitter]]
  count = 1000
  position = [0, 0, 5]
  position_spread = { box = [1, 1, 0] }
  acceleration = [0, 0, -9.81]
  [[collider]]
  name = \"roof\"
  shape = \"disc\"
  normal = [0, 0.3, 1]
  radius = 1.5
  map = [256, 256]

Exit status: 0 it was simulated, 2 it could not be (one line says why).";

#[derive(Debug, ClapArgs)]
#[command(after_help = PARTICLES_EXAMPLES)]
pub(crate) struct ParticlesArgs {
    /// A scene of particles, the format of docs/particles.md
    #[arg(value_name = "SCENE.toml")]
    pub(crate) file: PathBuf,

    /// Print JSON, the format of docs/particles.md
    #[arg(long)]
    pub(crate) json: bool,

    /// List at most N impacts a step in JSON [default: all], N colliders in text [default: 20]. Counts are never cut
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Run on a GPU: a part of its name, `cpu` for one in software, `gpu` for any other [default: none, the CPU itself]
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,

    /// Threads to use, 0 for all cores; the answer does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(crate) threads: u16,

    /// Find impacts this much ahead of every step, instead of what the scene says
    #[arg(long, value_name = "TIME")]
    pub(crate) latency: Option<f64>,

    /// Draw impact maps: FILE when the scene has one, else a file for each, with the collider's name behind FILE's
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Write the sound of impacts on colliders that have a material: `metal roof`, `wood`, `tin` or `lawn`
    #[arg(long, value_name = "FILE")]
    pub(crate) wav: Option<PathBuf>,
}

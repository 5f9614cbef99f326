//! What was typed, and the help that teaches it. What it means is decided in `options.rs`.

#![expect(clippy::struct_excessive_bools, reason = "every switch of a command line is one")]

use crate::particles::ParticlesArgs;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use impinge::image_space::depth_slices;
use std::path::PathBuf;

const MOST_SLICES: i64 = depth_slices::MOST_SLICES as i64;

// Lines of help stay under 80 characters, so that no terminal breaks them.
const EXAMPLES: &str = "\
Examples:
  impinge check gear.stl shaft.stl   do these two collide, and where?
  impinge check cloth.obj --self     does this mesh intersect itself?
  impinge check scene.toml --json    every contact of every frame, for a program
  impinge demo                       make a scene, check it, draw a picture
  impinge particles hail.toml        what particles hit, when, and how hard
  impinge info                       this machine, what `--method auto` chooses

Exit status of `check`: 0 nothing collides, 1 something does, 2 it could not be
decided (one line says why). `impinge help COMMAND` tells more about a command.";

/// Finds where triangle meshes collide: every contact, decided without rounding error.
#[derive(Debug, Parser)]
#[command(name = "impinge", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tell which bodies collide, and where
    Check(CheckArgs),
    /// Make a scene, check it, draw a picture of it
    Demo(DemoArgs),
    /// Move particles through a scene and tell what they hit
    Particles(ParticlesArgs),
    /// Time every frame of a scene
    Bench(BenchArgs),
    /// Show this machine, its GPUs, and the methods it can run
    Info,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  impinge check parts/*.stl                 which parts of an assembly clash
  impinge check scan.ply --self             self-intersections of one mesh
  impinge check seams.obj --self --weld     the same, its seams closed first
  impinge check scene.toml --frames 10..20  frames 10 to 19 of a moving scene
  impinge check a.obj b.obj --method depth_peel --resolution 2048
                                            on a GPU, along rays: sampled
  impinge check a.obj b.obj --method ray_cast --views axes
                                            which solids are in which: sampled
  impinge check a.obj b.obj --method depth_slices
                                            on a GPU: yes or no, proven
  impinge check a.obj b.obj --method conservative
                                            on a GPU, and nothing is missed
  impinge check parts/*.obj --method cullide --distance 0.5
                                            which parts may be nearer than 0.5
  impinge check a.obj b.obj --json --limit 0 | jq '.frames[0].contact_count'

Every file is one body, or several where the file holds several objects.
A scene.toml names the bodies of a scene and how they move:

  name = \"cloth-on-ball\"
  [[body]]
  name = \"cloth\"
  mesh = \"cloth.ply\"
  positions = \"cloth.npy\"    # optional: [frames, vertices, 3], deforming
  self_collision = true
  [[body]]
  name = \"ball\"
  mesh = \"ball.ply\"
  poses = \"ball_poses.npy\"   # optional: [frames, 4, 4], row-major, rigid

Exit status: 0 nothing collides, 1 something does, 2 it could not be decided.";

#[derive(Debug, ClapArgs)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Meshes (OBJ, STL, PLY, OFF, glTF, GLB), or one scene.toml
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// Look for contacts within every body too (a scene.toml can ask for it body by body). What `ray_cast` sees within
    /// one is told, but is no collision; `depth_slices` and `cullide` do not look
    #[arg(long = "self")]
    pub(crate) self_collision: bool,

    #[command(flatten)]
    pub(crate) machinery: MachineryArgs,

    /// List the triangles that touch, by exact tests of those in the collision volume
    #[arg(long, visible_alias = "contacts", help_heading = DEPTH_SLICES)]
    pub(crate) triangles: bool,

    /// Frames to check: `3`, `10..20` (20 excluded), `10..`, `..20` [default: all]
    #[arg(long, value_name = "A..B")]
    pub(crate) frames: Option<String>,

    /// Print JSON, the format of docs/json.md
    #[arg(long)]
    pub(crate) json: bool,

    /// List at most N contacts (or edges and points) a frame in JSON [default: all], N rows a table in text [default:
    /// 20]. Counts are never cut
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Merge vertices at exactly the same position before checking, so that the seams of a file are neighbours
    #[arg(long)]
    pub(crate) weld: bool,

    /// Do not look for bodies inside other bodies
    #[arg(long)]
    pub(crate) no_containment: bool,

    /// Draw the frame with the most contacts or interference (y up; z up for STL and scene.toml)
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
}

/// What `check` and `bench` share.
#[derive(Debug, ClapArgs)]
pub(crate) struct MachineryArgs {
    /// How to find what collides; the answer is the same for all but the sampled ones: `depth_peel`, `ray_cast` and
    /// `a_buffer`, and `depth_slices` and `cullide` where they are told to sample
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    pub(crate) method: MethodArg,

    /// Threads to use, 0 for all cores; the answer does not depend on it
    // More threads than this only cost memory: each has its own stack.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(crate) threads: u16,

    #[command(flatten)]
    pub(crate) image: ImageArgs,

    #[command(flatten)]
    pub(crate) depth_peel: DepthPeelArgs,

    #[command(flatten)]
    pub(crate) ray_cast: RayCastArgs,

    #[command(flatten)]
    pub(crate) offset: OffsetArgs,

    #[command(flatten)]
    pub(crate) depth_slices: DepthSlicesArgs,

    #[command(flatten)]
    pub(crate) a_buffer: ABufferArgs,

    #[command(flatten)]
    pub(crate) cullide: CullideArgs,
}

const PLACE: &str = "Options of all methods that run on a GPU";
const IMAGES: &str = "Options of --method depth_peel, ray_cast, depth_slices, a_buffer and cullide";
const DEPTH_PEEL: &str = "Options of --method depth_peel";
const RAY_CAST: &str = "Options of --method ray_cast";
const OFFSET: &str = "Options of --method ray_cast and depth_slices";
const DEPTH_SLICES: &str = "Options of --method depth_slices";
const A_BUFFER: &str = "Options of --method a_buffer";
const CULLIDE: &str = "Options of --method cullide";

/// What the methods understand that run on a GPU, most of which look at images.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct ImageArgs {
    /// Which GPU: a part of its name, `cpu` for one in software, `gpu` for any other, `none` for the CPU's own
    /// implementation [default: `IMPINGE_ADAPTER`, or the best there is]. `auto` chooses no GPU other than this
    #[arg(long, help_heading = PLACE, value_name = "NAME")]
    pub(crate) adapter: Option<String>,

    /// Rays across and down, `N` or `WxH`: the more, the less is missed [default: 1024]. For `depth_slices` cells, from
    /// 8 to 1024: the more, the less is left to exact tests [default: 64]. For `cullide` pixels, from 16 to 4096: the
    /// more, the more is culled [default: 1024]
    #[arg(long, help_heading = IMAGES, value_name = "N|WxH")]
    pub(crate) resolution: Option<String>,

    /// Where rays come from: `auto` (one axis), `two` (the best two), `axes` (all three), or along `X,Y,Z` [default:
    /// auto]. `depth_slices` takes `auto` or `X,Y,Z`: that way its slices lie behind each other. `cullide` takes `two` or
    /// `axes`, which is its default
    #[arg(long, help_heading = IMAGES, value_name = "VIEWS", allow_hyphen_values = true)]
    pub(crate) views: Option<String>,
}

/// What only depth peeling understands.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct DepthPeelArgs {
    /// Peel at most 2 N surfaces off every ray [default: all]
    #[arg(long, help_heading = DEPTH_PEEL, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) passes: Option<u32>,

    /// What rays count as that have more surfaces than --passes peels [default: mark]
    #[arg(long, help_heading = DEPTH_PEEL, value_name = "WHAT", value_enum)]
    pub(crate) at_limit: Option<AtLimitArg>,

    /// How near two surfaces of open bodies must be along a ray to be looked at, in units of the meshes [default:
    /// two pixels]
    #[arg(long, help_heading = DEPTH_PEEL, value_name = "D")]
    pub(crate) open_threshold: Option<String>,
}

/// What only the casting of rays at edges understands.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct RayCastArgs {
    /// Look at up to N edges in every pixel: the more, the less is hidden behind others [default: 4]
    #[arg(long, help_heading = RAY_CAST, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) layers: Option<u32>,

    /// Rays from one point instead of parallel ones, with this angle between the outermost; 60 without a number
    #[arg(long, help_heading = RAY_CAST, value_name = "DEGREES", num_args = 0..=1, default_missing_value = "60",
          allow_negative_numbers = true)]
    pub(crate) perspective: Option<String>,

    /// What to find out, by which algorithm of Knott's thesis (2003) or ours [default: everything]
    #[arg(long, help_heading = RAY_CAST, value_name = "WHAT", value_enum)]
    pub(crate) identify: Option<IdentifyArg>,
}

/// What two methods understand, each in its own way.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct OffsetArgs {
    /// For `ray_cast`, pixels by which edges are moved out of their body [default: as many as tell them from it where
    /// it counts, else 0]. For `depth_slices --certainty offset`, diagonals of a cell by which surfaces are moved out
    /// and in [default: 1]
    #[arg(long, help_heading = OFFSET, value_name = "N", allow_negative_numbers = true)]
    pub(crate) offset: Option<String>,
}

/// What only the slicing of depth understands.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct DepthSlicesArgs {
    /// Cut depth into N slices, at most 128: the more, the less is left to exact tests [default: 64]
    #[arg(long, help_heading = DEPTH_SLICES, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=MOST_SLICES))]
    pub(crate) slices: Option<u32>,

    /// Look again at the box of shared cells, up to N times, each time closer [default: 3]
    #[arg(long, help_heading = DEPTH_SLICES, value_name = "N")]
    pub(crate) refine: Option<u32>,

    /// How sure the answer is [default: proven]
    #[arg(long, help_heading = DEPTH_SLICES, value_name = "HOW", value_enum)]
    pub(crate) certainty: Option<CertaintyArg>,

    /// Which cells a surface takes [default: touched]
    #[arg(long, help_heading = DEPTH_SLICES, value_name = "WHICH", value_enum)]
    pub(crate) fill: Option<FillArg>,

    /// Where cells do not tell, say that surfaces may meet. Without it exact tests decide
    #[arg(long, help_heading = DEPTH_SLICES)]
    pub(crate) leave_maybe: bool,

    /// List up to N points of every pair in JSON: the middles of cells that both take [default: 0]
    #[arg(long, help_heading = DEPTH_SLICES, value_name = "N")]
    pub(crate) points: Option<usize>,

    /// Begin with the choices of Dinerstein and Egbert (2002): 16 slices, one refinement, --fill samples, --certainty
    /// sampled, no exact tests. Other options change them
    #[arg(long, help_heading = DEPTH_SLICES)]
    pub(crate) paper: bool,
}

/// What only the keeping of everything that rays meet understands.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct ABufferArgs {
    /// Test two triangles exactly where a ray meets them nearer to each other than this, in units of the meshes: the
    /// larger, the less is missed, and the more is tested [default: 8 pixels]
    #[arg(long, help_heading = A_BUFFER, value_name = "D", allow_negative_numbers = true)]
    pub(crate) epsilon: Option<String>,
}

/// What only culling by what hides what understands.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct CullideArgs {
    /// Draw triangles as they are (CULLIDE), and miss contacts between pixels. Without it they are drawn as boxes so
    /// large that nothing is missed (FAR)
    #[arg(long, help_heading = CULLIDE)]
    pub(crate) plain: bool,

    /// Also list the bodies that may be nearer to each other than this, in units of the meshes. It is no collision
    #[arg(long, help_heading = CULLIDE, value_name = "D", allow_negative_numbers = true)]
    pub(crate) distance: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CertaintyArg {
    /// Yes and no are proven; what cells cannot tell is a maybe, until exact tests decide
    Proven,
    /// Yes where cells are shared, else no: wrong now and then
    Sampled,
    /// Surfaces are drawn twice, moved out and moved in by --offset: seldom wrong
    Offset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FillArg {
    /// The one that it crosses at the middle of a pixel: steep surfaces leave holes
    Samples,
    /// All from the least to the greatest depth that it has in a pixel whose middle it covers
    Interval,
    /// Every one that it touches: leaves no holes
    Touched,
}

/// The algorithms are those of chapter 4 of Knott's thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IdentifyArg {
    /// Who penetrates whom, with which edges, and where
    Everything,
    /// Whether anything interferes (algorithm 1)
    Any,
    /// Penetrating bodies and their edges (algorithm 2)
    Penetrating,
    /// The same without a stencil (algorithm 3)
    #[value(alias = "color")]
    Colour,
    /// Who penetrates whom, one body a pixel: the last drawn (algorithm 4)
    #[value(alias = "last_drawn")]
    LastDrawn,
    /// All bodies that interfere, but not with whom (algorithm 5)
    Queries,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AtLimitArg {
    /// Clear, unless a collision was seen before: faster, misses more
    Stop,
    /// A collision, to be tested: misses no more than without --passes
    Mark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArg {
    /// The fastest complete one for the scene: `bvh`, or `conservative` for large scenes on a real GPU
    Auto,
    /// Trees of boxes
    Bvh,
    /// Every triangle against every other
    #[value(name = "brute_force", alias = "brute-force")]
    BruteForce,
    /// Boxes of triangles in a grid, on a GPU. Complete; needs no choices
    Conservative,
    /// Rays through the scene, on a GPU. Sampled: what lies between them is missed
    #[value(name = "depth_peel", alias = "depth-peel")]
    DepthPeel,
    /// Rays to the edges of solids, on a GPU: who is inside whom, no contacts. Sampled
    #[value(name = "ray_cast", alias = "ray-cast")]
    RayCast,
    /// Cells of space that two bodies share, on a GPU: whether surfaces meet, proven
    #[value(name = "depth_slices", alias = "depth-slices")]
    DepthSlices,
    /// Everything that rays meet, on a GPU; surfaces near each other are tested. Sampled
    #[value(name = "a_buffer", alias = "a-buffer")]
    ABuffer,
    /// Bodies that hide nothing of each other do not collide, on a GPU. Complete between bodies
    Cullide,
}

const DEMO_EXAMPLES: &str = "\
Examples:
  impinge demo                             two knots that cut into each other
  impinge demo --list                      the scenes there are
  impinge demo cloth --triangles 200000    another one, finer
  impinge demo boxes --seed 7 --out boxes  into ./boxes
  impinge demo hail                        pictures and the sound of hail

Nothing is downloaded. The folder gets picture.png, and a scene.toml with its
meshes and motion, which `impinge check` reads again. That of `hail` gets
frames, splat textures, hail.wav, and a hail.toml for `impinge particles`.";

#[derive(Debug, ClapArgs)]
#[command(after_help = DEMO_EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Scene to make, one of --list [default: knots]
    pub(crate) name: Option<String>,

    /// List the scenes
    #[arg(long)]
    pub(crate) list: bool,

    /// About how many triangles in all [default: 60000]
    // More does not fit into the memory of the machines this runs on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    pub(crate) triangles: Option<u32>,

    /// Hailstones at a time, for the scene `hail` [default: 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) stones: Option<u32>,

    /// Seed of whatever is random in the scene
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Folder to write to [default: impinge-out/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  impinge bench scene.toml --json --threads 1
  impinge bench knots --triangles 800000    a scene of `impinge demo --list`
  impinge bench scene.toml --cold           nothing kept between frames
  impinge bench scene.toml --boolean        stop at the first contact
  impinge bench knots --method depth_peel   on a GPU; see `impinge info`
  impinge bench knots --method ray_cast --identify any --resolution 512
  impinge bench knots --method depth_slices --paper
  impinge bench knots --method conservative --adapter cpu

Every frame is timed once, after one that is not: from new positions or poses in
memory to the finished sorted list. Loading is not timed. Bodies inside bodies
are not looked for unless --containment asks; ray_cast always finds them.";

#[derive(Debug, ClapArgs)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct BenchArgs {
    /// A scene.toml, a mesh, or the name of a demo scene
    #[arg(value_name = "SCENE")]
    pub(crate) scene: String,

    #[command(flatten)]
    pub(crate) machinery: MachineryArgs,

    /// Start every frame with a new collider
    #[arg(long)]
    pub(crate) cold: bool,

    /// Only ask whether anything touches
    #[arg(long)]
    pub(crate) boolean: bool,

    /// List the triangles that touch, by exact tests of those in the collision volume
    // `--triangles`, as `check` has it, is the size of a demo scene here.
    #[arg(long, help_heading = DEPTH_SLICES)]
    pub(crate) contacts: bool,

    /// Look for bodies inside other bodies too
    #[arg(long)]
    pub(crate) containment: bool,

    /// Print JSON, the format of docs/json.md
    #[arg(long)]
    pub(crate) json: bool,

    /// About how many triangles a demo scene gets [default: 60000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    pub(crate) triangles: Option<u32>,

    /// Seed of a demo scene
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

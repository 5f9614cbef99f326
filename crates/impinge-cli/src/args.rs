//! What was typed, and the help that teaches it. What it means is decided in `options.rs`.

#![expect(clippy::struct_excessive_bools, reason = "every switch of a command line is one")]

use crate::method_args::{
    ABufferArgs, CullideArgs, DEPTH_SLICES, DepthPeelArgs, DepthSlicesArgs, ImageArgs, MethodArg, OffsetArgs,
    RayCastArgs,
};
use crate::particle_args::ParticlesArgs;
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

// Lines of help stay under 80 characters, so that no terminal breaks them.
const EXAMPLES: &str = "\
Examples:
  impinge check gear.stl shaft.stl   do these two collide, and where?
  impinge check cloth.obj --self     does this mesh intersect itself?
  impinge check scene.toml --json    every contact of every frame, for a program
  impinge view cloth.obj ball.obj    look at them in the browser
  impinge interference peg.stl hole.stl   edges of one inside the other
  impinge overlap a.obj b.obj        do their surfaces meet? proven
  impinge demo                       make a scene, check it, show it
  impinge particles hail.toml        what particles hit, when, and how hard
  impinge info                       this machine, what `--method auto` chooses

Exit status of `check`: 0 nothing collides, 1 something does (bodies that only
touch, too), 2 it could not be decided (one line says why). `impinge help COMMAND` tells more about a command.";

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
    /// Tell which edges are inside which solids: sampled
    Interference(InterferenceArgs),
    /// Tell for every pair of bodies whether their surfaces meet: proven
    Overlap(OverlapArgs),
    /// Show bodies, contacts and what the method saw in the browser
    View(ViewArgs),
    /// Make a scene, check it, write the page that shows it
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
  impinge check a.obj b.obj --method grid
                                            on a GPU, and nothing is missed
  impinge check parts/*.obj --method cullide --distance 0.5
                                            which boxes are nearer than 0.5
  impinge check a.obj b.obj --method depth_peel --seen out
                                            the layers and rays, as pictures
  impinge check parts/*.obj --html report.html
                                            a page to look at, or to send
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

Closed bodies overlap, touch, are equal, or one is inside the other: what matters
comes first. Exit status: 0 nothing collides, 1 something does, and be it that two
bodies only touch, 2 it could not be decided.";

#[derive(Debug, ClapArgs)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Where an answer goes.
#[derive(Debug, ClapArgs)]
pub(crate) struct OutputArgs {
    /// Print JSON, the format of docs/json.md
    #[arg(long)]
    pub(crate) json: bool,

    /// List at most N contacts (or edges and points) a frame in JSON [default: all], N rows a table in text [default:
    /// 20]. Counts are never cut
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Draw the frame with the most contacts or interference (y up; z up for STL and scene.toml)
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Write the page of `impinge view` with all its data as one file, which opens from disk
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Write what the method saw in that frame into a folder: pictures (PNG) and, to be drawn over the meshes, lines
    /// (OBJ), named by method and by what they show. Computed on the CPU, in images of at most 2048 x 2048 rays
    #[arg(long, value_name = "FOLDER")]
    pub(crate) seen: Option<PathBuf>,
}

/// What is looked at, and how: what `check` and `view` share.
#[derive(Debug, ClapArgs)]
pub(crate) struct SubjectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) method_args: MethodArgs,

    #[command(flatten)]
    pub(crate) contacts: ContactArgs,
}

/// What is told beside the answer.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct ContactArgs {
    /// List the triangles that touch, by exact tests of those in the collision volume
    #[arg(long, visible_alias = "contacts", help_heading = DEPTH_SLICES)]
    pub(crate) triangles: bool,

    /// Do not look for bodies inside other bodies, nor tell those that overlap from those that only touch
    #[arg(long)]
    pub(crate) no_containment: bool,
}

/// What is looked at, whatever the question.
#[derive(Debug, ClapArgs)]
pub(crate) struct InputArgs {
    /// Meshes (OBJ, STL, PLY, OFF, glTF, GLB), or one scene.toml
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// Look for contacts within every body too (a scene.toml can ask for it body by body). What `ray_cast` sees within
    /// one is told, but is no collision; `depth_slices` and `cullide` do not look
    #[arg(long = "self")]
    pub(crate) self_collision: bool,

    /// Frames to check: `3`, `10..20` (20 excluded), `10..`, `..20` [default: all]
    #[arg(long, value_name = "A..B")]
    pub(crate) frames: Option<String>,

    /// Merge vertices at exactly the same position before checking, so that the seams of a file are neighbours
    #[arg(long)]
    pub(crate) weld: bool,
}

const INTERFERENCE_EXAMPLES: &str = "\
Examples:
  impinge interference peg.stl hole.stl     which edges are inside which solid
  impinge interference scene.toml --views axes --resolution 2048
  impinge interference a.obj b.obj --identify any --json

Solids only: a body must be closed, or what is inside it may be missed.
Sampled: what no pixel shows is missed (Knott 2003, chapter 4).
Exit status: 0 no interference seen, 1 some seen, 2 it could not be decided.";

#[derive(Debug, ClapArgs)]
#[command(after_help = INTERFERENCE_EXAMPLES)]
pub(crate) struct InterferenceArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,

    #[command(flatten)]
    pub(crate) image: ImageArgs,

    #[command(flatten)]
    pub(crate) ray_cast: RayCastArgs,

    #[command(flatten)]
    pub(crate) offset: OffsetArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl From<InterferenceArgs> for CheckArgs {
    fn from(args: InterferenceArgs) -> Self {
        let InterferenceArgs { input, threads, image, ray_cast, offset, output } = args;
        let method = MethodArg::RayCast;
        let method_args = MethodArgs { method, threads, image, ray_cast, offset, ..MethodArgs::default() };
        let subject = SubjectArgs { input, method_args, contacts: ContactArgs::default() };
        Self { subject, output }
    }
}

const OVERLAP_EXAMPLES: &str = "\
Examples:
  impinge overlap a.obj b.obj               do the surfaces of these two meet?
  impinge overlap parts/*.stl --json        yes, no or maybe for every pair
  impinge overlap a.obj b.obj --triangles   and which triangles touch
  impinge overlap scene.toml --paper        as Dinerstein and Egbert (2002)

A yes and a no are proven, unless --certainty or --paper say otherwise.
Exit status: 0 no pair meets, 1 one does or may, 2 it could not be decided.";

#[derive(Debug, ClapArgs)]
#[command(after_help = OVERLAP_EXAMPLES)]
pub(crate) struct OverlapArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,

    #[command(flatten)]
    pub(crate) image: ImageArgs,

    #[command(flatten)]
    pub(crate) depth_slices: DepthSlicesArgs,

    #[command(flatten)]
    pub(crate) offset: OffsetArgs,

    #[command(flatten)]
    pub(crate) contacts: ContactArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl From<OverlapArgs> for CheckArgs {
    fn from(args: OverlapArgs) -> Self {
        let OverlapArgs { input, threads, image, depth_slices, offset, contacts, output } = args;
        let method = MethodArg::DepthSlices;
        let method_args =
            MethodArgs { method, threads, image, offset, depth_slices, ..MethodArgs::default() };
        let subject = SubjectArgs { input, method_args, contacts };
        Self { subject, output }
    }
}

const VIEW_EXAMPLES: &str = "\
Examples:
  impinge view gear.stl shaft.stl           bodies, contacts, where they are
  impinge view scene.toml                   with a timeline
  impinge view a.obj b.obj --method depth_peel
                                            and the layers and rays it saw
  impinge view scene.toml --port 8123 --no-open

The page is served on 127.0.0.1 until Ctrl-C; it loads nothing from elsewhere.
It is read again when a file changes. `impinge check FILES --html report.html`
writes the same page as one file, to keep or to send.";

#[derive(Debug, ClapArgs)]
#[command(after_help = VIEW_EXAMPLES)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// Port to listen on [default: one that is free]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,

    /// Address or name to listen on. Anyone who can reach it can see the scene [default: 127.0.0.1]
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,

    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// How many threads.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct ThreadsArgs {
    /// Threads to use, 0 for all cores; the answer does not depend on it
    // More threads than this only cost memory: each has its own stack.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(crate) threads: u16,
}

/// What `check`, `view` and `bench` share.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct MethodArgs {
    /// How to find what collides; the answer is the same for all but the sampled ones, `depth_peel` and `a_buffer`, and
    /// `cullide --plain`. `ray_cast` and `depth_slices` ask other questions: see `interference` and `overlap`
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    pub(crate) method: MethodArg,

    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,

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

const DEMO_EXAMPLES: &str = "\
Examples:
  impinge demo                             two knots that cut into each other
  impinge demo --list                      the scenes there are
  impinge demo cloth --triangles 200000    another one, finer
  impinge demo boxes --seed 7 --out boxes  into ./boxes
  impinge demo hail                        pictures and the sound of hail

Nothing is downloaded. The folder gets report.html, the page to open in a
browser, picture.png, and a scene.toml with its meshes and motion, which
`impinge check` and `impinge view` read again. That of `hail` gets frames,
splat textures, hail.wav, and a hail.toml for `impinge particles`.";

#[derive(Debug, ClapArgs)]
#[command(after_help = DEMO_EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Scene to make, one of --list [default: knots]
    pub(crate) name: Option<String>,

    /// List the scenes
    #[arg(long)]
    pub(crate) list: bool,

    /// About how many triangles in all [default: what shows the scene well in a few seconds]
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
  impinge bench knots --method grid --adapter cpu

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
    pub(crate) method_args: MethodArgs,

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

    /// About how many triangles a demo scene gets [default: as `impinge demo`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    pub(crate) triangles: Option<u32>,

    /// Seed of a demo scene
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

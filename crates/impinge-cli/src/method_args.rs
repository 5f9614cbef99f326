//! What was typed for the methods: which one, and the options that only it has.

use clap::{Args as ClapArgs, ValueEnum};
use impinge::stages::overlap_cells;

const MAX_SLICES: i64 = overlap_cells::MAX_SLICES as i64;

const PLACE: &str = "Options of all methods that run on a GPU";
const IMAGES: &str = "Options of --method depth_peel, ray_cast, depth_slices, a_buffer and cullide";
const DEPTH_PEEL: &str = "Options of --method depth_peel";
const RAY_CAST: &str = "Options of --method ray_cast";
const OFFSET: &str = "Options of --method ray_cast and depth_slices";
pub(crate) const DEPTH_SLICES: &str = "Options of --method depth_slices";
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
          value_parser = clap::value_parser!(u32).range(1..=MAX_SLICES))]
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

    /// Also list pairs of bodies with boxes (of runs of triangles) nearer to each other than this, in units of the meshes.
    /// They are candidates: distances are not computed, and are at least this large for all other pairs. It is no collision
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArg {
    #[default]
    /// The fastest complete one for the scene: `bvh`, or `grid` for large scenes on a real GPU
    Auto,
    /// Trees of boxes
    Bvh,
    /// Every triangle against every other
    #[value(name = "brute_force", alias = "brute-force")]
    BruteForce,
    /// Boxes of triangles in a grid, on a GPU. Complete; needs no choices
    #[value(alias = "conservative")]
    Grid,
    /// Rays through the scene, on a GPU. Sampled: what lies between them is missed
    #[value(name = "depth_peel", alias = "depth-peel")]
    DepthPeel,
    /// The question of `impinge interference`: edges inside solids. Sampled
    #[value(name = "ray_cast", alias = "ray-cast")]
    RayCast,
    /// The question of `impinge overlap`: whether surfaces meet, by cells. Proven
    #[value(name = "depth_slices", alias = "depth-slices")]
    DepthSlices,
    /// Everything that rays meet, on a GPU; surfaces near each other are tested. Sampled
    #[value(name = "a_buffer", alias = "a-buffer")]
    ABuffer,
    /// Bodies that hide nothing of each other do not collide, on a GPU. Complete between bodies
    Cullide,
}

//! What the arguments of the methods mean: which method, where it runs, and the choices that only it has.

use crate::args::MethodArgs;
use crate::error::Error;
use crate::method_args::{
    ABufferArgs, AtLimitArg, CullideArgs, DepthPeelArgs, DepthSlicesArgs, IdentifyArg, ImageArgs, MethodArg,
    OffsetArgs, RayCastArgs,
};
use crate::option_values::{
    at_least_zero, more_than_zero, parse_angle, parse_resolution, parse_views, typed, wrong,
};
use crate::question::Question;
use crate::slice_options::slices;
use clap::ValueEnum;
use impinge::contacts::{ABufferOptions, AtLimit, CullideOptions, GridOptions, PeelOptions};
use impinge::interference::{Identify, RayCastOptions};
use impinge::overlap_cells::SliceOptions;
use impinge::{Direction, Method, Options, Projection};

/// Where a method runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Cpu,
    /// On the adapter of that name, or on the best there is.
    Gpu(Option<String>),
    /// Where it is fastest; if on a GPU, then on the adapter of that name, or on the best there is.
    Fastest(Option<String>),
}

impl Place {
    /// Of a method that runs on a GPU. A variable speaks where the command line does not.
    pub(crate) fn of_gpu_method(typed: Option<String>) -> Self {
        let variable =
            || std::env::var(impinge_gpu::ADAPTER_VARIABLE).ok().filter(|name| !name.trim().is_empty());
        match typed.or_else(variable) {
            Some(name) if name.trim().eq_ignore_ascii_case("none") => Self::Cpu,
            name => Self::Gpu(name),
        }
    }
}

/// The question with its choices, and where it is answered. `triangles` is the option to list those that touch, which has a name
/// of its own in every command, and whether it was given.
pub(crate) fn question_and_place(
    args: &MethodArgs,
    triangles: (&'static str, bool),
) -> Result<(Question, Place), Error> {
    refuse_others(args.method, args, triangles)?;
    let threads = usize::from(args.threads.threads);
    let contacts = |method| Question::Contacts(Options { method, threads, ..Options::default() });
    let question = match args.method {
        MethodArg::Auto => contacts(Method::Auto),
        MethodArg::Bvh => contacts(Method::Bvh),
        MethodArg::BruteForce => contacts(Method::BruteForce),
        MethodArg::Grid => contacts(Method::Grid(GridOptions::default())),
        MethodArg::DepthPeel => contacts(Method::DepthPeel(peel(&args.image, &args.depth_peel)?)),
        MethodArg::ABuffer => contacts(Method::ABuffer(a_buffer(&args.image, &args.a_buffer)?)),
        MethodArg::Cullide => contacts(Method::Cullide(cullide(&args.image, &args.cullide)?)),
        MethodArg::RayCast => {
            let options = ray_cast(&args.image, &args.ray_cast, &args.offset)?;
            Question::Interference(RayCastOptions { threads, ..options })
        }
        MethodArg::DepthSlices => {
            let options = slices(&args.image, &args.depth_slices, &args.offset, triangles)?;
            Question::Overlap(SliceOptions { threads, ..options })
        }
    };
    if matches!(args.method, MethodArg::Bvh | MethodArg::BruteForce) {
        return Ok((question, Place::Cpu));
    }
    let place = match Place::of_gpu_method(args.image.adapter.clone()) {
        Place::Gpu(adapter) if args.method == MethodArg::Auto => Place::Fastest(adapter),
        place => place,
    };
    Ok((question, place))
}

/// Options that another method has.
fn refuse_others(method: MethodArg, args: &MethodArgs, triangles: (&'static str, bool)) -> Result<(), Error> {
    let ImageArgs { adapter, resolution, views } = &args.image;
    let DepthPeelArgs { passes, at_limit, open_threshold } = &args.depth_peel;
    let RayCastArgs { layers, perspective, identify } = &args.ray_cast;
    let OffsetArgs { offset } = &args.offset;
    let DepthSlicesArgs { slices, refine, certainty, fill, leave_maybe, points, paper } = &args.depth_slices;
    let ABufferArgs { epsilon } = &args.a_buffer;
    let CullideArgs { plain, distance } = &args.cullide;
    let [peels, casts, cuts, keeps, culls] = [
        MethodArg::DepthPeel,
        MethodArg::RayCast,
        MethodArg::DepthSlices,
        MethodArg::ABuffer,
        MethodArg::Cullide,
    ]
    .map(|other| method == other);
    let looks = peels || casts || cuts || keeps || culls;
    let on_a_gpu = looks || matches!(method, MethodArg::Grid | MethodArg::Auto);
    let any = "--method depth_peel, ray_cast, depth_slices, a_buffer or cullide";
    let any_gpu = "--method auto, grid, depth_peel, ray_cast, depth_slices, a_buffer or cullide";
    let (only_peel, only_cast, only_cut, only_keep, only_cull) = (
        "--method depth_peel",
        "--method ray_cast",
        "--method depth_slices",
        "--method a_buffer",
        "--method cullide",
    );
    let no_peeling = if looks && !peels { "peels no surfaces" } else { "has no rays" };
    let no_casting = if looks && !casts { "casts no rays at edges" } else { "has no rays" };
    let no_epsilon = "does not ask how near surfaces are along a ray";
    let no_cells = "has no cells";
    let options = [
        ("--adapter", adapter.is_some(), on_a_gpu, "does not run on a GPU", any_gpu),
        ("--resolution", resolution.is_some(), looks, "has no rays", any),
        ("--views", views.is_some(), looks, "has no rays", any),
        ("--passes", passes.is_some(), peels, no_peeling, only_peel),
        ("--at-limit", at_limit.is_some(), peels, no_peeling, only_peel),
        ("--open-threshold", open_threshold.is_some(), peels, no_peeling, only_peel),
        ("--layers", layers.is_some(), casts, no_casting, only_cast),
        ("--perspective", perspective.is_some(), casts, no_casting, only_cast),
        ("--identify", identify.is_some(), casts, no_casting, only_cast),
        ("--offset", offset.is_some(), casts || cuts, "moves nothing", "--method ray_cast or depth_slices"),
        ("--slices", slices.is_some(), cuts, no_cells, only_cut),
        ("--refine", refine.is_some(), cuts, no_cells, only_cut),
        ("--certainty", certainty.is_some(), cuts, no_cells, only_cut),
        ("--fill", fill.is_some(), cuts, no_cells, only_cut),
        ("--leave-maybe", *leave_maybe, cuts, "leaves no maybe", only_cut),
        ("--points", points.is_some(), cuts, no_cells, only_cut),
        ("--paper", *paper, cuts, no_cells, only_cut),
        ("--epsilon", epsilon.is_some(), keeps, no_epsilon, only_keep),
        ("--plain", *plain, culls, "culls nothing by what hides what", only_cull),
        ("--distance", distance.is_some(), culls, "does not look for near boxes", only_cull),
        (triangles.0, triangles.1, cuts, listed_anyway(method), only_cut),
    ];
    let chosen = || format!("--method {}", name(&method));
    match options.into_iter().find(|(_, given, understood, ..)| *given && !*understood) {
        Some((option, _, _, why, instead)) => {
            Err(Error::OtherChoice { option, chosen: chosen(), why, instead })
        }
        None => Ok(()),
    }
}

/// Why another method needs no option to list triangles.
fn listed_anyway(method: MethodArg) -> &'static str {
    if method == MethodArg::RayCast {
        "finds no triangles that touch"
    } else {
        "lists the triangles that touch anyway"
    }
}

fn peel(rays: &ImageArgs, args: &DepthPeelArgs) -> Result<PeelOptions, Error> {
    let default = PeelOptions::default();
    Ok(PeelOptions {
        resolution: resolution(rays, default.resolution)?,
        direction: direction(rays, default.direction)?,
        passes: args.passes,
        at_limit: match args.at_limit {
            Some(AtLimitArg::Stop) => AtLimit::Stop,
            Some(AtLimitArg::Mark) => AtLimit::Mark,
            None => default.at_limit,
        },
        open_threshold: typed(
            "--open-threshold",
            args.open_threshold.as_deref(),
            at_least_zero,
            "a distance of 0 or more",
        )?,
        ..default
    })
}

fn ray_cast(rays: &ImageArgs, args: &RayCastArgs, moved: &OffsetArgs) -> Result<RayCastOptions, Error> {
    let default = RayCastOptions::default();
    let identify = args.identify.map_or(default.identify, identify);
    if let (Some(_), Some(typed)) = (args.layers, args.identify)
        && identify != Identify::Everything
    {
        return Err(Error::OtherChoice {
            option: "--layers",
            chosen: format!("--identify {}", name(&typed)),
            why: "looks at one edge a pixel",
            instead: "--identify everything",
        });
    }
    let expected = "an angle from 1 to 150 degrees, or --perspective alone behind the files";
    Ok(RayCastOptions {
        resolution: resolution(rays, default.resolution)?,
        direction: direction(rays, default.direction)?,
        projection: typed("--perspective", args.perspective.as_deref(), parse_angle, expected)?
            .map_or(default.projection, |field_of_view| Projection::Perspective { field_of_view }),
        identify,
        layers: args.layers.unwrap_or(default.layers),
        offset: typed("--offset", moved.offset.as_deref(), at_least_zero, "a number of pixels, 0 or more")?,
        ..default
    })
}

fn a_buffer(rays: &ImageArgs, args: &ABufferArgs) -> Result<ABufferOptions, Error> {
    let default = ABufferOptions::default();
    Ok(ABufferOptions {
        resolution: resolution(rays, default.resolution)?,
        direction: direction(rays, default.direction)?,
        epsilon: typed("--epsilon", args.epsilon.as_deref(), at_least_zero, "a distance of 0 or more")?,
        ..default
    })
}

fn cullide(image: &ImageArgs, args: &CullideArgs) -> Result<CullideOptions, Error> {
    let default = CullideOptions::default();
    if args.plain && args.distance.is_some() {
        return Err(Error::OtherChoice {
            option: "--plain",
            chosen: "--distance".into(),
            why: "draws boxes around triangles, not triangles as they are",
            instead: "one of the two",
        });
    }
    let mut options = CullideOptions {
        reliable: !args.plain,
        distance: typed("--distance", args.distance.as_deref(), more_than_zero, "a distance of more than 0")?,
        ..default
    };
    if let Some(text) = image.resolution.as_deref() {
        options.resolution = parse_resolution(text).unwrap_or_default();
        // In the range of the library, which would change other numbers without a word.
        if options.pixels() != options.resolution {
            return Err(wrong("--resolution", text, "1024 or 640x480, each from 16 to 4096 with cullide"));
        }
    }
    options.views = match image.views.as_deref().map(|text| (parse_views(text), text)) {
        None | Some((Some(Direction::Auto), _)) => default.views,
        Some((Some(Direction::TwoAxes), _)) => 2,
        Some((Some(Direction::Axes), _)) => 3,
        Some((_, text)) => {
            return Err(wrong("--views", text, "two or axes; cullide looks along axes only"));
        }
    };
    Ok(options)
}

fn identify(typed: IdentifyArg) -> Identify {
    match typed {
        IdentifyArg::Everything => Identify::Everything,
        IdentifyArg::Any => Identify::Any,
        IdentifyArg::Penetrating => Identify::Penetrating,
        IdentifyArg::Colour => Identify::PenetratingByColour,
        IdentifyArg::LastDrawn => Identify::LastDrawn,
        IdentifyArg::Queries => Identify::Queries,
    }
}

/// What is typed for it.
pub(crate) fn name(typed: &impl ValueEnum) -> String {
    typed.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn resolution(rays: &ImageArgs, default: [u32; 2]) -> Result<[u32; 2], Error> {
    // In the range of the library, which would change other numbers without a word.
    let in_range = |resolution: &[u32; 2]| {
        PeelOptions { resolution: *resolution, ..PeelOptions::default() }.pixels() == *resolution
    };
    let parse = |text: &str| parse_resolution(text).filter(in_range);
    let expected = "1024 or 640x480, each from 8 to 16384";
    Ok(typed("--resolution", rays.resolution.as_deref(), parse, expected)?.unwrap_or(default))
}

fn direction(rays: &ImageArgs, default: Direction) -> Result<Direction, Error> {
    let expected = "auto, two, axes, or a direction such as 0,0,1";
    Ok(typed("--views", rays.views.as_deref(), parse_views, expected)?.unwrap_or(default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_is_one_number_or_two_in_range() {
        let parse = |text: &str| {
            let image = ImageArgs { resolution: Some(text.to_owned()), ..ImageArgs::default() };
            resolution(&image, [1; 2]).ok()
        };
        assert_eq!(parse("1024"), Some([1024, 1024]));
        assert_eq!(parse("640x480"), Some([640, 480]));
        assert_eq!(parse("8X16384"), Some([8, 16_384]));
        for text in ["", "x", "640x", "7", "8x16385", "-8", "1024.0", "8x8x8", "99999999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn views_are_chosen_or_along_a_vector_that_points_somewhere() {
        assert_eq!(parse_views("auto"), Some(Direction::Auto));
        assert_eq!(parse_views("two"), Some(Direction::TwoAxes));
        assert_eq!(parse_views("axes"), Some(Direction::Axes));
        assert_eq!(parse_views("0, -1.5,1e-3"), Some(Direction::Along([0.0, -1.5, 1e-3])));
        for text in ["", "z", "0,0,0", "1,2", "1,2,3,4", "nan,0,1", "1,inf,0", "1,,0"] {
            assert_eq!(parse_views(text), None, "{text}");
        }
    }

    #[test]
    fn an_angle_is_what_the_library_takes_as_it_is() {
        assert_eq!(parse_angle("1"), Some(1.0));
        assert_eq!(parse_angle(" 150.0"), Some(150.0));
        for text in ["", "0.9", "151", "-60", "nan", "inf", "60deg"] {
            assert_eq!(parse_angle(text), None, "{text}");
        }
    }

    #[test]
    fn none_is_the_cpu_and_other_names_are_adapters() {
        assert_eq!(Place::of_gpu_method(Some(" None".into())), Place::Cpu);
        assert_eq!(Place::of_gpu_method(Some("radeon".into())), Place::Gpu(Some("radeon".into())));
    }
}

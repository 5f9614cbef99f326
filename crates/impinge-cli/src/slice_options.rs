//! What the arguments of `depth_slices` mean.

use crate::error::Error;
use crate::method_args::{CertaintyArg, DepthSlicesArgs, FillArg, ImageArgs, OffsetArgs};
use crate::method_options::{at_least_zero, name, parse_resolution, parse_views, wrong};
use impinge::stages::Direction;
use impinge::stages::overlap_cells::{Certainty, Facing, Fill, SliceOptions};

/// Cells across and down that the library takes as they are.
const CELLS: std::ops::RangeInclusive<u32> = 8..=1024;

/// Its choices, those of the paper or ours, changed by what was typed. `triangles` as in `question_and_place`.
pub(crate) fn slices(
    image: &ImageArgs,
    args: &DepthSlicesArgs,
    moved: &OffsetArgs,
    (list, triangles): (&'static str, bool),
) -> Result<SliceOptions, Error> {
    let base = if args.paper { SliceOptions::PAPER } else { SliceOptions::default() };
    if args.leave_maybe && triangles {
        return Err(Error::OtherChoice {
            option: "--leave-maybe",
            chosen: list.to_owned(),
            why: "decides every maybe by exact tests",
            instead: "one of the two",
        });
    }
    let certainty = certainty(args.certainty, moved, base.certainty)?;
    Ok(SliceOptions {
        resolution: resolution(image, base.resolution)?,
        slices: args.slices.unwrap_or(base.slices),
        refinements: args.refine.unwrap_or(base.refinements),
        fill: fill(args.fill, certainty, base.fill)?,
        certainty,
        facing: facing(image, base.facing)?,
        hand_over: base.hand_over && !args.leave_maybe,
        triangles,
        most_points: args.points.unwrap_or(base.most_points),
        ..base
    })
}

fn certainty(
    typed: Option<CertaintyArg>,
    moved: &OffsetArgs,
    default: Certainty,
) -> Result<Certainty, Error> {
    let expected = "a number of diagonals of a cell, more than 0";
    let diagonals = |text: &str| {
        at_least_zero(text).filter(|n| *n > 0.0).ok_or_else(|| wrong("--offset", text, expected))
    };
    let chosen = match typed {
        None => default,
        Some(CertaintyArg::Proven) => Certainty::Proven,
        Some(CertaintyArg::Sampled) => Certainty::Sampled,
        Some(CertaintyArg::Offset) => {
            return Ok(Certainty::Offset(moved.offset.as_deref().map_or(Ok(1.0), diagonals)?));
        }
    };
    if moved.offset.is_some() {
        return Err(Error::OtherChoice {
            option: "--offset",
            chosen: format!("--certainty {}", name_of(chosen)),
            why: "moves no surfaces",
            instead: "--certainty offset",
        });
    }
    Ok(chosen)
}

fn name_of(certainty: Certainty) -> String {
    name(if certainty == Certainty::Proven { &CertaintyArg::Proven } else { &CertaintyArg::Sampled })
}

fn fill(typed: Option<FillArg>, certainty: Certainty, default: Fill) -> Result<Fill, Error> {
    let chosen = match typed {
        None if certainty == Certainty::Proven => Fill::Touched,
        None => default,
        Some(FillArg::Samples) => Fill::Samples,
        Some(FillArg::Interval) => Fill::Interval,
        Some(FillArg::Touched) => Fill::Touched,
    };
    if certainty == Certainty::Proven && chosen != Fill::Touched {
        return Err(Error::OtherChoice {
            option: "--fill",
            chosen: "--certainty proven".into(),
            why: "fills every cell that is touched",
            instead: "--certainty sampled",
        });
    }
    Ok(chosen)
}

fn resolution(image: &ImageArgs, default: [u32; 2]) -> Result<[u32; 2], Error> {
    let Some(text) = image.resolution.as_deref() else { return Ok(default) };
    let parsed = parse_resolution(text).filter(|both| both.iter().all(|n| CELLS.contains(n)));
    parsed.ok_or_else(|| wrong("--resolution", text, "64 or 128x64, each from 8 to 1024 with depth_slices"))
}

fn facing(image: &ImageArgs, default: Facing) -> Result<Facing, Error> {
    let Some(text) = image.views.as_deref() else { return Ok(default) };
    match parse_views(text) {
        Some(Direction::Auto) => Ok(Facing::Auto),
        Some(Direction::Along(vector)) => Ok(Facing::Along(vector)),
        _ => Err(wrong(
            "--views",
            text,
            "auto or a direction such as 0,0,1; depth_slices looks at a pair one way",
        )),
    }
}

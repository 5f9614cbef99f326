//! What the arguments of `depth_slices` mean.

use crate::error::Error;
use crate::method_args::{CertaintyArg, DepthSlicesArgs, FillArg, ImageArgs, OffsetArgs};
use crate::option_values::{more_than_zero, parse_resolution, parse_views, typed};
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
    given: Option<CertaintyArg>,
    moved: &OffsetArgs,
    default: Certainty,
) -> Result<Certainty, Error> {
    let chosen = match given {
        None => default,
        Some(CertaintyArg::Proven) => Certainty::Proven,
        Some(CertaintyArg::Sampled) => Certainty::Sampled,
        Some(CertaintyArg::Offset) => {
            let expected = "a number of diagonals of a cell, more than 0";
            let diagonals = typed("--offset", moved.offset.as_deref(), more_than_zero, expected)?;
            return Ok(Certainty::Offset(diagonals.unwrap_or(1.0)));
        }
    };
    if moved.offset.is_some() {
        return Err(Error::OtherChoice {
            option: "--offset",
            chosen: format!("--certainty {}", if chosen == Certainty::Proven { "proven" } else { "sampled" }),
            why: "moves no surfaces",
            instead: "--certainty offset",
        });
    }
    Ok(chosen)
}

fn fill(given: Option<FillArg>, certainty: Certainty, default: Fill) -> Result<Fill, Error> {
    let chosen = match given {
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
    let parse = |text: &str| parse_resolution(text).filter(|both| both.iter().all(|n| CELLS.contains(n)));
    let expected = "64 or 128x64, each from 8 to 1024 with depth_slices";
    Ok(typed("--resolution", image.resolution.as_deref(), parse, expected)?.unwrap_or(default))
}

fn facing(image: &ImageArgs, default: Facing) -> Result<Facing, Error> {
    let parse = |text: &str| match parse_views(text)? {
        Direction::Auto => Some(Facing::Auto),
        Direction::Along(vector) => Some(Facing::Along(vector)),
        _ => None,
    };
    let expected = "auto or a direction such as 0,0,1; depth_slices looks at a pair one way";
    Ok(typed("--views", image.views.as_deref(), parse, expected)?.unwrap_or(default))
}

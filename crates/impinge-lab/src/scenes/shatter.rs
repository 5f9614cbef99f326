//! A plate is struck, cracks (its mesh is replaced, a second body enters) and breaks (both leave, pieces enter), as
//! the breaking objects of Jang, Han 2008. The pieces of a jittered lattice fit each other vertex by vertex, so
//! while they stand together their contacts can be counted.

use crate::known::{Count, KnownAnswer, KnownPairs, of_complex, pair};
use crate::motion::{Actor, Motion, Track};
use crate::rng::Rng;
use crate::shapes::{Shape, lattice_box, sphere};
use crate::vector::{Point, add, scale, turned};
use impinge::{Pose, SceneError};
use std::sync::Arc;

const FRAMES: usize = 14;
const STRIKE: usize = 3;
const CRACK: usize = 4;
const BREAK: usize = 6;
const APART: usize = 8;
const TUMBLE: usize = 9;
/// Part of a cell by which lattice points move: small enough that no triangle of the plate turns over.
const JITTER: f64 = 0.2;

/// A rectangle of cells.
#[derive(Clone, Copy, Debug)]
struct Piece {
    low: [usize; 2],
    size: [usize; 2],
}

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let cells = (((triangles * 4 / 5) as f64 / 4.0).sqrt().round() as usize).clamp(2, 4096);
    let whole = Piece { low: [0; 2], size: [cells; 2] };
    let halves = cut(whole, 0, cells.div_ceil(2));
    let mut pieces = halves.to_vec();
    while pieces.len() < 12.min(cells * cells / 2) {
        // The largest is cut across its longer side, somewhere in the middle.
        pieces.sort_by_key(|piece| std::cmp::Reverse((piece.size[0] * piece.size[1], piece.low)));
        let piece = pieces.remove(0);
        let axis = usize::from(piece.size[1] > piece.size[0]);
        let length = piece.size[axis];
        pieces.extend(cut(piece, axis, (length / 3 + rng.below(length / 3 + 1)).clamp(1, length - 1)));
    }
    let jitter_seed = rng.bits();
    let shape = |piece: Piece| plate_part(piece, cells, jitter_seed);
    let mesh = |piece: Piece| Arc::new(shape(piece).mesh());

    let thickness = 2.0 / cells as f64;
    let radius = 0.4 + thickness;
    let hammer = sphere(triangles / 5).scaled(radius).mesh();
    let swing = move |frame: usize| {
        let height = frame.abs_diff(STRIKE) as f64 * 0.5;
        let clear = if frame == STRIKE { 0.0 } else { radius + 2.0 * thickness };
        turned([1.0, 0.0, 0.0], frame as f64, [0.1, 0.05, height + clear])
    };
    let lean = |_: usize| turned([0.3, 1.0, 0.2], 0.01, [0.0; 3]);
    let mut actors = vec![
        Actor::rigid("hammer", hammer, swing),
        Actor::new("plate", mesh(whole), Track::Breaking(Arc::new(lean), vec![(CRACK, mesh(halves[0]))]))
            .during(0..BREAK),
        Actor::rigid("other half", mesh(halves[1]), lean).during(CRACK..BREAK),
    ];
    for (k, &piece) in pieces.iter().enumerate() {
        let middle = [0, 1]
            .map(|axis| (piece.low[axis] as f64 + piece.size[axis] as f64 / 2.0) / cells as f64 * 2.0 - 1.0);
        let (axis, spin) = (rng.direction(), rng.between(-0.6, 0.6));
        actors.push(
            Actor::rigid(format!("piece {k}"), mesh(piece), move |frame| {
                fly([middle[0], middle[1], 0.0], axis, spin, frame, lean(frame))
            })
            .during(BREAK..FRAMES),
        );
    }
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(|scene, frame| match frame {
        STRIKE => KnownAnswer {
            contacts: Some(Count::AtLeast(1)),
            pairs: Some(KnownPairs { touching: vec![pair("hammer", "plate")], undecided: Vec::new() }),
            containments: Some(Vec::new()),
            alike: Vec::new(),
        },
        CRACK..APART => KnownAnswer { containments: Some(Vec::new()), ..of_complex(scene) },
        ..STRIKE | APART => KnownAnswer::clear(),
        _ => KnownAnswer::default(),
    }))
}

fn cut(Piece { low, size }: Piece, axis: usize, at: usize) -> [Piece; 2] {
    let (mut first, mut second) = (Piece { low, size }, Piece { low, size });
    first.size[axis] = at;
    second.low[axis] += at;
    second.size[axis] -= at;
    [first, second]
}

/// The part of the plate over a rectangle of cells. A lattice point goes to the same place in every part.
fn plate_part(piece: Piece, cells: usize, seed: u64) -> Shape {
    let low = [piece.low[0] as i64, piece.low[1] as i64, 0];
    lattice_box(low, [piece.size[0], piece.size[1], 1]).map(|[x, y, z]| {
        let mut rng = Rng::new(
            seed ^ (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ (y as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93),
        );
        let [dx, dy] = [rng.between(-JITTER, JITTER), rng.between(-JITTER, JITTER)];
        let place = |c: f64| c / cells as f64 * 2.0 - 1.0;
        [place(x + dx), place(y + dy), (z - 0.5) * 2.0 / cells as f64]
    })
}

/// Pieces stand in place, then move away from the middle by as much as they are from it (rectangles cut by lines
/// across come apart along the axis of the cut), then fall together again, tumbling.
fn fly(middle: Point, axis: Point, spin: f64, frame: usize, lean: Pose) -> Pose {
    let out = if frame < APART { 0.0 } else { 1.0 / (frame - APART + 1) as f64 };
    if frame < TUMBLE {
        let rows = *lean.rows();
        let push = scale(middle, out);
        // Moved within the plate's own plane: push first, lean after.
        let pushed = add(lean.apply(push), scale(lean.apply([0.0; 3]), -1.0));
        let row = |k: usize| [rows[k][0], rows[k][1], rows[k][2], rows[k][3] + pushed[k]];
        return Pose::from_rows([row(0), row(1), row(2)]).unwrap_or(lean);
    }
    // Turned about the piece's own middle, which flies on.
    let turn = turned(axis, spin * (frame + 1 - TUMBLE) as f64, [0.0; 3]);
    let carried = turn.apply(scale(middle, -1.0));
    let target = add(scale(middle, 1.0 + out), [0.0, 0.0, -0.1 * out]);
    turned(axis, spin * (frame + 1 - TUMBLE) as f64, add(target, carried))
}

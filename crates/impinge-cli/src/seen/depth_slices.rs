//! Depth slices: the cells that two bodies take, slice by slice, and those that they share.

use super::field::{BODY, Colour, Field, NOTHING, heat, mix};
use super::items::{self, Spread, Words};
use super::{Seen, SeenImage};
use crate::names::{count, counted};
use crate::picture::{BODIES, CONTACT};
use impinge::overlap_cells::SliceOptions;
use impinge::stages::Clock;
use impinge::stages::overlap_cells::planes::Bits;
use impinge::stages::overlap_cells::{Answer, Draw, Drawing, Grid, PairOverlap, Plot, Shared, Slicing};
use impinge::{BodyId, Point, Scene};
use std::convert::Infallible;

/// Pairs of bodies whose cells are shown: those that share the most.
const MAX_PAIRS: usize = 3;

/// Slices of a picture, across and down, at most.
const MAX_SLICES_ACROSS: u32 = 4;

/// The cells of two bodies in one rendering.
#[derive(Clone)]
struct Rendering {
    grid: Grid,
    touched: [Vec<Bits>; 2],
}

/// The definition, with somebody who looks over its shoulder.
#[derive(Default)]
struct Watched {
    drawing: Drawing,
    /// The first rendering of a pair, and the last that shared anything; but for bodies moved inward, which only confirm.
    first: Option<Rendering>,
    last: Option<Rendering>,
}

impl Draw for Watched {
    type Error = Infallible;

    fn draw(&mut self, scene: &Scene, plot: &Plot, normals: [&[Point]; 2]) -> Result<Shared, Infallible> {
        let shared = self.drawing.draw(scene, plot, normals);
        let [a, b] = &self.drawing.planes.planes;
        let rendering = || Rendering { grid: plot.grid, touched: [a.touched.clone(), b.touched.clone()] };
        if self.first.is_none() {
            self.first = Some(rendering());
        } else if shared.cells > 0 && plot.offset >= 0.0 {
            self.last = Some(rendering());
        }
        Ok(shared)
    }

    fn cells(&mut self, most: usize) -> Result<Vec<[u32; 3]>, Infallible> {
        Draw::cells(&mut self.drawing, most)
    }
}

/// What was drawn of one pair.
struct Drawn {
    pair: PairOverlap,
    first: Rendering,
    last: Option<Rendering>,
}

pub(super) fn see(scene: &Scene, options: &SliceOptions) -> Seen {
    let (mut slicing, mut watched) = (Slicing::default(), Watched::default());
    let mut shown: Vec<Drawn> = Vec::new();
    let (mut volumes, mut cells) = (items::turned_boxes(false), items::turned_boxes(false));
    let mut along_axes = true;
    let (mut overlaps, pairs) = slicing.begin(scene, &[], &mut Clock::start(), options);
    for ids in pairs {
        (watched.first, watched.last) = (None, None);
        let Ok(more) = slicing.pair(scene, ids, options, &mut watched, &mut overlaps);
        let pair = overlaps.pairs.last().filter(|pair| [pair.a, pair.b] == ids).cloned();
        let (Some(first), Some(pair)) = (watched.first.take(), pair) else { continue };
        let drawn = Drawn { pair, first, last: watched.last.take() };
        if drawn.pair.answer != Answer::No {
            along_axes &= drawn.first.is_along_axes();
            volumes.extend(drawn.pair.volume.map(|volume| volume.corners()));
            drawn.last.as_ref().unwrap_or(&drawn.first).shared(&mut cells);
        }
        shown.push(drawn);
        // The more is shared, the more there is to see.
        shown.sort_by_key(|Drawn { pair, .. }| std::cmp::Reverse((pair.answer != Answer::No, pair.cells)));
        shown.truncate(MAX_PAIRS);
        if !more {
            break;
        }
    }
    let mut seen = Seen::default();
    for (number, drawn) in shown.iter().enumerate() {
        images(scene, drawn, number, shown.len(), &mut seen);
    }
    let about = format!(
        "{} both of two bodies take, the last time that they were looked at.",
        counted(cells.given(), "cell that", "cells that")
    );
    seen.overlays.push(cells.overlay(Words::new("cells", "Shared cells", about), along_axes));
    let about = format!(
        "The box of the cells that two bodies share, for {} that meet or may meet. Where that is proven, it holds every point \
         that they share.",
        counted(volumes.given(), "pair", "pairs")
    );
    seen.overlays.push(volumes.overlay(Words::new("volumes", "Collision volumes", about), along_axes));
    seen
}

impl Rendering {
    fn bits(&self, x: u32, y: u32) -> [Bits; 2] {
        let pixel = (y * self.grid.cells[0] + x) as usize;
        [0, 1].map(|k| self.touched[k].get(pixel).copied().unwrap_or(0))
    }

    fn each_pixel(&self, mut visit: impl FnMut(u32, u32, [Bits; 2])) {
        for y in 0..self.grid.cells[1] {
            for x in 0..self.grid.cells[0] {
                visit(x, y, self.bits(x, y));
            }
        }
    }

    /// The cells that both take, as boxes in the world.
    fn shared(&self, boxes: &mut Spread<[Point; 8]>) {
        self.each_pixel(|x, y, [a, b]| {
            for slice in (0..self.grid.cells[2]).filter(|slice| (a & b) >> slice & 1 == 1) {
                let cell = [x, y, slice];
                boxes.push(std::array::from_fn(|corner| {
                    let at = |k: usize| f64::from(cell[k] + (corner >> k & 1) as u32);
                    self.grid.unproject([at(0), at(1), at(2)])
                }));
            }
        });
    }

    fn is_along_axes(&self) -> bool {
        self.grid.volume.axes.iter().all(|axis| axis.iter().any(|c| c.abs() == 1.0))
    }

    /// World size of what a picture shows, across and down.
    fn size(&self) -> [f64; 2] {
        let [across, down, _] = self.grid.volume.size();
        [across, down]
    }

    fn corners(&self) -> Option<[[f32; 3]; 4]> {
        let [right, bottom, _] = self.grid.cells.map(f64::from);
        let corners = [[0.0, bottom], [right, bottom], [right, 0.0], [0.0, 0.0]];
        let corners = corners.map(|[x, y]| self.grid.unproject([x, y, 0.0]));
        corners.as_flattened().iter().all(|c| c.is_finite()).then(|| corners.map(items::point))
    }
}

fn images(scene: &Scene, drawn: &Drawn, number: usize, pairs: usize, seen: &mut Seen) {
    let name = |id| scene.body(id).map_or("?", |body| body.name());
    let (a, b) = (name(drawn.pair.a), name(drawn.pair.b));
    let title = |what: &str| {
        if pairs == 1 { what.to_owned() } else { format!("{what}, pair {} of {pairs}", number + 1) }
    };
    let id = |what: &str| format!("pair-{}-{what}", number + 1);
    let colours = [drawn.pair.a, drawn.pair.b].map(BodyId::index).map(|k| BODIES[k % BODIES.len()]);
    // Bodies of one colour could not be told apart.
    let colours = if colours[0] == colours[1] { [BODIES[0], BODIES[1]] } else { colours };
    for (what, called, rendering) in
        [("last", "last look", drawn.last.as_ref()), ("first", "first look", Some(&drawn.first))]
    {
        let Some(rendering) = rendering else { continue };
        let mut shared = 0;
        let mut field =
            Field::<Taken>::new([rendering.grid.cells[0], rendering.grid.cells[1]], rendering.size());
        rendering.each_pixel(|x, y, [p, q]| {
            shared += (p & q).count_ones() as usize;
            if p | q != 0 {
                let there = field.at(x, y);
                let both = (p & q).count_ones().max(there.map_or(0, |taken| taken.both));
                let one = there.map_or([false; 2], |taken| taken.one);
                *there = Some(Taken { both, one: [one[0] || p != 0, one[1] || q != 0] });
            }
        });
        let most = field.values().map(|taken| taken.both).max().unwrap_or(0);
        let [i, j, k] = rendering.grid.cells;
        let who = format!("'{a}' and '{b}'");
        let cells =
            format!("{} of {i} x {j} x {k} {}", count(shared), if shared == 1 { "is" } else { "are" });
        seen.images.push(SeenImage {
            id: id(&format!("{what}-shared")),
            title: title(&format!("Shared cells, {called}")),
            about: format!(
                "How many cells behind each pixel both {who} take, from violet for 1 to nearly white for {most}; in the dim colour \
                 of a body where only that is there. {cells} shared."
            ),
            corners: rendering.corners(),
            ..field.paint(|taken| taken.colour(colours, most))
        });
        seen.images.push(sheet(rendering, colours, |shown| {
            let some = if shown < k { format!(" {shown} of {k} slices are shown.") } else { String::new() };
            let about = format!(
                "The slices one after the other, row by row, from where depth begins: cells of {who} in their colours, those of both in \
                 red. {cells} shared.{some}"
            );
            (id(&format!("{what}-slices")), title(&format!("Slices, {called}")), about)
        }));
    }
}

/// Cells behind one pixel.
#[derive(Clone, Copy)]
struct Taken {
    both: u32,
    one: [bool; 2],
}

impl Taken {
    fn colour(self, [a, b]: [Colour; 2], most: u32) -> Colour {
        match (self.both, self.one) {
            (1.., _) => heat((self.both - 1) as f32 / (most.max(2) - 1) as f32),
            (_, [true, true]) => mix(mix(a, b, 0.5), NOTHING, 0.6),
            (_, [true, _]) => mix(a, NOTHING, 0.6),
            _ => mix(b, NOTHING, 0.6),
        }
    }
}

/// All slices side by side, or as many as can be told apart.
fn sheet(
    rendering: &Rendering,
    [a, b]: [Colour; 2],
    words: impl FnOnce(u32) -> (String, String, String),
) -> SeenImage {
    let [width, height, slices] = rendering.grid.cells;
    let across = (1..MAX_SLICES_ACROSS).find(|n| n * n >= slices).unwrap_or(MAX_SLICES_ACROSS);
    let shown = slices.min(across * across);
    let down = shown.div_ceil(across);
    let [wide, high] = rendering.size();
    let size = [wide * f64::from(across), high * f64::from(down)];
    let mut field = Field::<u8>::new([across * width, down * height], size);
    for tile in 0..shown {
        let slice = u64::from(tile) * u64::from(slices) / u64::from(shown);
        let (column, row) = (tile % across, tile / across);
        // Like a chessboard, so that slices can be told apart.
        let ground = if (column + row) % 2 == 0 { EVEN } else { ODD };
        rendering.each_pixel(|x, y, bits| {
            let [p, q] = bits.map(|bits| (bits >> slice & 1) as u8);
            *field.at(column * width + x, row * height + y).get_or_insert(ground) |= p | q << 1;
        });
    }
    let (id, title, about) = words(shown);
    let colour = |taken: u8| match taken & 3 {
        1 => mix(a, NOTHING, 0.2),
        2 => mix(b, NOTHING, 0.2),
        3 => CONTACT,
        _ if taken & ODD == 0 => NOTHING,
        _ => mix(NOTHING, BODY, 0.35),
    };
    SeenImage { id, title, about, ..field.paint(colour) }
}

/// What is behind cells: two bits tell who takes one, and a third whose turn it is.
const EVEN: u8 = 0;
const ODD: u8 = 4;

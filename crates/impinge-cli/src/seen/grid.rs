//! Boxes in a grid: how many triangles every cell holds, which voxels several bodies touch, and where pairs are looked for.

use super::field::{BRIGHT, Field, NOTHING, heat, mix};
use super::items::{self, Words};
use super::{MAX_VIEWS, Seen, SeenImage};
use crate::names::counted;
use crate::picture::{BODIES, CONTACT};
use impinge::contacts::GridOptions;
use impinge::stages::grid::triangle_filter::{
    Lattice, Record, SEVERAL, each_cell, max_voxels, touched, volume, voxel_filter, voxels,
};
use impinge::stages::grid::{Near, Plan, Region, Run, cells, nears, plan, records};
use impinge::stages::{Clock, Survey, gather};
use impinge::{Bounds, Scene, Stages};

pub(super) fn see(scene: &Scene, options: GridOptions) -> Option<Seen> {
    let mut seen = Seen::default();
    let members = gather::members(scene, &[])?;
    let nears = nears(scene, &members);
    let mut survey = Survey::default();
    let frame = survey.frame(scene, &[], &mut Stages::default(), &mut Clock::start());
    let plan = plan(&frame, members, &nears)?;
    for number in 0..plan.runs.len().min(MAX_VIEWS) {
        see_run(scene, &plan, &nears, number, options, &mut seen);
    }
    Some(seen)
}

/// One of several runs, where its cells are, and along which axis its pictures look.
struct Place<'a> {
    run: &'a Run,
    number: usize,
    count: usize,
    along: usize,
}

impl<'a> Place<'a> {
    fn new(plan: &'a Plan, number: usize) -> Self {
        let run = &plan.runs[number];
        let size = |k: &usize| run.region.high[*k] - run.region.low[*k];
        // Across the two longer sides.
        let along = (0..3).min_by(|p, q| size(p).total_cmp(&size(q))).unwrap_or(2);
        Self { run, number, count: plan.runs.len(), along }
    }

    fn id(&self, what: &str) -> String {
        if self.count == 1 { what.into() } else { format!("group-{}-{what}", self.number + 1) }
    }

    fn image(&self, id: &str, title: &str, about: String, picture: SeenImage) -> SeenImage {
        let corners = self.corners();
        SeenImage { id: self.id(id), title: self.title(title), about, corners, ..picture }
    }

    fn words(&self, id: &str, title: &str, about: String) -> Words {
        Words::new(self.id(id), self.title(title), about)
    }

    fn title(&self, what: &str) -> String {
        if self.count == 1 {
            what.into()
        } else {
            format!("{what}, group {} of {}", self.number + 1, self.count)
        }
    }

    /// Axes across and up.
    fn axes(&self) -> [usize; 2] {
        [(self.along + 1) % 3, (self.along + 2) % 3]
    }

    fn from(&self) -> String {
        format!("seen against the {} axis", ["x", "y", "z"][self.along])
    }

    /// A picture with one pixel for every column of cells.
    fn field<T: Copy>(&self, lattice: &Lattice) -> Field<T> {
        let [across, up] = self.axes();
        let size = |k: usize| f64::from(self.run.region.high[k] - self.run.region.low[k]);
        Field::new([lattice.cells[across], lattice.cells[up]], [size(across), size(up)])
    }

    /// Where the column of a cell is in the picture: rows go down, coordinates up.
    fn pixel(&self, lattice: &Lattice, cell: [u32; 3]) -> [u32; 2] {
        let [across, up] = self.axes();
        [cell[across], lattice.cells[up] - 1 - cell[up]]
    }

    fn corners(&self) -> Option<[[f32; 3]; 4]> {
        let Region { low, high, .. } = self.run.region;
        let [across, up] = self.axes();
        let corner = |right: bool, top: bool| {
            let mut at = low;
            at[across] = if right { high } else { low }[across];
            at[up] = if top { high } else { low }[up];
            world(&self.run.region, at)
        };
        let corners = [corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
        corners.as_flattened().iter().all(|c| c.is_finite()).then(|| corners.map(items::point))
    }
}

/// A point of the region in the world.
fn world(region: &Region, at: [f32; 3]) -> [f64; 3] {
    std::array::from_fn(|k| region.centre[k] + f64::from(at[k]) * region.unit)
}

/// A cell in the world.
fn cell_box(region: &Region, lattice: &Lattice, cell: [u32; 3]) -> Bounds {
    let at = |add: u32| {
        world(region, std::array::from_fn(|k| lattice.low[k] + (cell[k] + add) as f32 / lattice.per_unit[k]))
    };
    Bounds { min: at(0), max: at(1) }
}

fn see_run(scene: &Scene, plan: &Plan, nears: &[Near], number: usize, options: GridOptions, seen: &mut Seen) {
    let place = Place::new(plan, number);
    let (mut kept, others) = records(scene, &plan.members, nears, place.run);
    let near = kept.len();
    if others.contains(&true) {
        see_voxels(&kept, &others, &place, seen);
        voxel_filter(&mut kept, &others, &voxels(&place.run.region, max_voxels(near) as f32));
    }
    let lattice = cells::cells(&place.run.region, &kept, &options);
    let is_large = |record: &Record| volume(lattice.span(record)) > options.most_cells;
    // How many triangles, whose, and whether two of them may be a pair.
    let mut cells = vec![(0u32, 0u32, false); lattice.count()];
    let mut large = items::boxes();
    for record in &kept {
        if is_large(record) {
            let [min, max] = [record.low, record.high].map(|corner| world(&place.run.region, corner));
            large.push(Bounds { min, max });
            continue;
        }
        each_cell(lattice.span(record), |cell| {
            let (count, body, pairs) = &mut cells[lattice.index(cell)];
            *pairs |= *count > 0 && (*body != record.body || record.self_collision);
            (*count, *body) = (*count + 1, record.body);
        });
    }
    let mut field = place.field::<f32>(&lattice);
    let mut boxes = items::boxes();
    each_cell([[0; 3], lattice.cells.map(|n| n - 1)], |cell| {
        let (count, _, pairs) = cells[lattice.index(cell)];
        if count > 0 {
            let [x, y] = place.pixel(&lattice, cell);
            field.most(x, y, count as f32);
        }
        if pairs {
            boxes.push(cell_box(&place.run.region, &lattice, cell));
        }
    });
    let [i, j, k] = lattice.cells;
    let most = field.largest();
    let shown = counted(boxes.given(), "cell holds", "cells hold");
    let about = format!(
        "The most triangles in any cell behind each pixel, {}: from violet for 1 to nearly white for {most}. The grid has {i} x \
         {j} x {k} cells; {} of {near} near other bodies are in it.",
        place.from(),
        counted(kept.len(), "triangle", "triangles"),
    );
    let picture = field.paint(|count| heat((count - 1.0) / (most - 1.0).max(1.0)));
    seen.images.insert(0, place.image("cells", "Triangles per cell", about, picture));
    let about = format!(
        "{shown} triangles of several bodies, or several of a body that looks at itself: pairs are found there."
    );
    seen.overlays.push(boxes.overlay(place.words("cells", "Cells with pairs", about)));
    if large.given() > 0 {
        let about = format!(
            "Boxes of {} that would be in more than {} cells, and are held against all others instead.",
            counted(large.given(), "triangle", "triangles"),
            options.most_cells
        );
        seen.overlays.push(large.overlay(place.words("large", "Large triangles", about)));
    }
}

/// The coarse filter: who touches which voxel.
fn see_voxels(records: &[Record], others: &[bool], place: &Place, seen: &mut Seen) {
    let lattice = voxels(&place.run.region, max_voxels(records.len()) as f32);
    let touched = touched(records, others, &lattice);
    // The number of voxels that several bodies touch, or else one that does.
    let mut field = place.field::<Result<f32, u32>>(&lattice);
    let (mut several, mut alone) = (0, 0);
    each_cell([[0; 3], lattice.cells.map(|n| n - 1)], |cell| {
        let [x, y] = place.pixel(&lattice, cell);
        let there = field.at(x, y);
        match (touched[lattice.index(cell)], *there) {
            (0, _) => {}
            (SEVERAL, known) => {
                several += 1;
                *there = Some(Ok(1.0 + known.and_then(Result::ok).unwrap_or(0.0)));
            }
            (body, known) => {
                alone += 1;
                *there = known.or(Some(Err(body - 1)));
            }
        }
    });
    let most = field.values().filter_map(Result::ok).fold(0.0, f32::max);
    let [i, j, k] = lattice.cells;
    let about = format!(
        "Red where some voxel behind the pixel is touched by several bodies, the brighter the more, up to {most}, {}; in the dim \
         colour of a body where only one is there. Of {i} x {j} x {k} voxels {} touched by several, {alone} by one: triangles \
         that touch only these are dropped.",
        place.from(),
        counted(several, "is", "are"),
    );
    let picture = field.paint(|voxels| match voxels {
        Ok(count) => mix(CONTACT, BRIGHT, (count - 1.0) / (most - 1.0).max(1.0)),
        Err(body) => mix(BODIES[body as usize % BODIES.len()], NOTHING, 0.55),
    });
    seen.images.push(place.image("voxels", "Voxels that several bodies touch", about, picture));
}

//! The flow of the method: pairs of bodies, their boxes, then cells, refined, and the exact test where it is asked for.
//!
//! [`Slicer::run`] is the whole of it on the CPU; the crate `impinge-gpu` calls the same steps with its own drawing.

use super::answer::{Answer, DecidedBy, SliceStages, Sliced, SlicedPair};
use super::boxes;
use super::draw::{Drawing, Party, Plot, vertex_normals};
use super::facing;
use super::hand_over;
use super::hand_over::HandedOver;
use super::kept::Kept;
use super::options::{Boxes, Certainty, Facing, SliceOptions};
use super::planes::Shared;
use super::volume::{Grid, Volume};
use crate::broad_phase::BodyPair;
use crate::broad_phase::SweepAndPrune;
use crate::contacts::Report;
use crate::contacts::{Method, Options, Query};
use crate::image::flow::{External, begin_report};
use crate::scene::Bounds;
use crate::scene::Point;
use crate::scene::Pose;
use crate::scene::{BodyId, Scene};
use crate::solid::Containments;
use crate::util::clock::Clock;
use crate::util::tolerance::{BOX_SLACK, SHRINKS, SMALLEST_SCENE};

/// Draws, and says what is shared; and where, as cells, if points are asked for.
pub trait Draw {
    /// Why drawing may fail.
    type Error;

    /// Draws both bodies anew.
    fn draw(&mut self, scene: &Scene, plot: &Plot, normals: [&[Point]; 2]) -> Result<Shared, Self::Error>;

    /// The first shared cells of what was drawn last, row after row; so many at most.
    fn cells(&mut self, most: usize) -> Result<Vec<[u32; 3]>, Self::Error>;
}

impl Draw for Drawing {
    type Error = std::convert::Infallible;

    fn draw(&mut self, scene: &Scene, plot: &Plot, normals: [&[Point]; 2]) -> Result<Shared, Self::Error> {
        Ok(Self::draw(self, scene, plot, normals))
    }

    fn cells(&mut self, most: usize) -> Result<Vec<[u32; 3]>, Self::Error> {
        Ok(self.planes.shared_cells().take(most).collect())
    }
}

/// Machinery of the method around its drawing; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct Slicer {
    kept: Vec<Kept>,
    boxes: Vec<Bounds>,
    broad_phase: SweepAndPrune,
    containments: Containments,
    pub(crate) drawing: Drawing,
    /// Slots of bodies that the scene does not hold.
    elsewhere: Vec<usize>,
    clock: Option<Clock>,
}

/// Two bodies, where they stand, and what is looked at.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    parties: [Party; 2],
    slots: [usize; 2],
    /// Of all that each passes through.
    boxes: [Bounds; 2],
    /// What the boxes of the two have in common.
    volume: Volume,
    /// What holds both.
    whole: Volume,
    /// The largest number on the way to a world coordinate of them.
    magnitude: f64,
    /// Whether paths are drawn, and all between their steps.
    between: bool,
}

/// What cells tell about two bodies.
pub(crate) struct Found {
    pub(crate) answer: Answer,
    pub(crate) certain: bool,
    volume: Option<Volume>,
    cells: u64,
    points: Vec<Point>,
    pub(crate) renderings: u32,
}

impl Slicer {
    /// Every stage, on the CPU.
    pub(crate) fn run(&mut self, scene: &Scene, options: &Options, report: &mut Report) {
        let pairs = self.begin(scene, &[], options, report);
        let mut drawing = std::mem::take(&mut self.drawing);
        for pair in pairs {
            let Ok(()) = self.pair(scene, pair, options, &mut drawing, report);
        }
        self.drawing = drawing;
        self.finish(scene, options, report);
    }

    /// Starts the clock of a frame, when something must be done before [`Self::begin`]; it counts as update.
    pub fn start(&mut self) {
        self.clock = Some(Clock::start());
    }

    /// Boxes of bodies, and the pairs whose boxes overlap.
    pub fn begin(
        &mut self,
        scene: &Scene,
        external: &[External],
        options: &Options,
        report: &mut Report,
    ) -> Vec<[BodyId; 2]> {
        let mut clock = self.clock.take().unwrap_or_else(Clock::start);
        begin_report(scene, external, Method::DepthSlices, report);
        self.follow(scene, external);
        clock.lap(&mut report.stages.update);
        self.broad_phase.update(&self.boxes);
        let mut pairs: Vec<BodyPair> = self.broad_phase.pairs().to_vec();
        pairs.sort_unstable();
        report.stages.body_pairs = pairs.len();
        let mut sliced = Sliced::default();
        sliced.stages.cells = options.slices.cells(0);
        let itself = scene.bodies().filter(|(_, body)| body.self_collision());
        sliced.not_looked_at.extend(itself.map(|(id, _)| id));
        report.sliced = Some(sliced);
        clock.lap(&mut report.stages.broad_phase);
        self.clock = Some(clock);
        let ids = |pair: BodyPair| {
            let id = |slot: u32| scene.at(slot as usize).map(|(id, _)| id);
            Some([id(pair.a)?, id(pair.b)?])
        };
        pairs.into_iter().filter_map(ids).collect()
    }

    /// Takes in what changed; [`Self::begin`] does, [`Self::paths`] does not.
    pub fn follow(&mut self, scene: &Scene, external: &[External]) {
        self.elsewhere.clear();
        self.elsewhere.extend(external.iter().map(|body| body.id.index()));
        self.kept.resize_with(scene.slots(), Kept::default);
        self.boxes.clear();
        self.boxes.resize(scene.slots(), Bounds::EMPTY);
        for (id, body) in scene.bodies() {
            let kept = &mut self.kept[id.index()];
            if let Some(other) = external.iter().find(|other| other.id == id) {
                // Nothing is known of its triangles but what the caller says.
                *kept = Kept::elsewhere(other.bounds, other.local, other.closed);
            } else {
                kept.follow(body);
            }
            self.boxes[id.index()] = kept.bounds;
        }
    }

    /// Asks about two bodies, and adds what is found to the report.
    pub fn pair<D: Draw>(
        &mut self,
        scene: &Scene,
        ids: [BodyId; 2],
        options: &Options,
        drawing: &mut D,
        report: &mut Report,
    ) -> Result<(), D::Error> {
        let (Some(first), Some(second)) = (scene.body(ids[0]), scene.body(ids[1])) else { return Ok(()) };
        let any = options.query == Query::Any;
        let sliced = report.sliced.get_or_insert_default();
        // The first yes was the last question.
        if any && sliced.pairs.last().is_some_and(|pair| pair.answer == Answer::Yes) {
            return Ok(());
        }
        let poses = [*first.pose(), *second.pose()];
        let (pair, handed) =
            self.ask(scene, ids, poses, &options.slices, any, drawing, &mut sliced.stages)?;
        sliced.pairs.push(pair);
        report.stages.candidates += handed.tests;
        report.stages.exact += handed.tests;
        if options.slices.triangles {
            report.contacts.extend(handed.contacts);
        }
        Ok(())
    }

    /// Asks about two bodies, wherever they stand.
    #[expect(clippy::too_many_arguments, reason = "what is asked, how, with what, and where the time goes")]
    pub(crate) fn ask<D: Draw>(
        &mut self,
        scene: &Scene,
        ids: [BodyId; 2],
        poses: [Pose; 2],
        options: &SliceOptions,
        any: bool,
        drawing: &mut D,
        stages: &mut SliceStages,
    ) -> Result<(SlicedPair, HandedOver), D::Error> {
        let task = self.task(scene, ids, poses.map(|pose| vec![pose]), options, false);
        let mut pair = SlicedPair {
            a: ids[0],
            b: ids[1],
            answer: Answer::No,
            by: DecidedBy::Boxes,
            certain: true,
            volume: None,
            bounds: None,
            cells: 0,
            points: Vec::new(),
            facing: task.volume.axes[2],
            renderings: 0,
        };
        if self.are_apart(&task, options.boxes) {
            return Ok((pair, HandedOver::default()));
        }
        let mut clock = Clock::start();
        let found = self.look(scene, &task, options, drawing)?;
        clock.lap(&mut stages.draw);
        stages.drawn += 1;
        stages.renderings += found.renderings as usize;
        pair.by = DecidedBy::Slices;
        (pair.answer, pair.certain, pair.volume) = (found.answer, found.certain, found.volume);
        (pair.cells, pair.points, pair.renderings) = (found.cells, found.points, found.renderings);
        pair.bounds = found.volume.map(|volume| within(&volume.bounds(), &task.boxes));
        let unsure = matches!(pair.answer, Answer::Maybe { .. }) || !pair.certain;
        let wanted = pair.answer != Answer::No && (options.triangles || (options.hand_over && unsure));
        // Triangles that somebody else holds cannot be handed over.
        let held = task.slots.iter().all(|slot| !self.elsewhere.contains(slot));
        let (Some(volume), true, Some(a), Some(b)) =
            (pair.volume, wanted && held, scene.body(ids[0]), scene.body(ids[1]))
        else {
            return Ok((pair, HandedOver::default()));
        };
        let bodies = [(ids[0], a, &poses[0]), (ids[1], b, &poses[1])];
        let handed = hand_over::contacts(bodies, &volume, any || !options.triangles);
        let meet = !handed.contacts.is_empty();
        debug_assert!(meet || !(pair.certain && pair.answer == Answer::Yes), "a proven yes has a contact");
        pair.certain = meet || options.certainty == Certainty::Proven;
        pair.answer = if meet { Answer::Yes } else { Answer::No };
        pair.by = DecidedBy::NarrowPhase;
        stages.handed_over += handed.triangles;
        clock.lap(&mut stages.exact);
        Ok((pair, handed))
    }

    /// What is looked at of two bodies, or of their paths.
    pub(crate) fn task(
        &self,
        scene: &Scene,
        ids: [BodyId; 2],
        poses: [Vec<Pose>; 2],
        options: &SliceOptions,
        between: bool,
    ) -> Task {
        let slots = ids.map(BodyId::index);
        let boxes: [Bounds; 2] = std::array::from_fn(|k| {
            let stands = scene.body(ids[k]).is_some_and(|body| poses[k][..] == [*body.pose()]);
            if stands { self.kept[slots[k]].bounds } else { self.along_path(scene, ids[k], &poses[k]) }
        });
        let sizes = std::array::from_fn(|k| {
            boxes[0].max[k].min(boxes[1].max[k]) - boxes[0].min[k].max(boxes[1].min[k])
        });
        let direction = match options.facing {
            Facing::Along(direction) => direction,
            Facing::Auto => {
                let faces = |k: usize| (&self.kept[slots[k]].facets, &poses[k][0]);
                facing::choose(sizes, [faces(0), faces(1)])
            }
        };
        let axes = Volume::axes(direction);
        let upright = axes.iter().all(|axis| axis.iter().all(|c| *c == 0.0 || *c == 1.0));
        let parts: [Volume; 2] = std::array::from_fn(|k| {
            let body = scene.body(ids[k]).filter(|_| !upright && !self.elsewhere.contains(&slots[k]));
            let volume = match body {
                // Along other axes than the world's, all vertices tell more than the box.
                Some(body) => {
                    let positions = || body.mesh().positions().iter();
                    Volume::around(axes, poses[k].iter().flat_map(|pose| positions().map(|p| pose.apply(p))))
                }
                None => Volume::around(axes, boxes[k].corners()),
            };
            if upright { volume } else { volume.grown([BOX_SLACK * boxes[k].magnitude(); 3]) }
        });
        let whole = Volume {
            axes,
            low: std::array::from_fn(|k| parts[0].low[k].min(parts[1].low[k])),
            high: std::array::from_fn(|k| parts[0].high[k].max(parts[1].high[k])),
        };
        let magnitude = (0..2)
            .flat_map(|k| poses[k].iter().map(move |pose| (k, pose)))
            .map(|(k, pose)| pose.magnitude(self.kept[slots[k]].local.magnitude()))
            .fold(0.0, f64::max);
        let [first, second] = poses;
        let parties = [Party { id: ids[0], poses: first }, Party { id: ids[1], poses: second }];
        Task { parties, slots, boxes, volume: parts[0].common(&parts[1]), whole, magnitude, between }
    }

    /// The box of all that a body passes through; at the steps of its path, and between them in straight lines.
    fn along_path(&self, scene: &Scene, id: BodyId, poses: &[Pose]) -> Bounds {
        let Some(body) = scene.body(id) else { return Bounds::EMPTY };
        if self.elsewhere.contains(&id.index()) {
            // Every operation of a pose is monotone in every coordinate, rounding included: the corners' box holds all.
            let local = &self.kept[id.index()].local;
            return Bounds::of(poses.iter().flat_map(|pose| local.corners().map(|p| pose.apply(p))));
        }
        let positions = body.mesh().positions();
        Bounds::of(poses.iter().flat_map(|pose| positions.iter().map(|p| pose.apply(p))))
    }

    /// Whether boxes alone tell two bodies apart (3, step 1).
    pub(crate) fn are_apart(&self, task: &Task, boxes: Boxes) -> bool {
        let stand = |k: usize| {
            let poses = &task.parties[k].poses;
            (poses.len() == 1).then(|| (&self.kept[task.slots[k]].local, &poses[0]))
        };
        if task.volume.is_empty() {
            return true;
        }
        match (stand(0), stand(1)) {
            (Some(a), Some(b)) if boxes == Boxes::Oriented => boxes::are_apart(a, b),
            _ => false,
        }
    }

    /// Draws two bodies, and again what they share (3.1.1), until there is an answer or nothing new to see.
    pub(crate) fn look<D: Draw>(
        &mut self,
        scene: &Scene,
        task: &Task,
        options: &SliceOptions,
        drawing: &mut D,
    ) -> Result<Found, D::Error> {
        let proven = options.certainty == Certainty::Proven;
        let steps = task.parties.iter().any(|party| party.poses.len() > 1);
        if let Certainty::Offset(_) = options.certainty {
            for slot in task.slots {
                let kept = &mut self.kept[slot];
                let body =
                    scene.at(slot).filter(|_| kept.normals.is_empty() && !self.elsewhere.contains(&slot));
                kept.normals.extend(body.into_iter().flat_map(|(_, body)| vertex_normals(body.mesh())));
            }
        }
        let normals = task.slots.map(|slot| &self.kept[slot].normals[..]);
        let mut found = Found {
            answer: Answer::No,
            certain: proven,
            volume: None,
            cells: 0,
            points: Vec::new(),
            renderings: 0,
        };
        // Numbers so small that their parts are no numbers: nothing is drawn, and nothing is said.
        if task.magnitude > 0.0 && task.magnitude < SMALLEST_SCENE {
            found.volume = Some(task.volume);
            found.answer = Answer::Maybe { volume: task.volume };
            return Ok(found);
        }
        let slack = BOX_SLACK * task.magnitude;
        let mut volume = task.volume;
        for refined in 0..=options.refinements {
            let grid = Grid::new(&volume, &task.whole, task.magnitude, options.cells(refined));
            let plot = |offset: f64| Plot {
                grid,
                whole: task.whole.grown([offset.abs(); 3]),
                magnitude: task.magnitude + offset.abs(),
                parties: &task.parties,
                fill: options.filling(),
                proven: proven && !steps,
                between: task.between,
                offset,
            };
            let offset =
                if let Certainty::Offset(cells) = options.certainty { cells * grid.diagonal() } else { 0.0 };
            let shared = drawing.draw(scene, &plot(offset), normals)?;
            found.renderings += 1;
            // The cells of a thin volume reach beyond it; what is shared only there is not shared.
            let part = grid.part(shared.low, shared.high).grown([slack; 3]).common(&volume);
            if shared.cells == 0 || part.is_empty() {
                found.answer = Answer::No;
                return Ok(found);
            }
            (found.cells, found.volume) = (shared.cells, Some(part));
            found.answer = if proven { Answer::Maybe { volume: part } } else { Answer::Yes };
            let (before, after) = (volume.size(), part.size());
            let settled = (0..3).all(|k| after[k] >= SHRINKS * before[k]) || refined == options.refinements;
            let meet = proven && self.meet(task, &shared);
            if settled || meet || offset != 0.0 {
                let middle = |cell: [u32; 3]| grid.unproject(cell.map(|c| f64::from(c) + 0.5));
                found.points = drawing.cells(options.most_points)?.into_iter().map(middle).collect();
            }
            if meet {
                found.answer = Answer::Yes;
                return Ok(found);
            }
            if offset != 0.0 {
                found.answer = Answer::Maybe { volume: part };
                found.renderings += 1;
                if drawing.draw(scene, &plot(-offset), normals)?.cells > 0 {
                    found.answer = Answer::Yes;
                    return Ok(found);
                }
            }
            if settled {
                return Ok(found);
            }
            volume = part;
        }
        Ok(found)
    }

    /// Whether what was seen proves that two surfaces meet (see [`super`]).
    fn meet(&self, task: &Task, shared: &Shared) -> bool {
        [(0, 1), (1, 0)].into_iter().any(|(own, other)| {
            let [own_body, other_body] = [own, other].map(|k: usize| &self.kept[task.slots[k]]);
            let (inner, outer) = (&task.boxes[own], &task.boxes[other]);
            let beyond = |k: usize| inner.min[k] <= outer.min[k] || inner.max[k] >= outer.max[k];
            let reaches_out = own_body.all_used && (0..3).any(beyond);
            let seen = shared.seen[own];
            own_body.one_piece && other_body.closed && seen.inside && (seen.outside || reaches_out)
        })
    }

    /// Containments, sums and times.
    pub fn finish(&mut self, scene: &Scene, options: &Options, report: &mut Report) {
        let mut clock = self.clock.take().unwrap_or_else(Clock::start);
        let sliced = report.sliced.take().unwrap_or_default();
        let stages = &mut report.stages;
        let mut rest = std::time::Duration::ZERO;
        clock.lap(&mut rest);
        stages.culling += rest.saturating_sub(sliced.stages.exact);
        stages.narrow_phase += rest.min(sliced.stages.exact);
        report.summarise_pairs();
        let any = options.query == Query::Any && sliced.pairs.iter().any(|pair| pair.answer == Answer::Yes);
        if options.containment && !any {
            // Where surfaces meet, all contacts would have to be known; so a body that touches another from inside is listed
            // only if triangles are asked for.
            let slot = |id: BodyId| id.index() as u32;
            let here = |pair: &&SlicedPair| {
                let all = options.slices.triangles && options.query == Query::All;
                let known = pair.certain && (pair.answer == Answer::No || all);
                known && ![pair.a, pair.b].iter().any(|id| self.elsewhere.contains(&id.index()))
            };
            let apart: Vec<BodyPair> = sliced
                .pairs
                .iter()
                .filter(here)
                .map(|pair| BodyPair { a: slot(pair.a), b: slot(pair.b) })
                .collect();
            self.containments.find(scene, &apart, &self.boxes, report);
            clock.lap(&mut report.stages.containment);
        }
        // Contacts in a volume that samples found are not all there are.
        report.complete = sliced.is_certain() && options.slices.certainty == Certainty::Proven;
        report.sliced = Some(sliced);
        report.conclude(scene, options, &|_| None, clock);
    }
}

/// The part of a box that is in two others; what these have in common, where rounding leaves nothing.
fn within(bounds: &Bounds, [a, b]: &[Bounds; 2]) -> Bounds {
    let shared = a.common(b);
    let part = bounds.common(&shared);
    if part.is_empty() { shared } else { part }
}

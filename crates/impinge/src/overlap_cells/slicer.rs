//! The flow of the method: pairs of bodies, their boxes, then cells, refined, and the exact test where it is asked for.
//!
//! [`Slicer`] is the call on the CPU; the crate `impinge-gpu` takes the same [`Slicing`] with its own drawing.

use super::answer::{Answer, DecidedBy, Overlaps, PairOverlap, Paths, SliceStages};
use super::draw::{Drawing, DrawnBody, Plot, vertex_normals};
use super::hand_over::{self, HandedOver};
use super::kept::Kept;
use super::options::{Boxes, Certainty, Facing, SliceOptions};
use super::planes::Shared;
use super::volume::{Grid, Volume};
use super::{boxes, facing};
use crate::broad_phase::{BodyPair, BroadPhase, FrameBodies};
use crate::exact::{PairContacts, WorldTriangle, shapes};
use crate::scene::{BodyId, Bounds, ExternalBody, Point, Pose, Scene, SceneError, counts};
use crate::solid::Containments;
use crate::util::clock::Clock;
use crate::util::query::Query;
use crate::util::threads::Workers;
use crate::util::tolerance::{BOX_SLACK, MIN_SCENE_MAGNITUDE, SHRINKS};

/// Scenes of fewer triangles are done before other threads would have woken up.
const MIN_SHARED_TRIANGLES: usize = 30_000;

/// Tells for every pair of bodies whether their surfaces meet, frame after frame: **proven** unless the options say otherwise.
///
/// ```
/// use impinge::overlap_cells::{Answer, Slicer};
/// use impinge::{Mesh, Scene};
///
/// let tetrahedron = |x: f32| {
///     Mesh::new(
///         vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]],
///         vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
///     )
/// };
/// let mut scene = Scene::new();
/// scene.add("a", tetrahedron(0.0)?);
/// scene.add("b", tetrahedron(0.25)?);
///
/// let mut slicer = Slicer::default(); // keeps between frames whatever it can reuse
/// let overlaps = slicer.find(&scene);
/// assert_eq!(overlaps.pairs[0].answer, Answer::Yes);
/// assert!(overlaps.is_certain());
/// # Ok::<(), impinge::MeshError>(())
/// ```
#[derive(Debug, Default)]
pub struct Slicer {
    /// May be changed between calls.
    pub options: SliceOptions,
    workers: Workers,
    slicing: Slicing,
    drawing: Drawing,
    answer: Overlaps,
}

impl Slicer {
    /// A slicer with these options.
    pub fn new(options: SliceOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The pairs of bodies whose surfaces meet in the scene as it stands now.
    pub fn find(&mut self, scene: &Scene) -> &Overlaps {
        let Self { options, workers, slicing, drawing, answer } = self;
        let small = counts(scene, &[])[1] < MIN_SHARED_TRIANGLES;
        let run = || slicing.run(scene, &[], Clock::start(), options, drawing);
        let Ok(found) = workers.run(options.threads, small, run);
        *answer = found;
        answer
    }

    /// When two bodies meet first on their way, at the steps given (where each of the two stands), or between them too, on
    /// straight lines from step to step. Where they stand in the scene does not count.
    ///
    /// ```
    /// use impinge::overlap_cells::{Crossing, Slicer};
    /// use impinge::{Mesh, Pose, Scene};
    ///
    /// let tetrahedron = || {
    ///     Mesh::new(
    ///         vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ///         vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    ///     )
    /// };
    /// let mut scene = Scene::new();
    /// let (wall, ball) = (scene.add("wall", tetrahedron()?), scene.add("ball", tetrahedron()?));
    /// // Past each other in one jump: no step shows it, the way between does.
    /// let steps = [-5.0, 5.0].map(|x| [Pose::IDENTITY, Pose::from_translation([x, 0.1, 0.1]).unwrap()]);
    /// let mut slicer = Slicer::default();
    /// assert_eq!(slicer.paths(&scene, [wall, ball], &steps, false)?.crossing, Crossing::Never);
    /// assert_eq!(slicer.paths(&scene, [wall, ball], &steps, true)?.crossing, Crossing::Between { step: 0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paths(
        &mut self,
        scene: &Scene,
        bodies: [BodyId; 2],
        steps: &[[Pose; 2]],
        between: bool,
    ) -> Result<Paths, SceneError> {
        scene.check_steps(bodies, steps)?;
        let Self { options, workers, slicing, drawing, .. } = self;
        slicing.follow(scene, &[]);
        let run = || slicing.paths(scene, bodies, steps, between, options, drawing);
        let Ok(paths) = workers.run(1, true, run);
        Ok(paths)
    }
}

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

/// Two bodies, where they stand, and what is looked at.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    bodies: [DrawnBody; 2],
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

impl Task {
    /// The answer that boxes give.
    fn apart(&self) -> PairOverlap {
        PairOverlap {
            a: self.bodies[0].id,
            b: self.bodies[1].id,
            answer: Answer::No,
            by: DecidedBy::Boxes,
            certain: true,
            volume: None,
            bounds: None,
            cells: 0,
            points: Vec::new(),
            facing: self.volume.axes[2],
            renderings: 0,
        }
    }
}

/// The method around its drawing; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct Slicing {
    kept: Vec<Kept>,
    bodies: FrameBodies,
    broad_phase: BroadPhase,
    containments: Containments,
}

impl Slicing {
    /// Every stage, with anybody's drawing. `clock` began with the call.
    pub fn run<D: Draw>(
        &mut self,
        scene: &Scene,
        external: &[ExternalBody],
        mut clock: Clock,
        options: &SliceOptions,
        drawing: &mut D,
    ) -> Result<Overlaps, D::Error> {
        let (mut overlaps, pairs) = self.begin(scene, external, &mut clock, options);
        for pair in pairs {
            if !self.pair(scene, pair, options, drawing, &mut overlaps)? {
                break;
            }
        }
        self.finish(scene, options, &mut overlaps, &mut clock);
        Ok(overlaps)
    }

    /// The pairs of bodies whose boxes overlap, and an answer that says nothing yet.
    pub fn begin(
        &mut self,
        scene: &Scene,
        external: &[ExternalBody],
        clock: &mut Clock,
        options: &SliceOptions,
    ) -> (Overlaps, Vec<[BodyId; 2]>) {
        let mut overlaps = Overlaps::default();
        let timing = &mut overlaps.timing;
        self.follow(scene, external);
        [timing.bodies, timing.triangles] = counts(scene, external);
        clock.lap(&mut timing.update);
        let id = |slot: u32| scene.at(slot as usize).map(|(id, _)| id);
        let between = |pair: &&BodyPair| pair.a != pair.b;
        let pairs = self.broad_phase.frame(scene, &self.bodies, 0.0).pairs.iter().filter(between);
        let pairs: Vec<[BodyId; 2]> = pairs.filter_map(|pair| Some([id(pair.a)?, id(pair.b)?])).collect();
        timing.body_pairs = pairs.len();
        overlaps.stages.cells = options.cells(0);
        let itself = scene.bodies().filter(|(_, body)| body.self_collision());
        overlaps.not_looked_at.extend(itself.map(|(id, _)| id));
        clock.lap(&mut timing.broad_phase);
        (overlaps, pairs)
    }

    /// Asks about two bodies, and adds what is found to the answer; says whether to go on.
    pub fn pair<D: Draw>(
        &mut self,
        scene: &Scene,
        ids: [BodyId; 2],
        options: &SliceOptions,
        drawing: &mut D,
        overlaps: &mut Overlaps,
    ) -> Result<bool, D::Error> {
        let (Some(first), Some(second)) = (scene.body(ids[0]), scene.body(ids[1])) else { return Ok(true) };
        let poses = [*first.pose(), *second.pose()];
        let one = options.query == Query::Any;
        let (pair, handed) = self.ask(scene, ids, poses, options, one, drawing, &mut overlaps.stages)?;
        let found = pair.answer == Answer::Yes;
        overlaps.pairs.push(pair);
        overlaps.timing.candidates += handed.tests;
        overlaps.timing.exact += handed.tests;
        if options.triangles {
            overlaps.contacts.extend(handed.contacts);
        }
        Ok(!(one && found))
    }

    /// Containments, shapes, sums and times.
    fn finish(&mut self, scene: &Scene, options: &SliceOptions, overlaps: &mut Overlaps, clock: &mut Clock) {
        let one = options.query == Query::Any;
        let exact = overlaps.stages.exact;
        clock.lap_without(&mut overlaps.timing.culling, exact);
        PairContacts::list(&overlaps.contacts, &mut overlaps.contact_pairs);
        clock.lap(&mut overlaps.timing.narrow_phase);
        let found = one && overlaps.pairs.iter().any(|pair| pair.answer == Answer::Yes);
        if options.containment && !found {
            // Where surfaces meet, all contacts would have to be known; so a body that touches another from inside is listed
            // only if triangles are asked for.
            let slot = |id: BodyId| id.index() as u32;
            let here = |pair: &&PairOverlap| {
                let all = options.triangles && !one;
                let known = pair.certain && (pair.answer == Answer::No || all);
                known && ![pair.a, pair.b].iter().any(|id| self.is_external(id.index()))
            };
            let apart: Vec<BodyPair> = overlaps
                .pairs
                .iter()
                .filter(here)
                .map(|pair| BodyPair { a: slot(pair.a), b: slot(pair.b) })
                .collect();
            let contacts = |a, b| {
                let range =
                    overlaps.contact_pairs.binary_search_by(|listed| (listed.a, listed.b).cmp(&(a, b)));
                range.map_or(&[][..], |at| &overlaps.contacts[overlaps.contact_pairs[at].contacts.clone()])
            };
            let boxes = &self.bodies.boxes;
            self.containments.find(scene, apart.iter(), boxes, &contacts, &mut overlaps.containments);
            clock.lap(&mut overlaps.timing.containment);
        }
        if one {
            overlaps.contacts.truncate(1);
            overlaps.contact_pairs.clear();
            PairContacts::list(&overlaps.contacts, &mut overlaps.contact_pairs);
            overlaps.containments.truncate(usize::from(overlaps.contacts.is_empty()));
        }
        if options.shapes {
            let corners = |element| {
                WorldTriangle::of(scene, element).map_or([[0.0; 3]; 3], |triangle| triangle.corners)
            };
            let pairs: Vec<[[Point; 3]; 2]> =
                overlaps.contacts.iter().map(|contact| [corners(contact.a), corners(contact.b)]).collect();
            shapes(&pairs, &mut overlaps.shapes);
            clock.lap(&mut overlaps.timing.shapes);
        }
        // Contacts in a volume that samples found are not all there are.
        overlaps.complete = overlaps.is_certain() && options.certainty == Certainty::Proven;
        overlaps.timing.contacts = overlaps.contacts.len();
        overlaps.timing.total = clock.total();
    }

    /// Whether the body in a slot is one that the scene does not hold.
    fn is_external(&self, slot: usize) -> bool {
        self.bodies.external.iter().any(|body| body.id.index() == slot)
    }

    /// Takes in what changed; [`Self::run`] does, [`Self::paths`] does not.
    pub fn follow(&mut self, scene: &Scene, external: &[ExternalBody]) {
        self.bodies.external.clear();
        self.bodies.external.extend_from_slice(external);
        self.kept.resize_with(scene.slots(), Kept::default);
        self.bodies.boxes.clear();
        self.bodies.boxes.resize(scene.slots(), Bounds::EMPTY);
        for (id, body) in scene.bodies() {
            let kept = &mut self.kept[id.index()];
            if let Some(other) = external.iter().find(|other| other.id == id) {
                // Nothing is known of its triangles but what the caller says.
                *kept = Kept::elsewhere(other.bounds, other.local, other.closed);
            } else {
                kept.follow(body);
            }
            self.bodies.boxes[id.index()] = kept.bounds;
        }
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
    ) -> Result<(PairOverlap, HandedOver), D::Error> {
        let task = self.task(scene, ids, poses.map(|pose| vec![pose]), options, false);
        if self.are_apart(&task, options.boxes) {
            return Ok((task.apart(), HandedOver::default()));
        }
        let mut clock = Clock::start();
        let mut pair = self.look(scene, &task, options, drawing)?;
        clock.lap(&mut stages.draw);
        stages.drawn += 1;
        stages.renderings += pair.renderings as usize;
        pair.bounds = pair.volume.map(|volume| within(&volume.bounds(), &task.boxes));
        let unsure = matches!(pair.answer, Answer::Maybe { .. }) || !pair.certain;
        let wanted = pair.answer != Answer::No && (options.triangles || (options.hand_over && unsure));
        // Triangles that somebody else holds cannot be handed over.
        let held = task.slots.iter().all(|slot| !self.is_external(*slot));
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
            let body = scene.body(ids[k]).filter(|_| !upright && !self.is_external(slots[k]));
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
        let bodies = [DrawnBody { id: ids[0], poses: first }, DrawnBody { id: ids[1], poses: second }];
        Task { bodies, slots, boxes, volume: parts[0].common(&parts[1]), whole, magnitude, between }
    }

    /// The box of all that a body passes through; at the steps of its path, and between them in straight lines.
    fn along_path(&self, scene: &Scene, id: BodyId, poses: &[Pose]) -> Bounds {
        let Some(body) = scene.body(id) else { return Bounds::EMPTY };
        if self.is_external(id.index()) {
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
            let poses = &task.bodies[k].poses;
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
    ) -> Result<PairOverlap, D::Error> {
        let proven = options.certainty == Certainty::Proven;
        let steps = task.bodies.iter().any(|drawn| drawn.poses.len() > 1);
        if let Certainty::Offset(_) = options.certainty {
            for slot in task.slots {
                let wanted = self.kept[slot].normals.is_empty() && !self.is_external(slot);
                let body = scene.at(slot).filter(|_| wanted);
                self.kept[slot]
                    .normals
                    .extend(body.into_iter().flat_map(|(_, body)| vertex_normals(body.mesh())));
            }
        }
        let normals = task.slots.map(|slot| &self.kept[slot].normals[..]);
        let mut found = PairOverlap { by: DecidedBy::Slices, certain: proven, ..task.apart() };
        // Numbers so small that their parts are no numbers: nothing is drawn, and nothing is said.
        if task.magnitude > 0.0 && task.magnitude < MIN_SCENE_MAGNITUDE {
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
                bodies: &task.bodies,
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
            let converged = (0..3).all(|k| after[k] >= SHRINKS * before[k]) || refined == options.refinements;
            let meet = proven && self.meet(task, &shared);
            if converged || meet || offset != 0.0 {
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
            if converged {
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
}

/// The part of a box that is in two others; what these have in common, where rounding leaves nothing.
fn within(bounds: &Bounds, [a, b]: &[Bounds; 2]) -> Bounds {
    let shared = a.common(b);
    let part = bounds.common(&shared);
    if part.is_empty() { shared } else { part }
}

//! The flow of the method: bodies, then parts of bodies, that may collide; pairs of their boxes; the exact test (4).
//!
//! [`Culler::run`] is the whole of it on the CPU; the crate `impinge-gpu` calls the same with its own rendering.

use super::canvas::{Canvas, Order, Visibility};
use super::culled::Culled;
use super::image::{Image, Shown, grown};
use super::options::CullideOptions;
use super::pairs;
use super::pairs::Left;
use crate::broad_phase::BodyPair;
use crate::broad_phase::SweepAndPrune;
use crate::contacts::Report;
use crate::contacts::{Method, Options, Query};
use crate::image::Flow;
use crate::image::flow::begin_report;
use crate::image::gather::Member;
use crate::image::groups::Group;
use crate::scene::Bounds;
use crate::scene::{Body, BodyId, Scene, Version};
use crate::solid::Containments;
use crate::util::clock::Clock;
use std::ops::Range;

/// A body, or a part of one, that may collide.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The body's index among [`Member`]s.
    pub member: u32,
    /// The body.
    pub id: BodyId,
    /// Which of its triangles, in runs that do not touch; at least one.
    pub triangles: Vec<Range<u32>>,
    /// Their box in the world.
    pub bounds: Bounds,
}

impl Item {
    /// How many triangles it has.
    pub fn count(&self) -> u32 {
        self.triangles.iter().map(|run| run.end - run.start).sum()
    }

    /// Its triangles.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.triangles.iter().flat_map(Clone::clone)
    }
}

/// What is kept of a body while its versions stay.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    placed: Option<(Version, Version)>,
    bounds: Bounds,
    local: Bounds,
}

impl Kept {
    fn follow(&mut self, body: &Body) {
        let placed = Some((body.positions_version(), body.pose_version()));
        if self.placed != placed {
            self.placed = placed;
            let vertices = body.mesh().positions();
            self.bounds = Bounds::of((0..vertices.len()).map(|vertex| body.world_position(vertex)));
            self.local = Bounds::of(vertices.iter());
        }
    }
}

/// Machinery of the method around its rendering; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct Culler {
    kept: Vec<Kept>,
    /// Of all bodies.
    boxes: Vec<Bounds>,
    broad_phase: SweepAndPrune,
    pairs: Vec<BodyPair>,
    /// Of what is left of all bodies, with half of the distance around it.
    left_boxes: Vec<Bounds>,
    left_phase: SweepAndPrune,
    containments: Containments,
    /// What is left of all bodies.
    left: Vec<Item>,
    canvas: Canvas,
    clock: Option<Clock>,
}

impl Culler {
    /// Every stage, on the CPU. `false` when there are more triangles than the method can number; nothing was done then.
    pub(crate) fn run(&mut self, scene: &Scene, options: &Options, report: &mut Report) -> bool {
        let mut canvas = std::mem::take(&mut self.canvas);
        let Ok(done) = self.cull(scene, options, &mut canvas, report);
        self.canvas = canvas;
        done
    }

    /// Starts the clock of a frame, when something must be done before [`Self::cull`]; it counts as update.
    pub fn start(&mut self) {
        self.clock = Some(Clock::start());
    }

    /// Every stage, with anybody's rendering.
    pub fn cull<V: Visibility>(
        &mut self,
        scene: &Scene,
        options: &Options,
        visibility: &mut V,
        report: &mut Report,
    ) -> Result<bool, V::Error> {
        let mut clock = self.clock.take().unwrap_or_else(Clock::start);
        let Some(members) = Flow::arrange(scene, &[]) else { return Ok(false) };
        begin_report(scene, &[], Method::Cullide, report);
        let mut culled = Culled::default();
        culled.stages.resolution = options.cullide.pixels();
        self.follow(scene);
        let itself = scene.bodies().filter(|(_, body)| body.self_collision());
        culled.not_looked_at.extend(itself.map(|(id, _)| id));
        clock.lap(&mut report.stages.update);
        let half = options.cullide.apart() / 2.0;
        let around: Vec<Bounds> = self.boxes.iter().map(|bounds| grown(bounds, half)).collect();
        self.broad_phase.update(&around);
        self.pairs.clear();
        self.pairs.extend(self.broad_phase.pairs());
        report.stages.body_pairs = self.pairs.len();
        culled.stages.box_pairs = self.pairs.len();
        clock.lap(&mut report.stages.broad_phase);

        // Parts of bodies that are beside all others, by their boxes, need not be drawn.
        let mut items = self.parts(scene, &members, options.cullide.sub_body);
        self.regroup(&options.cullide, &mut items);
        let mut bodies = whole(&items);
        self.narrow(scene, &members, &options.cullide, visibility, &mut bodies, &mut culled)?;
        culled.bodies.extend(bodies.iter().map(|body| body.id));
        culled.stages.first_pairs = self.left_phase.pairs().len();
        items.retain(|item| culled.bodies.binary_search(&item.id).is_ok());
        self.narrow(scene, &members, &options.cullide, visibility, &mut items, &mut culled)?;
        culled.sub_bodies = items.len();
        clock.lap(&mut culled.stages.draw);

        let left = self.test(scene, options, &items);
        self.left = items;
        culled.body_pairs = left.body_pairs;
        culled.sub_body_pairs = left.sub_body_pairs;
        culled.triangle_pairs = left.triangle_pairs;
        culled.triangles = left.triangles;
        report.contacts.extend(left.contacts);
        report.stages.candidates = left.tests;
        report.stages.exact = left.tests;
        report.summarise_pairs();
        clock.lap(&mut culled.stages.exact);
        report.stages.culling += culled.stages.draw;
        report.stages.narrow_phase += culled.stages.exact;
        if options.containment && !(options.query == Query::Any && report.collides()) {
            // Containment asks for every contact of a pair; a list that is not reliable may lack some, but a pair whose list is
            // empty most likely has none.
            let slots = |pair: &crate::contacts::PairContacts| (pair.a.index() as u32, pair.b.index() as u32);
            let apart = |pair: &BodyPair| {
                report.pairs.binary_search_by(|listed| slots(listed).cmp(&(pair.a, pair.b))).is_err()
            };
            let all = options.cullide.reliable;
            let pairs: Vec<BodyPair> = self.pairs.iter().copied().filter(|pair| all || apart(pair)).collect();
            self.containments.find(scene, &pairs, &self.boxes, report);
            clock.lap(&mut report.stages.containment);
        }
        report.complete = options.cullide.reliable && culled.not_looked_at.is_empty();
        report.culled = Some(culled);
        report.conclude(scene, options, &|_| None, clock);
        Ok(true)
    }

    /// The parts of bodies that culling left in the last frame, sorted by body.
    pub fn left(&self) -> &[Item] {
        &self.left
    }

    /// Takes in what changed.
    fn follow(&mut self, scene: &Scene) {
        self.kept.resize(scene.slots(), Kept::default());
        self.boxes.clear();
        self.boxes.resize(scene.slots(), Bounds::EMPTY);
        for (id, body) in scene.bodies() {
            let kept = &mut self.kept[id.index()];
            kept.follow(body);
            self.boxes[id.index()] = kept.bounds;
        }
    }

    /// Runs of triangles of all bodies whose boxes overlap others.
    fn parts(&self, scene: &Scene, members: &[Member], most: u32) -> Vec<Item> {
        let mut met = vec![false; self.boxes.len()];
        for pair in &self.pairs {
            met[pair.a as usize] = true;
            met[pair.b as usize] = true;
        }
        let mut parts = Vec::new();
        for (k, member) in members.iter().enumerate().filter(|(_, member)| met[member.id.index()]) {
            let Some(body) = scene.body(member.id) else { continue };
            for first in (0..member.triangles).step_by(most.max(1) as usize) {
                let triangles = first..first.saturating_add(most.max(1)).min(member.triangles);
                let corners = triangles.clone().flat_map(|triangle| body.world_corners(triangle as usize));
                let bounds = Bounds::of(corners);
                parts.push(Item { member: k as u32, id: member.id, triangles: vec![triangles], bounds });
            }
        }
        parts
    }

    /// Leaves out items until nothing more goes.
    fn narrow<V: Visibility>(
        &mut self,
        scene: &Scene,
        members: &[Member],
        options: &CullideOptions,
        visibility: &mut V,
        items: &mut Vec<Item>,
        culled: &mut Culled,
    ) -> Result<(), V::Error> {
        let mut groups = self.regroup(options, items);
        for _ in 0..options.rounds {
            let before = items.len();
            for axis in [2, 1, 0].into_iter().take(options.views.clamp(1, 3) as usize) {
                for group in &groups {
                    self.look(scene, members, options, visibility, (axis, group), items, culled)?;
                }
                groups = self.regroup(options, items);
            }
            if items.len() == before {
                break;
            }
        }
        Ok(())
    }

    /// Leaves out items whose boxes are apart from all bodies that theirs may collide with; and says which bodies are looked at
    /// together, and where.
    fn regroup(&mut self, options: &CullideOptions, items: &mut Vec<Item>) -> Vec<Group> {
        let half = options.apart() / 2.0;
        self.left_boxes.clear();
        self.left_boxes.resize(self.boxes.len(), Bounds::EMPTY);
        for item in items.iter() {
            let whole = &mut self.left_boxes[item.id.index()];
            *whole = whole.union(grown(&item.bounds, half));
        }
        self.left_phase.update(&self.left_boxes);
        let pairs = self.left_phase.pairs();
        let mut partners = vec![Vec::new(); self.boxes.len()];
        for pair in pairs {
            partners[pair.a as usize].push(pair.b);
            partners[pair.b as usize].push(pair.a);
        }
        items.retain(|item| {
            let around = grown(&item.bounds, half);
            partners[item.id.index()].iter().any(|&slot| around.overlaps(&self.left_boxes[slot as usize]))
        });
        Group::of(pairs, &self.left_boxes)
    }

    /// One view of one group: both passes, and what they show to be apart goes.
    #[expect(clippy::too_many_arguments, reason = "what is looked at, how, with what, and what is left")]
    fn look<V: Visibility>(
        &self,
        scene: &Scene,
        members: &[Member],
        options: &CullideOptions,
        visibility: &mut V,
        (axis, group): (usize, &Group),
        items: &mut Vec<Item>,
        culled: &mut Culled,
    ) -> Result<(), V::Error> {
        let is_here = |id: BodyId| group.slots.binary_search(&id.index()).is_ok();
        let (here, mut left): (Vec<Item>, Vec<Item>) =
            std::mem::take(items).into_iter().partition(|item| is_here(item.id));
        let shown: Vec<Shown> = here
            .chunk_by(|p, q| p.id == q.id)
            .filter_map(|run| {
                let bounds = run.iter().fold(Bounds::EMPTY, |all, item| all.union(item.bounds));
                let local = self.kept[run[0].id.index()].local;
                scene.body(run[0].id).map(|body| Shown { body, local, bounds })
            })
            .collect();
        let drawn = |member: &Member| {
            let at = here.partition_point(|item| item.id < member.id);
            here.get(at).is_some_and(|item| item.id == member.id)
        };
        let active = members.iter().map(|member| Member { active: drawn(member), ..*member }).collect();
        let image =
            if shown.len() < 2 { None } else { Image::new(axis, options, &group.regions, &shown, active) };
        if let Some(image) = image {
            visibility.look(scene, &image, &here)?;
            let first = visibility.pass(&image, &here, &vec![true; here.len()], Order::Forward)?;
            let asked = first.iter().filter(|visible| **visible).count();
            culled.stages.looks += 1;
            culled.stages.passes += 1;
            culled.stages.queries += here.len();
            let mut goes = vec![false; here.len()];
            if asked > 0 {
                let second = visibility.pass(&image, &here, &first, Order::Backward)?;
                culled.stages.passes += 1;
                culled.stages.queries += asked;
                goes = first.iter().zip(second).map(|(first, second)| *first && second).collect();
            }
            left.extend(here.into_iter().zip(goes).filter(|(_, goes)| !goes).map(|(item, _)| item));
        } else {
            left.extend(here);
        }
        left.sort_unstable_by_key(|item| (item.id, item.triangles[0].start));
        *items = left;
        Ok(())
    }

    /// Pairs of what is left, and the exact test.
    fn test(&self, scene: &Scene, options: &Options, items: &[Item]) -> Left {
        /// Fewer triangles are tested before other threads would have woken up.
        const FEW: u32 = 2000;
        let count: u32 = items.iter().map(Item::count).sum();
        let pairs = self.left_phase.pairs();
        let test = || pairs::left(scene, pairs, items, &options.cullide);
        if options.threads == 1 || count < FEW { test() } else { rayon::join(test, || ()).0 }
    }
}

/// Parts put together, body by body.
fn whole(parts: &[Item]) -> Vec<Item> {
    let body = |run: &[Item]| {
        let mut triangles: Vec<Range<u32>> = Vec::new();
        for range in run.iter().flat_map(|item| &item.triangles) {
            match triangles.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => triangles.push(range.clone()),
            }
        }
        let bounds = run.iter().fold(Bounds::EMPTY, |all, item| all.union(item.bounds));
        Item { triangles, bounds, ..run[0].clone() }
    };
    parts.chunk_by(|p, q| p.id == q.id).map(body).collect()
}

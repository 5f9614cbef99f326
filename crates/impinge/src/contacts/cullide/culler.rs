//! The flow of the method: bodies, then parts of bodies, that may collide; pairs of their boxes; the exact test (4).
//!
//! [`CullideCuller`] is the CPU's; the crate `impinge-gpu` calls the same [`Culling`] with its own rendering.

use super::canvas::{Canvas, Order, Visibility};
use super::culled::Culled;
use super::image::{Image, Shown};
use super::options::CullideOptions;
use super::pairs;
use crate::broad_phase::{Frame, FrameBodies, SweepAndPrune};
use crate::contacts::culler::{Completeness, Culler};
use crate::contacts::report::MethodStats;
use crate::contacts::sink::CandidateSink;
use crate::image::gather::{self, Member};
use crate::image::groups::Group;
use crate::scene::{BodyBoxes, BodyId, Bounds, Scene};
use crate::util::clock::Clock;
use std::convert::Infallible;
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

/// The method on the CPU.
#[derive(Debug, Default)]
pub(crate) struct CullideCuller {
    culling: Culling,
    canvas: Canvas,
}

impl CullideCuller {
    /// With these options from now on.
    pub(crate) fn with(&mut self, options: CullideOptions) -> &mut Self {
        self.culling.options = options;
        self
    }
}

impl Culler for CullideCuller {
    type Error = Infallible;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), Infallible> {
        self.culling.update(scene, bodies);
        Ok(())
    }

    fn reach(&self) -> f64 {
        self.culling.reach()
    }

    fn candidates(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut CandidateSink,
    ) -> Result<Completeness, Infallible> {
        self.culling.cull(frame, &mut self.canvas, sink)
    }

    fn stats(&mut self) -> MethodStats {
        self.culling.stats()
    }
}

/// The method around its rendering; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct Culling {
    /// May be changed between frames.
    pub options: CullideOptions,
    boxes: BodyBoxes,
    /// Of what is left of all bodies, with half of the distance around it.
    left_boxes: Vec<Bounds>,
    left_phase: SweepAndPrune,
    /// What is left of all bodies.
    left: Vec<Item>,
    /// What the last frame counted.
    pub culled: Culled,
}

impl Culling {
    /// Follows the scene.
    pub fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) {
        self.boxes.update(scene, &[], &mut bodies.boxes);
    }

    /// How far apart boxes of bodies may be and still be looked at.
    pub fn reach(&self) -> f64 {
        self.options.apart()
    }

    /// The counts of the last frame, which are given away.
    pub fn stats(&mut self) -> MethodStats {
        MethodStats::Cullide(Box::new(std::mem::take(&mut self.culled)))
    }

    /// Every stage, with anybody's rendering.
    pub fn cull<V: Visibility>(
        &mut self,
        frame: &Frame<'_>,
        visibility: &mut V,
        sink: &mut CandidateSink,
    ) -> Result<Completeness, V::Error> {
        let mut clock = Clock::start();
        let scene = frame.scene;
        let Some(members) = gather::members(scene, &[]) else { return Ok(Completeness::Beyond) };
        let mut culled = Culled::default();
        culled.stages.resolution = self.options.pixels();
        culled.stages.box_pairs = frame.pairs.len();

        // Parts of bodies that are beside all others, by their boxes, need not be drawn.
        let mut items = parts(frame, &members, self.options.sub_body);
        self.regroup(frame, &mut items);
        let mut bodies = whole(&items);
        self.narrow(frame, &members, visibility, &mut bodies, &mut culled)?;
        culled.bodies.extend(bodies.iter().map(|body| body.id));
        culled.stages.first_pairs = self.left_phase.pairs().len();
        items.retain(|item| culled.bodies.binary_search(&item.id).is_ok());
        self.narrow(frame, &members, visibility, &mut items, &mut culled)?;
        culled.sub_bodies = items.len();
        clock.lap(&mut culled.stages.draw);

        pairs::test_left(frame, self.left_phase.pairs(), &items, &self.options, &mut culled, sink);
        self.left = items;
        clock.lap(&mut culled.stages.exact);
        self.culled = culled;
        Ok(Completeness::of(self.options.reliable))
    }

    /// The parts of bodies that culling left in the last frame, sorted by body.
    pub fn left(&self) -> &[Item] {
        &self.left
    }

    /// Leaves out items until nothing more goes.
    fn narrow<V: Visibility>(
        &mut self,
        frame: &Frame<'_>,
        members: &[Member],
        visibility: &mut V,
        items: &mut Vec<Item>,
        culled: &mut Culled,
    ) -> Result<(), V::Error> {
        let mut groups = self.regroup(frame, items);
        for _ in 0..self.options.rounds {
            let before = items.len();
            for axis in [2, 1, 0].into_iter().take(self.options.views.clamp(1, 3) as usize) {
                for group in &groups {
                    self.look(frame, members, visibility, (axis, group), items, culled)?;
                }
                groups = self.regroup(frame, items);
            }
            if items.len() == before {
                break;
            }
        }
        Ok(())
    }

    /// Leaves out items whose boxes are apart from all bodies that theirs may collide with; and says which bodies are looked at
    /// together, and where.
    fn regroup(&mut self, frame: &Frame<'_>, items: &mut Vec<Item>) -> Vec<Group> {
        let half = self.options.apart() / 2.0;
        self.left_boxes.clear();
        self.left_boxes.resize(frame.boxes.len(), Bounds::EMPTY);
        for item in items.iter() {
            let whole = &mut self.left_boxes[item.id.index()];
            *whole = whole.union(item.bounds.grown(half));
        }
        self.left_phase.update(&self.left_boxes);
        let pairs = self.left_phase.pairs();
        let mut partners = vec![Vec::new(); frame.boxes.len()];
        for pair in pairs {
            partners[pair.a as usize].push(pair.b);
            partners[pair.b as usize].push(pair.a);
        }
        items.retain(|item| {
            let around = item.bounds.grown(half);
            partners[item.id.index()].iter().any(|&slot| around.overlaps(&self.left_boxes[slot as usize]))
        });
        Group::of(pairs, &self.left_boxes)
    }

    /// One view of one group: both passes, and what they show to be apart goes.
    fn look<V: Visibility>(
        &self,
        frame: &Frame<'_>,
        members: &[Member],
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
                let local = *self.boxes.local(run[0].id.index());
                frame.scene.body(run[0].id).map(|body| Shown { body, local, bounds })
            })
            .collect();
        let drawn = |member: &Member| {
            let at = here.partition_point(|item| item.id < member.id);
            here.get(at).is_some_and(|item| item.id == member.id)
        };
        let active = members.iter().map(|member| Member { active: drawn(member), ..*member }).collect();
        let image = if shown.len() < 2 {
            None
        } else {
            Image::new(axis, &self.options, &group.regions, &shown, active)
        };
        if let Some(image) = image {
            visibility.look(frame.scene, &image, &here)?;
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
}

/// Runs of triangles of all bodies whose boxes overlap others.
fn parts(frame: &Frame<'_>, members: &[Member], most: u32) -> Vec<Item> {
    let mut met = vec![false; frame.boxes.len()];
    for pair in frame.pairs {
        met[pair.a as usize] = true;
        met[pair.b as usize] = true;
    }
    let mut parts = Vec::new();
    for (k, member) in members.iter().enumerate().filter(|(_, member)| met[member.id.index()]) {
        let Some(body) = frame.scene.body(member.id) else { continue };
        for first in (0..member.triangles).step_by(most.max(1) as usize) {
            let triangles = first..first.saturating_add(most.max(1)).min(member.triangles);
            let corners = triangles.clone().flat_map(|triangle| body.world_corners(triangle as usize));
            let bounds = Bounds::of(corners);
            parts.push(Item { member: k as u32, id: member.id, triangles: vec![triangles], bounds });
        }
    }
    parts
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

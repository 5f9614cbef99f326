//! The method on the CPU, and what the GPU shares with it: where contacts can be, and exact arithmetic for what is in doubt.

use super::box_pairs::{each_pair, is_candidate};
use super::cells::cells;
use super::options::GridOptions;
use super::places::{of_one_place, of_one_size};
use super::plane_filter::{FilterVerdict, plane_filter};
use super::region::{BodyInRegion, Near, Region};
use super::signs::{Verdict, decide};
use super::stars::{RingCache, is_certified};
use super::triangle_filter::{Record, max_voxels, voxel_filter, voxels};
use crate::broad_phase::{BodyPair, Frame, FrameBodies};
use crate::contacts::culler::{Completeness, Culler};
use crate::contacts::report::MethodStats;
use crate::contacts::sink::CandidateSink;
use crate::exact::WorldTriangle;
use crate::image::gather::{self, Member, totals};
use crate::scene::{BodyBoxes, Bounds, Scene};
use crate::util::tolerance::{MAX_PLACED_ERROR, MAX_VAST_TRIANGLES, MIN_SCENE_MAGNITUDE};
use std::convert::Infallible;

/// Bodies of about one size, near each other: what is looked at in one go.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Where.
    pub region: Region,
    /// How every member takes part.
    pub bodies: Vec<BodyInRegion>,
}

/// What is to be done in a frame.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Every body of the scene, in the order of their ids, but for those held elsewhere, which come last.
    pub members: Vec<Member>,
    /// One after the other; a pair found by two counts once.
    pub runs: Vec<Run>,
}

/// Two triangles that touch, or that exact arithmetic must tell about; numbered through all bodies, the lower first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The first.
    pub a: u32,
    /// The second.
    pub b: u32,
    /// Whether floats could not tell.
    pub doubtful: bool,
}

/// What was counted on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GridStats {
    /// Triangles that were left by boxes of bodies and voxels.
    pub kept: usize,
    /// Pairs of those whose boxes share a point, but for neighbours of which a whole star was certified ([`super::stars`]).
    pub candidates: usize,
    /// Pairs of which all fifteen signs were looked at.
    pub tested: usize,
    /// Pairs left to exact arithmetic on the CPU.
    pub doubtful: usize,
    /// Pairs in doubt that a GPU decided by exact signs.
    #[cfg_attr(feature = "serde", serde(rename = "settled"))]
    pub exact_signs: usize,
    /// Triangles in more cells than one may be in, which were held against all others.
    pub large: usize,
    /// Times that the GPU did it all over because a buffer was too small.
    pub reruns: usize,
    /// Bytes read back from a GPU.
    pub bytes_read_back: usize,
}

impl GridStats {
    /// Adds what another run counted.
    pub fn add(&mut self, other: &Self) {
        self.kept += other.kept;
        self.candidates += other.candidates;
        self.tested += other.tested;
        self.doubtful += other.doubtful;
        self.exact_signs += other.exact_signs;
        self.large += other.large;
        self.reruns += other.reruns;
        self.bytes_read_back += other.bytes_read_back;
    }
}

/// The method on the CPU; keeps what it can between frames.
#[derive(Debug, Default)]
pub(crate) struct GridCuller {
    options: GridOptions,
    boxes: BodyBoxes,
    known: RingCache,
    stats: GridStats,
}

impl GridCuller {
    /// With these options from now on.
    pub(crate) fn with(&mut self, options: GridOptions) -> &mut Self {
        self.options = options;
        self
    }
}

impl Culler for GridCuller {
    type Error = Infallible;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), Infallible> {
        self.boxes.update(scene, &[], &mut bodies.boxes);
        Ok(())
    }

    fn candidates(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut CandidateSink,
    ) -> Result<Completeness, Infallible> {
        let Some(members) = gather::members(frame.scene, &[]) else { return Ok(Completeness::Beyond) };
        let nears = nears(frame.scene, &members);
        let Some(plan) = plan(frame, members, &nears) else { return Ok(Completeness::Beyond) };
        self.known.update(frame.scene, &plan.members, false);
        self.stats = GridStats::default();
        let mut found = Vec::new();
        for run in &plan.runs {
            let certified = certified(frame.scene, &plan.members, &nears, run, &self.known);
            let members = (&plan.members[..], &nears[..]);
            self.stats.add(&sift(frame.scene, members, run, &certified, self.options, &mut found));
        }
        let triangle = |number| WorldTriangle::of(frame.scene, gather::element(&plan.members, number)?);
        give(frame, &plan.members, &found, &triangle, &self.stats, sink);
        Ok(Completeness::Complete)
    }

    fn stats(&mut self) -> MethodStats {
        MethodStats::Grid(self.stats)
    }
}

/// Which bodies, and where. `nears` has how each member is stored. `None` where floats cannot hold the scene.
pub fn plan(frame: &Frame<'_>, members: Vec<Member>, nears: &[Near]) -> Option<Plan> {
    let (scene, pairs, boxes) = (frame.scene, frame.pairs, frame.boxes);
    // Of every body the largest number on the way to its world coordinates, and how many triangles it has.
    let mut sizes = vec![(0.0, 0); boxes.len()];
    for member in &members {
        let Some(body) = scene.body(member.id) else { continue };
        let other = frame.external(member.id);
        let magnitude = other
            .map_or_else(|| body.world_magnitude(), |other| body.pose().magnitude(other.local.magnitude()));
        sizes[member.id.index()] = (magnitude, member.triangles);
    }
    let mut runs = Vec::new();
    for pairs in of_one_size(pairs, boxes) {
        for pairs in of_one_place(pairs, boxes) {
            let mut slots: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
            slots.sort_unstable();
            slots.dedup();
            let here = |slot: u32| slots.binary_search(&slot).is_ok();
            // What bodies can have in common is no farther out than the nearer of two. But one with many triangles must be
            // placed, not vast; and numbers too small for parts of them are held against larger ones, if there are any.
            let of_pair = |pair: &BodyPair| {
                let (a, b) = (sizes[pair.a as usize], sizes[pair.b as usize]);
                if a.0 <= b.0 { (a, b) } else { (b, a) }
            };
            let nearer = |pair: &BodyPair| {
                let (smaller, larger) = of_pair(pair);
                if larger.1 > MAX_VAST_TRIANGLES { larger.0 } else { smaller.0 }
            };
            let nearer = pairs.iter().map(nearer).fold(0.0, f64::max);
            let farther = || pairs.iter().map(|pair| of_pair(pair).1.0).fold(0.0, f64::max);
            let magnitude = if nearer < MIN_SCENE_MAGNITUDE { farther() } else { nearer };
            let Some(region) = Region::of(&pairs, boxes, magnitude) else { continue };
            let in_region = |(member, near): (&Member, &Near)| {
                let slot = member.id.index();
                let Some(body) = scene.body(member.id).filter(|_| here(slot as u32)) else {
                    return BodyInRegion::NOBODY;
                };
                let itself = pairs.binary_search(&BodyPair::same(slot)).is_ok();
                let magnitude = magnitude.max(sizes[slot].0);
                region.body((body.pose(), near, itself), slot, &pairs, boxes, magnitude)
            };
            let bodies: Vec<BodyInRegion> = members.iter().zip(nears).map(in_region).collect();
            let fits = |in_region: &BodyInRegion| {
                (in_region.error < MAX_PLACED_ERROR || in_region.is_vast())
                    && in_region.rows.iter().flatten().all(|x| x.is_finite())
            };
            if magnitude < MIN_SCENE_MAGNITUDE && magnitude > 0.0 || !bodies.iter().all(fits) {
                return None;
            }
            runs.push(Run { region, bodies });
        }
    }
    Some(Plan { members, runs })
}

/// Gives what was found to the sink: what floats told, and what exact arithmetic must tell. `triangle` knows every triangle by its
/// number among all.
pub fn give(
    frame: &Frame<'_>,
    members: &[Member],
    found: &[Found],
    triangle: &(dyn Fn(u32) -> Option<WorldTriangle> + Sync),
    stats: &GridStats,
    sink: &mut CandidateSink,
) {
    let doubtful: Vec<&Found> = found.iter().filter(|pair| pair.doubtful).collect();
    sink.run(doubtful.len(), doubtful.len(), |number, sink| {
        let Found { a, b, .. } = *doubtful[number];
        if let (Some(a), Some(b)) = (triangle(a), triangle(b)) {
            sink.doubtful_elements(frame, &a, &b);
        }
    });
    let own = sink.own();
    own.candidates += stats.candidates;
    for pair in found.iter().filter(|pair| !pair.doubtful) {
        let element = |number| gather::element(members, number);
        if let (Some(a), Some(b)) = (element(pair.a), element(pair.b)) {
            own.certain_elements(frame, a, b);
        }
    }
}

/// How every member is stored whose mesh the scene holds.
pub fn nears(scene: &Scene, members: &[Member]) -> Vec<Near> {
    let near = |member: &Member| {
        let positions = scene.body(member.id).map(|body| body.mesh().positions());
        Near::of(&Bounds::of(positions.into_iter().flat_map(crate::scene::Positions::iter)))
    };
    members.iter().map(near).collect()
}

/// The stages of one run.
fn sift(
    scene: &Scene,
    (members, nears): (&[Member], &[Near]),
    run: &Run,
    certified: &[bool],
    options: GridOptions,
    found: &mut Vec<Found>,
) -> GridStats {
    let (mut records, others) = records(scene, members, nears, run);
    if others.contains(&true) {
        let most = max_voxels(records.len());
        voxel_filter(&mut records, &others, &voxels(&run.region, most as f32));
    }
    let lattice = cells(&run.region, &records, &options);
    let is_large =
        |record: &&Record| super::triangle_filter::volume(lattice.span(record)) > options.most_cells;
    let mut stages = GridStats {
        kept: records.len(),
        large: records.iter().filter(is_large).count(),
        ..GridStats::default()
    };
    each_pair(&records, &lattice, &options, |i, j| {
        let (mut a, mut b) = (&records[i], &records[j]);
        let side_by_side = || a.vertices.iter().any(|v| certified[*v as usize] && b.vertices.contains(v));
        if !is_candidate(a, b) || side_by_side() {
            return;
        }
        // Rounding depends on the order.
        if a.triangle > b.triangle {
            (a, b) = (b, a);
        }
        stages.candidates += 1;
        let verdict = match plane_filter(a, b) {
            FilterVerdict::Apart => Verdict::Apart,
            FilterVerdict::Doubtful => Verdict::Doubtful,
            FilterVerdict::Test => {
                stages.tested += 1;
                decide(a, b)
            }
        };
        if verdict != Verdict::Apart {
            let doubtful = verdict == Verdict::Doubtful;
            stages.doubtful += usize::from(doubtful);
            found.push(Found { a: a.triangle, b: b.triangle, doubtful });
        }
    });
    stages
}

/// For every vertex whether its triangles are certified to share nothing but it and their edges.
fn certified(scene: &Scene, members: &[Member], nears: &[Near], run: &Run, known: &RingCache) -> Vec<bool> {
    let mut certified = vec![false; totals(members)[0] as usize];
    let bodies = members.iter().zip(nears).zip(&run.bodies).filter(|(_, in_region)| in_region.self_collision);
    for ((member, near), in_region) in bodies {
        let (Some(body), Some((_, rings))) = (scene.body(member.id), known.of_body(member.id)) else {
            continue;
        };
        let placed: Vec<[f32; 3]> =
            body.mesh().positions().iter().map(|p| in_region.place(near.store(p))).collect();
        let mut ring = Vec::new();
        for vertex in 0..placed.len() {
            let around = rings.of(vertex);
            ring.clear();
            ring.extend(around.iter().map(|v| placed[*v as usize]));
            let closed = around.first() == around.last();
            certified[member.first_vertex as usize + vertex] =
                is_certified(placed[vertex], &ring, closed, 2.0 * in_region.error);
        }
    }
    certified
}

/// Triangles whose boxes meet what their body has in common with others, and all of those that look at themselves; and whether
/// each meets others.
pub fn records(scene: &Scene, members: &[Member], nears: &[Near], run: &Run) -> (Vec<Record>, Vec<bool>) {
    let (mut records, mut others) = (Vec::new(), Vec::new());
    for (index, ((member, near), in_region)) in members.iter().zip(nears).zip(&run.bodies).enumerate() {
        let Some(body) = scene.body(member.id).filter(|_| in_region.is_active()) else { continue };
        let placed: Vec<[f32; 3]> =
            body.mesh().positions().iter().map(|p| in_region.place(near.store(p))).collect();
        for (triangle, vertices) in body.mesh().triangles().iter().enumerate() {
            let corners = vertices.map(|vertex| placed[vertex as usize]);
            let global = vertices.map(|vertex| vertex + member.first_vertex);
            let number = member.first_triangle + triangle as u32;
            let record = Record::new(corners, global, number, (index as u32, in_region));
            let meets = record.meets_others(in_region);
            if meets || in_region.self_collision {
                records.push(record);
                others.push(meets);
            }
        }
    }
    (records, others)
}

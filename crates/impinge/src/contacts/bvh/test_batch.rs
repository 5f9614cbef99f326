//! From two trees to the patches that meet, and from those to contacts.

use super::filters::{BATCH, Except, Filter, Filters, PatchPair};
use super::sort::Unsorted;
use crate::broad_phase::BodyPair;
use crate::bvh::block_boxes::{Met, lanes_of};
use crate::bvh::body_cache::Kept;
use crate::bvh::pool::{Pool, Source};
use crate::bvh::relative::{Inverse, Relative};
use crate::bvh::stars::certify::Certificates;
use crate::bvh::stars::neighbours::Queue;
use crate::bvh::transform::Turned;
use crate::bvh::tree::{Boxes, Compare, Part};
use crate::exact::is_contact;
use crate::scene::Pose;
use std::time::{Duration, Instant};

/// Two patches of two bodies (or of one) whose boxes meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Index into the body pairs.
    pub(crate) bodies: u32,
    pub(crate) patches: [u32; 2],
    pub(crate) blocks: Met,
}

/// Meetings of fewer pairs of blocks have a contact in one of thirty cases, those of more in one of two (spot and cow in random
/// poses).
const LIKELY: u32 = 6;

/// What one thread needs.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) filters: Filters,
    pub(crate) found: Unsorted,
    pub(crate) exact: usize,
    pub(crate) pool: Pool,
    /// Waiting for company.
    meetings: Vec<Meeting>,
    /// Where only one contact is asked for: waiting for the others, which are likelier to have one.
    unlikely: Vec<Meeting>,
    /// Time spent in deciding.
    pub(crate) deciding: Duration,
    pub(crate) measure: bool,
    pub(crate) neighbours: Queue,
    pub(crate) certificates: Certificates,
    pub(crate) turned: Turned,
}

/// The walk over the trees of two bodies, or of one; `None` when there is nothing to walk over.
pub(crate) fn walk(from: Source<'_>, pair: BodyPair) -> Option<(Part, Boxes<'_>)> {
    let (a, b) = (&from.bodies[pair.a as usize], &from.bodies[pair.b as usize]);
    if a.patches.len() == 0 || b.patches.len() == 0 {
        return None;
    }
    let compare = if a.is_in_world() && b.is_in_world() {
        Compare::Same
    } else if pair.a == pair.b {
        Compare::Near(a.rounding_in_body())
    } else {
        let ((_, body_a), (_, body_b)) = (from.scene.at(pair.a as usize)?, from.scene.at(pair.b as usize)?);
        let identity = (Pose::IDENTITY, Inverse::IDENTITY);
        let relative = Relative::new(a.placed(body_a, &identity), b.placed(body_b, &identity));
        Compare::Posed { relative, a: &a.middles, b: &b.middles, finer: [a.finer(), b.finer()] }
    };
    let part = Part::whole(a.patches.len(), b.patches.len(), pair);
    Some((part, Boxes { a: &a.nodes, b: &b.nodes, compare }))
}

impl Scratch {
    /// Two patches whose boxes meet; decided at the latest when a batch of them has come together.
    #[inline]
    pub(crate) fn meet(&mut self, from: Source<'_>, body_pairs: &[BodyPair], meeting: Meeting) {
        self.meetings.push(meeting);
        if self.meetings.len() == BATCH {
            self.decide_waiting(from, body_pairs);
        }
    }

    /// Two patches whose boxes meet, where any contact will do; says whether to go on. Those of which few blocks meet are left
    /// for [`Self::meet_unlikely`].
    #[inline]
    pub(crate) fn meet_likely(
        &mut self,
        from: Source<'_>,
        body_pairs: &[BodyPair],
        meeting: Meeting,
    ) -> bool {
        if meeting.blocks.pairs() < LIKELY {
            self.unlikely.push(meeting);
            return true;
        }
        for blocks in meeting.blocks.fullest_first().into_iter().filter(|&blocks| blocks != Met::NONE) {
            self.meetings.push(Meeting { blocks, ..meeting });
            self.decide_waiting(from, body_pairs);
            if !self.found.is_empty() {
                return false;
            }
        }
        true
    }

    /// What [`Self::meet_likely`] has left, until there is a contact.
    pub(crate) fn meet_unlikely(&mut self, from: Source<'_>, body_pairs: &[BodyPair]) {
        while self.found.is_empty()
            && let Some(meeting) = self.unlikely.pop()
        {
            self.meetings.push(meeting);
            self.decide_waiting(from, body_pairs);
        }
        self.unlikely.clear();
    }

    /// Decides what has come together so far.
    pub(crate) fn decide_waiting(&mut self, from: Source<'_>, body_pairs: &[BodyPair]) {
        if self.meetings.is_empty() {
            return;
        }
        let meetings = std::mem::take(&mut self.meetings);
        if self.measure {
            let start = Instant::now();
            decide(from, &meetings, body_pairs, self);
            self.deciding += start.elapsed();
        } else {
            decide(from, &meetings, body_pairs, self);
        }
        self.meetings = meetings;
        self.meetings.clear();
    }
}

/// Filters and exact tests for one batch of meetings.
fn decide(from: Source<'_>, batch: &[Meeting], body_pairs: &[BodyPair], scratch: &mut Scratch) {
    let Scratch { filters, found, exact, turned, pool, .. } = scratch;
    filters.hits.clear();
    filters.doubts.clear();
    // Patches are read just before they are used, and are still in the cache then.
    pool.next_batch();
    let mut active = [[0u32; 2]; BATCH];
    for (active, meeting) in active.iter_mut().zip(batch) {
        let pair = body_pairs[meeting.bodies as usize];
        *active = [pool.place(pair.a, meeting.patches[0]), pool.place(pair.b, meeting.patches[1])];
        pool.read(active[0], from);
        pool.read(active[1], from);
    }
    let pool = &*pool;
    turned.turn_all(from, pool, batch, &active, body_pairs);
    let turned = &*turned;
    let ready = |index: usize| {
        let meeting = &batch[index];
        let pair = body_pairs[meeting.bodies as usize];
        let [a, b] = active[index].map(|place| pool.get(place));
        let except = except(from.bodies, pair, meeting.patches);
        let (turned, slack) = turned.get(index);
        let among = meeting.blocks.sides().map(lanes_of);
        PatchPair { a: turned.unwrap_or(a), b, among, except, slack }
    };
    match batch {
        [] => return,
        [_] => from.machine.run(Filter { pairs: &[ready(0)], filters }),
        _ => {
            let mut pairs = [ready(0); BATCH];
            for index in 1..batch.len().min(BATCH) {
                pairs[index] = ready(index);
            }
            from.machine.run(Filter { pairs: &pairs[..batch.len().min(BATCH)], filters });
        }
    }
    *exact += filters.doubts.len();
    let certain = filters.hits.iter().map(|hit| (hit, true));
    for (lanes, certain) in certain.chain(filters.doubts.iter().map(|doubt| (doubt, false))) {
        let meeting = &batch[lanes.pair()];
        let pair = body_pairs[meeting.bodies as usize];
        let same = pair.a == pair.b;
        let triangle = |slot: u32, patch: u32, lane: usize| {
            from.bodies[slot as usize].patches.triangles_of(patch as usize)[lane]
        };
        let mut i = triangle(pair.a, meeting.patches[0], lanes.a());
        let mut j = triangle(pair.b, meeting.patches[1], lanes.b());
        if same && i > j {
            std::mem::swap(&mut i, &mut j);
        }
        let exactly = || {
            let bodies = from.scene.at(pair.a as usize).zip(from.scene.at(pair.b as usize));
            bodies.is_some_and(|((_, a), (_, b))| is_contact(a, i, b, j, same))
        };
        if certain || exactly() {
            found.push((meeting.bodies, i, j));
        }
    }
}

fn except(bodies: &[Kept], pair: BodyPair, [p, q]: [u32; 2]) -> Except<'_> {
    let Kept { stars, patches, .. } = &bodies[pair.a as usize];
    match stars {
        Some(stars) if pair.a == pair.b && p == q => {
            Except::Within { corners: &patches.corners[p as usize], uses: stars.uses_of(patches, p) }
        }
        Some(stars) if pair.a == pair.b => {
            let (shared, hubs) = (stars.shared(p, q), [stars.hubs_of(p), stars.hubs_of(q)]);
            if shared.is_empty() && hubs.iter().any(|hubs| hubs.is_empty()) {
                Except::Nothing
            } else {
                let uses = [stars.uses_of(patches, p), stars.uses_of(patches, q)];
                Except::Across { shared, hubs, uses }
            }
        }
        _ => Except::Nothing,
    }
}

pub(crate) fn decide_neighbours(
    from: Source<'_>,
    index: usize,
    slot: u32,
    part: [usize; 2],
    scratch: &mut Scratch,
) {
    let kept = &from.bodies[slot as usize];
    if let (Some(stars), Some((_, body))) = (&kept.stars, from.scene.at(slot as usize)) {
        let start = Instant::now();
        let at = kept.alone(body);
        let Scratch { found, exact, neighbours, certificates, .. } = scratch;
        stars.uncertified(at, from.machine, part, (certificates, neighbours), |[i, j]| {
            *exact += 1;
            if is_contact(body, i, body, j, true) {
                found.push((index as u32, i, j));
            }
        });
        scratch.deciding += start.elapsed();
    }
}

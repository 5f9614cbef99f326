//! Neighbours within one body: triangles that share a vertex. They are most of the pairs whose boxes meet, and almost
//! all of them are known not to touch beyond what they share, so they are kept out of the filters and certified a
//! vertex at a time.
//!
//! **The certificate.** Let the triangles around `v` form one fan `v r0 r1, v r1 r2, ...`, closed or open, and let `n`
//! be any vector. If every `n . (ri - v) x (ri+1 - v)` is positive, and the ring turns about `n` by no more than a full
//! circle, then the fan seen along `n` is a set of triangles side by side: two of them have in common, seen so, just
//! `v` or the edge they share, and therefore also in space. That covers every pair that shares `v`, whatever else
//! they share. The ring turns at most once when its sides of the half-plane through `r0` go from left to right once
//! and never back; one `ri` may be in doubt between the two, since each step turns by less than half a circle.
//!
//! **Who looks at a pair.** The star of the lowest vertex that both share: if it is certified the pair is done, else
//! the pair is tested by itself ([`super::stars::neighbours`]).
//!
//! Rings are made of triangles in the order of the patches, so that what is near in space is near in memory.

pub(crate) mod arcs;
pub(crate) mod certify;
pub(crate) mod neighbours;
pub(crate) mod rings;

use self::arcs::MANY;
use self::certify::{Certificates, Certify};
use self::neighbours::Queue;
use self::rings::{MOST, large_ring, ring};
use super::cut::Patches;
use super::placement::Placement;
use crate::simd::Machine;
use crate::util::threads;
use rayon::prelude::*;

/// No vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// Stars of one shape: `triangles` of them around the vertex, closed or open, eight side by side.
#[derive(Clone, Debug, Default)]
struct Group {
    triangles: usize,
    closed: bool,
    /// How many stars.
    count: usize,
    /// Vertices in the middle; `NONE` fills the last eight.
    middles: Vec<[u32; 8]>,
    /// For each eight, their rings: `triangles` vertices when closed, one more when open.
    rings: Vec<[u32; 8]>,
}

impl Group {
    fn ring_len(&self) -> usize {
        self.triangles + usize::from(!self.closed)
    }

    fn add(&mut self, middle: u32, ring: &[u32]) {
        let lane = self.count % 8;
        if lane == 0 {
            self.middles.push([NONE; 8]);
            self.rings.extend(std::iter::repeat_n([0; 8], ring.len()));
        }
        let eight = self.count / 8;
        self.middles[eight][lane] = middle;
        for (row, &vertex) in self.rings[eight * ring.len()..].iter_mut().zip(ring) {
            row[lane] = vertex;
        }
        self.count += 1;
    }
}

/// Rings of some vertices.
#[derive(Default)]
struct Rings {
    /// By twice the number of triangles, plus one when closed: middle and ring, one after the other.
    ordinary: Vec<Vec<u32>>,
    /// Number of triangles, middle, ring.
    large: Vec<(usize, u32, Vec<u32>)>,
    irregular: Vec<u32>,
}

/// What is known about neighbours from the triangles alone, wherever they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stars {
    groups: Vec<Group>,
    /// Vertices whose triangles do not form one fan: never certified.
    irregular: Vec<u32>,
    /// The triangles around every vertex.
    around_starts: Vec<u32>,
    around: Vec<u32>,
    /// For every vertex of every patch, in the order of [`Patches::vertices`], the lanes that have it as a corner.
    uses: Vec<u64>,
    /// For every patch, the range of its entries in `adjacent`.
    adjacent_starts: Vec<u32>,
    /// Higher patches that share vertices with this one, and where these begin in `shared`.
    adjacent: Vec<(u32, usize)>,
    /// Vertices that two patches share, by their numbers in either; but for hubs.
    shared: Vec<[u8; 2]>,
    /// For every patch, the range of its entries in `hubs`; empty where there are none at all.
    hub_starts: Vec<u32>,
    /// The hubs of every patch, in ascending order, and their numbers in it.
    hubs: Vec<(u32, u8)>,
}

/// A vertex of more patches than this is a hub, and is looked for when two patches meet: pairs of so many patches are too
/// many to list.
const HUB: usize = 32;

impl Stars {
    /// The lanes around each vertex of a patch.
    pub(crate) fn uses_of(&self, patches: &Patches, patch: u32) -> &[u64] {
        let patch = patch as usize;
        &self.uses[patches.starts[patch] as usize..patches.starts[patch + 1] as usize]
    }

    /// Vertices that patches `p` and `q > p` share.
    pub(crate) fn shared(&self, p: u32, q: u32) -> &[[u8; 2]] {
        let range = self.adjacent_starts[p as usize] as usize..self.adjacent_starts[p as usize + 1] as usize;
        let entries = &self.adjacent[range.clone()];
        match entries.binary_search_by_key(&q, |&(patch, _)| patch) {
            // One entry past the last of all patches closes the list.
            Ok(at) => &self.shared[entries[at].1..self.adjacent[range.start + at + 1].1],
            Err(_) => &[],
        }
    }

    /// Vertices of very many patches that are in this one.
    pub(crate) fn hubs_of(&self, patch: u32) -> &[(u32, u8)] {
        match self.hub_starts.get(patch as usize..patch as usize + 2) {
            Some(range) => &self.hubs[range[0] as usize..range[1] as usize],
            None => &[],
        }
    }

    pub(crate) fn build(corners: &[[u32; 3]], vertex_count: usize, patches: &Patches) -> Self {
        let mut stars = Self::default();
        stars.list_uses(patches);
        stars.list_shared(patches, vertex_count);
        let corners: Vec<[u32; 3]> = patches.triangles.iter().map(|&t| corners[t as usize]).collect();
        stars.list_around(&corners, vertex_count);
        stars.make_groups(&corners, vertex_count);
        // From here on the triangles' own numbers are wanted.
        for place in &mut stars.around {
            *place = patches.triangles[*place as usize];
        }
        stars
    }

    /// Follows when the same triangles are in other patches.
    pub(crate) fn renew(&mut self, vertex_count: usize, patches: &Patches) {
        self.list_uses(patches);
        self.adjacent.clear();
        self.shared.clear();
        self.list_shared(patches, vertex_count);
    }

    fn list_uses(&mut self, patches: &Patches) {
        self.uses = vec![0; patches.vertices.len()];
        for patch in 0..patches.len() {
            let uses = &mut self.uses[patches.starts[patch] as usize..patches.starts[patch + 1] as usize];
            for numbers in &patches.corners[patch] {
                for (lane, &number) in numbers[..patches.triangles_of(patch).len()].iter().enumerate() {
                    uses[number as usize] |= 1 << lane;
                }
            }
        }
    }

    fn list_shared(&mut self, patches: &Patches, vertex_count: usize) {
        const TASK: usize = 256;
        // Patches by vertex, and its number in each. Starts become ends, and move back to starts while the patches
        // are filled in from behind.
        let mut starts = vec![0u32; vertex_count + 1];
        for &vertex in &patches.vertices {
            starts[vertex as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut places = vec![(0u32, 0u8); end as usize];
        for patch in (0..patches.len()).rev() {
            for (number, &vertex) in patches.vertices_of(patch).iter().enumerate() {
                let start = &mut starts[vertex as usize];
                *start -= 1;
                places[*start as usize] = (patch as u32, number as u8);
            }
        }
        let task = |task: usize| {
            let mut piece = Adjacent::default();
            let mut meetings: Vec<u64> = Vec::new();
            for patch in task * TASK..((task + 1) * TASK).min(patches.len()) {
                for (number, &vertex) in patches.vertices_of(patch).iter().enumerate() {
                    let range = starts[vertex as usize] as usize..starts[vertex as usize + 1] as usize;
                    if range.len() > HUB {
                        continue;
                    }
                    // In ascending order: those before this patch look at it from there.
                    for &(other, other_number) in places[range].iter().rev() {
                        if other as usize <= patch {
                            break;
                        }
                        meetings
                            .push(u64::from(other) << 16 | (number as u64) << 8 | u64::from(other_number));
                    }
                }
                meetings.sort_unstable();
                piece.append(&meetings);
                meetings.clear();
            }
            piece
        };
        let tasks = patches.len().div_ceil(TASK);
        let pieces: Vec<Adjacent> = if threads::many() {
            (0..tasks).into_par_iter().map(task).collect()
        } else {
            (0..tasks).map(task).collect()
        };
        let total = |count: fn(&Adjacent) -> usize| pieces.iter().map(count).sum::<usize>();
        self.adjacent_starts = Vec::with_capacity(patches.len() + 1);
        self.adjacent_starts.push(0);
        self.adjacent.reserve_exact(total(|piece| piece.patches.len()) + 1);
        self.shared.reserve_exact(total(|piece| piece.shared.len()));
        for piece in pieces {
            let (base, first) = (self.shared.len(), self.adjacent.len() as u32);
            self.adjacent.extend(piece.patches.iter().map(|&(patch, start)| (patch, base + start)));
            self.shared.extend(piece.shared);
            self.adjacent_starts.extend(piece.ends.iter().map(|end| first + end));
        }
        self.adjacent.push((NONE, self.shared.len()));
        self.list_hubs(patches, &starts);
    }

    /// `starts` as above: where the patches of every vertex begin, and those of the next one.
    fn list_hubs(&mut self, patches: &Patches, starts: &[u32]) {
        self.hub_starts.clear();
        self.hubs.clear();
        let is_hub = |vertex: u32| (starts[vertex as usize + 1] - starts[vertex as usize]) as usize > HUB;
        if !starts.windows(2).any(|pair| (pair[1] - pair[0]) as usize > HUB) {
            return;
        }
        self.hub_starts.push(0);
        for patch in 0..patches.len() {
            let first = self.hubs.len();
            let numbered = patches.vertices_of(patch).iter().zip(0u8..);
            self.hubs.extend(numbered.map(|(&vertex, number)| (vertex, number)).filter(|&(v, _)| is_hub(v)));
            self.hubs[first..].sort_unstable();
            self.hub_starts.push(self.hubs.len() as u32);
        }
    }

    fn around(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.around[self.around_starts[vertex] as usize..self.around_starts[vertex + 1] as usize]
    }

    /// Triangles by vertex, each once even if it names the vertex twice.
    fn list_around(&mut self, corners: &[[u32; 3]], vertex_count: usize) {
        let distinct = |t: [u32; 3]| [true, t[1] != t[0], t[2] != t[0] && t[2] != t[1]];
        self.around_starts = vec![0; vertex_count + 1];
        for &t in corners {
            for (vertex, first) in t.into_iter().zip(distinct(t)) {
                self.around_starts[vertex as usize] += u32::from(first);
            }
        }
        // Starts become ends, and move back to starts while the triangles are filled in from behind.
        let mut end = 0;
        for start in &mut self.around_starts {
            end += *start;
            *start = end;
        }
        self.around = vec![0; end as usize];
        for (place, &t) in corners.iter().enumerate().rev() {
            for (vertex, first) in t.into_iter().zip(distinct(t)) {
                if first {
                    let at = &mut self.around_starts[vertex as usize];
                    *at -= 1;
                    self.around[*at as usize] = place as u32;
                }
            }
        }
    }

    fn make_groups(&mut self, corners: &[[u32; 3]], vertex_count: usize) {
        const TASK: usize = 4096;
        let task = |task: usize| {
            let mut found = Rings { ordinary: vec![Vec::new(); 2 * (MOST + 1)], ..Rings::default() };
            for vertex in task * TASK..((task + 1) * TASK).min(vertex_count) {
                let around = self.around(vertex as u32);
                let vertex = vertex as u32;
                if around.len() < 2 {
                    continue; // nobody to touch
                }
                if around.len() > MOST {
                    match large_ring(vertex, around, corners) {
                        Some(ring) => found.large.push((around.len(), vertex, ring)),
                        None => found.irregular.push(vertex),
                    }
                    continue;
                }
                match ring(vertex, around, corners) {
                    Some((ring, len)) => {
                        let closed = len == around.len();
                        let shape = &mut found.ordinary[2 * around.len() + usize::from(closed)];
                        shape.push(vertex);
                        shape.extend_from_slice(&ring[..len]);
                    }
                    None => found.irregular.push(vertex),
                }
            }
            found
        };
        let tasks = 0..vertex_count.div_ceil(TASK);
        let tasks: Vec<Rings> = if threads::many() {
            tasks.into_par_iter().map(task).collect()
        } else {
            tasks.map(task).collect()
        };
        for shape in 0..2 * (MOST + 1) {
            let mut group = Group { triangles: shape / 2, closed: shape % 2 == 1, ..Group::default() };
            let len = group.ring_len();
            for star in tasks.iter().flat_map(|rings| rings.ordinary[shape].chunks_exact(len + 1)) {
                group.add(star[0], &star[1..]);
            }
            if group.count > 0 {
                self.groups.push(group);
            }
        }
        let mut large: Vec<&(usize, u32, Vec<u32>)> = tasks.iter().flat_map(|rings| &rings.large).collect();
        large.sort_unstable_by_key(|(triangles, vertex, ring)| (*triangles, ring.len(), *vertex));
        for alike in large.chunk_by(|a, b| a.0 == b.0 && a.2.len() == b.2.len()) {
            let (triangles, _, ring) = alike[0];
            let mut group =
                Group { triangles: *triangles, closed: ring.len() == *triangles, ..Group::default() };
            for (_, vertex, ring) in alike {
                group.add(*vertex, ring);
            }
            self.groups.push(group);
        }
        self.irregular = tasks.into_iter().flat_map(|rings| rings.irregular).collect();
    }

    /// Every pair of neighbours that may touch, as triangles, the lower first; each pair once. Only the given
    /// part of so many parts, so that threads can share the work.
    pub(crate) fn uncertified(
        &self,
        at: Placement<'_>,
        machine: Machine,
        [part, parts]: [usize; 2],
        (certificates, queue): (&mut Certificates, &mut Queue),
        mut visit: impl FnMut([u32; 2]),
    ) {
        let corners = at.body.mesh().triangles();
        let mut pairs_of = |vertex| {
            self.pairs_of(vertex, corners, queue, (at, machine), &mut visit);
        };
        for group in &self.groups {
            let len = group.ring_len();
            let share = group.middles.len() * part / parts..group.middles.len() * (part + 1) / parts;
            let rings = &group.rings[share.start * len..share.end * len];
            let closed = group.closed;
            machine.run(Certify { at, middles: &group.middles[share], rings, len, closed, certificates });
            for vertex in certificates.failed.drain(..) {
                pairs_of(vertex);
            }
        }
        let irregular =
            &self.irregular[self.irregular.len() * part / parts..self.irregular.len() * (part + 1) / parts];
        for &vertex in irregular {
            pairs_of(vertex);
        }
        queue.flush(at, machine, &mut visit);
    }

    /// Pairs around one vertex, unless a lower vertex that both have looks at them.
    fn pairs_of(
        &self,
        vertex: u32,
        corners: &[[u32; 3]],
        queue: &mut Queue,
        (at, machine): (Placement<'_>, Machine),
        visit: &mut impl FnMut([u32; 2]),
    ) {
        let around = self.around(vertex);
        let mut look_at = |queue: &mut Queue, i: usize, j: usize| {
            let (a, b) = (around[i], around[j]);
            let (t, other) = (corners[a as usize], corners[b as usize]);
            if !t.iter().any(|v| *v < vertex && other.contains(v)) {
                queue.push([a.min(b), a.max(b)], [t, other], vertex);
                if queue.is_full() {
                    queue.flush(at, machine, &mut *visit);
                }
            }
        };
        if around.len() > MANY {
            let mut arcs = std::mem::take(&mut queue.arcs);
            arcs.read(at, vertex, around.iter().map(|&t| corners[t as usize]));
            arcs.for_each_meeting(|i, j| look_at(queue, i, j));
            queue.arcs = arcs;
        } else {
            for i in 0..around.len() {
                for j in i + 1..around.len() {
                    look_at(queue, i, j);
                }
            }
        }
    }
}

/// Neighbours of some patches in higher ones: see [`Stars`].
#[derive(Default)]
struct Adjacent {
    patches: Vec<(u32, usize)>,
    shared: Vec<[u8; 2]>,
    /// Where the patches of each patch end.
    ends: Vec<u32>,
}

impl Adjacent {
    /// The next patch: which it meets, with the numbers of the vertices in the two lowest bytes, in order.
    fn append(&mut self, meetings: &[u64]) {
        for of_one in meetings.chunk_by(|a, b| a >> 16 == b >> 16) {
            self.patches.push(((of_one[0] >> 16) as u32, self.shared.len()));
            self.shared.extend(of_one.iter().map(|m| [(m >> 8) as u8, *m as u8]));
        }
        self.ends.push(self.patches.len() as u32);
    }
}

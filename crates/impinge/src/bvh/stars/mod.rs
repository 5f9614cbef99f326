//! Neighbours within one body: triangles that share a vertex. They are most of the pairs whose boxes meet, and almost
//! all of them touch only in what they share, so the filters leave them out, and they are certified a vertex star at a
//! time.
//!
//! **The certificate.** Let the triangles around `v` form one fan `v r0 r1, v r1 r2, ...`, closed or open, and let `n`
//! be any vector. If every `n . (ri - v) x (ri+1 - v)` is positive, and the ring turns about `n` by at most a full
//! circle, then the fan projected along `n` is a set of triangles side by side: two of them share, in projection, just
//! `v` or their common edge, and therefore also in space. That covers every pair that shares `v`, whatever else it
//! shares. The ring turns at most once if its vertices change from the left to the right of the half-plane through `r0`
//! once and never back; one `ri` may be in doubt between the two, since each step turns by less than half a circle.
//!
//! **Which star a pair belongs to.** That of the lowest vertex both share: if it is certified the pair is done, else
//! the pair is tested by itself ([`super::stars::neighbours`]).
//!
//! Rings are listed in the order of the patches, so that neighbours in space are neighbours in memory.

pub(crate) mod arcs;
pub(crate) mod certify;
pub(crate) mod neighbours;
pub(crate) mod rings;
pub(crate) mod shared;

use self::arcs::MAX_PAIRWISE_TRIANGLES;
use self::certify::{Certificates, Certify};
use self::neighbours::Queue;
use self::rings::{MAX_RING_TRIANGLES, large_ring, ring};
use self::shared::SharedVertices;
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
    /// Number of stars.
    count: usize,
    /// Centre vertices; the last eight are padded with `NONE`.
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
    /// By twice the number of triangles, plus one when closed: centre and ring, concatenated.
    ordinary: Vec<Vec<u32>>,
    /// Number of triangles, centre, ring.
    large: Vec<(usize, u32, Vec<u32>)>,
    irregular: Vec<u32>,
}

/// The vertex stars of a body and what its patches share. Depends on the topology only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stars {
    groups: Vec<Group>,
    /// Vertices whose triangles do not form one fan: never certified.
    irregular: Vec<u32>,
    /// The triangles around every vertex.
    around_starts: Vec<u32>,
    around: Vec<u32>,
    /// For every vertex of every patch, in the order of [`Patches::vertices`], the lanes that use it.
    uses: Vec<u64>,
    pub(crate) shared: SharedVertices,
}

impl Stars {
    /// For each vertex of a patch, the lanes that use it.
    pub(crate) fn uses_of(&self, patches: &Patches, patch: u32) -> &[u64] {
        let patch = patch as usize;
        &self.uses[patches.starts[patch] as usize..patches.starts[patch + 1] as usize]
    }

    pub(crate) fn build(corners: &[[u32; 3]], vertex_count: usize, patches: &Patches) -> Self {
        let mut stars = Self::default();
        stars.list_uses(patches);
        stars.shared.list(patches, vertex_count);
        let corners: Vec<[u32; 3]> = patches.triangles.iter().map(|&t| corners[t as usize]).collect();
        stars.list_around(&corners, vertex_count);
        stars.make_groups(&corners, vertex_count);
        // From lanes of patches to triangles of the mesh.
        for place in &mut stars.around {
            *place = patches.triangles[*place as usize];
        }
        stars
    }

    /// Follows a rebuild: the same triangles in other patches.
    pub(crate) fn reassign(&mut self, vertex_count: usize, patches: &Patches) {
        self.list_uses(patches);
        self.shared.list(patches, vertex_count);
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

    fn around(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.around[self.around_starts[vertex] as usize..self.around_starts[vertex + 1] as usize]
    }

    /// Triangles by vertex, each once even if it has the vertex twice.
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
            let mut found =
                Rings { ordinary: vec![Vec::new(); 2 * (MAX_RING_TRIANGLES + 1)], ..Rings::default() };
            for vertex in task * TASK..((task + 1) * TASK).min(vertex_count) {
                let around = self.around(vertex as u32);
                let vertex = vertex as u32;
                if around.len() < 2 {
                    continue; // no pair
                }
                if around.len() > MAX_RING_TRIANGLES {
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
        for shape in 0..2 * (MAX_RING_TRIANGLES + 1) {
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

    /// Every pair of neighbours that no certificate covers and floats cannot separate, the lower triangle first; each
    /// pair once. Only part `part` of `parts`, for threads to share.
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

    /// Pairs around one vertex, except those that belong to the star of a lower vertex.
    fn pairs_of(
        &self,
        vertex: u32,
        corners: &[[u32; 3]],
        queue: &mut Queue,
        (at, machine): (Placement<'_>, Machine),
        visit: &mut impl FnMut([u32; 2]),
    ) {
        let around = self.around(vertex);
        let mut push = |queue: &mut Queue, i: usize, j: usize| {
            let (a, b) = (around[i], around[j]);
            let (t, other) = (corners[a as usize], corners[b as usize]);
            if !t.iter().any(|v| *v < vertex && other.contains(v)) {
                queue.push([a.min(b), a.max(b)], [t, other], vertex);
                if queue.is_full() {
                    queue.flush(at, machine, &mut *visit);
                }
            }
        };
        if around.len() > MAX_PAIRWISE_TRIANGLES {
            let mut arcs = std::mem::take(&mut queue.arcs);
            arcs.read(at, vertex, around.iter().map(|&t| corners[t as usize]));
            arcs.for_each_meeting(|i, j| push(queue, i, j));
            queue.arcs = arcs;
        } else {
            for i in 0..around.len() {
                for j in i + 1..around.len() {
                    push(queue, i, j);
                }
            }
        }
    }
}

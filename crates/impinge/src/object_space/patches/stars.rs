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
//! **Who looks at a pair.** The star of the lowest vertex that both share and that has a star: if it is certified the
//! pair is done, else the pair is tested exactly. Vertices of too many triangles have no star; pairs that share no
//! other vertex go through the filters, which cannot say "apart" of them, and so, unless they certainly cross, to the
//! exact test, which knows neighbours.
//!
//! Triangles are known here by their *place* in the order of the patches, so that what is near in space is near in
//! memory.

use super::PATCH;
use super::certify::Certify;
use super::cut::Patches;
use super::neighbours::Queue;
use super::place::Placement;
use crate::object_space::lanes::Machine;
use crate::threads;
use rayon::prelude::*;

/// Most triangles around a vertex that has a star.
pub(crate) const MOST: usize = 24;
/// No vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// Stars of one shape: `triangles` of them around the vertex, closed or open, eight side by side.
#[derive(Clone, Debug, Default)]
struct Group {
    triangles: usize,
    closed: bool,
    /// Vertices in the middle; `NONE` fills the last eight.
    middles: Vec<[u32; 8]>,
    /// For each eight, their rings: `triangles` vertices when closed, one more when open.
    rings: Vec<[u32; 8]>,
}

impl Group {
    fn ring_len(&self) -> usize {
        self.triangles + usize::from(!self.closed)
    }
}

/// What is known about neighbours from the triangles alone, wherever they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stars {
    groups: Vec<Group>,
    /// Vertices whose triangles do not form one fan: never certified.
    irregular: Vec<u32>,
    /// Places of the triangles around every vertex.
    around_starts: Vec<u32>,
    around: Vec<u32>,
    /// For every lane of every patch, the lanes of the same patch to look at: higher, and no neighbours.
    pub(crate) within: Vec<[u64; PATCH]>,
    /// For every patch, the range of its entries in `adjacent`.
    adjacent_starts: Vec<u32>,
    /// Higher patches with neighbours in this one, and where their masks begin in `masks`.
    adjacent: Vec<(u32, u32)>,
    masks: LaneMasks,
}

/// Lanes, and for each a mask of lanes of another patch; side by side, since a pair of the two takes twice the room.
#[derive(Clone, Debug, Default)]
struct LaneMasks {
    lanes: Vec<u8>,
    masks: Vec<u64>,
}

impl Stars {
    /// Neighbours of patch `p` in patch `q > p`, by lane of `p`.
    pub(crate) fn across(&self, p: u32, q: u32) -> (&[u8], &[u64]) {
        let range = self.adjacent_starts[p as usize] as usize..self.adjacent_starts[p as usize + 1] as usize;
        let entries = &self.adjacent[range.clone()];
        match entries.binary_search_by_key(&q, |&(patch, _)| patch) {
            Ok(at) => {
                // One entry past the last of all patches closes the list.
                let masks = entries[at].1 as usize..self.adjacent[range.start + at + 1].1 as usize;
                (&self.masks.lanes[masks.clone()], &self.masks.masks[masks])
            }
            Err(_) => (&[], &[]),
        }
    }

    pub(crate) fn build(corners: &[[u32; 3]], vertex_count: usize, patches: &Patches) -> Self {
        let mut stars = Self::default();
        let corners: Vec<[u32; 3]> = patches.triangles.iter().map(|&t| corners[t as usize]).collect();
        stars.list_around(&corners, vertex_count);
        stars.make_groups(&corners, vertex_count);
        stars.make_masks(&corners, patches.len());
        stars
    }

    fn around(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.around[self.around_starts[vertex] as usize..self.around_starts[vertex + 1] as usize]
    }

    fn has_star(&self, vertex: u32) -> bool {
        self.around(vertex).len() <= MOST
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
            let mut shapes: Vec<Vec<u32>> = vec![Vec::new(); 2 * (MOST + 1)];
            let mut irregular = Vec::new();
            for vertex in task * TASK..((task + 1) * TASK).min(vertex_count) {
                let around = self.around(vertex as u32);
                if around.len() < 2 || around.len() > MOST {
                    continue; // nobody to touch, or no star
                }
                match ring(vertex as u32, around, corners) {
                    Some((ring, len)) => {
                        let closed = len == around.len();
                        let shape = &mut shapes[2 * around.len() + usize::from(closed)];
                        shape.push(vertex as u32);
                        shape.extend_from_slice(&ring[..len]);
                    }
                    None => irregular.push(vertex as u32),
                }
            }
            (shapes, irregular)
        };
        let tasks = 0..vertex_count.div_ceil(TASK);
        let tasks: Vec<(Vec<Vec<u32>>, Vec<u32>)> = if threads::many() {
            tasks.into_par_iter().map(task).collect()
        } else {
            tasks.map(task).collect()
        };
        for shape in 0..2 * (MOST + 1) {
            let (triangles, closed) = (shape / 2, shape % 2 == 1);
            let mut group = Group { triangles, closed, ..Group::default() };
            let len = group.ring_len();
            let mut filled = 8;
            for star in tasks.iter().flat_map(|(shapes, _)| shapes[shape].chunks_exact(len + 1)) {
                if filled == 8 {
                    group.middles.push([NONE; 8]);
                    group.rings.extend(std::iter::repeat_n([0; 8], len));
                    filled = 0;
                }
                let eight = group.middles.len() - 1;
                group.middles[eight][filled] = star[0];
                for (i, &vertex) in star[1..].iter().enumerate() {
                    group.rings[eight * len + i][filled] = vertex;
                }
                filled += 1;
            }
            if !group.middles.is_empty() {
                self.groups.push(group);
            }
        }
        self.irregular = tasks.into_iter().flat_map(|(_, irregular)| irregular).collect();
    }

    fn make_masks(&mut self, corners: &[[u32; 3]], patch_count: usize) {
        const TASK: usize = 64;
        let mut within = vec![[0; PATCH]; patch_count];
        let masks = |(task, within): (usize, &mut [[u64; PATCH]])| {
            let mut piece = Adjacent::default();
            for (offset, within) in within.iter_mut().enumerate() {
                self.patch_masks(task * TASK + offset, corners, within, &mut piece);
            }
            piece
        };
        let pieces: Vec<Adjacent> = if threads::many() {
            within.par_chunks_mut(TASK).enumerate().map(masks).collect()
        } else {
            within.chunks_mut(TASK).enumerate().map(masks).collect()
        };
        self.within = within;
        let total = |count: fn(&Adjacent) -> usize| pieces.iter().map(count).sum::<usize>();
        self.adjacent_starts = Vec::with_capacity(patch_count + 1);
        self.adjacent_starts.push(0);
        self.adjacent.reserve_exact(total(|piece| piece.patches.len()) + 1);
        self.masks.lanes.reserve_exact(total(|piece| piece.masks.lanes.len()));
        self.masks.masks.reserve_exact(total(|piece| piece.masks.lanes.len()));
        for piece in pieces {
            let (base, first) = (self.masks.lanes.len() as u32, self.adjacent.len() as u32);
            self.adjacent.extend(piece.patches.iter().map(|&(patch, start)| (patch, base + start)));
            self.masks.lanes.extend(piece.masks.lanes);
            self.masks.masks.extend(piece.masks.masks);
            self.adjacent_starts.extend(piece.ends.iter().map(|end| first + end));
        }
        self.adjacent.push((NONE, self.masks.lanes.len() as u32));
    }

    fn patch_masks(&self, p: usize, corners: &[[u32; 3]], within: &mut [u64; PATCH], piece: &mut Adjacent) {
        for (lane, mask) in within.iter_mut().enumerate() {
            *mask = if lane == PATCH - 1 { 0 } else { u64::MAX << (lane + 1) };
        }
        let mut near: Vec<(u32, [u64; PATCH])> = Vec::new();
        let mut last = 0;
        let first = p * PATCH;
        for place in first..(first + PATCH).min(corners.len()) {
            let lane = place - first;
            for &vertex in &corners[place] {
                let around = self.around(vertex);
                if around.len() > MOST {
                    continue;
                }
                // Places are in ascending order: those behind this one are looked at from there.
                for &other in around.iter().rev() {
                    let other = other as usize;
                    if other <= place {
                        break;
                    }
                    let (patch, bit) = ((other / PATCH) as u32, 1 << (other % PATCH));
                    if patch as usize == p {
                        within[lane] &= !bit;
                        continue;
                    }
                    if near.get(last).is_none_or(|&(q, _)| q != patch) {
                        last = near.iter().position(|&(q, _)| q == patch).unwrap_or_else(|| {
                            near.push((patch, [0; PATCH]));
                            near.len() - 1
                        });
                    }
                    near[last].1[lane] |= bit;
                }
            }
        }
        near.sort_unstable_by_key(|&(q, _)| q);
        for (q, lanes) in &near {
            piece.patches.push((*q, piece.masks.lanes.len() as u32));
            for (lane, &mask) in lanes.iter().enumerate().filter(|&(_, &mask)| mask != 0) {
                piece.masks.lanes.push(lane as u8);
                piece.masks.masks.push(mask);
            }
        }
        piece.ends.push(piece.patches.len() as u32);
    }

    /// Every pair of neighbours that may touch, as triangles, the lower first; each pair once. Only the given
    /// part of so many parts, so that threads can share the work.
    pub(crate) fn uncertified(
        &self,
        at: Placement<'_>,
        patches: &Patches,
        machine: Machine,
        [part, parts]: [usize; 2],
        (failed, queue): (&mut Vec<u32>, &mut Queue),
        mut visit: impl FnMut([u32; 2]),
    ) {
        let corners = at.body.mesh().triangles();
        let mut pairs_of = |vertex| {
            self.pairs_of(vertex, corners, patches, |triangles, t| queue.push(triangles, t, vertex));
            if queue.is_full() {
                queue.flush(at, machine, &mut visit);
            }
        };
        for group in &self.groups {
            let len = group.ring_len();
            let share = group.middles.len() * part / parts..group.middles.len() * (part + 1) / parts;
            let rings = &group.rings[share.start * len..share.end * len];
            let closed = group.closed;
            machine.run(Certify { at, middles: &group.middles[share], rings, len, closed, failed });
            for vertex in failed.drain(..) {
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

    fn pairs_of(
        &self,
        vertex: u32,
        corners: &[[u32; 3]],
        patches: &Patches,
        mut visit: impl FnMut([u32; 2], [[u32; 3]; 2]),
    ) {
        let around = self.around(vertex);
        for (i, &a) in around.iter().enumerate() {
            let a = patches.triangles[a as usize];
            let t = corners[a as usize];
            for &b in &around[i + 1..] {
                let b = patches.triangles[b as usize];
                let other = corners[b as usize];
                // A lower vertex with a star that both have looks at this pair.
                if !t.iter().any(|v| *v < vertex && other.contains(v) && self.has_star(*v)) {
                    visit([a.min(b), a.max(b)], [t, other]);
                }
            }
        }
    }
}

/// Neighbours of some patches in higher ones: see [`Stars`].
#[derive(Default)]
struct Adjacent {
    patches: Vec<(u32, u32)>,
    masks: LaneMasks,
    /// Where the patches of each patch end.
    ends: Vec<u32>,
}

/// The other vertices around `vertex` in order, if its triangles form one fan. As many as triangles when the fan is
/// closed, one more when it is open. A fan that passes a vertex twice on the way is found out by the certificate: its
/// ring cannot turn on and on without turning too far.
fn ring(vertex: u32, around: &[u32], corners: &[[u32; 3]]) -> Option<([u32; MOST + 1], usize)> {
    let mut spokes = [[0u32; 2]; MOST];
    let count = around.len();
    for (spoke, &t) in spokes.iter_mut().zip(around) {
        let [a, b, c] = corners[t as usize];
        let others = if a == vertex {
            [b, c]
        } else if b == vertex {
            [c, a]
        } else {
            [a, b]
        };
        if others[0] == others[1] || others.contains(&vertex) {
            return None;
        }
        *spoke = others;
    }
    // Walk on from the first triangle as far as it goes; if that does not close the ring, walk back from its start.
    let spokes = &mut spokes[..count];
    let mut walked = [0u32; 2 * MOST + 1];
    let (mut low, mut high) = (MOST, MOST + 1);
    [walked[low], walked[high]] = spokes[0];
    let mut used = 1;
    while used < count {
        let end = walked[high];
        let Some(next) = (used..count).find(|&j| spokes[j].contains(&end)) else { break };
        spokes.swap(used, next);
        high += 1;
        walked[high] = spokes[used][0] ^ spokes[used][1] ^ end;
        used += 1;
    }
    while used < count {
        let end = walked[low];
        let next = (used..count).find(|&j| spokes[j].contains(&end))?;
        spokes.swap(used, next);
        low -= 1;
        walked[low] = spokes[used][0] ^ spokes[used][1] ^ end;
        used += 1;
    }
    let closed = walked[low] == walked[high];
    let len = count + usize::from(!closed);
    let mut ring = [0u32; MOST + 1];
    ring[..len].copy_from_slice(&walked[low..low + len]);
    Some((ring, len))
}

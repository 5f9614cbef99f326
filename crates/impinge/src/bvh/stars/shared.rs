//! The vertices that pairs of patches share: the filters leave out the triangles around them.

use super::NONE;
use crate::bvh::cut::Patches;
use crate::util::threads;
use rayon::prelude::*;

/// For every pair of patches, the vertices that both have.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedVertices {
    /// For every patch, the range of its entries in `pairs`.
    starts: Vec<u32>,
    /// Higher patches that share vertices with this one, and where these begin in `shared`.
    pairs: Vec<(u32, usize)>,
    /// Vertices that two patches share, by their numbers in either; but for hubs.
    shared: Vec<[u8; 2]>,
    /// For every patch, the range of its entries in `hubs`; empty where there are none at all.
    hub_starts: Vec<u32>,
    /// The hubs of every patch, in ascending order, and their numbers in it.
    hubs: Vec<(u32, u8)>,
}

/// A vertex of more patches is a hub, which is searched for when two patches meet: its pairs of patches are too many to list.
const MAX_LISTED_PATCHES: usize = 32;
const TASK_PATCHES: usize = 256;

impl SharedVertices {
    /// Vertices that patches `p` and `q > p` share.
    pub(crate) fn of_pair(&self, p: u32, q: u32) -> &[[u8; 2]] {
        let range = self.starts[p as usize] as usize..self.starts[p as usize + 1] as usize;
        let entries = &self.pairs[range.clone()];
        match entries.binary_search_by_key(&q, |&(patch, _)| patch) {
            // One entry past the last of all patches closes the list.
            Ok(at) => &self.shared[entries[at].1..self.pairs[range.start + at + 1].1],
            Err(_) => &[],
        }
    }

    /// The hubs in a patch, ascending, with their numbers in it.
    pub(crate) fn hubs_of(&self, patch: u32) -> &[(u32, u8)] {
        match self.hub_starts.get(patch as usize..patch as usize + 2) {
            Some(range) => &self.hubs[range[0] as usize..range[1] as usize],
            None => &[],
        }
    }

    /// Overwrites these with what the patches of a mesh share.
    pub(super) fn list(&mut self, patches: &Patches, vertex_count: usize) {
        // Counting sort: the patches of every vertex, and its number in each. Starts become ends, and move back to starts
        // while the patches are filled in from behind.
        let mut starts = vec![0u32; vertex_count + 1];
        for &vertex in &patches.vertices {
            starts[vertex as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut numbered = vec![(0u32, 0u8); end as usize];
        for patch in (0..patches.len()).rev() {
            for (number, &vertex) in patches.vertices_of(patch).iter().enumerate() {
                let start = &mut starts[vertex as usize];
                *start -= 1;
                numbered[*start as usize] = (patch as u32, number as u8);
            }
        }
        let task = |task: usize| {
            let mut piece = Adjacent::default();
            let mut keys: Vec<u64> = Vec::new();
            for patch in task * TASK_PATCHES..((task + 1) * TASK_PATCHES).min(patches.len()) {
                for (number, &vertex) in patches.vertices_of(patch).iter().enumerate() {
                    let range = starts[vertex as usize] as usize..starts[vertex as usize + 1] as usize;
                    if range.len() > MAX_LISTED_PATCHES {
                        continue;
                    }
                    // In ascending order: lower patches have listed this one.
                    for &(other, other_number) in numbered[range].iter().rev() {
                        if other as usize <= patch {
                            break;
                        }
                        keys.push(u64::from(other) << 16 | (number as u64) << 8 | u64::from(other_number));
                    }
                }
                keys.sort_unstable();
                piece.append(&keys);
                keys.clear();
            }
            piece
        };
        let tasks = patches.len().div_ceil(TASK_PATCHES);
        let pieces: Vec<Adjacent> = if threads::many() {
            (0..tasks).into_par_iter().map(task).collect()
        } else {
            (0..tasks).map(task).collect()
        };
        let total = |count: fn(&Adjacent) -> usize| pieces.iter().map(count).sum::<usize>();
        self.pairs.clear();
        self.shared.clear();
        self.starts = Vec::with_capacity(patches.len() + 1);
        self.starts.push(0);
        self.pairs.reserve_exact(total(|piece| piece.patches.len()) + 1);
        self.shared.reserve_exact(total(|piece| piece.shared.len()));
        for piece in pieces {
            let (base, first) = (self.shared.len(), self.pairs.len() as u32);
            self.pairs.extend(piece.patches.iter().map(|&(patch, start)| (patch, base + start)));
            self.shared.extend(piece.shared);
            self.starts.extend(piece.ends.iter().map(|end| first + end));
        }
        self.pairs.push((NONE, self.shared.len()));
        self.list_hubs(patches, &starts);
    }

    /// `starts` are the offsets of every vertex in the list of patches by vertex.
    fn list_hubs(&mut self, patches: &Patches, starts: &[u32]) {
        self.hub_starts.clear();
        self.hubs.clear();
        let is_hub = |vertex: u32| {
            (starts[vertex as usize + 1] - starts[vertex as usize]) as usize > MAX_LISTED_PATCHES
        };
        if !starts.windows(2).any(|pair| (pair[1] - pair[0]) as usize > MAX_LISTED_PATCHES) {
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
}

/// What one task found for its patches, as in [`SharedVertices`].
#[derive(Default)]
struct Adjacent {
    patches: Vec<(u32, usize)>,
    shared: Vec<[u8; 2]>,
    /// Where the patches of each patch end.
    ends: Vec<u32>,
}

impl Adjacent {
    /// The next patch, from sorted keys: a higher patch, then the numbers of a vertex in this one and in that one, a byte each.
    fn append(&mut self, keys: &[u64]) {
        for of_one in keys.chunk_by(|a, b| a >> 16 == b >> 16) {
            self.patches.push(((of_one[0] >> 16) as u32, self.shared.len()));
            self.shared.extend(of_one.iter().map(|key| [(key >> 8) as u8, *key as u8]));
        }
        self.ends.push(self.patches.len() as u32);
    }
}

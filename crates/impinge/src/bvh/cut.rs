//! Cuts ordered triangles into patches of 64: each with the list of its distinct vertices, so that a refit reads every
//! vertex once, and the corners of its triangles as bytes into that list.

use super::PATCH;
use super::order::Centre;
use crate::util::threads;
use rayon::prelude::*;

/// Fewer patches are cut by one thread.
const TASK_PATCHES: usize = 64;

/// Triangles in patches. Depends on the topology only, not on positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patches {
    /// Triangle of the mesh in every lane; the last patch may be shorter.
    pub(crate) triangles: Vec<u32>,
    /// Per patch, for the three corners of each lane, the index into the patch's vertex list. Lanes beyond the last
    /// triangle repeat lane 0.
    pub(crate) corners: Vec<[[u8; PATCH]; 3]>,
    /// Vertex lists of all patches, concatenated.
    pub(crate) vertices: Vec<u32>,
    /// Offset of each patch's list, and the end of the last.
    pub(crate) starts: Vec<u32>,
}

impl Patches {
    pub(crate) fn len(&self) -> usize {
        self.corners.len()
    }

    pub(crate) fn vertices_of(&self, patch: usize) -> &[u32] {
        &self.vertices[self.starts[patch] as usize..self.starts[patch + 1] as usize]
    }

    pub(crate) fn triangles_of(&self, patch: usize) -> &[u32] {
        let first = patch * PATCH;
        &self.triangles[first..(first + PATCH).min(self.triangles.len())]
    }

    pub(crate) fn clear(&mut self) {
        self.triangles.clear();
        self.corners.clear();
        self.vertices.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    /// Appends patches of ordered triangles; the present patches must be full.
    pub(crate) fn append(&mut self, centres: &[Centre], corners: &[[u32; 3]], numbers: &mut Numbers) {
        for patch in centres.chunks(PATCH) {
            let first = self.triangles.len();
            self.triangles.extend(patch.iter().map(|c| c.triangle));
            let mut local = [[0; PATCH]; 3];
            numbers.number(&self.triangles[first..], corners, &mut local, &mut self.vertices);
            self.corners.push(local);
            self.starts.push(self.vertices.len() as u32);
        }
    }

    /// Overwrites these patches, reusing their memory. The mesh has `vertex_count` vertices.
    pub(crate) fn cut(&mut self, centres: &[Centre], corners: &[[u32; 3]], vertex_count: usize) {
        self.clear();
        if centres.len() <= PATCH * TASK_PATCHES || !threads::many() {
            self.corners.reserve(centres.len().div_ceil(PATCH));
            self.append(centres, corners, &mut Numbers::new(vertex_count));
            return;
        }
        self.triangles.extend(centres.iter().map(|c| c.triangle));
        self.corners.resize(centres.len().div_ceil(PATCH), [[0; PATCH]; 3]);
        // A piece for each thread; but each has an array of stamps, which together must not much exceed the triangles.
        let most = (4 * centres.len() / vertex_count.max(1)).max(1);
        let piece = self.corners.len().div_ceil(rayon::current_num_threads().min(most));
        let pieces: Vec<(Vec<u32>, Vec<u32>)> = self
            .corners
            .par_chunks_mut(piece)
            .zip(self.triangles.par_chunks(PATCH * piece))
            .map(|(local, triangles)| {
                let mut vertices = Vec::with_capacity(local.len() * PATCH);
                let mut numbers = Numbers::new(vertex_count);
                let ends = triangles
                    .chunks(PATCH)
                    .zip(local)
                    .map(|(triangles, local)| {
                        numbers.number(triangles, corners, local, &mut vertices);
                        vertices.len() as u32
                    })
                    .collect();
                (vertices, ends)
            })
            .collect();
        for (vertices, ends) in pieces {
            let base = self.vertices.len() as u32;
            self.vertices.extend(vertices);
            self.starts.extend(ends.into_iter().map(|end| base + end));
        }
    }
}

/// Numbers the vertices of one patch at a time.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    /// For every vertex of the mesh, the patch it was last numbered in and, in the low byte, its number there.
    stamps: Vec<u32>,
    patch: u32,
}

impl Numbers {
    fn new(vertices: usize) -> Self {
        Self { stamps: vec![0; vertices], patch: 0 }
    }

    /// For another mesh of `vertices` vertices.
    pub(crate) fn reset(&mut self, vertices: usize) {
        self.stamps.clear();
        self.stamps.resize(vertices, 0);
        self.patch = 0;
    }

    /// Numbers the distinct vertices of up to 64 triangles in order of appearance and appends them.
    fn number(
        &mut self,
        triangles: &[u32],
        corners: &[[u32; 3]],
        local: &mut [[u8; PATCH]; 3],
        vertices: &mut Vec<u32>,
    ) {
        if self.patch == u32::MAX >> 8 {
            self.stamps.fill(0);
            self.patch = 0;
        }
        self.patch += 1;
        let mut list = [0u32; 256];
        let mut count = 0u32;
        // Whether a vertex is new is unpredictable: everything is written, and only the count depends on it.
        for (lane, &triangle) in triangles.iter().enumerate() {
            for (corner, &vertex) in corners[triangle as usize].iter().enumerate() {
                let stamp = &mut self.stamps[vertex as usize];
                let is_new = *stamp >> 8 != self.patch;
                list[count as usize & 255] = vertex;
                *stamp = if is_new { self.patch << 8 | count } else { *stamp };
                local[corner][lane & 63] = *stamp as u8;
                count += u32::from(is_new);
            }
        }
        vertices.extend_from_slice(&list[..count as usize]);
        for lane in triangles.len()..PATCH {
            for corner in local.iter_mut() {
                corner[lane] = corner[0];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_leads_back_to_its_triangle() {
        for count in [1, 7, 64, 65, 130, 64 * TASK_PATCHES + 3] {
            let corners: Vec<[u32; 3]> = (0..count as u32)
                .map(|t| [t * 7 % 101, t * 13 % 997, t.wrapping_mul(2654435761) % 5000])
                .collect();
            let centres: Vec<Centre> =
                (0..count as u32).rev().map(|triangle| Centre { triangle, ..Centre::default() }).collect();
            let mut patches = Patches::default();
            patches.cut(&centres, &corners, 5000);
            assert_eq!(patches.len(), count.div_ceil(PATCH));
            for patch in 0..patches.len() {
                let list = patches.vertices_of(patch);
                let mut distinct = list.to_vec();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), list.len());
                for (lane, &triangle) in patches.triangles_of(patch).iter().enumerate() {
                    let back = [0, 1, 2].map(|corner| list[patches.corners[patch][corner][lane] as usize]);
                    assert_eq!(back, corners[triangle as usize]);
                }
            }
        }
    }
}

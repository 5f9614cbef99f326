//! The lists of the grid: their capacities, and how they grow.

use super::{Subregion, within};
use crate::device::{Context, Growable};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry};
use impinge::stages::grid::cells::MAX_CELLS;
use impinge::stages::grid::triangle_filter::Lattice;
use impinge::stages::grid::{GridOptions, Region};
use wgpu::BufferUsages;

/// Bytes per record, per box of a triangle, per item of a cell, per large triangle.
const RECORD_BYTES: u64 = 96;
const BOX_BYTES: u64 = 32;
const LIST_BYTES: u64 = 32;
const LARGE_BYTES: u64 = 12;

/// Records per block.
const BLOCK: u32 = 64;

/// Capacities in items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) boxes: u32,
    pub(super) records: u32,
    pub(super) list: u32,
    pub(super) chunks: u32,
    pub(super) candidates: u32,
    pub(super) tests: u32,
    pub(super) found: u32,
    pub(super) large: u32,
    pub(super) block_pairs: u32,
}

/// The buffers of the lists.
#[derive(Debug)]
pub(super) struct Lists {
    pub(super) boxes: Growable,
    pub(super) wide: Growable,
    pub(super) records: Growable,
    pub(super) counts: Growable,
    pub(super) ends: Growable,
    pub(super) list: Growable,
    pub(super) chunks: Growable,
    pub(super) candidates: Growable,
    pub(super) tests: Growable,
    pub(super) found: Growable,
    pub(super) large: Growable,
    pub(super) blocks: Growable,
    pub(super) block_pairs: Growable,
    sizes: Sizes,
    small: bool,
}

impl Lists {
    pub(super) fn new() -> Self {
        let list = |what| Growable::new(what, BufferUsages::COPY_SRC);
        Self {
            boxes: list("boxes of triangles"),
            wide: list("triangles in very many voxels"),
            records: list("triangles that are left"),
            counts: list("counts of cells"),
            ends: list("places of cells"),
            list: list("triangles in cells"),
            chunks: list("chunks of cells"),
            candidates: list("pairs to look at"),
            tests: list("pairs to test"),
            found: list("pairs found"),
            large: list("large triangles"),
            blocks: list("boxes of blocks"),
            block_pairs: list("blocks that large triangles meet"),
            sizes: Sizes::default(),
            small: false,
        }
    }

    pub(super) fn start_small(&mut self) {
        self.forget();
        self.sizes = Sizes::default();
        self.small = true;
    }

    pub(super) fn forget(&mut self) {
        let buffers = [
            &mut self.boxes,
            &mut self.wide,
            &mut self.records,
            &mut self.counts,
            &mut self.ends,
            &mut self.list,
            &mut self.chunks,
            &mut self.candidates,
            &mut self.tests,
            &mut self.found,
            &mut self.large,
            &mut self.blocks,
            &mut self.block_pairs,
        ];
        buffers.into_iter().for_each(Growable::forget);
    }

    pub(super) fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Capacity in cells.
    fn cells(&self) -> u32 {
        (4 * u64::from(self.sizes.records)).clamp(64, MAX_CELLS as u64) as u32
    }

    /// Room for a first try with `active` triangles, `itself` of them with self-collision, or for what
    /// earlier tries needed. `false` if the device cannot bind buffers that long.
    pub(super) fn reserve(
        &mut self,
        context: &Context,
        [active, itself]: [u32; 2],
        meets: bool,
    ) -> Result<bool, GpuError> {
        let guess = |part: u32, least: u32| if self.small { 1 } else { (active / part).max(least) };
        // Bodies with self-collision have seven to fifteen candidates per triangle, mostly neighbours.
        let with =
            |times: u32, n: u32| if self.small { n } else { n.saturating_add(times.saturating_mul(itself)) };
        let first = Sizes {
            boxes: if meets { guess(2, 256) } else { 1 },
            records: if meets { guess(8, 256) } else { guess(1, 64) },
            list: with(4, guess(2, 1024)),
            chunks: with(1, guess(8, 256)),
            candidates: with(12, guess(2, 1024)),
            tests: with(1, guess(8, 1024)),
            found: guess(16, 1024),
            large: guess(64, 256),
            block_pairs: guess(64, 1024),
        };
        let limit = longest(context);
        self.sizes = self.sizes.most(&first.within(limit));
        let (sizes, cells) = (self.sizes, u64::from(self.cells()));
        let wanted: [(&mut Growable, u64); 13] = [
            (&mut self.boxes, u64::from(sizes.boxes) * BOX_BYTES),
            (&mut self.wide, u64::from(sizes.boxes) * 4),
            (&mut self.records, u64::from(sizes.records) * RECORD_BYTES),
            (&mut self.counts, cells * 4),
            (&mut self.ends, cells * 4),
            (&mut self.list, u64::from(sizes.list) * LIST_BYTES),
            (&mut self.chunks, u64::from(sizes.chunks) * 16),
            (&mut self.candidates, u64::from(sizes.candidates) * 8),
            (&mut self.tests, u64::from(sizes.tests) * 8),
            (&mut self.found, u64::from(sizes.found) * 8),
            (&mut self.large, u64::from(sizes.large) * LARGE_BYTES),
            (&mut self.blocks, u64::from(sizes.records.div_ceil(BLOCK)) * 32),
            (&mut self.block_pairs, u64::from(sizes.block_pairs) * 8),
        ];
        if wanted.iter().any(|(_, bytes)| *bytes > limit) {
            self.sizes = Sizes::default().most(&self.sizes.within(limit));
            return Ok(false);
        }
        for (buffer, bytes) in wanted {
            buffer.reserve(context, bytes)?;
        }
        Ok(true)
    }

    /// Whether everything fitted.
    pub(super) fn held(&self, counters: &CullCounters) -> bool {
        Sizes::from(counters).most(&self.sizes) == self.sizes
    }

    /// Whether all lists fitted but those of pairs, which can be processed in batches of chunks.
    pub(super) fn held_but_for_pairs(&self, counters: &CullCounters) -> bool {
        let counted = Sizes { candidates: 0, tests: 0, found: 0, ..Sizes::from(counters) };
        counted.most(&self.sizes) == self.sizes
    }

    /// Larger capacities for what was counted. `false` if the device cannot bind buffers that long.
    pub(super) fn grow(&mut self, context: &Context, counters: &CullCounters) -> bool {
        let limit = longest(context);
        let wanted = self.sizes.most(&Sizes::from(counters).larger());
        let fits = wanted.within(limit) == wanted;
        self.sizes = wanted.within(limit);
        fits
    }

    /// The parameters of the stages.
    pub(super) fn entry(
        &self,
        region: &Region,
        subregion: &Subregion,
        voxels: &Lattice,
        options: GridOptions,
        [vertices, triangles]: [u32; 2],
        meets: bool,
    ) -> CullEntry {
        let here = within(region, subregion);
        let sizes = &self.sizes;
        let mut axis = [0.0; 3];
        axis[subregion.axis] = 1.0;
        CullEntry {
            low: here.low,
            cell: options.cell(),
            high: here.high,
            most_cells: options.most_cells,
            voxels_per_unit: voxels.per_unit,
            meets: u32::from(meets),
            voxels: voxels.cells,
            vertices,
            axis,
            triangles,
            subregion_low: subregion.low,
            subregion_high: subregion.high,
            boxes: sizes.boxes,
            records: sizes.records,
            list: sizes.list,
            chunks: sizes.chunks,
            candidates: sizes.candidates,
            is_subregion: u32::from(subregion.cuts > 0),
            tests: sizes.tests,
            found: sizes.found,
            large: sizes.large,
            block_pairs: sizes.block_pairs,
            cells: self.cells(),
            last: u32::MAX,
            ..CullEntry::default()
        }
    }
}

/// Bytes of the largest binding.
pub(super) fn longest(context: &Context) -> u64 {
    let limits = context.device.limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

impl Sizes {
    /// Combines field by field.
    fn zip(&self, other: &Self, with: impl Fn(u32, u32) -> u32) -> Self {
        Self {
            boxes: with(self.boxes, other.boxes),
            records: with(self.records, other.records),
            list: with(self.list, other.list),
            chunks: with(self.chunks, other.chunks),
            candidates: with(self.candidates, other.candidates),
            tests: with(self.tests, other.tests),
            found: with(self.found, other.found),
            large: with(self.large, other.large),
            block_pairs: with(self.block_pairs, other.block_pairs),
        }
    }

    fn most(&self, other: &Self) -> Self {
        self.zip(other, u32::max)
    }

    /// A quarter more, so that a growing scene does not reallocate every frame.
    fn larger(&self) -> Self {
        self.zip(self, |n, _| n.saturating_add(n / 4))
    }

    /// Limits every list to a binding of `limit` bytes.
    fn within(&self, limit: u64) -> Self {
        let most = |bytes: u64| u32::try_from(limit / bytes).unwrap_or(u32::MAX);
        let limits = Self {
            boxes: most(BOX_BYTES),
            records: most(RECORD_BYTES),
            list: most(LIST_BYTES),
            chunks: most(16),
            candidates: most(8),
            tests: most(8),
            found: most(8),
            large: most(LARGE_BYTES),
            block_pairs: most(8),
        };
        self.zip(&limits, u32::min)
    }
}

impl From<&CullCounters> for Sizes {
    fn from(counters: &CullCounters) -> Self {
        Self {
            boxes: counters.boxes,
            records: counters.records,
            list: counters.list,
            chunks: counters.chunks,
            candidates: counters.candidates,
            tests: counters.tests,
            found: counters.found,
            large: counters.large,
            block_pairs: counters.block_pairs,
        }
    }
}

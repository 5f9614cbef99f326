//! The lists of the grid: their capacities, and how they grow.

use super::{Subregion, within};
use crate::device::{Context, Growable};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry, Sizes};
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
        *self = Self { sizes: self.sizes, small: self.small, ..Self::new() };
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
        let limit = context.max_binding();
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
        counters.sizes.most(&self.sizes) == self.sizes
    }

    /// Whether all lists fitted but those of pairs, which can be processed in batches of chunks.
    pub(super) fn held_but_for_pairs(&self, counters: &CullCounters) -> bool {
        let counted = Sizes { candidates: 0, tests: 0, found: 0, ..counters.sizes };
        counted.most(&self.sizes) == self.sizes
    }

    /// Larger capacities for what was counted. `false` if the device cannot bind buffers that long.
    pub(super) fn grow(&mut self, context: &Context, counters: &CullCounters) -> bool {
        let limit = context.max_binding();
        let wanted = self.sizes.most(&counters.sizes.larger());
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
            sizes: self.sizes,
            is_subregion: u32::from(subregion.cuts > 0),
            cells: self.cells(),
            last: u32::MAX,
            ..CullEntry::default()
        }
    }
}

impl Sizes {
    /// Of each list.
    fn zip(&self, other: &Self, with: impl Fn(u32, u32) -> u32) -> Self {
        let [one, other]: [[u32; 9]; 2] = [*self, *other].map(bytemuck::cast);
        bytemuck::cast(std::array::from_fn::<u32, 9, _>(|k| with(one[k], other[k])))
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

//! Every struct that is shared with shaders. A test compares sizes and offsets with theirs.

pub(crate) mod particles;

use bytemuck::{Pod, Zeroable};

/// The parameters of a view; `Frame` of `shared/frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Frame {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) words: u32,
    pub(crate) near: u32,
    pub(crate) vertices: u32,
    pub(crate) triangles: u32,
    pub(crate) sides: u32,
    pub(crate) passes: u32,
    pub(crate) mark: u32,
    pub(crate) margin: u32,
    pub(crate) external_word: u32,
    pub(crate) perspective: u32,
}

/// A body in a view; `Body` of `shared/frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct BodyEntry {
    pub(crate) across: [f32; 4],
    pub(crate) down: [f32; 4],
    pub(crate) along: [f32; 4],
    pub(crate) away: [f32; 4],
    pub(crate) flags: u32,
    pub(crate) first_vertex: u32,
    pub(crate) nearest: f32,
    pub(crate) farthest: f32,
}

impl BodyEntry {
    pub(crate) const CLOSED: u32 = 1;
    pub(crate) const MIRRORED: u32 = 2;
    pub(crate) const ACTIVE: u32 = 4;
}

/// Counters of a view.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Counters {
    pub(crate) deepest: u32,
    pub(crate) rays: u32,
    pub(crate) packed: u32,
    pub(crate) packed_before_external: u32,
    pub(crate) left: u32,
    pub(crate) padding: [u32; 3],
}

/// The upload of one external body; `Upload` of `upload.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct UploadEntry {
    pub(crate) body: u32,
    pub(crate) vertices: u32,
    pub(crate) triangles: u32,
    pub(crate) first_vertex: u32,
    pub(crate) first_triangle: u32,
    pub(crate) first_tag: u32,
    pub(crate) offset: u32,
    pub(crate) stride: u32,
    pub(crate) index_offset: u32,
    pub(crate) count_offset: u32,
    pub(crate) has_tags: u32,
    pub(crate) tag_offset: u32,
    pub(crate) slot: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
    pub(crate) padding_2: u32,
}

/// The box of an uploaded body, and invalid input; `UploadResult` of `upload.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct UploadResult {
    pub(crate) low: [u32; 3],
    pub(crate) high: [u32; 3],
    pub(crate) bad_vertex: u32,
    pub(crate) bad_triangle: u32,
}

impl UploadResult {
    /// The corners of the box.
    pub(crate) fn corners(&self) -> [[f32; 3]; 2] {
        let float =
            |sorted: u32| f32::from_bits(if sorted >> 31 == 1 { sorted & (u32::MAX >> 1) } else { !sorted });
        [self.low.map(float), self.high.map(|sorted| float(!sorted))]
    }

    /// Largest absolute coordinate; 0 if there is none.
    pub(crate) fn reach(&self) -> f32 {
        let finite = self.corners().into_iter().flatten().filter(|c| c.is_finite());
        finite.fold(0.0, |most: f32, c| most.max(c.abs()))
    }

    /// The initial value: every field is a minimum.
    pub(crate) const NOTHING: Self =
        Self { low: [u32::MAX; 3], high: [u32::MAX; 3], bad_vertex: u32::MAX, bad_triangle: u32::MAX };
}

/// A packed triangle; five words of `dense` in `pack.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Packed {
    pub(crate) triangle: u32,
    pub(crate) rectangle: [f32; 4],
}

/// A triangle of an external body; `Details` of `details.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Details {
    pub(crate) corners: [[f32; 3]; 3],
    pub(crate) normal: [f32; 3],
    pub(crate) vertices: [u32; 3],
    pub(crate) tag: u32,
}

/// A level of the mipmap; `Level` of `depth_peel/shared/ray_box.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct LevelEntry {
    pub(crate) first: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) padding: u32,
}

/// One draw; `Pass` of `depth_peel/shared/layers.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct PassEntry {
    pub(crate) number: u32,
    pub(crate) base_before: u32,
    pub(crate) base_after: u32,
    pub(crate) padding: u32,
}

/// A range of draws whose rays are classified; `Span` of `rays.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SpanEntry {
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) first_base: u32,
    pub(crate) second_base: u32,
}

/// The parameters of a cast; `Cast` of `interference/shared/cast.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct CastEntry {
    pub(crate) pixels_deep: f32,
    pub(crate) clearance: f32,
    pub(crate) nearest: f32,
    pub(crate) farthest: f32,
    pub(crate) first_line: u32,
    pub(crate) lines: u32,
    pub(crate) whose: u32,
    pub(crate) first_row: u32,
    pub(crate) end_row: u32,
    pub(crate) capacity: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
}

/// Counters of a cast.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct CastCounters {
    pub(crate) shown: u32,
    pub(crate) marked: u32,
    pub(crate) crossings: u32,
    pub(crate) farthest: f32,
}

/// A marked pixel; four words of `marked` in `marked.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct MarkedEntry {
    pub(crate) pixel: u32,
    pub(crate) line: u32,
    pub(crate) depth: f32,
    pub(crate) count: i32,
}

/// One body to be drawn into its planes; `Plot` of `overlap_cells/shared/plot.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct PlotEntry {
    pub(crate) across: [f32; 4],
    pub(crate) down: [f32; 4],
    pub(crate) along: [f32; 4],
    pub(crate) wide: [f32; 3],
    pub(crate) offset: f32,
    pub(crate) cells: [u32; 3],
    pub(crate) words: u32,
    pub(crate) first_vertex: u32,
    pub(crate) vertices: u32,
    pub(crate) first_triangle: u32,
    pub(crate) triangles: u32,
    pub(crate) base: u32,
    pub(crate) plane: u32,
    pub(crate) flags: u32,
    pub(crate) place: u32,
}

impl PlotEntry {
    pub(crate) const PROVEN: u32 = 1;
    pub(crate) const SWEEPS: u32 = 2;
    pub(crate) const INTERVAL: u32 = 4;
}

/// The cells that two bodies share; the first words of `found` in `planes.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SharedEntry {
    pub(crate) cells: u32,
    /// The complements of the lowest.
    pub(crate) least: [u32; 3],
    pub(crate) greatest: [u32; 3],
    pub(crate) seen: u32,
}

/// The parameters of a run of the grid; `Cull` of `grid/shared/cull.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct CullEntry {
    pub(crate) low: [f32; 3],
    pub(crate) cell: f32,
    pub(crate) high: [f32; 3],
    pub(crate) most_cells: u32,
    pub(crate) voxels_per_unit: [f32; 3],
    pub(crate) meets: u32,
    pub(crate) voxels: [u32; 3],
    pub(crate) vertices: u32,
    pub(crate) axis: [f32; 3],
    pub(crate) triangles: u32,
    pub(crate) subregion_low: f32,
    pub(crate) subregion_high: f32,
    pub(crate) boxes: u32,
    pub(crate) records: u32,
    pub(crate) list: u32,
    pub(crate) chunks: u32,
    pub(crate) tests: u32,
    pub(crate) found: u32,
    pub(crate) large: u32,
    pub(crate) block_pairs: u32,
    pub(crate) cells: u32,
    pub(crate) candidates: u32,
    pub(crate) is_subregion: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) padding: u32,
}

/// A body in region coordinates; `BodyInRegion` of `grid/shared/cull.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct BodyInRegionEntry {
    pub(crate) across: [f32; 4],
    pub(crate) down: [f32; 4],
    pub(crate) along: [f32; 4],
    pub(crate) low: [f32; 3],
    pub(crate) error: f32,
    pub(crate) high: [f32; 3],
    pub(crate) flags: u32,
}

impl From<&impinge::stages::grid::BodyInRegion> for BodyInRegionEntry {
    fn from(in_region: &impinge::stages::grid::BodyInRegion) -> Self {
        let [across, down, along] = in_region.rows;
        // Shaders need no infinities.
        let finite = |corner: [f32; 3]| corner.map(|c| c.clamp(f32::MIN, f32::MAX));
        let flags = u32::from(in_region.is_active()) | u32::from(in_region.self_collision) << 1;
        Self {
            across,
            down,
            along,
            low: finite(in_region.low),
            error: in_region.error,
            high: finite(in_region.high),
            flags,
        }
    }
}

/// The number of pairs; `Task` of `exact_signs.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct ExactSignsEntry {
    pub(crate) count: u32,
    pub(crate) turns: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
}

/// The pose of a body, in doubles; `Pose` of `place_exactly.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct PoseEntry {
    pub(crate) rows: [[u32; 2]; 12],
    pub(crate) source: u32,
    pub(crate) padding: u32,
}

/// Counters of a run of the grid; the indices are in `grid/shared/cull.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct CullCounters {
    pub(crate) boxes: u32,
    pub(crate) records: u32,
    pub(crate) list: u32,
    pub(crate) chunks: u32,
    pub(crate) tests: u32,
    pub(crate) found: u32,
    pub(crate) large: u32,
    pub(crate) block_pairs: u32,
    pub(crate) candidates: u32,
    pub(crate) noted: u32,
    pub(crate) extents: [u32; 6],
    pub(crate) beyond: u32,
    pub(crate) wide: u32,
    pub(crate) doubts: u32,
    pub(crate) padding_0: [u32; 32],
    pub(crate) padding_1: [u32; 13],
}

/// Rows of an image that are processed together; `Sheet` of `a_buffer/shared/sheet.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SheetEntry {
    pub(crate) width: u32,
    pub(crate) first_row: u32,
    pub(crate) end_row: u32,
    pub(crate) triangles: u32,
    pub(crate) capacity: u32,
    pub(crate) slots: u32,
    pub(crate) near: f32,
    pub(crate) large: u32,
    pub(crate) lanes: u32,
    pub(crate) spans: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
}

/// Where fragments of a body are stored; `RegionOfInterest` of `a_buffer/shared/sheet.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct RegionEntry {
    pub(crate) columns: [u32; 2],
    pub(crate) rows: [u32; 2],
    pub(crate) depths: [f32; 2],
    pub(crate) with_itself: u32,
    pub(crate) padding: u32,
}

/// Counters of the A-buffer; the indices are in `a_buffer/shared/sheet.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SheetCounters {
    pub(crate) fragments: u32,
    /// 1 if the number of fragments exceeds 32 bits.
    pub(crate) wrapped: u32,
    pub(crate) deepest: u32,
    /// Tiles of large triangles.
    pub(crate) large: u32,
    pub(crate) rays: u32,
    pub(crate) pairs: u32,
    /// Pairs for which the table had no room, possibly more than once.
    pub(crate) lost: u32,
    pub(crate) padding: u32,
}

/// The growth of boxes; `Offset` of `offsets.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct OffsetEntry {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) half: f32,
    pub(crate) apart: f32,
    pub(crate) deep: f32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
    pub(crate) padding_2: u32,
}

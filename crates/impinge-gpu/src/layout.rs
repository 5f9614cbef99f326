//! Every struct that crosses to the GPU. A test compares sizes and offsets with what the shaders say.

use bytemuck::{Pod, Zeroable};

/// What every stage of a view knows; `Frame` of `shared/frame.wgsl`.
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

/// What every stage knows about a body; `Body` of `shared/frame.wgsl`.
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

/// Numbers that stages leave for the CPU and for each other.
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

/// How one body is taken in; `Intake` of `intake.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Intake {
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
    pub(crate) place: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
    pub(crate) padding_2: u32,
}

/// What taking a body in has found; `Found` of `intake.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Found {
    pub(crate) low: [u32; 3],
    pub(crate) high: [u32; 3],
    pub(crate) bad_vertex: u32,
    pub(crate) bad_triangle: u32,
}

impl Found {
    /// Smallest and largest coordinates.
    pub(crate) fn corners(&self) -> [[f32; 3]; 2] {
        let float =
            |sorted: u32| f32::from_bits(if sorted >> 31 == 1 { sorted & (u32::MAX >> 1) } else { !sorted });
        [self.low.map(float), self.high.map(|sorted| float(!sorted))]
    }

    /// Largest coordinate, without its sign; 0 when there is none.
    pub(crate) fn reach(&self) -> f32 {
        let finite = self.corners().into_iter().flatten().filter(|c| c.is_finite());
        finite.fold(0.0, |most: f32, c| most.max(c.abs()))
    }

    /// Before anything was found: every field is a minimum.
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

/// A packed triangle of a body that lives on the GPU; `Details` of `details.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Details {
    pub(crate) corners: [[f32; 3]; 3],
    pub(crate) normal: [f32; 3],
    pub(crate) vertices: [u32; 3],
    pub(crate) tag: u32,
}

/// A level of the mipmap; `Level` of `shared/ray_box.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct LevelEntry {
    pub(crate) first: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) padding: u32,
}

/// One draw; `Pass` of `shared/layers.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct PassEntry {
    pub(crate) number: u32,
    pub(crate) base_before: u32,
    pub(crate) base_after: u32,
    pub(crate) padding: u32,
}

/// Draws whose rays are asked about; `Span` of `rays.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SpanEntry {
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) first_base: u32,
    pub(crate) second_base: u32,
}

/// What is drawn when rays are cast at edges; `Cast` of `shared/cast.wgsl`.
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

/// Numbers that casting leaves for the CPU.
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

/// What is drawn of a body into its planes; `Plot` of `shared/slices.wgsl`.
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

/// What two bodies share; the first words of `found` in `planes.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SharedEntry {
    pub(crate) cells: u32,
    /// The complements of the least.
    pub(crate) least: [u32; 3],
    pub(crate) greatest: [u32; 3],
    pub(crate) seen: u32,
}

/// What is culled, and how long lists are; `Cull` of `shared/cull.wgsl`.
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
    pub(crate) part_low: f32,
    pub(crate) part_high: f32,
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
    pub(crate) is_part: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) padding: u32,
}

/// How a body takes part; `Party` of `shared/cull.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct PartyEntry {
    pub(crate) across: [f32; 4],
    pub(crate) down: [f32; 4],
    pub(crate) along: [f32; 4],
    pub(crate) low: [f32; 3],
    pub(crate) error: f32,
    pub(crate) high: [f32; 3],
    pub(crate) flags: u32,
}

impl From<&impinge::stages::grid::Party> for PartyEntry {
    fn from(party: &impinge::stages::grid::Party) -> Self {
        let [across, down, along] = party.rows;
        // Shaders need not know what infinity is.
        let finite = |corner: [f32; 3]| corner.map(|c| c.clamp(f32::MIN, f32::MAX));
        let flags = u32::from(party.is_active()) | u32::from(party.self_collision) << 1;
        Self {
            across,
            down,
            along,
            low: finite(party.low),
            error: party.error,
            high: finite(party.high),
            flags,
        }
    }
}

/// How many pairs are settled; `Settling` of `settle.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SettlingEntry {
    pub(crate) count: u32,
    pub(crate) turns: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
}

/// Where a body stands, in doubles; `Standing` of `place_exactly.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct StandingEntry {
    pub(crate) rows: [[u32; 2]; 12],
    pub(crate) source: u32,
    pub(crate) padding: u32,
}

/// Numbers that stages of the conservative method leave; `shared/cull.wgsl` has the places.
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

/// Rows of an image whose surfaces are kept; `Sheet` of `shared/a_buffer.wgsl`.
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
    pub(crate) parts: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
}

/// Where surfaces of a body are kept; `Part` of `shared/a_buffer.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct PartEntry {
    pub(crate) columns: [u32; 2],
    pub(crate) rows: [u32; 2],
    pub(crate) depths: [f32; 2],
    pub(crate) with_itself: u32,
    pub(crate) padding: u32,
}

/// Numbers that keeping surfaces leaves for the CPU; named in `shared/a_buffer.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct SheetCounters {
    pub(crate) fragments: u32,
    /// 1 when there are more than 32 bits count.
    pub(crate) wrapped: u32,
    pub(crate) deepest: u32,
    /// Parts of large triangles.
    pub(crate) large: u32,
    pub(crate) rays: u32,
    pub(crate) pairs: u32,
    /// Pairs for which the table had no room, some of them more than once.
    pub(crate) lost: u32,
    pub(crate) padding: u32,
}

/// How boxes of triangles are made; `Offset` of `offsets.wgsl`.
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

//! Every struct that is shared with shaders. A test compares sizes and offsets with theirs.

/// Structs in the layout of shaders.
macro_rules! layouts {
    ($($(#[$attribute:meta])* struct $name:ident {
        $($(#[$doc:meta])* $field:ident: $kind:ty,)+
    })+) => {
        $($(#[$attribute])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
        pub(crate) struct $name {
            $($(#[$doc])* pub(crate) $field: $kind,)+
        })+
    };
}

pub(crate) mod particles;

layouts! {
    /// The parameters of a view; `Frame` of `shared/frame.wgsl`.
    struct Frame {
        width: u32,
        height: u32,
        words: u32,
        near: u32,
        vertices: u32,
        triangles: u32,
        sides: u32,
        passes: u32,
        mark: u32,
        margin: u32,
        external_word: u32,
        perspective: u32,
    }

    /// A body in a view; `Body` of `shared/frame.wgsl`.
    struct BodyEntry {
        across: [f32; 4],
        down: [f32; 4],
        along: [f32; 4],
        away: [f32; 4],
        flags: u32,
        first_vertex: u32,
        nearest: f32,
        farthest: f32,
    }

    /// Counters of a view.
    struct Counters {
        deepest: u32,
        rays: u32,
        packed: u32,
        packed_before_external: u32,
        left: u32,
        padding: [u32; 3],
    }

    /// The upload of one external body; `Upload` of `upload.wgsl`.
    struct UploadEntry {
        body: u32,
        vertices: u32,
        triangles: u32,
        first_vertex: u32,
        first_triangle: u32,
        first_tag: u32,
        offset: u32,
        stride: u32,
        index_offset: u32,
        count_offset: u32,
        has_tags: u32,
        tag_offset: u32,
        slot: u32,
        padding_0: u32,
        padding_1: u32,
        padding_2: u32,
    }

    /// The box of an uploaded body, and invalid input; `UploadResult` of `upload.wgsl`.
    struct UploadResult {
        low: [u32; 3],
        high: [u32; 3],
        bad_vertex: u32,
        bad_triangle: u32,
    }

    /// A packed triangle; five words of `dense` in `pack.wgsl`.
    struct Packed {
        triangle: u32,
        rectangle: [f32; 4],
    }

    /// A triangle of an external body; `Details` of `details.wgsl`.
    struct Details {
        corners: [[f32; 3]; 3],
        normal: [f32; 3],
        vertices: [u32; 3],
        tag: u32,
    }

    /// A level of the mipmap; `Level` of `depth_peel/shared/ray_box.wgsl`.
    struct LevelEntry {
        first: u32,
        width: u32,
        height: u32,
        padding: u32,
    }

    /// One draw; `Pass` of `depth_peel/shared/layers.wgsl`.
    struct PassEntry {
        number: u32,
        base_before: u32,
        base_after: u32,
        padding: u32,
    }

    /// A range of draws whose rays are classified; `Span` of `rays.wgsl`.
    struct SpanEntry {
        first: u32,
        end: u32,
        first_base: u32,
        second_base: u32,
    }

    /// The parameters of a cast; `Cast` of `interference/shared/cast.wgsl`.
    struct CastEntry {
        pixels_deep: f32,
        clearance: f32,
        nearest: f32,
        farthest: f32,
        first_line: u32,
        lines: u32,
        whose: u32,
        first_row: u32,
        end_row: u32,
        capacity: u32,
        padding_0: u32,
        padding_1: u32,
    }

    /// Counters of a cast.
    struct CastCounters {
        shown: u32,
        marked: u32,
        crossings: u32,
        farthest: f32,
    }

    /// A marked pixel; four words of `marked` in `marked.wgsl`.
    struct MarkedEntry {
        pixel: u32,
        line: u32,
        depth: f32,
        count: i32,
    }

    /// One body to be drawn into its planes; `Plot` of `overlap_cells/shared/plot.wgsl`.
    struct PlotEntry {
        across: [f32; 4],
        down: [f32; 4],
        along: [f32; 4],
        wide: [f32; 3],
        offset: f32,
        cells: [u32; 3],
        words: u32,
        first_vertex: u32,
        vertices: u32,
        first_triangle: u32,
        triangles: u32,
        base: u32,
        plane: u32,
        flags: u32,
        place: u32,
    }

    /// The cells that two bodies share; the first words of `found` in `planes.wgsl`.
    struct SharedEntry {
        cells: u32,
        /// The complements of the lowest.
        least: [u32; 3],
        greatest: [u32; 3],
        seen: u32,
    }

    /// Capacities of the lists of the grid, or counts of what they hold.
    #[derive(PartialEq, Eq)]
    struct Sizes {
        boxes: u32,
        records: u32,
        list: u32,
        chunks: u32,
        tests: u32,
        found: u32,
        large: u32,
        block_pairs: u32,
        candidates: u32,
    }

    /// The parameters of a run of the grid; `Cull` of `grid/shared/cull.wgsl`.
    struct CullEntry {
        low: [f32; 3],
        cell: f32,
        high: [f32; 3],
        most_cells: u32,
        voxels_per_unit: [f32; 3],
        meets: u32,
        voxels: [u32; 3],
        vertices: u32,
        axis: [f32; 3],
        triangles: u32,
        subregion_low: f32,
        subregion_high: f32,
        sizes: Sizes,
        cells: u32,
        is_subregion: u32,
        first: u32,
        last: u32,
        padding: u32,
    }

    /// A body in region coordinates; `BodyInRegion` of `grid/shared/cull.wgsl`.
    struct BodyInRegionEntry {
        across: [f32; 4],
        down: [f32; 4],
        along: [f32; 4],
        low: [f32; 3],
        error: f32,
        high: [f32; 3],
        flags: u32,
    }

    /// The number of pairs; `Task` of `exact_signs.wgsl`.
    struct ExactSignsEntry {
        count: u32,
        turns: u32,
        padding_0: u32,
        padding_1: u32,
    }

    /// The pose of a body, in doubles; `Pose` of `place_exactly.wgsl`.
    struct PoseEntry {
        rows: [[u32; 2]; 12],
        source: u32,
        padding: u32,
    }

    /// Counters of a run of the grid; the indices are in `grid/shared/cull.wgsl`.
    struct CullCounters {
        sizes: Sizes,
        noted: u32,
        extents: [u32; 6],
        beyond: u32,
        wide: u32,
        doubts: u32,
        padding_0: [u32; 32],
        padding_1: [u32; 13],
    }

    /// Rows of an image that are processed together; `Sheet` of `a_buffer/shared/sheet.wgsl`.
    struct SheetEntry {
        width: u32,
        first_row: u32,
        end_row: u32,
        triangles: u32,
        capacity: u32,
        slots: u32,
        near: f32,
        large: u32,
        lanes: u32,
        spans: u32,
        padding_0: u32,
        padding_1: u32,
    }

    /// Where fragments of a body are stored; `RegionOfInterest` of `a_buffer/shared/sheet.wgsl`.
    struct RegionEntry {
        columns: [u32; 2],
        rows: [u32; 2],
        depths: [f32; 2],
        with_itself: u32,
        padding: u32,
    }

    /// Counters of the A-buffer; the indices are in `a_buffer/shared/sheet.wgsl`.
    struct SheetCounters {
        fragments: u32,
        /// 1 if the number of fragments exceeds 32 bits.
        wrapped: u32,
        deepest: u32,
        /// Tiles of large triangles.
        large: u32,
        rays: u32,
        pairs: u32,
        /// Pairs for which the table had no room, possibly more than once.
        lost: u32,
        padding: u32,
    }

    /// The growth of boxes; `Offset` of `offsets.wgsl`.
    struct OffsetEntry {
        first: u32,
        count: u32,
        half: f32,
        apart: f32,
        deep: f32,
        padding_0: u32,
        padding_1: u32,
        padding_2: u32,
    }
}

impl BodyEntry {
    pub(crate) const CLOSED: u32 = 1;
    pub(crate) const MIRRORED: u32 = 2;
    pub(crate) const ACTIVE: u32 = 4;
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

impl PlotEntry {
    pub(crate) const PROVEN: u32 = 1;
    pub(crate) const SWEEPS: u32 = 2;
    pub(crate) const INTERVAL: u32 = 4;
}

impl BodyInRegionEntry {
    pub(crate) fn of(in_region: &impinge::stages::grid::BodyInRegion) -> Self {
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

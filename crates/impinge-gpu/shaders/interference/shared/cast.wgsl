// The parameters of a cast. Mirrors `layout::CastEntry`.
struct Cast {
    // Units of length: `interference::edges::Metric`.
    pixels_deep: f32,
    clearance: f32,
    nearest: f32,
    farthest: f32,
    // The batch of lines.
    first_line: u32,
    lines: u32,
    // Whose surfaces count before an edge.
    whose: u32,
    // The rows to list.
    first_row: u32,
    end_row: u32,
    // Capacity in crossings.
    capacity: u32,
    padding_0: u32,
    padding_1: u32,
}

const ALL = 0u;
const OTHERS = 1u;
const OWN = 2u;

// Indices of counters. Mirrors `layout::CastCounters`.
const SHOWN = 0u;
const MARKED = 1u;
const CROSSINGS = 2u;
const FARTHEST = 3u;

fn counts(surface: u32, edge: u32, whose: u32) -> bool {
    return whose == ALL || ((surface == edge) == (whose == OWN));
}

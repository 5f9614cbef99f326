// One body to be drawn into its planes. Mirrors `layout::PlotEntry`.
struct Plot {
    // From body coordinates to cells across, cells down, cells deep.
    across: vec4<f32>,
    down: vec4<f32>,
    along: vec4<f32>,
    // The widening of surfaces in cells; and the displacement of vertices along their normals, in body
    // coordinates.
    wide: vec3<f32>,
    offset: f32,
    // Pixels across, pixels down, slices.
    cells: vec3<u32>,
    // Words per pixel: one bit per slice.
    words: u32,
    first_vertex: u32,
    vertices: u32,
    first_triangle: u32,
    triangles: u32,
    // The word where its planes begin, and the words per plane.
    base: u32,
    plane: u32,
    flags: u32,
    // Offset of the projected vertices.
    place: u32,
}

// Whether inside and certainty are determined too: three more planes.
const PROVEN = 1u;
// Whether triangles move from one step to the next.
const SWEEPS = 2u;
// Whether samples take the whole depth interval of the pixel.
const INTERVAL = 4u;

// The bits of a range of slices that fall into one word; -1 and `slices` stand for everything beyond.
fn between(range: vec2<i32>, slices: u32, word: u32) -> u32 {
    let low = max(range.x, 0) - i32(32u * word);
    let high = min(range.y, i32(slices) - 1) - i32(32u * word);
    if (range.y < 0 || range.x >= i32(slices) || high < 0 || low > 31) {
        return 0u;
    }
    let from_low = 0xffffffffu << u32(max(low, 0));
    let to_high = 0xffffffffu >> u32(31 - min(high, 31));
    return from_low & to_high;
}

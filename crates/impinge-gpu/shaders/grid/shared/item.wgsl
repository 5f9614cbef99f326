// A triangle in a cell. Two vec4 in the list: the record, its low and high corner quantised within the cell,
// and its owner bits; then its slabs, the ranges of sums and of differences of two coordinates. Its certified
// vertices are read from its record.

struct Item {
    words: vec4<u32>,
    vertices: vec3<u32>,
    slabs: vec4<u32>,
}

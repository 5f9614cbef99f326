// A triangle in a cell. Two groups of four words in the list: the record, its low and its high corner within the cell, its body and
// what that does; where sums of two coordinates begin and end, and where differences do. Its vertices, where they are certified, are
// its record's.

struct Item {
    words: vec4<u32>,
    vertices: vec3<u32>,
    slabs: vec4<u32>,
}

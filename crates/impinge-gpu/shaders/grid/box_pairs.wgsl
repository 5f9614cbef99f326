// Every pair of triangles whose boxes overlap, along the axes and along the diagonals between them, once. The
// twin of `grid::box_pairs`.

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<uniform> counted: array<vec4<u32>, 16>;
@group(0) @binding(2) var<storage, read> records: array<vec4<u32>>;
// Two vec4 per item: see `Item`.
@group(0) @binding(3) var<storage, read> list: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> chunks: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> candidates: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;
// Boxes of blocks of 64 records: two corners as floats, each with its quantised copy (`coarse`) in `w`.
@group(0) @binding(8) var<storage, read_write> blocks: array<vec4<u32>>;
// Three words per large triangle: the record, and the quantised corners of its box.
@group(0) @binding(9) var<storage, read> large: array<u32>;
@group(0) @binding(10) var<storage, read_write> block_pairs: array<vec2<u32>>;

const LANES = 32u;
const BLOCK = 64u;
// Items tested before the hits are written.
const AHEAD = 8u;

// Slots of the candidate list that this thread has reserved and not yet used. Reserved in batches: all
// threads share one counter.
const TAKEN = 16u;
var<private> next: u32;
var<private> room: u32;
var<private> noted: u32;

// Appends a candidate.
fn note(a: u32, b: u32) {
    // A loop instead of an if: devices that run several lanes in lockstep skip it when no lane enters.
    while (room == 0u) {
        next = reserve(CANDIDATES, TAKEN);
        room = TAKEN;
    }
    if (next < cull.candidates) {
        candidates[next] = vec2(a, b);
    }
    next += 1u;
    room -= 1u;
    noted += 1u;
}

// Unused reserved slots hold no pair.
fn give_back() {
    while (room != 0u) {
        if (next < cull.candidates) {
            candidates[next] = vec2(NONE);
        }
        next += 1u;
        room -= 1u;
    }
    if (noted != 0u) {
        atomicAdd(&counters[NOTED], noted);
    }
}

// Whether the pair can be a contact: two bodies, or one with self-collision.
fn counts(a: u32, b: u32) -> bool {
    return (((a ^ b) & BODY) | (a & OWNER_SELF_COLLISION)) != 0u;
}

// A triangle of a chunk: its index in the cell, its quantised box within the cell, owner, vertices, slabs.
struct OwnItem {
    i: u32,
    low: u32,
    high: u32,
    owner: u32,
    vertices: vec3<u32>,
    slabs: vec4<u32>,
}

fn item(at: u32) -> Item {
    let words = list[2u * at];
    let record = RECORD * words.x;
    let named = vec3(records[record + 2u].w, records[record + 3u].w, records[record + 4u].w);
    let vertices = select(vec3(NONE), named, (named & vec3(CERTIFIED)) != vec3(0u));
    return Item(words, vertices, list[2u * at + 1u]);
}

fn own_item(chunk: vec4<u32>, lane: u32, turn: u32) -> OwnItem {
    let i = chunk.z + turn * LANES + lane;
    let own = item(chunk.x + min(i, chunk.y - 1u));
    // A value that no vertex has, so that uncertified vertices match nothing.
    let named = select(own.vertices, vec3(NONE - 1u), own.vertices == vec3(NONE));
    // Lanes beyond the chunk get the last index: they pair with nothing.
    let words = own.words;
    return OwnItem(select(NONE, i, turn * LANES < CHUNK), words.y, words.z, words.w, named, own.slabs);
}

// Whether two boxes overlap and the pair belongs to this cell: along every axis at least one of the low
// corners is in the cell. Three 9-bit numbers per word, so one subtraction compares all three.
fn meets(a: OwnItem, j: u32, b: vec4<u32>) -> bool {
    let all_three = ((b.z | ABOVE) - a.low) & ((a.high | ABOVE) - b.y) & ((a.low | b.y | ABOVE) - ONES) & ABOVE;
    return all_three == ABOVE && a.i < j;
}

// Whether the pair is a candidate: two bodies, or one with self-collision, and no common certified vertex.
fn asks(a: OwnItem, j: u32, b: Item) -> u32 {
    let side_by_side =
        (a.vertices == b.vertices.xxx) | (a.vertices == b.vertices.yyy) | (a.vertices == b.vertices.zzz);
    // Three numbers at a time, as above.
    let along = ((b.slabs.y | ABOVE) - a.slabs.x) & ((a.slabs.y | ABOVE) - b.slabs.x) & ((b.slabs.w | ABOVE) - a.slabs.z)
        & ((a.slabs.w | ABOVE) - b.slabs.z) & ABOVE;
    return u32(meets(a, j, b.words) & (along == ABOVE) & counts(a.owner, b.words.w) & !any(side_by_side));
}

// One chunk of a cell at a time: each lane holds triangles of the chunk (four where the workgroup has 8
// lanes), and all are tested against the items that follow.
@compute @workgroup_size(LANES)
fn pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let total = min(min(count_of(CHUNKS), cull.chunks), cull.last);
    var left = rounds(cull.first + group.x, total, groups.x);
    for (var at = cull.first + group.x; at < total; at += groups.x) {
        left -= 1u;
        let chunk = chunks[at];
        let a0 = own_item(chunk, lane, 0u);
        let a1 = own_item(chunk, lane, 1u);
        let a2 = own_item(chunk, lane, 2u);
        let a3 = own_item(chunk, lane, 3u);
        // A list that was too short is not read: the whole run is repeated.
        let end = select(min(chunk.y, chunk.w + OTHERS), 0u, chunk.x + chunk.y > cull.list);
        let begin = max(chunk.z + 1u, chunk.w);
        var others_left = rounds(begin, end, AHEAD);
        for (var first = begin; first < end; first += AHEAD) {
            others_left -= 1u;
            let ahead = read_ahead(chunk.x + first, lane, chunk.x + end);
            // Four bits per item of the next eight: which of this lane's triangles it overlaps. Hits are
            // written afterwards: lanes in lockstep then append one each per turn, whichever it is.
            var met = 0u;
            for (var k = 0u; k < min(AHEAD, end - first); k += 1u) {
                let j = first + k;
                let b = hand_round(ahead, k);
                let four = asks(a0, j, b) | (asks(a1, j, b) << 1u) | (asks(a2, j, b) << 2u) | (asks(a3, j, b) << 3u);
                met |= four << (4u * k);
            }
            while (met != 0u) {
                let bit = firstTrailingBit(met);
                met &= met - 1u;
                note(
                    list[2u * (chunk.x + chunk.z + bit % 4u * LANES + lane)].x,
                    list[2u * (chunk.x + first + bit / 4u)].x,
                );
            }
        }
        finished(others_left);
    }
    finished(left);
    give_back();
}

// Boxes of blocks of records, if there are large triangles.
@compute @workgroup_size(64)
fn block_boxes(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(count_of(RECORDS), cull.records);
    let count = select(0u, (total + BLOCK - 1u) / BLOCK, count_of(LARGE) > 0u);
    for (var block = id.x; block < count; block += groups.x * 64u) {
        var low = vec3(3e38);
        var high = vec3(-3e38);
        for (var at = block * BLOCK; at < min(total, (block + 1u) * BLOCK); at += 1u) {
            low = min(low, floats(records[RECORD * at]));
            high = max(high, floats(records[RECORD * at + 1u]));
        }
        blocks[2u * block] = vec4(bitcast<vec3<u32>>(low), coarse(low, -1));
        blocks[2u * block + 1u] = vec4(bitcast<vec3<u32>>(high), coarse(high, 1));
    }
}

// Every large triangle against every block: one block per lane.
@compute @workgroup_size(64)
fn large_blocks(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(count_of(RECORDS), cull.records);
    let count = min(count_of(LARGE), cull.large);
    let blocks_of_all = (total + BLOCK - 1u) / BLOCK;
    // One block and up to `OTHERS` large triangles per item.
    let items = blocks_of_all * ((count + OTHERS - 1u) / OTHERS);
    var left = rounds(id.x, items, groups.x * 64u);
    for (var item = id.x; item < items; item += groups.x * 64u) {
        left -= 1u;
        let block = item % blocks_of_all;
        let begin = item / blocks_of_all * OTHERS;
        let end = min(begin + OTHERS, count);
        var large_left = end - begin;
        let low = blocks[2u * block];
        let high = blocks[2u * block + 1u];
        for (var k = begin; k < end; k += 1u) {
            large_left -= 1u;
            let meets = ((large[3u * k + 2u] | ABOVE) - low.w) & ((high.w | ABOVE) - large[3u * k + 1u]) & ABOVE;
            var asks = meets == ABOVE;
            while (asks) {
                asks = false;
                let at = large[3u * k];
                if (reaches_plane(corners_of(at), floats(low), floats(high))) {
                    let slot = reserve(BLOCK_PAIRS, 1u);
                    if (slot < cull.block_pairs) {
                        block_pairs[slot] = vec2(block, at);
                    }
                }
            }
        }
        finished(large_left);
    }
    finished(left);
}

// One block and one large triangle at a time: one record of the block per lane.
@compute @workgroup_size(LANES)
fn large_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let total = min(count_of(RECORDS), cull.records);
    let count = min(min(count_of(BLOCK_PAIRS), cull.block_pairs), cull.last);
    var left = rounds(cull.first + group.x, count, groups.x);
    for (var k = cull.first + group.x; k < count; k += groups.x) {
        left -= 1u;
        let pair = block_pairs[k];
        let b_at = pair.y;
        let b_low = records[RECORD * b_at];
        let b_high = records[RECORD * b_at + 1u];
        for (var part = lane; part < min(BLOCK, total - pair.x * BLOCK); part += LANES) {
            let a_at = pair.x * BLOCK + part;
            let a_low = records[RECORD * a_at];
            let a_high = records[RECORD * a_at + 1u];
            let overlap = all(floats(a_low) <= floats(b_high)) && all(floats(b_low) <= floats(a_high));
            // Pairs of two large triangles once, and no triangle with itself.
            let first = records[RECORD * a_at + 5u].w == 0u || a_at < b_at;
            if (overlap && first && a_at != b_at && counts(a_high.w, b_high.w)) {
                note(a_at, b_at);
            }
        }
    }
    finished(left);
    give_back();
}

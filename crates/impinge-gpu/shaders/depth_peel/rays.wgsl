// Collision rays, one bit each, from the keys of peeling; and the rays around them. The twin of
// `depth_peel::peel::sample` and `depth_peel::Rays::widened`. One thread per word of 32 rays.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> peeled: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> rays: array<u32>;
@group(0) @binding(4) var<storage, read_write> wide: array<u32>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

// A copy of the stencil: one byte per ray, four per word, rows padded to 256 bytes. Images are read one pixel
// at a time, also where nothing is.
@group(0) @binding(6) var<storage, read> counted: array<u32>;
// One layer for draws of even number, one for odd.
@group(0) @binding(7) var blended: texture_2d_array<f32>;
@group(0) @binding(8) var<uniform> span: Span;

// A range of draws whose rays are classified, and the bases of the first two.
struct Span {
    first: u32,
    // Exclusive.
    end: u32,
    first_base: u32,
    second_base: u32,
}

// Maximum number of fragments of any ray: a loop over the rays of a word, then one atomic maximum.
@compute @workgroup_size(64)
fn deepest(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = id.x + id.y * groups.x * 64u;
    if (place >= frame.words * frame.height) {
        return;
    }
    let first = (place % frame.words) * 32u;
    let row = (place / frame.words) * frame.width + first;
    var most = 0u;
    for (var bit = 0u; bit < min(32u, frame.width - first); bit += 1u) {
        most = max(most, counts[row + bit]);
    }
    atomicMax(&counters[DEEPEST], most);
}

// The counts of four rays, the first in column `x`, a multiple of four.
fn four_counts(x: u32, y: u32) -> vec4<u32> {
    let bytes = counted[y * (((frame.width + 255u) & ~255u) / 4u) + x / 4u];
    let counts = (vec4(bytes) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u);
    // Bytes after the last column are padding.
    return select(vec4(0u), counts, vec4(x) + vec4(0u, 1u, 2u, 3u) < vec4(frame.width));
}

@compute @workgroup_size(64)
fn deepest_of_bytes(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = id.x + id.y * groups.x * 64u;
    if (place >= frame.words * frame.height) {
        return;
    }
    let first = (place % frame.words) * 32u;
    let y = place / frame.words;
    var most = vec4(0u);
    for (var x = first; x < min(first + 32u, frame.width); x += 4u) {
        most = max(most, four_counts(x, y));
    }
    atomicMax(&counters[DEEPEST], max(max(most.x, most.y), max(most.z, most.w)));
}

// Whether a ray with `count` fragments collides, after `passes` draws.
fn is_collision(state: vec2<u32>, count: u32, passes: u32) -> bool {
    let front = LIMIT - state.x;
    if (front >= TOP) {
        let layers = (front - TOP) >> 2u;
        return (front & COLLIDES) != 0u || layers < count;
    }
    let rear = state.y;
    if (((front | rear) & COLLIDES) != 0u) {
        return true;
    }
    if (passes * frame.sides < count) {
        return frame.mark == 1u;
    }
    return cannot_meet(front, rear, frame.near) || layers_of(front, rear, passes) < count;
}

// Counts the words that have unfinished rays.
@compute @workgroup_size(64)
fn unfinished(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = id.x + id.y * groups.x * 64u;
    if (place >= frame.words * frame.height) {
        return;
    }
    let first = (place % frame.words) * 32u;
    let row = (place / frame.words) * frame.width + first;
    var left = 0u;
    for (var bit = 0u; bit < min(32u, frame.width - first); bit += 1u) {
        let state = peeled[row + bit];
        let going_on = LIMIT - state.x < TOP && (((LIMIT - state.x) | state.y) & COLLIDES) == 0u;
        left |= select(0u, 1u, counts[row + bit] > 0u && going_on);
    }
    if (left != 0u) {
        atomicAdd(&counters[LEFT], 1u);
    }
}

@compute @workgroup_size(64)
fn classify(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = id.x + id.y * groups.x * 64u;
    if (place >= frame.words * frame.height) {
        return;
    }
    let y = place / frame.words;
    let first = (place % frame.words) * 32u;
    var word = 0u;
    for (var bit = 0u; bit < min(32u, frame.width - first); bit += 1u) {
        let ray = y * frame.width + first + bit;
        let count = counts[ray];
        if (count > 0u && is_collision(peeled[ray], count, frame.passes)) {
            word |= 1u << bit;
        }
    }
    rays[place] = word;
    if (word != 0u) {
        atomicAdd(&counters[RAYS], countOneBits(word));
    }
}

// The number of draws in which a ray with `count` fragments takes part.
fn passes_of(count: u32) -> u32 {
    return min((count + frame.sides - 1u) >> (frame.sides - 1u), frame.passes);
}

fn count_at(x: u32, y: u32) -> u32 {
    return four_counts(x & ~3u, y)[x & 3u];
}

// The keys of a ray stay in the image of the last draw it took part in. The rays of this span are selected
// first, and nothing is read of the others.
@compute @workgroup_size(64)
fn classify_images(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = id.x + id.y * groups.x * 64u;
    if (place >= frame.words * frame.height) {
        return;
    }
    let y = place / frame.words;
    let first = (place % frame.words) * 32u;
    var left = 0u;
    for (var x = first; x < min(first + 32u, frame.width); x += 4u) {
        let counts = four_counts(x, y);
        let sides = vec4(frame.sides - 1u);
        let passes = min((counts + sides) >> sides, vec4(frame.passes));
        let asked = select(vec4(0u), vec4(1u, 2u, 4u, 8u), passes > vec4(span.first) & passes <= vec4(span.end));
        left |= (asked.x | asked.y | asked.z | asked.w) << (x - first);
    }
    var word = 0u;
    while (left != 0u) {
        let bit = firstTrailingBit(left);
        left &= left - 1u;
        let count = count_at(first + bit, y);
        let passes = passes_of(count);
        let last = passes - 1u;
        let since = last - span.first;
        let base = select(span.second_base, span.first_base, since % 2u == 0u) + since / 2u * LIMIT;
        let keys = textureLoad(blended, vec2(first + bit, y), last % 2u, 0).xy;
        let on = is_collision(vec2(as_stored(keys.x, base), as_stored(keys.y, base)), count, passes);
        word |= select(0u, 1u << bit, on);
    }
    if (word != 0u) {
        atomicAdd(&counters[RAYS], countOneBits(word));
    }
    if (span.first > 0u) {
        word |= rays[place];
    }
    rays[place] = word;
}

fn word_at(x: i32, y: i32) -> u32 {
    if (x < 0 || x >= i32(frame.words) || y < 0 || y >= i32(frame.height)) {
        return 0u;
    }
    return rays[u32(y) * frame.words + u32(x)];
}

@compute @workgroup_size(64)
fn widen(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = id.x + id.y * groups.x * 64u;
    if (place >= frame.words * frame.height) {
        return;
    }
    let x = i32(place % frame.words);
    let y = i32(place / frame.words);
    let margin = i32(frame.margin);
    var bits = 0u;
    for (var row = y - margin; row <= y + margin; row += 1) {
        let left = word_at(x - 1, row);
        let middle = word_at(x, row);
        let right = word_at(x + 1, row);
        bits |= middle;
        for (var k = 1u; k <= frame.margin; k += 1u) {
            bits |= (middle << k) | (middle >> k) | (left >> (32u - k)) | (right << (32u - k));
        }
    }
    // Bits beyond the image stay 0.
    let left_over = frame.width - u32(x) * 32u;
    if (left_over < 32u) {
        bits &= (1u << left_over) - 1u;
    }
    wide[place] = bits;
}

// From what peeling remembers to one bit a ray, and to the rays around those that are on. The twin of
// `image_space::depth_peel::rays` and `image_space::Rays::widened`. One thread a word of 32 rays.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> peeled: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> rays: array<u32>;
@group(0) @binding(4) var<storage, read_write> wide: array<u32>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

@group(0) @binding(6) var counted: texture_2d<f32>;
@group(0) @binding(7) var blended: texture_2d<f32>;
// The last draw.
@group(0) @binding(8) var<uniform> pass_: Pass;

// Most fragments of any ray: every thread looks at a word's rays, then one atomic maximum.
@compute @workgroup_size(64)
fn deepest(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= frame.words * frame.height) {
        return;
    }
    let first = (id.x % frame.words) * 32u;
    let row = (id.x / frame.words) * frame.width + first;
    var most = 0u;
    for (var bit = 0u; bit < min(32u, frame.width - first); bit += 1u) {
        most = max(most, counts[row + bit]);
    }
    atomicMax(&counters[DEEPEST], most);
}

@compute @workgroup_size(64)
fn deepest_in_image(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= frame.words * frame.height) {
        return;
    }
    let first = (id.x % frame.words) * 32u;
    let y = id.x / frame.words;
    var most = 0.0;
    for (var bit = 0u; bit < min(32u, frame.width - first); bit += 1u) {
        most = max(most, textureLoad(counted, vec2(first + bit, y), 0).x);
    }
    atomicMax(&counters[DEEPEST], u32(most * 255.0 + 0.5));
}

fn is_collision(state: vec2<u32>, count: u32) -> bool {
    let front = LIMIT - state.x;
    if (front >= TOP) {
        let layers = (front - TOP) >> 2u;
        return (front & COLLIDES) != 0u || layers < count;
    }
    let rear = state.y;
    if (((front | rear) & COLLIDES) != 0u) {
        return true;
    }
    if (frame.passes * frame.sides < count) {
        return frame.mark == 1u;
    }
    return cannot_meet(front, rear, frame.near) || layers_of(front, rear, frame.passes) < count;
}

@compute @workgroup_size(64)
fn classify(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= frame.words * frame.height) {
        return;
    }
    let y = id.x / frame.words;
    let first = (id.x % frame.words) * 32u;
    var word = 0u;
    for (var bit = 0u; bit < min(32u, frame.width - first); bit += 1u) {
        let ray = y * frame.width + first + bit;
        let count = counts[ray];
        if (count > 0u && is_collision(peeled[ray], count)) {
            word |= 1u << bit;
        }
    }
    put(id.x, word);
}

@compute @workgroup_size(64)
fn classify_image(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= frame.words * frame.height) {
        return;
    }
    let y = id.x / frame.words;
    let first = (id.x % frame.words) * 32u;
    let base = pass_.base_after;
    var word = 0u;
    for (var bit = 0u; bit < min(32u, frame.width - first); bit += 1u) {
        let at = vec2(first + bit, y);
        let count = u32(textureLoad(counted, at, 0).x * 255.0 + 0.5);
        if (count > 0u) {
            let last = textureLoad(blended, at, 0).xy;
            if (is_collision(vec2(as_stored(last.x, base), as_stored(last.y, base)), count)) {
                word |= 1u << bit;
            }
        }
    }
    put(id.x, word);
}

fn put(place: u32, word: u32) {
    rays[place] = word;
    if (word != 0u) {
        atomicAdd(&counters[RAYS], countOneBits(word));
    }
}

fn word_at(x: i32, y: i32) -> u32 {
    if (x < 0 || x >= i32(frame.words) || y < 0 || y >= i32(frame.height)) {
        return 0u;
    }
    return rays[u32(y) * frame.words + u32(x)];
}

@compute @workgroup_size(64)
fn widen(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= frame.words * frame.height) {
        return;
    }
    let x = i32(id.x % frame.words);
    let y = i32(id.x / frame.words);
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
    // Bits beyond the image stay off.
    let left_over = frame.width - u32(x) * 32u;
    if (left_over < 32u) {
        bits &= (1u << left_over) - 1u;
    }
    wide[id.x] = bits;
}

// The state of peeling a ray from one end. The twin of `depth_peel::peel`, whose definition is a walk along
// the whole ray.
//
// A fragment is depth (24 bits), a bit for an open surface, a bit for a back face. A key is the last fragment
// peeled, a bit for "it violates the alternation of solids", and a bit for the facing that must come next.
// All fragments of a ray see the same state before them, so keys sort like fragments.
//
// From the front the smallest key is wanted and stored as its distance from a limit, from the back the
// largest, so that a maximum finds both and zero means nothing.

const DEPTH_STEPS = 16777216.0;
const MAX_DEPTH_STEP = 16777215u;
const COLLIDES = 2u;
// A finished ray: TOP plus the number of layers found and, in the bit COLLIDES, the verdict. Greater than
// every key: a ray is finished only when no fragment is left.
const TOP = 0x10000000u;
const LIMIT = 0x10400000u;
const MAX_LAYERS = 0xfffffu;
const NOTHING = 0u;

// One draw: its number, and the bases of the images before and after it.
struct Pass {
    number: u32,
    base_before: u32,
    base_after: u32,
    padding: u32,
}

// Positive floats sort like their bits, and a maximum of floats leaves bits as they are: a stored key becomes
// a normal, finite float. Clearing an image takes longer than some draws, so it is not cleared for every
// draw: each adds a greater base, above all keys of earlier draws.
fn as_float(stored: u32, base: u32) -> f32 {
    return bitcast<f32>(stored + base + 0x00800000u);
}

fn as_stored(float: f32, base: u32) -> u32 {
    let zero = base + 0x00800000u;
    return max(bitcast<u32>(float), zero) - zero;
}

// The stored form of the keys from the front and from the back.
fn key_pair(front: u32, rear: u32) -> vec2<u32> {
    return vec2(LIMIT - front, rear);
}

fn fragment_of(depth: f32, closed: bool, back: bool) -> u32 {
    let steps = clamp(u32(max(depth, 0.0) * DEPTH_STEPS), 1u, MAX_DEPTH_STEP);
    return (steps << 2u) | select(2u, 0u, closed) | select(0u, 1u, back);
}

fn is_closed(fragment: u32) -> bool {
    return (fragment & 2u) == 0u;
}

fn are_near(a: u32, b: u32, near: u32) -> bool {
    let distance = max(a >> 2u, b >> 2u) - min(a >> 2u, b >> 2u);
    return !(is_closed(a) && is_closed(b)) && distance <= near;
}

// The key of a fragment that follows `last` (NOTHING at the end of the ray), where `expected` must come next.
fn key_of(fragment: u32, last: u32, expected: u32, near: u32) -> u32 {
    var collides = last != NOTHING && are_near(last >> 2u, fragment, near);
    var next = expected;
    if (is_closed(fragment)) {
        collides = collides || (fragment & 1u) != expected;
        next = 1u - (fragment & 1u);
    }
    return (fragment << 2u) | select(0u, COLLIDES, collides) | next;
}

// Whether the last keys from the front and from the back (NOTHING when only the front is peeled) cannot be
// neighbours.
fn cannot_meet(front: u32, rear: u32, near: u32) -> bool {
    if (rear == NOTHING) {
        // Nothing may follow the last surface but empty space: it was a back face.
        return (front & 1u) == 1u;
    }
    if ((front >> 2u) == (rear >> 2u)) {
        return !is_closed(front >> 2u) && (front & 1u) == (rear & 1u);
    }
    return (front & 1u) == (rear & 1u) || are_near(front >> 2u, rear >> 2u, near);
}

// Layers peeled by `passes` draws of a ray that ended with these keys.
fn layers_of(front: u32, rear: u32, passes: u32) -> u32 {
    if (rear == NOTHING) {
        return passes;
    }
    return 2u * passes - select(0u, 1u, (front >> 2u) == (rear >> 2u));
}

// The state after the first draw, for a fragment of the ray.
fn begin(here: u32, sides: u32, near: u32) -> vec2<u32> {
    let rear = select(NOTHING, key_of(here, NOTHING, 1u, near), sides == 2u);
    return key_pair(key_of(here, NOTHING, 0u, near), rear);
}

// The state after draw number `passes`, for a fragment of a ray that was in this state.
fn go_on(state: vec2<u32>, here: u32, passes: u32, near: u32) -> vec2<u32> {
    let front = LIMIT - state.x;
    let rear = state.y;
    if (front >= TOP) {
        return vec2(state.x, NOTHING);
    }
    if (((front | rear) & COLLIDES) != 0u) {
        return key_pair(TOP | COLLIDES, NOTHING);
    }
    if (here > (front >> 2u) && (rear == NOTHING || here < (rear >> 2u))) {
        let next = select(NOTHING, key_of(here, rear, rear & 1u, near), rear != NOTHING);
        return key_pair(key_of(here, front, front & 1u, near), next);
    }
    if (here == (front >> 2u)) {
        // Stays only if no other fragment raises it: then the ray is finished.
        let verdict = select(0u, COLLIDES, cannot_meet(front, rear, near));
        return key_pair(TOP | (min(layers_of(front, rear, passes), MAX_LAYERS) << 2u) | verdict, NOTHING);
    }
    return vec2(NOTHING);
}

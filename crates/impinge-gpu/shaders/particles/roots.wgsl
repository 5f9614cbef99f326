// When a path meets a quadric: roots of `h(t) = f(g(t))`, in order. The twin of `particles::roots`.
//
// Floats have 24 bits, and the terms of `h` cancel where a particle comes from afar. So `h` is never summed
// from its terms where its sign matters: the point on the path is computed first, and `f` there.

// Loop iterations so far; see `Flight`.
var<private> turns: u32;
// Whether a loop ended early.
var<private> is_cut: bool;
// Only hits later than this count, since the start of the path.
var<private> earliest: f32;

// A path and a quadric, both in the collider's frame.
struct Height {
    x: vec3<f32>,
    v: vec3<f32>,
    // Half of the acceleration.
    w: vec3<f32>,
    a_x: vec3<f32>,
    a_y: vec3<f32>,
    a_z: vec3<f32>,
    b: vec3<f32>,
    c: f32,
    // Coefficients of `h` from the linear term up, for slopes, and for paths that start on the surface.
    terms: vec4<f32>,
}

var<private> height: Height;

struct Roots {
    count: u32,
    at: vec4<f32>,
}

fn times(p: vec3<f32>) -> vec3<f32> {
    return vec3(dot(height.a_x, p), dot(height.a_y, p), dot(height.a_z, p));
}

fn place_after(t: f32) -> vec3<f32> {
    return height.x + t * (height.v + t * height.w);
}

// The slope of `h`, from its coefficients.
fn slope_at(t: f32) -> f32 {
    let c = height.terms;
    return c.x + t * (2.0 * c.y + t * (3.0 * c.z + t * 4.0 * c.w));
}

// The function whose zeros are searched: `h`, its slope, or `h / t` of a path that starts on the surface.
const OF_HEIGHT = 0u;
const OF_SLOPE = 1u;
const OF_REST = 2u;

fn value_of(kind: u32, t: f32) -> f32 {
    let c = height.terms;
    if (kind == OF_HEIGHT) {
        let p = place_after(t);
        return dot(p, times(p) + 2.0 * height.b) + height.c;
    }
    if (kind == OF_SLOPE) {
        return slope_at(t);
    }
    return c.x + t * (c.y + t * (c.z + t * c.w));
}

fn derivative_of(kind: u32, t: f32) -> f32 {
    let c = height.terms;
    if (kind == OF_HEIGHT) {
        let p = place_after(t);
        return 2.0 * dot(times(p) + height.b, height.v + 2.0 * t * height.w);
    }
    if (kind == OF_SLOPE) {
        return 2.0 * c.y + t * (6.0 * c.z + t * 12.0 * c.w);
    }
    return c.y + t * (2.0 * c.z + t * 3.0 * c.w);
}

// Iterations after which a bracket of floats is empty, even if only every other one halves it.
const MAX_STEPS = 96u;

// The root between two points of different sign: Newton steps while they stay inside and shrink, bisection
// otherwise.
fn bracketed(kind: u32, from_t: f32, to_t: f32, at_from: f32) -> f32 {
    var low = from_t;
    var high = to_t;
    var t = 0.5 * (low + high);
    var last = high - low;
    var left = MAX_STEPS;
    while (left != 0u) {
        turns += 1u;
        let value = value_of(kind, t);
        if ((value < 0.0) == (at_from < 0.0)) {
            low = t;
        } else {
            high = t;
        }
        let step = value / derivative_of(kind, t);
        let newton = t - step;
        let is_newton = newton > low && newton < high && abs(step) < 0.5 * last;
        let next = select(0.5 * (low + high), newton, is_newton);
        last = abs(next - t);
        let is_still = value == 0.0 || next == t || next <= low || next >= high;
        t = select(next, t, is_still);
        left = select(left - 1u, 0u, is_still);
    }
    is_cut = is_cut || left != 0u;
    return t;
}

// Both roots of a + b t + c t^2, in order, without cancellation; `NEVER` for those that do not exist.
fn quadratic(a: f32, b: f32, c: f32) -> vec2<f32> {
    let discriminant = b * b - 4.0 * a * c;
    if (discriminant < 0.0) {
        return vec2(NEVER);
    }
    let root = sqrt(discriminant);
    let q = -0.5 * (b + select(root, -root, b < 0.0));
    var one = NEVER;
    var other = NEVER;
    if (c != 0.0) {
        one = q / c;
    }
    if (q != 0.0) {
        other = a / q;
    }
    return vec2(min(one, other), max(one, other));
}

fn add_root(roots: ptr<function, Roots>, t: f32, until: f32) {
    // False for NaN too.
    if (t > earliest && t <= until && (*roots).count < 4u) {
        (*roots).at[(*roots).count] = t;
        (*roots).count += 1u;
    }
}

// One Newton step towards the zero of `h` itself, if it is small.
fn polished(t: f32, reach: f32) -> f32 {
    let step = value_of(OF_HEIGHT, t) / derivative_of(OF_HEIGHT, t);
    return select(t, t - step, abs(step) <= 0.015625 * reach);
}

// A path of first order (3.9).
fn straight_roots(starts_on_it: bool, until: f32) -> Roots {
    var roots = Roots(0u, vec4(NEVER));
    let c = height.terms;
    if (starts_on_it) {
        if (c.y != 0.0) {
            add_root(&roots, -c.x / c.y, until);
        }
        return roots;
    }
    let nearest = -0.5 * c.x / c.y;
    let at_zero = value_of(OF_HEIGHT, 0.0);
    // Seen from the point of the path nearest to the centre of the surface, nothing cancels.
    if (abs(nearest) <= 4.0 * until) {
        let at_nearest = value_of(OF_HEIGHT, nearest);
        let square = -at_nearest / c.y;
        if (square >= 0.0) {
            let half = sqrt(square);
            add_root(&roots, polished(nearest - half, half), until);
            add_root(&roots, polished(nearest + half, half), until);
        }
        return roots;
    }
    let both = quadratic(at_zero, c.x, c.y);
    add_root(&roots, polished(both.x, abs(both.x)), until);
    add_root(&roots, polished(both.y, abs(both.y)), until);
    return roots;
}

// A path of second order: a quartic, monotone between the roots of its slope, which is monotone between those
// of its own.
fn bent_roots(starts_on_it: bool, until: f32) -> Roots {
    var roots = Roots(0u, vec4(NEVER));
    let c = height.terms;
    let kind = select(OF_HEIGHT, OF_REST, starts_on_it);
    let at_zero = value_of(kind, 0.0);
    var cuts = vec3(until);
    if (starts_on_it) {
        let turning = quadratic(c.y, 2.0 * c.z, 3.0 * c.w);
        cuts = vec3(clamp(turning, vec2(0.0), vec2(until)), until);
    } else {
        let rest = abs(c.x) + until * (abs(c.y) + until * (abs(c.z) + until * abs(c.w)));
        if (abs(at_zero) > 2.0 * until * rest) {
            return roots;
        }
        let bends = clamp(quadratic(2.0 * c.y, 6.0 * c.z, 12.0 * c.w), vec2(0.0), vec2(until));
        var count = 0u;
        var from_t = 0.0;
        var at_from = c.x;
        for (var k = 0u; k < 3u; k++) {
            turns += 1u;
            let to_t = select(select(bends.y, bends.x, k == 0u), until, k == 2u);
            let at_to = slope_at(to_t);
            if ((at_from < 0.0) != (at_to < 0.0)) {
                cuts[count] = bracketed(OF_SLOPE, from_t, to_t, at_from);
                count += 1u;
            }
            from_t = to_t;
            at_from = at_to;
        }
    }
    var from_t = 0.0;
    var at_from = at_zero;
    for (var k = 0u; k < 4u; k++) {
        turns += 1u;
        let to_t = select(until, cuts[min(k, 2u)], k < 3u);
        let at_to = value_of(kind, to_t);
        if ((at_from < 0.0) != (at_to < 0.0)) {
            add_root(&roots, bracketed(kind, from_t, to_t, at_from), until);
        }
        from_t = to_t;
        at_from = at_to;
    }
    return roots;
}

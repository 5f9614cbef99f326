// What floats may say about two triangles. The twin of `conservative::signs` and `conservative::neighbours`, which have the
// proofs of these bounds.

// 16 times 2^-23, and 2^-80: `tolerance::DETERMINANT_FILTER`, `tolerance::LOST_BELOW`.
const ROUNDING = 0.0000019073486;
const LOST_BELOW = 8.271806e-25;
// 2^40: `tolerance::VAST_ERROR`. With that, bounds would leave the range of floats.
const VAST_ERROR = 1099511627776.0;
// 2^30: `tolerance::LARGEST_OF_FOUR`.
const LARGEST_OF_FOUR = 1073741824.0;

fn norm(a: vec3<f32>) -> f32 {
    return abs(a.x) + abs(a.y) + abs(a.z);
}

fn bound(d: f32, a: f32, b: f32, c: f32) -> f32 {
    return d * (b * c + a * c + a * b) + ROUNDING * (a * b * c) + LOST_BELOW;
}

// The sign of a number that is off by less than a bound; 0 where that is not known.
fn sign_of(value: f32, off: f32) -> i32 {
    return i32(value > off) - i32(value < -off);
}

// On which side of the plane of `a` the corners of `b` are.
fn sides(a: Corners, b: Corners, d: f32) -> vec3<i32> {
    let u = a.q - a.p;
    let v = a.r - a.p;
    let normal = cross(u, v);
    let nu = norm(u) + 3.0 * d;
    let nv = norm(v) + 3.0 * d;
    let w0 = b.p - a.p;
    let w1 = b.q - a.p;
    let w2 = b.r - a.p;
    return vec3(
        sign_of(dot(normal, w0), bound(d, nu, nv, norm(w0) + 3.0 * d)),
        sign_of(dot(normal, w1), bound(d, nu, nv, norm(w1) + 3.0 * d)),
        sign_of(dot(normal, w2), bound(d, nu, nv, norm(w2) + 3.0 * d)),
    );
}

// Whether all corners that are not shared are on one side.
fn one_sided(sides: vec3<i32>, is_shared: vec3<bool>) -> bool {
    return all(is_shared | (sides == vec3(1))) || all(is_shared | (sides == vec3(-1)));
}

fn unit(x: vec3<f32>) -> vec3<f32> {
    return x * inverseSqrt(max(dot(x, x), 1e-36));
}

// Two wedges strictly on either side of a plane.
fn wedges_apart(e0: vec3<f32>, e1: vec3<f32>, f0: vec3<f32>, f1: vec3<f32>, d: f32) -> bool {
    let a0 = unit(e0);
    let a1 = unit(e1);
    let b0 = unit(f0);
    let b1 = unit(f1);
    let c00 = dot(a0, b0);
    let c01 = dot(a0, b1);
    let c10 = dot(a1, b0);
    let c11 = dot(a1, b1);
    let first = max(c00, c01) >= max(c10, c11);
    let second = select(c10 >= c11, c00 >= c01, first);
    let from_a = select(a1, a0, first);
    let from_b = select(b1, b0, second);
    let normal_a = cross(a0, a1);
    let normal_b = cross(b0, b1);
    let up = normal_a + select(normal_b, -normal_b, dot(normal_a, normal_b) < 0.0);
    let across = cross(up, from_a + from_b);
    let n = select(across, -across, dot(across, from_a) < dot(across, from_b));
    let size = norm(n);
    return dot(n, e0) > size * (d + ROUNDING * norm(e0)) + LOST_BELOW
        && dot(n, e1) > size * (d + ROUNDING * norm(e1)) + LOST_BELOW
        && -dot(n, f0) > size * (d + ROUNDING * norm(f0)) + LOST_BELOW
        && -dot(n, f1) > size * (d + ROUNDING * norm(f1)) + LOST_BELOW;
}

// Two triangles on an edge `u`, with other corners `s` and `t`, whose second is turned away from the first.
fn unfolded(u: vec3<f32>, s: vec3<f32>, t: vec3<f32>, d: f32) -> bool {
    let h = dot(cross(u, s), cross(u, t));
    let nu = norm(u) + 3.0 * d;
    let ns = norm(s) + 3.0 * d;
    let nt = norm(t) + 3.0 * d;
    let off = d * (2.0 * nu * ns * nt + nu * nu * (ns + nt));
    return max(max(nu, ns), nt) < LARGEST_OF_FOUR && h < -(off + ROUNDING * (nu * nu * ns * nt) + LOST_BELOW);
}

// The corner that a list names, and the two after it.
fn turned(a: Corners, at: vec3<bool>) -> array<vec3<f32>, 3> {
    if (at.x) {
        return array(a.p, a.q, a.r);
    }
    if (at.y) {
        return array(a.q, a.r, a.p);
    }
    return array(a.r, a.p, a.q);
}

// Whether a box may reach over the plane of a triangle: the distance of its middle, and what its halves reach along the normal,
// with the error of the corners and of all this in floats.
fn reaches_plane(a: Corners, low: vec3<f32>, high: vec3<f32>) -> bool {
    let u = a.q - a.p;
    let v = a.r - a.p;
    let normal = cross(u, v);
    let middle = 0.5 * low + 0.5 * high - a.p;
    let halves = 0.5 * high - 0.5 * low;
    let d = 2.0 * a.error + ROUNDING * (norm(low) + norm(high) + norm(a.p));
    let off = bound(d, norm(u) + 3.0 * d, norm(v) + 3.0 * d, norm(middle) + norm(halves) + 6.0 * d);
    return a.error >= VAST_ERROR || !(abs(dot(normal, middle)) > dot(abs(normal), halves) + 4.0 * off);
}

// Float predicates over two triangles with their error bounds. The twin of `grid::bounds`, which has the
// proof.

// 16 times 2^-23, and 2^-80: `tolerance::DETERMINANT_FILTER`, `tolerance::LOST_BELOW`.
const ROUNDING = 0.0000019073486;
const LOST_BELOW = 8.271806e-25;
// 2^40: `tolerance::VAST_ERROR`. Bounds computed with it would overflow.
const VAST_ERROR = 1099511627776.0;
// 2^30: `tolerance::MAX_QUARTIC_DIFFERENCE`.
const MAX_QUARTIC_DIFFERENCE = 1073741824.0;

fn norm(a: vec3<f32>) -> f32 {
    return abs(a.x) + abs(a.y) + abs(a.z);
}

fn bound(d: f32, a: f32, b: f32, c: f32) -> f32 {
    return d * (b * c + a * c + a * b) + ROUNDING * (a * b * c) + LOST_BELOW;
}

// The sign of a value whose error is below `off`; 0 if unknown.
fn sign_of(value: f32, off: f32) -> i32 {
    return i32(value > off) - i32(value < -off);
}

// The sides of the plane of `a` that the corners of `b` are on.
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

// Whether all corners that are not shared are on the same side.
fn one_sided(sides: vec3<i32>, is_shared: vec3<bool>) -> bool {
    return all(is_shared | (sides == vec3(1))) || all(is_shared | (sides == vec3(-1)));
}

// Whether a box may intersect the plane of a triangle: the distance of its centre against the projection of
// its half extents on the normal, with the error of the corners and of this computation.
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

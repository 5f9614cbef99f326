// A path against triangles, watertight along shared edges. The twin of `particles::curtain`, which has the
// method and its reasons.

struct Curtain {
    // Two directions across the line of sight, and the line of sight, along which the path is a straight
    // line.
    across_x: vec3<f32>,
    across_y: vec3<f32>,
    sight: vec3<f32>,
    // The velocity across; the velocity and half of the acceleration along the line of sight.
    across: vec2<f32>,
    rise: f32,
    bend: f32,
}

fn beside(d: vec3<f32>) -> vec3<f32> {
    let size = abs(d);
    let is_x = size.x <= size.y && size.x <= size.z;
    let axis = select(select(vec3(0.0, 0.0, 1.0), vec3(0.0, 1.0, 0.0), size.y <= size.z), vec3(1.0, 0.0, 0.0), is_x);
    return direction(cross(d, axis));
}

fn curtain_of(velocity: vec3<f32>, acceleration: vec3<f32>) -> Curtain {
    var sight: vec3<f32>;
    var x: vec3<f32>;
    if (any(acceleration != vec3(0.0))) {
        sight = direction(acceleration);
        x = beside(sight);
    } else {
        x = direction(velocity);
        sight = beside(x);
    }
    let y = cross(sight, x);
    let across = vec2(dot(x, velocity), dot(y, velocity));
    return Curtain(x, y, sight, across, dot(sight, velocity), 0.5 * dot(sight, acceleration));
}

// Where the path passes an edge whose ends are on either side of the curtain: when, and how high above it.
fn passing(curtain: Curtain, p: vec3<f32>, q: vec3<f32>, side_p: f32, side_q: f32) -> vec2<f32> {
    let at = p + side_p / (side_p - side_q) * (q - p);
    let c = curtain.across;
    let t = dot(at.xy, c) / dot(c, c);
    return vec2(t, t * (curtain.rise + t * curtain.bend) - at.z);
}

// Lexicographic order, independent of vertex numbers.
fn precedes(a: vec3<f32>, b: vec3<f32>) -> bool {
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}

// The orientation about the origin, the same for an edge from either side.
fn turns_left(a: vec3<f32>, b: vec3<f32>, p: vec2<f32>, q: vec2<f32>) -> bool {
    if (precedes(a, b)) {
        return p.x * q.y - p.y * q.x >= 0.0;
    }
    return !(q.x * p.y - q.y * p.x >= 0.0);
}

// The first time in `0 < t <= until` at which the path meets a triangle; `NEVER` if it does not. For a
// triangle that it starts on, the time of the first return.
fn meets_triangle(
    curtain: Curtain,
    origin: vec3<f32>,
    velocity: vec3<f32>,
    half_acceleration: vec3<f32>,
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
    starts_on_it: bool,
    until: f32,
) -> f32 {
    let da = a - origin;
    let db = b - origin;
    let dc = c - origin;
    let p = vec3(dot(curtain.across_x, da), dot(curtain.across_y, da), dot(curtain.sight, da));
    let q = vec3(dot(curtain.across_x, db), dot(curtain.across_y, db), dot(curtain.sight, db));
    let r = vec3(dot(curtain.across_x, dc), dot(curtain.across_y, dc), dot(curtain.sight, dc));
    let normal = cross(b - a, c - a);
    var enters = vec2(0.0, 0.0);
    var leaves = vec2(until, 0.0);
    var enters_by_edge = false;
    var leaves_by_edge = false;
    if (all(curtain.across == vec2(0.0))) {
        let one = turns_left(a, b, p.xy, q.xy);
        let two = turns_left(b, c, q.xy, r.xy);
        let three = turns_left(c, a, r.xy, p.xy);
        if (one != two || two != three) {
            return NEVER;
        }
    } else {
        // A vertex on the curtain counts as on one side of it, for all of its triangles.
        let d = curtain.across;
        let sides = vec3(d.x * p.y - d.y * p.x, d.x * q.y - d.y * q.x, d.x * r.y - d.y * r.x);
        let left = sides >= vec3(0.0);
        if (all(left) || !any(left)) {
            return NEVER;
        }
        var first = vec2(0.0);
        var second = vec2(0.0);
        var has_one = false;
        if (left.x != left.y) {
            if (precedes(a, b)) {
                first = passing(curtain, p, q, sides.x, sides.y);
            } else {
                first = passing(curtain, q, p, sides.y, sides.x);
            }
            has_one = true;
        }
        if (left.y != left.z) {
            var edge: vec2<f32>;
            if (precedes(b, c)) {
                edge = passing(curtain, q, r, sides.y, sides.z);
            } else {
                edge = passing(curtain, r, q, sides.z, sides.y);
            }
            if (has_one) {
                second = edge;
            } else {
                first = edge;
            }
        }
        if (left.z != left.x) {
            if (precedes(c, a)) {
                second = passing(curtain, r, p, sides.z, sides.x);
            } else {
                second = passing(curtain, p, r, sides.x, sides.z);
            }
        }
        if (first.x > second.x) {
            let other = first;
            first = second;
            second = other;
        }
        if (first.x > until || second.x <= 0.0) {
            return NEVER;
        }
        if (first.x > 0.0) {
            enters = first;
            enters_by_edge = true;
        }
        if (second.x < until) {
            leaves = second;
            leaves_by_edge = true;
        }
    }
    if (starts_on_it) {
        let t = -dot(normal, velocity) / dot(normal, half_acceleration);
        return select(NEVER, t, t > earliest && t >= enters.x && t <= leaves.x);
    }
    let steep = dot(normal, curtain.sight);
    if (!enters_by_edge) {
        enters.y = dot(normal, origin - a) / steep;
    }
    if (!leaves_by_edge) {
        leaves.y = dot(normal, origin + until * (velocity + until * half_acceleration) - a) / steep;
    }
    return first_zero(curtain, enters, leaves, until);
}

// The first zero of the height between two ends. height(u) = h0 (1 - u) + h1 u - dip u (1 - u) for u in 0..1.
fn first_zero(curtain: Curtain, enters: vec2<f32>, leaves: vec2<f32>, until: f32) -> f32 {
    let span = leaves.x - enters.x;
    let h0 = enters.y;
    let h1 = leaves.y;
    let dip = curtain.bend * span * span;
    let slope = h1 - h0 - dip;
    let discriminant = slope * slope - 4.0 * dip * h0;
    let root = sqrt(max(discriminant, 0.0));
    let q = -0.5 * (slope + select(root, -root, slope < 0.0));
    var one = NEVER;
    var other = NEVER;
    if (q != 0.0) {
        one = h0 / q;
    }
    if (dip != 0.0) {
        other = q / dip;
    }
    var u = NEVER;
    if ((h0 < 0.0) != (h1 < 0.0)) {
        if (one >= 0.0 && one <= 1.0) {
            u = one;
        } else if (other >= 0.0 && other <= 1.0) {
            u = other;
        } else {
            u = select(1.0, 0.0, abs(h0) <= abs(h1));
        }
    } else {
        // Down and up again, or up and down.
        let extreme = -slope / (2.0 * dip);
        if (dip != 0.0 && discriminant > 0.0 && extreme > 0.0 && extreme < 1.0 && (dip > 0.0) == (h0 >= 0.0)) {
            u = min(one, other);
        }
    }
    if (u > 1.0) {
        return NEVER;
    }
    let t = enters.x + span * u;
    return select(NEVER, t, t > earliest && t <= until);
}

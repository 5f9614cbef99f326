// When a path first meets a collider, and the surface normal there (3.2.3). The twin of `particles::hit`.

struct Hit {
    elapsed: f32,
    element: u32,
}

// When a path that hits a box would meet the next of its planes.
var<private> next_crossing: f32;

// The unit vector; x for a vector without a direction.
fn direction(v: vec3<f32>) -> vec3<f32> {
    let largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    if (!(largest > 0.0)) {
        return vec3(1.0, 0.0, 0.0);
    }
    let w = v / largest;
    return w / sqrt(dot(w, w));
}

fn to_frame(c: u32, v: vec3<f32>) -> vec3<f32> {
    return vec3(dot(colliders[c].row_x.xyz, v), dot(colliders[c].row_y.xyz, v), dot(colliders[c].row_z.xyz, v));
}

fn origin_of(c: u32) -> vec3<f32> {
    return vec3(colliders[c].row_x.w, colliders[c].row_y.w, colliders[c].row_z.w);
}

// Kinds of bounds in `numbers`; those of holes have OUTSIDE added.
const RECTANGLE = 0u;
const DISC = 1u;
const POLYGON = 2u;
const HALF_SPACE = 3u;
const CLIP_BOX = 4u;
const OUTSIDE = 256u;

fn floats_at(place: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(numbers[place]);
}

// Even-odd rule: counts edges that cross the level of `p` on its right, each with its lower end only.
fn in_polygon(first: u32, count: u32, p: vec2<f32>) -> bool {
    var inside = false;
    let last = floats_at(first + (count - 1u) / 2u);
    var a = select(last.xy, last.zw, count % 2u == 0u);
    var k = 0u;
    while (k < count) {
        turns += 1u;
        let two = floats_at(first + k / 2u);
        let b = select(two.xy, two.zw, k % 2u == 1u);
        let side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        if ((a.y > p.y) != (b.y > p.y) && (side > 0.0) == (b.y > a.y)) {
            inside = !inside;
        }
        a = b;
        k += 1u;
    }
    is_cut = is_cut || k < count;
    return inside;
}

// Whether a point satisfies all bounds of its collider.
fn is_within(c: u32, p: vec3<f32>) -> bool {
    var place = colliders[c].first;
    var left = colliders[c].count;
    var is_kept = true;
    while (left != 0u && is_kept) {
        turns += 1u;
        left -= 1u;
        let header = numbers[place];
        let data = floats_at(place + 1u);
        place += header.z;
        let kind = header.x % OUTSIDE;
        var holds = true;
        if (kind == RECTANGLE) {
            holds = all(data.xy <= p.xy) && all(p.xy <= data.zw);
        } else if (kind == DISC) {
            let d = p.xy - data.xy;
            holds = sqrt(dot(d, d)) <= data.z;
        } else if (kind == POLYGON) {
            holds = in_polygon(place + 1u - header.z, header.y, p.xy);
        } else if (kind == HALF_SPACE) {
            holds = dot(data.xyz, p) <= data.w;
        } else {
            holds = all(data.xyz <= p) && all(p <= floats_at(place + 2u - header.z).xyz);
        }
        is_kept = holds == (header.x < OUTSIDE);
    }
    is_cut = is_cut || (left != 0u && is_kept);
    return is_kept;
}

// The zeros of a coordinate; of one that starts at zero, the other.
fn zeros(at: f32, rate: f32, bend: f32, starts_on_it: bool) -> vec2<f32> {
    if (starts_on_it) {
        return vec2(select(NEVER, -rate / bend, bend != 0.0), NEVER);
    }
    return quadratic(at, rate, bend);
}

fn plane_hit(c: u32, x: vec3<f32>, v: vec3<f32>, w: vec3<f32>, starts_on_it: bool, until: f32) -> Hit {
    let both = zeros(x.z, v.z, w.z, starts_on_it);
    if (both.x > earliest && both.x <= until && is_within(c, x + both.x * (v + both.x * w))) {
        return Hit(both.x, 0u);
    }
    if (both.y > earliest && both.y <= until && is_within(c, x + both.y * (v + both.y * w))) {
        return Hit(both.y, 0u);
    }
    return Hit(NEVER, 0u);
}

fn quadric_hit(c: u32, x: vec3<f32>, v: vec3<f32>, w: vec3<f32>, starts_on_it: bool, until: f32) -> Hit {
    height.x = x;
    height.v = v;
    height.w = w;
    height.a_x = colliders[c].quadric_x.xyz;
    height.a_y = colliders[c].quadric_y.xyz;
    height.a_z = colliders[c].quadric_z.xyz;
    height.b = vec3(colliders[c].quadric_x.w, colliders[c].quadric_y.w, colliders[c].quadric_z.w);
    height.c = colliders[c].constant;
    let normal = times(x) + height.b;
    let av = times(v);
    let aw = times(w);
    height.terms = vec4(2.0 * dot(v, normal), dot(v, av) + 2.0 * dot(w, normal), 2.0 * dot(v, aw), dot(w, aw));
    var roots: Roots;
    if (all(w == vec3(0.0))) {
        roots = straight_roots(starts_on_it, until);
    } else {
        roots = bent_roots(starts_on_it, until);
    }
    for (var k = 0u; k < roots.count; k++) {
        turns += 1u;
        let t = roots.at[k];
        if (is_within(c, place_after(t))) {
            return Hit(t, 0u);
        }
    }
    return Hit(NEVER, 0u);
}

// Whether a coordinate that starts on a face moves inward.
fn goes_inward(is_high: bool, rate: f32, bend: f32) -> bool {
    let way = select(bend, rate, rate != 0.0);
    return select(way > 0.0, way < 0.0, is_high);
}

// A path enters a box when it comes between the last of three pairs of planes. Whether it is between a pair
// toggles with every crossing and is never recomputed, so edges are tight.
fn box_hit(c: u32, x: vec3<f32>, v: vec3<f32>, w: vec3<f32>, start: u32, until: f32) -> Hit {
    let half = colliders[c].quadric_x.xyz;
    var crossings: array<f32, 12>;
    var between = vec3<u32>(abs(x) <= half);
    for (var face = 0u; face < 6u; face++) {
        turns += 1u;
        let k = face / 2u;
        let is_high = face % 2u == 1u;
        let starts_on_it = face == start;
        let both = zeros(x[k] - select(-half[k], half[k], is_high), v[k], w[k], starts_on_it);
        crossings[2u * face] = select(NEVER, both.x, both.x > 0.0);
        crossings[2u * face + 1u] = select(NEVER, both.y, both.y > 0.0);
        if (starts_on_it) {
            between[k] = u32(goes_inward(is_high, v[k], w[k]));
        }
    }
    for (var round = 0u; round < 12u; round++) {
        var t = NEVER;
        var which = 0u;
        for (var k = 0u; k < 12u; k++) {
            turns += 1u;
            if (crossings[k] < t) {
                t = crossings[k];
                which = k;
            }
        }
        if (t > until) {
            break;
        }
        crossings[which] = NEVER;
        let axis = which / 4u;
        let was = all(between == vec3(1u));
        between[axis] = 1u - between[axis];
        if (was != all(between == vec3(1u)) && t > earliest) {
            for (var k = 0u; k < 12u; k++) {
                turns += 1u;
                next_crossing = min(next_crossing, crossings[k]);
            }
            return Hit(t, which / 2u);
        }
    }
    return Hit(NEVER, 0u);
}

// The normal on the side that the path comes from, and in w the acceleration at which the surface curves to
// that side along the velocity.
fn facing(c: u32, element: u32, p: vec3<f32>, velocity: vec3<f32>, acceleration: vec3<f32>) -> vec4<f32> {
    let kind = colliders[c].kind;
    let row_x = colliders[c].row_x.xyz;
    let row_y = colliders[c].row_y.xyz;
    let row_z = colliders[c].row_z.xyz;
    var gradient = row_z;
    var bend = 0.0;
    if (kind == QUADRIC) {
        let q = to_frame(c, p - origin_of(c));
        let a = array(colliders[c].quadric_x, colliders[c].quadric_y, colliders[c].quadric_z);
        let g = 2.0 * vec3(dot(a[0], vec4(q, 1.0)), dot(a[1], vec4(q, 1.0)), dot(a[2], vec4(q, 1.0)));
        gradient = row_x * g.x + row_y * g.y + row_z * g.z;
        let v = to_frame(c, velocity);
        bend = 2.0 * dot(v, vec3(dot(a[0].xyz, v), dot(a[1].xyz, v), dot(a[2].xyz, v)));
    } else if (kind == BOX) {
        let row = select(select(row_z, row_y, element / 2u == 1u), row_x, element / 2u == 0u);
        gradient = select(row, -row, element % 2u == 0u);
    } else if (kind == MESH) {
        // Elements of meshes are indices in the tree until they are reported.
        let place = colliders[c].triangles + 3u * element;
        let a = floats_at(place).xyz;
        gradient = cross(floats_at(place + 1u).xyz - a, floats_at(place + 2u).xyz - a);
    }
    let size = max(max(abs(gradient.x), abs(gradient.y)), abs(gradient.z));
    if (!(size > 0.0)) {
        // The tip of a cone, or a triangle without area: straight back.
        return vec4(-direction(velocity), 0.0);
    }
    let normal = direction(gradient);
    bend = bend / dot(gradient, normal);
    let rate = dot(normal, velocity);
    let speed = sqrt(dot(velocity, velocity));
    let turn = dot(normal, acceleration) + bend;
    // A tangential path stays on the side that it curves to.
    let way = select(turn, -rate, abs(rate) > STEADY * speed);
    return vec4(normal, bend) * select(-1.0, 1.0, way >= 0.0);
}

// A speed along the normal below this part of the speed has no certain sign. 2^-20.
const STEADY = 9.5367431640625e-7;

// Every particle through a step: births, impacts and responses in order of time. The twin of
// `particles::flight`.
//
// One thread per particle. Some devices silently end loops that iterate too often, so a thread counts its
// iterations, stops at a collider or a node when they are many, and continues in the next dispatch. It also
// stops before an impact for which the list has no room: nothing is lost and nothing is done twice.

@group(0) @binding(0) var<uniform> flight: Flight;
@group(0) @binding(1) var<storage, read> particles: array<Particle>;
@group(0) @binding(2) var<storage, read_write> legs: array<Leg>;
@group(0) @binding(3) var<storage, read> colliders: array<Collider>;
// Bounds of planes and quadrics; nodes and triangles of meshes.
@group(0) @binding(4) var<storage, read> numbers: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> records: array<Record>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

var<private> leg: Leg;
var<private> acceleration: vec3<f32>;
var<private> solved: u32;

fn start_of_leg() -> vec2<u32> {
    return vec2(leg.start_low, leg.start_high);
}

fn set_start(ticks: vec2<u32>) {
    leg.start_low = ticks.x;
    leg.start_high = ticks.y;
}

fn forget_search() {
    leg.next_collider = 0u;
    leg.next_node = 0u;
    leg.found_elapsed = NEVER;
    leg.found_collider = NONE;
    leg.found_element = NONE;
    leg.runner_up = NEVER;
}

fn moves(status: u32) -> bool {
    return status == FLYING || status == SLIDING;
}

// The start of a generation.
fn birth_of(p: Particle, generation: u32) -> vec2<u32> {
    return ticks_add(vec2(p.start_low, p.start_high), ticks_times(vec2(p.life_low, p.life_high), generation));
}

// Puts a particle at the start of a generation, not yet born.
fn begin_generation(i: u32, generation: u32) {
    let p = particles[i];
    var aside = vec3(0.0);
    var faster = vec3(0.0);
    if (generation != 0u) {
        aside = spread_at(flight.position_spread, hash(vec4(flight.seed, i, generation, 0u)));
        faster = spread_at(flight.velocity_spread, hash(vec4(flight.seed, i, generation, 1u)));
    }
    leg.position = p.position + aside;
    leg.velocity = p.velocity + faster;
    set_start(birth_of(p, generation));
    leg.generation = generation;
    leg.bounce = 0u;
    leg.status = UNBORN;
    leg.collider = NONE;
    leg.element = NONE;
    forget_search();
}

fn position_after(t: f32) -> vec3<f32> {
    return leg.position + t * (leg.velocity + 0.5 * t * acceleration);
}

// The size of the terms of a position.
fn reach_after(t: f32) -> vec3<f32> {
    return abs(leg.position) + t * (abs(leg.velocity) + 0.5 * t * abs(acceleration));
}

// Error of places and boxes, relative to the largest number on the way. 2^-20.
const PLACE_ERROR = 9.5367431640625e-7;

// Time before the step is not searched again, except for this part of the time since the start of the path: a
// hit that was computed a rounding too late for the previous step must not be a rounding too early for this
// one. 2^-18.
const BORDER = 3.814697265625e-6;

// Searches a mesh from the current node; true when complete.
fn search_mesh(c: u32, swept_low: vec3<f32>, swept_high: vec3<f32>, until: f32) -> bool {
    let curtain = curtain_of(leg.velocity, acceleration);
    let first = colliders[c].first;
    let triangles = colliders[c].triangles;
    let count = colliders[c].count;
    var node = leg.next_node;
    while (node < count && turns < flight.turns) {
        turns += 1u;
        let low = numbers[first + 2u * node];
        let high = numbers[first + 2u * node + 1u];
        let is_apart =
            any(bitcast<vec3<f32>>(low.xyz) > swept_high) || any(bitcast<vec3<f32>>(high.xyz) < swept_low);
        if (is_apart) {
            node = high.w;
            continue;
        }
        let begin = low.w / 8u;
        for (var k = begin; k < begin + low.w % 8u; k++) {
            turns += 1u;
            let at = triangles + 3u * k;
            let starts_on_it = leg.collider == c && leg.element == k;
            let t = meets_triangle(
                curtain,
                leg.position,
                leg.velocity,
                0.5 * acceleration,
                floats_at(at).xyz,
                floats_at(at + 1u).xyz,
                floats_at(at + 2u).xyz,
                starts_on_it,
                until,
            );
            note_hit(c, Hit(t, k));
        }
        node += 1u;
    }
    leg.next_node = node;
    return node >= count;
}

// The public number of an element: triangles store theirs beside their first corner.
fn name_of(c: u32, element: u32) -> u32 {
    if (colliders[c].kind == MESH) {
        return numbers[colliders[c].triangles + 3u * element].w;
    }
    return element;
}

// Ties go to the lowest collider, then the lowest element.
fn note_hit(c: u32, hit: Hit) {
    if (!(hit.elapsed > earliest && hit.elapsed < NEVER)) {
        return;
    }
    let is_tie = hit.elapsed == leg.found_elapsed;
    let is_lower = c == leg.found_collider && name_of(c, hit.element) < name_of(c, leg.found_element);
    if (hit.elapsed > leg.found_elapsed || (is_tie && !is_lower)) {
        leg.runner_up = min(leg.runner_up, hit.elapsed);
        return;
    }
    leg.runner_up = min(leg.runner_up, leg.found_elapsed);
    leg.found_elapsed = hit.elapsed;
    leg.found_collider = c;
    leg.found_element = hit.element;
}

// Searches colliders from the current one; true when complete. The earliest hit is in the leg.
fn search(until: f32) -> bool {
    while (leg.next_collider < flight.colliders && turns < flight.turns) {
        turns += 1u;
        let c = leg.next_collider;
        // A little beyond the earliest hit so far: hits at about the same time must be known.
        let end = min(until, leg.found_elapsed * (1.0 + PLACE_ERROR));
        // The path stays in the hull of its control points.
        let slack = PLACE_ERROR * reach_after(end);
        let from_place = position_after(earliest);
        let to_place = position_after(end);
        let middle = from_place + 0.5 * (end - earliest) * (leg.velocity + earliest * acceleration);
        let low = min(min(from_place, to_place), middle) - slack;
        let high = max(max(from_place, to_place), middle) + slack;
        let is_apart = any(colliders[c].low > high) || any(colliders[c].high < low);
        if (!is_apart) {
            let kind = colliders[c].kind;
            if (kind == MESH) {
                if (!search_mesh(c, low, high, end)) {
                    return false;
                }
            } else {
                let starts_on_it = leg.collider == c;
                let x = to_frame(c, leg.position - origin_of(c));
                let v = to_frame(c, leg.velocity);
                let w = to_frame(c, 0.5 * acceleration);
                if (kind == PLANE) {
                    note_hit(c, plane_hit(c, x, v, w, starts_on_it, end));
                } else if (kind == QUADRIC) {
                    note_hit(c, quadric_hit(c, x, v, w, starts_on_it, end));
                } else {
                    next_crossing = NEVER;
                    note_hit(c, box_hit(c, x, v, w, select(NONE, leg.element, starts_on_it), end));
                    leg.runner_up = min(leg.runner_up, max(next_crossing, leg.found_elapsed));
                }
            }
            solved += 1u;
        }
        leg.next_collider = c + 1u;
        leg.next_node = 0u;
    }
    return leg.next_collider >= flight.colliders;
}

// Hops lower than this, relative to the largest number on the way, are rest, even without loss: 16 times the
// error of places. 2^-16.
const REST = 1.52587890625e-5;
// Part of the pull to a surface that may act along it before a particle at rest starts to slide. 2^-16.
const UNMOVED = 1.52587890625e-5;

// Records the impact found and applies the response. False if there is no room for the record.
fn meet(i: u32) -> bool {
    let c = leg.found_collider;
    let element = leg.found_element;
    let elapsed = leg.found_elapsed;
    let position = position_after(elapsed);
    let velocity = leg.velocity + elapsed * acceleration;
    let face = facing(c, element, position, velocity, acceleration);
    let normal = face.xyz;
    var time = ticks_add(start_of_leg(), ticks_from_float(elapsed * flight.ticks_per_unit));
    // Computed a rounding too early, it belongs to this step: the previous one did not report it.
    if (ticks_less(time, flight.from_time)) {
        time = flight.from_time;
    }

    let response = colliders[c].response;
    let restitution = colliders[c].restitution;
    let friction = colliders[c].friction;
    let rate = min(dot(normal, velocity), 0.0);
    let aside = (velocity - dot(normal, velocity) * normal) * (1.0 - friction);
    let leaving = -restitution * rate;
    let pull = -(dot(normal, acceleration) + face.w);
    let hop = flight.hop;
    let reach = reach_after(elapsed);
    let rest = REST * max(max(reach.x, reach.y), reach.z);
    let loses = restitution < 1.0;
    let is_low = select(leaving * leaving <= 2.0 * pull * rest, 2.0 * leaving < pull * hop, loses);
    let has_piled = response == BOUNCE && pull > 0.0 && is_low;
    let slow = 0.5 * pull * hop;
    let drawn = acceleration - dot(normal, acceleration) * normal;
    let drifts = dot(aside, aside) > slow * slow || dot(drawn, drawn) > UNMOVED * UNMOVED * pull * pull;
    let rests = has_piled && (friction > 0.0 || !drifts);
    let is_touch = has_piled && leg.status == SLIDING && -rate <= pull * hop;

    if (is_touch) {
        atomicAdd(&counters[TOUCHES], 1u);
    } else {
        let place = atomicAdd(&counters[RECORDS], 1u);
        if (place >= flight.capacity) {
            return false;
        }
        records[place] = Record(
            position,
            time.x,
            normal,
            time.y,
            velocity,
            i,
            leg.generation,
            leg.bounce,
            c,
            name_of(c, element),
        );
        leg.bounce = select(leg.bounce + 1u, NONE, leg.bounce == NONE);
    }

    // At an edge or a corner other surfaces are as near: the path restarts slightly earlier, where they are
    // still ahead.
    let length = max(max(reach.x, reach.y), reach.z);
    let speed = sqrt(dot(velocity, velocity));
    let apart = (leg.runner_up - elapsed) * speed;
    let back = select(0.0, min(PLACE_ERROR * length / speed, elapsed), apart <= PLACE_ERROR * length);
    leg.position = position_after(elapsed - back);
    set_start(time);
    leg.collider = c;
    leg.element = element;
    forget_search();
    leg.velocity = vec3(0.0);
    if (response == ELIMINATE) {
        leg.status = GONE;
    } else if (response == STICK) {
        leg.status = STUCK;
    } else if (rests) {
        leg.status = RESTING;
    } else if (has_piled) {
        leg.status = SLIDING;
        leg.velocity = aside + slow * normal;
    } else {
        leg.status = FLYING;
        leg.velocity = aside + leaving * normal;
    }
    return true;
}



// Stops at a time.
fn stop(ticks: vec2<u32>, status: u32) {
    if (moves(leg.status) && !ticks_less(ticks, start_of_leg())) {
        let elapsed = ticks_to_float(ticks_subtract(ticks, start_of_leg())) * flight.units_per_tick;
        leg.position = position_after(elapsed);
    }
    set_start(ticks);
    leg.velocity = vec3(0.0);
    leg.status = status;
    forget_search();
}

// Result of an iteration of the outer loop.
const GOES_ON = 0u;
const IS_DONE = 1u;
const WAITS = 2u;

// One event, or as much of the search for it as the iteration limit allows.
fn advance(i: u32) -> u32 {
    let p = particles[i];
    if (leg.status == ENDED) {
        return IS_DONE;
    }
    if (leg.status == UNBORN) {
        if (ticks_less(flight.horizon, start_of_leg())) {
            return IS_DONE;
        }
        leg.status = FLYING;
        atomicAdd(&counters[BIRTHS], 1u);
        return GOES_ON;
    }
    let end = birth_of(p, leg.generation + 1u);
    let ends = p.is_endless == 0u && !ticks_less(flight.horizon, end);
    if (moves(leg.status)) {
        var limit = flight.horizon;
        if (ends) {
            limit = end;
        }
        var until = 0.0;
        if (ticks_less(start_of_leg(), limit)) {
            until = ticks_to_float(ticks_subtract(limit, start_of_leg())) * flight.units_per_tick;
        }
        earliest = 0.0;
        if (ticks_less(start_of_leg(), flight.from_time)) {
            let after = ticks_to_float(ticks_subtract(flight.from_time, start_of_leg()));
            earliest = after * flight.units_per_tick * (1.0 - BORDER);
        }
        if (until > 0.0) {
            if (!search(until)) {
                return WAITS;
            }
            if (leg.found_collider != NONE) {
                if (!meet(i)) {
                    return WAITS;
                }
                leg.events += 1u;
                return GOES_ON;
            }
        }
    }
    if (!ends) {
        return IS_DONE;
    }
    leg.events += 1u;
    if (leg.generation + 1u >= flight.generations) {
        stop(end, ENDED);
        return IS_DONE;
    }
    begin_generation(i, leg.generation + 1u);
    return GOES_ON;
}

@compute @workgroup_size(64)
fn prepare(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if (i >= flight.particles) {
        return;
    }
    begin_generation(i, 0u);
    if (flight.generations == 0u) {
        leg.status = ENDED;
    }
    legs[i] = leg;
}

@compute @workgroup_size(64)
fn fly(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if (i >= flight.particles || (flight.goes_on != 0u && legs[i].is_done != 0u)) {
        return;
    }
    leg = legs[i];
    acceleration = particles[i].acceleration;
    turns = 0u;
    solved = 0u;
    is_cut = false;
    if (flight.goes_on == 0u) {
        leg.events = 0u;
        forget_search();
    }
    var what = GOES_ON;
    while (what == GOES_ON) {
        turns += 1u;
        if (leg.events < flight.most_events) {
            what = advance(i);
        } else {
            let place = atomicAdd(&counters[RECORDS], 1u);
            if (place < flight.capacity) {
                let none = vec3(0.0);
                records[place] = Record(none, 0u, none, 0u, none, i, leg.generation, leg.bounce, EXHAUSTION, 0u);
                stop(flight.horizon, EXHAUSTED);
                what = IS_DONE;
            } else {
                what = WAITS;
            }
        }
        if (what == GOES_ON && turns >= flight.turns) {
            what = WAITS;
        }
    }
    leg.is_done = u32(what == IS_DONE);
    legs[i] = leg;
    if (what != IS_DONE) {
        atomicAdd(&counters[UNFINISHED], 1u);
    }
    if (is_cut || what == GOES_ON) {
        atomicOr(&counters[CUT], 1u);
    }
    if (what == IS_DONE && moves(leg.status)) {
        atomicAdd(&counters[MOVED], 1u);
    }
    if (solved != 0u) {
        let before = atomicAdd(&counters[SOLVED_LOW], solved);
        if (before + solved < before) {
            atomicAdd(&counters[SOLVED_HIGH], 1u);
        }
    }
}

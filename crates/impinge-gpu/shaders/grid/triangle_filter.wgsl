// The triangles that can be in a contact: boxes, regions of overlap, voxels. The twin of
// `grid::triangle_filter`.

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<storage, read> bodies: array<BodyInRegion>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> placed: array<vec4<f32>>;
// Two vec4 per box: low corner and triangle, high corner and owner bits.
@group(0) @binding(4) var<storage, read_write> boxes: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> voxels: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> records: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;
// Boxes that cover more than `MAX_VOXELS_PER_THREAD` voxels.
@group(0) @binding(8) var<storage, read_write> wide_boxes: array<u32>;
// The counters before this stage.
@group(0) @binding(9) var<uniform> counted: array<vec4<u32>, 16>;

// Triangles per thread: bodies begin at multiples of 32, so all are of one body.
const RUN = 8u;
const SEVERAL = 0xffffffffu;
// Boxes over more voxels are marked by a whole workgroup.
const MAX_VOXELS_PER_THREAD = 64u;
const THREADS = 64u;
// `tolerance::BOX_ERRORS`; and 8 times 2^-24: `tolerance::BOX_ROUNDOFFS`.
const BOX_ERRORS = 1.5;
const BOX_ROUNDING = 4.7683716e-7;

// The box of a triangle widened by the error of its corners: proof in `grid::triangle_filter`.
fn low_of(p: vec3<f32>, q: vec3<f32>, r: vec3<f32>, wide: f32) -> vec3<f32> {
    let least = min(min(p, q), r);
    return least - (wide + BOX_ROUNDING * abs(least));
}

fn high_of(p: vec3<f32>, q: vec3<f32>, r: vec3<f32>, wide: f32) -> vec3<f32> {
    let most = max(max(p, q), r);
    return most + (wide + BOX_ROUNDING * abs(most));
}

fn voxel(x: vec3<f32>) -> vec3<u32> {
    return min(vec3<u32>(clamp((x - cull.low) * cull.voxels_per_unit, vec3(0.0), vec3(1024.0))), cull.voxels - 1u);
}

fn volume(low: vec3<u32>, high: vec3<u32>) -> u32 {
    let size = high - low + 1u;
    return size.x * size.y * size.z;
}

fn mark(at: vec3<u32>, body: u32) {
    let index = (at.z * cull.voxels.y + at.y) * cull.voxels.x + at.x;
    let there = atomicLoad(&voxels[index]);
    if (there == 0u) {
        let before = atomicCompareExchangeWeak(&voxels[index], 0u, body + 1u);
        // A weak exchange may fail spuriously: the voxel then counts as shared, which keeps too much, never
        // too little.
        if (!before.exchanged && before.old_value != body + 1u) {
            atomicStore(&voxels[index], SEVERAL);
        }
    } else if (there != body + 1u && there != SEVERAL) {
        atomicStore(&voxels[index], SEVERAL);
    }
}

// An extent in summation units: at least one, or a flat body would have infinitely many cells across it.
fn steps(extent: vec3<f32>) -> vec3<u32> {
    return vec3<u32>(min(extent, vec3(4.0)) * EXTENT_STEPS) + 1u;
}

fn add_extent(axis: u32, sum: u32) {
    let before = atomicAdd(&counters[EXTENTS + 2u * axis], sum);
    if (before + sum < before) {
        atomicAdd(&counters[EXTENTS + 2u * axis + 1u], 1u);
    }
}

fn corner(triangle: u32, k: u32) -> vec3<f32> {
    return placed[triangles[3u * triangle + k]].xyz;
}

fn write_record(at: u32, triangle: u32, low: vec3<f32>, high: vec3<f32>, owner: u32, error: f32) {
    if (at >= cull.records) {
        return;
    }
    let first = RECORD * at;
    let v = vec3(triangles[3u * triangle], triangles[3u * triangle + 1u], triangles[3u * triangle + 2u]);
    records[first] = vec4(bitcast<vec3<u32>>(low), triangle);
    records[first + 1u] = vec4(bitcast<vec3<u32>>(high), owner);
    let p = bitcast<vec4<u32>>(placed[v.x]);
    let q = bitcast<vec4<u32>>(placed[v.y]);
    let r = bitcast<vec4<u32>>(placed[v.z]);
    records[first + 2u] = vec4(p.xyz, v.x | (p.w & CERTIFIED));
    records[first + 3u] = vec4(q.xyz, v.y | (q.w & CERTIFIED));
    records[first + 4u] = vec4(r.xyz, v.z | (r.w & CERTIFIED));
    records[first + 5u] = vec4(0u, 0u, bitcast<u32>(error), 0u);
}

// Boxes of all triangles. Those that intersect the region of overlap of their body are kept and mark voxels;
// so are all triangles of bodies with self-collision.
@compute @workgroup_size(THREADS)
fn triangle_filter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let run = id.x + id.y * groups.x * THREADS;
    if (run >= cull.triangles / RUN) {
        return;
    }
    let first = run * RUN;
    let body = bitcast<u32>(placed[triangles[3u * first]].w) & OWNER_BODY;
    if (body == NOBODY || triangles[3u * first] == 0u) {
        return;
    }
    let flags = bodies[body].flags;
    if (flags == 0u) {
        return;
    }
    let error = bodies[body].error;
    let body_low = bodies[body].low;
    let body_high = bodies[body].high;
    let wide = BOX_ERRORS * error;
    let itself = (flags & SELF_COLLISION) != 0u;
    // The condition must depend on more than the uniform: some drivers recompile a shader whenever a uniform
    // that it branches on is bound.
    let by_voxels = (cull.meets & flags & ACTIVE) != 0u;
    var kept = 0u;
    // A bound unknown to the compiler keeps it from unrolling the loop.
    for (var k = 0u; k < min(RUN, cull.triangles - first); k += 1u) {
        let triangle = first + k;
        // Padding triangles have vertex 0.
        if (triangles[3u * triangle] != 0u) {
            let p = corner(triangle, 0u);
            let q = corner(triangle, 1u);
            let r = corner(triangle, 2u);
            let low = low_of(p, q, r, wide);
            let high = high_of(p, q, r, wide);
            let is_here = dot(low, cull.axis) < cull.subregion_high && dot(high, cull.axis) >= cull.subregion_low;
            if (is_here && (itself || (all(low <= body_high) && all(body_low <= high)))) {
                kept |= 1u << k;
            }
        }
    }
    var left = kept;
    var at = 0u;
    if (left != 0u) {
        at = reserve(select(RECORDS, BOXES, by_voxels), countOneBits(left));
    }
    var extents = vec3(0u);
    while (left != 0u) {
        let triangle = first + firstTrailingBit(left);
        left &= left - 1u;
        let p = corner(triangle, 0u);
        let q = corner(triangle, 1u);
        let r = corner(triangle, 2u);
        let low = low_of(p, q, r, wide);
        let high = high_of(p, q, r, wide);
        let meets = all(low <= body_high) && all(body_low <= high);
        let owner = body | select(0u, OWNER_SELF_COLLISION, itself) | select(0u, OWNER_MEETS_OTHERS, meets);
        if (!by_voxels) {
            write_record(at, triangle, low, high, owner, error);
            extents += steps(high - low);
        } else if (at < cull.boxes) {
            boxes[2u * at] = vec4(bitcast<vec3<u32>>(low), triangle);
            boxes[2u * at + 1u] = vec4(bitcast<vec3<u32>>(high), owner);
            let from_voxel = voxel(low);
            let to_voxel = voxel(high);
            if (meets && volume(from_voxel, to_voxel) > MAX_VOXELS_PER_THREAD) {
                wide_boxes[reserve(WIDE_BOXES, 1u)] = at;
            } else if (meets) {
                var here = from_voxel;
                for (var k = volume(from_voxel, to_voxel); k != 0u; k -= 1u) {
                    mark(here, body);
                    here = next_cell(here, from_voxel, to_voxel);
                }
            }
        }
        at += 1u;
    }
    if (!by_voxels && kept != 0u) {
        add_extent(0u, extents.x);
        add_extent(1u, extents.y);
        add_extent(2u, extents.z);
    }
}

// Marks the voxels of boxes over very many, one workgroup each: only those that the plane of the triangle
// intersects, or a few large triangles would keep everything.
@compute @workgroup_size(THREADS)
fn mark_wide(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let count = min(count_of(WIDE_BOXES), cull.boxes);
    var left = rounds(group.x, count, groups.x);
    for (var item = group.x; item < count; item += groups.x) {
        left -= 1u;
        let at = wide_boxes[item];
        let from_voxel = voxel(bitcast<vec3<f32>>(boxes[2u * at].xyz));
        let to_voxel = voxel(bitcast<vec3<f32>>(boxes[2u * at + 1u].xyz));
        let body = boxes[2u * at + 1u].w & BODY;
        let triangle = boxes[2u * at].w;
        let corners = Corners(
            corner(triangle, 0u),
            corner(triangle, 1u),
            corner(triangle, 2u),
            vec3(0u),
            bodies[body].error,
        );
        let edge = 1.0 / cull.voxels_per_unit;
        let size = to_voxel - from_voxel + 1u;
        var voxels_left = rounds(thread, size.x * size.y * size.z, THREADS);
        for (var k = thread; k < size.x * size.y * size.z; k += THREADS) {
            voxels_left -= 1u;
            let here = from_voxel + vec3(k % size.x, (k / size.x) % size.y, k / (size.x * size.y));
            // A little larger than the voxel, for the rounding of its borders; the outermost voxels reach as
            // far as the box.
            let middle = cull.low + (vec3<f32>(here) + 0.5) * edge;
            let low = select(middle - 0.55 * edge, min(middle - 0.55 * edge, floats(boxes[2u * at])), here == vec3(0u));
            let high = select(
                middle + 0.55 * edge,
                max(middle + 0.55 * edge, floats(boxes[2u * at + 1u])),
                here == cull.voxels - 1u,
            );
            if (reaches_plane(corners, low, high)) {
                mark(here, body);
            }
        }
        finished(voxels_left);
    }
    finished(left);
}

// Boxes in voxels touched by several bodies, and all of bodies with self-collision, become records.
@compute @workgroup_size(THREADS)
fn voxel_filter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let count = min(count_of(BOXES), cull.boxes);
    var runs_left = rounds(id.x, (count + RUN - 1u) / RUN, groups.x * THREADS);
    for (var run = id.x; run < (count + RUN - 1u) / RUN; run += groups.x * THREADS) {
        runs_left -= 1u;
        var kept = 0u;
        for (var k = 0u; k < min(RUN, count - run * RUN); k += 1u) {
            let at = run * RUN + k;
            {
                let owner = boxes[2u * at + 1u].w;
                var several = (owner & OWNER_SELF_COLLISION) != 0u;
                if (!several && (owner & OWNER_MEETS_OTHERS) != 0u) {
                    let from_voxel = voxel(bitcast<vec3<f32>>(boxes[2u * at].xyz));
                    let to_voxel = voxel(bitcast<vec3<f32>>(boxes[2u * at + 1u].xyz));
                    several = volume(from_voxel, to_voxel) > MAX_VOXELS_PER_THREAD;
                    var here = from_voxel;
                    for (var left = volume(from_voxel, to_voxel); left != 0u && !several; left -= 1u) {
                        let index = (here.z * cull.voxels.y + here.y) * cull.voxels.x + here.x;
                        several = atomicLoad(&voxels[index]) == SEVERAL;
                        here = next_cell(here, from_voxel, to_voxel);
                    }
                }
                kept |= select(0u, 1u << k, several);
            }
        }
        var at = 0u;
        if (kept != 0u) {
            at = reserve(RECORDS, countOneBits(kept));
        }
        var extents = vec3(0u);
        var left = kept;
        while (left != 0u) {
            let from_box = run * RUN + firstTrailingBit(left);
            left &= left - 1u;
            let low = boxes[2u * from_box];
            let high = boxes[2u * from_box + 1u];
            write_record(at, low.w, floats(low), floats(high), high.w, bodies[high.w & BODY].error);
            extents += steps(floats(high) - floats(low));
            at += 1u;
        }
        if (kept != 0u) {
            add_extent(0u, extents.x);
            add_extent(1u, extents.y);
            add_extent(2u, extents.z);
        }
    }
    finished(runs_left);
}

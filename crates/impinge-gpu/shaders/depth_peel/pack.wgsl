// Stream compaction (3): a prefix sum of the flags, then every item to its place. The twin of
// `depth_peel::pack`.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
// For every word of flags, the number of flags set before it.
@group(0) @binding(2) var<storage, read_write> before: array<u32>;
@group(0) @binding(3) var<storage, read_write> counters: array<u32>;
@group(0) @binding(4) var<storage, read> sparse: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> dense: array<u32>;

const THREADS = 256u;
var<workgroup> sums: array<u32, THREADS>;

// One workgroup: every thread counts a run of words, the runs are summed, and every thread writes the prefix
// sums of its run.
@compute @workgroup_size(THREADS)
fn running_count(@builtin(local_invocation_index) thread: u32) {
    let words = frame.triangles / 32u;
    let run = (words + THREADS - 1u) / THREADS;
    let first = min(thread * run, words);
    let last = min(first + run, words);
    var count = 0u;
    for (var word = first; word < last; word += 1u) {
        count += countOneBits(flags[word]);
    }
    sums[thread] = count;
    workgroupBarrier();
    // After every step, a sum covers twice as many threads before it.
    for (var step = 1u; step < THREADS; step *= 2u) {
        var earlier = 0u;
        if (thread >= step) {
            earlier = sums[thread - step];
        }
        workgroupBarrier();
        sums[thread] += earlier;
        workgroupBarrier();
    }
    var running = sums[thread] - count;
    for (var word = first; word < last; word += 1u) {
        before[word] = running;
        if (word == frame.external_word) {
            counters[PACKED_BEFORE_EXTERNAL] = running;
        }
        running += countOneBits(flags[word]);
    }
    if (thread == THREADS - 1u) {
        counters[PACKED] = sums[thread];
        if (frame.external_word >= words) {
            counters[PACKED_BEFORE_EXTERNAL] = sums[thread];
        }
    }
}

// One thread per word of flags.
@compute @workgroup_size(64)
fn pack(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let word = id.x + id.y * groups.x * 64u;
    if (word >= frame.triangles / 32u) {
        return;
    }
    var left = flags[word];
    var item = before[word];
    while (left != 0u) {
        let triangle = 32u * word + firstTrailingBit(left);
        left &= left - 1u;
        let rectangle = bitcast<vec4<u32>>(sparse[triangle]);
        dense[5u * item] = triangle;
        dense[5u * item + 1u] = rectangle.x;
        dense[5u * item + 2u] = rectangle.y;
        dense[5u * item + 3u] = rectangle.z;
        dense[5u * item + 4u] = rectangle.w;
        item += 1u;
    }
}

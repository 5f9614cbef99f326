// Starting conditions of later generations. The twin of `particles::rebirth`, with the same bits of the hash.

fn hash(words: vec4<u32>) -> vec4<u32> {
    var v = words * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> vec4(16u);
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

// Sine and cosine of an angle in turns, 0 to 1. The built-in functions may have an error of 2^-11.
fn turned(part: f32) -> vec2<f32> {
    let quarter = round(part * 4.0);
    let x = (part - quarter * 0.25) * 6.2831855;
    let y = x * x;
    let sine = x * (1.0 + y * (-1.6666667e-1 + y * (8.3333310e-3 + y * (-1.9840874e-4 + y * 2.7525562e-6))));
    let cosine = 1.0 + y * (-0.5 + y * (4.1666668e-2 + y * (-1.3888889e-3 + y * 2.4801587e-5)));
    let which = u32(quarter) % 4u;
    let swapped = select(vec2(sine, cosine), vec2(cosine, -sine), which % 2u == 1u);
    return select(swapped, -swapped, which >= 2u);
}

fn cube_root(c: f32) -> f32 {
    if (c <= 0.0) {
        return 0.0;
    }
    let y = exp2(log2(c) / 3.0);
    return y - (y * y * y - c) / (3.0 * y * y);
}

fn spread_at(spread: vec4<f32>, words: vec4<u32>) -> vec3<f32> {
    // 24 bits: exact.
    let fractions = vec3<f32>(words.xyz >> vec3(8u)) * (1.0 / 16777216.0);
    if (spread.w == 0.0) {
        return vec3(0.0);
    }
    if (spread.w == 1.0) {
        return (2.0 * fractions - 1.0) * spread.xyz;
    }
    let height = 2.0 * fractions.x - 1.0;
    let turn = turned(fractions.y);
    let across = sqrt(max(1.0 - height * height, 0.0));
    return spread.x * cube_root(fractions.z) * vec3(across * turn.y, across * turn.x, height);
}

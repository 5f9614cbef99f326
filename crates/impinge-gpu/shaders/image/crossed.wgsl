// Which pixel centres a triangle covers.

// The centre of a pixel, as a product: a compiler could reassociate a sum.
fn middle_of(x: u32, y: u32) -> vec2<f32> {
    return vec2(f32(2u * x + 1u), f32(2u * y + 1u)) * 0.5;
}

// Extends the range by the crossing of a row with a side, if there is one.
fn cross_side(first: vec3<f32>, second: vec3<f32>, row: f32, range: vec2<f32>) -> vec2<f32> {
    var a = first;
    var b = second;
    if (first.y > second.y) {
        a = second;
        b = first;
    }
    if (a.y <= row && row < b.y) {
        let at = a.x + (row - a.y) * ((b.x - a.x) * (1.0 / (b.y - a.y)));
        return vec2(min(range.x, at), max(range.y, at));
    }
    return range;
}

// The interval in which a triangle covers a row of pixel centres; empty intervals are reversed. The twin of
// `image::crossed`.
fn crossed(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, row: f32) -> vec2<f32> {
    return cross_side(c, a, row, cross_side(b, c, row, cross_side(a, b, row, vec2(1e38, -1e38))));
}

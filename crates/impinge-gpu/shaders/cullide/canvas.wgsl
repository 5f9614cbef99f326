// Corners of triangles, or of the boxes around them, to clip space. No colour is written: only depth is
// tested and stored. The twin of `cullide::Canvas`.

@group(0) @binding(0) var<uniform> frame: Frame;

@vertex
fn corner(@location(0) place: vec4<f32>) -> @builtin(position) vec4<f32> {
    let size = vec2(f32(frame.width), f32(frame.height));
    return vec4(place.x * 2.0 / size.x - 1.0, 1.0 - place.y * 2.0 / size.y, place.z, 1.0);
}

// The corners of a record.
fn corners_of(at: u32) -> Corners {
    let p = records[RECORD * at + 2u];
    let q = records[RECORD * at + 3u];
    let r = records[RECORD * at + 4u];
    let error = bitcast<f32>(records[RECORD * at + 5u].z);
    return Corners(floats(p), floats(q), floats(r), vec3(p.w, q.w, r.w), error);
}

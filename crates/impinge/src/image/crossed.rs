//! Which pixel centres of a row a triangle covers, in floats: the same sums in the same order as
//! `crossed.wgsl`.

/// The half-open interval of a row of pixel centres that a triangle covers. Of all triangles around a vertex
/// or along a side, those cover a centre whose sides it is between. Every side is crossed at one place of a
/// row, for all triangles that have it; on devices that round the same sum differently in different places,
/// at places closer together than errors are. So a closed surface covers every centre that no side is that
/// near to an even number of times.
#[inline]
pub(crate) fn crossed(corners: &[[f32; 3]; 3], y: u32) -> Option<[f32; 2]> {
    let row = (2 * y + 1) as f32 * 0.5;
    let mut range = [f32::INFINITY, f32::NEG_INFINITY];
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        if a[1] <= row && row < b[1] {
            let at = a[0] + (row - a[1]) * ((b[0] - a[0]) * (1.0 / (b[1] - a[1])));
            range = [range[0].min(at), range[1].max(at)];
        }
    }
    (range[0] < range[1]).then_some(range)
}

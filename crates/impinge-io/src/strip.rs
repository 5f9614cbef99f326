//! Strips and fans of vertex numbers to triangles, as PLY and glTF define them.

/// Every vertex after the second makes a triangle with the two before it, in turn one way and the other. One
/// that has a vertex twice is a stitch between two strips, not a part of the surface.
pub(crate) fn strip_triangles(strip: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let oriented = |(index, window): (usize, &[u32])| match (index % 2, window) {
        (0, &[a, b, c]) => Some([a, b, c]),
        (_, &[a, b, c]) => Some([b, a, c]),
        _ => None,
    };
    strip.windows(3).enumerate().filter_map(oriented).filter(|[a, b, c]| a != b && b != c && c != a)
}

/// Every vertex after the second makes a triangle with the one before it and the first.
pub(crate) fn fan_triangles(fan: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    fan.windows(2).skip(1).map(move |pair| [fan[0], pair[0], pair[1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_turns_every_second_triangle() {
        assert_eq!(strip_triangles(&[0, 1, 2, 3, 4]).collect::<Vec<_>>(), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
        assert_eq!(strip_triangles(&[0, 1]).count(), 0);
    }

    #[test]
    fn stitches_between_strips_are_left_out() {
        let strip = [0, 1, 2, 2, 3, 3, 4, 5];
        assert_eq!(strip_triangles(&strip).collect::<Vec<_>>(), [[0, 1, 2], [4, 3, 5]].map(|t| t));
    }

    #[test]
    fn a_fan_turns_about_its_first_vertex() {
        assert_eq!(fan_triangles(&[7, 1, 2, 3]).collect::<Vec<_>>(), [[7, 1, 2], [7, 2, 3]]);
        assert_eq!(fan_triangles(&[7]).count(), 0);
    }
}

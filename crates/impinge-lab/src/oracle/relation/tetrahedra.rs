//! Tetrahedra cut by half-spaces, in integers that never round.
//!
//! A point is `(x, y, z, w)` and stands for `(x / w, y / w, z / w)`, `w > 0`, with no common divisor. What a half-space leaves of
//! a tetrahedron is a tetrahedron, a pyramid or a prism, which is cut into tetrahedra again. What has no volume is dropped.

use num_bigint::BigInt;

pub(super) type Homogeneous = [BigInt; 4];
pub(super) type Tetrahedron = [Homogeneous; 4];

/// `plane . point >= 0`.
pub(super) type Plane = [BigInt; 4];

/// A point whose coordinates are integers.
pub(super) fn point([x, y, z]: [BigInt; 3]) -> Homogeneous {
    [x, y, z, BigInt::from(1)]
}

/// Positive on the side that `inside` is on.
fn plane_through([a, b, c]: [&Homogeneous; 3], inside: &Homogeneous) -> Plane {
    // The 3 x 3 minors of the three rows: zero at each of them.
    let minor = |skip: usize| {
        let columns: Vec<usize> = (0..4).filter(|&i| i != skip).collect();
        let [i, j, k] = [columns[0], columns[1], columns[2]];
        let value = &a[i] * (&b[j] * &c[k] - &b[k] * &c[j]) - &a[j] * (&b[i] * &c[k] - &b[k] * &c[i])
            + &a[k] * (&b[i] * &c[j] - &b[j] * &c[i]);
        if skip.is_multiple_of(2) { value } else { -value }
    };
    let plane = [minor(0), minor(1), minor(2), minor(3)];
    if side(&plane, inside) < BigInt::ZERO { plane.map(|x| -x) } else { plane }
}

pub(super) fn side(plane: &Plane, p: &Homogeneous) -> BigInt {
    plane.iter().zip(p).map(|(a, b)| a * b).sum()
}

/// The inner sides of the four faces of a tetrahedron, which has a volume.
pub(super) fn planes(t: &Tetrahedron) -> [Plane; 4] {
    [[1, 2, 3, 0], [0, 2, 3, 1], [0, 1, 3, 2], [0, 1, 2, 3]]
        .map(|[i, j, k, l]| plane_through([&t[i], &t[j], &t[k]], &t[l]))
}

fn divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b != BigInt::ZERO {
        let rest = &a % &b;
        a = b;
        b = rest;
    }
    a
}

/// Where the segment from `p`, on one side, to `q`, on the other, passes through the plane.
fn crossing(p: &Homogeneous, at_p: &BigInt, q: &Homogeneous, at_q: &BigInt) -> Homogeneous {
    let mixed = [0, 1, 2, 3].map(|i| &p[i] * at_q - &q[i] * at_p);
    let common = mixed.iter().fold(BigInt::ZERO, |common, x| divisor(&common, x));
    let common = if (mixed[3] < BigInt::ZERO) == (common < BigInt::ZERO) { common } else { -common };
    mixed.map(|x| x / &common)
}

/// What of a tetrahedron is on the positive side of a plane, with a volume.
fn kept(t: &Tetrahedron, plane: &Plane) -> Vec<Tetrahedron> {
    let at: Vec<BigInt> = t.iter().map(|p| side(plane, p)).collect();
    let corners = |test: &dyn Fn(&BigInt) -> bool| (0..4).filter(|&i| test(&at[i])).collect::<Vec<usize>>();
    let inside = corners(&|x| *x > BigInt::ZERO);
    let outside = corners(&|x| *x < BigInt::ZERO);
    let on = corners(&|x| *x == BigInt::ZERO);
    let p = |i: usize| t[i].clone();
    let cut = |i: usize, j: usize| crossing(&t[i], &at[i], &t[j], &at[j]);
    // Two triangles whose corners belong together are the ends of a prism.
    let prism = |[a, b, c]: [Homogeneous; 3], [d, e, f]: [Homogeneous; 3]| {
        vec![[a.clone(), b.clone(), c.clone(), f.clone()], [a.clone(), b, e.clone(), f.clone()], [a, d, e, f]]
    };
    match (inside.as_slice(), outside.as_slice()) {
        ([], _) => Vec::new(),
        (_, []) => vec![t.clone()],
        (&[a], outside) => {
            let mut rest = outside.iter().map(|&o| cut(a, o)).chain(on.iter().map(|&i| p(i)));
            // One corner and three others.
            let mut next = || rest.next().unwrap_or_else(|| p(a));
            vec![[p(a), next(), next(), next()]]
        }
        (&[a, b], &[c]) => {
            let apex = p(on[0]);
            vec![[apex.clone(), p(a), p(b), cut(b, c)], [apex, p(a), cut(b, c), cut(a, c)]]
        }
        (&[a, b], &[c, d]) => prism([p(a), cut(a, c), cut(a, d)], [p(b), cut(b, c), cut(b, d)]),
        (&[a, b, c], &[d]) => prism([p(a), p(b), p(c)], [cut(a, d), cut(b, d), cut(c, d)]),
        _ => Vec::new(), // no tetrahedron has more corners
    }
}

/// Whether two tetrahedra share a volume.
pub(super) fn share_a_volume(a: &Tetrahedron, b: &[Plane; 4]) -> bool {
    let left =
        b.iter().fold(vec![a.clone()], |left, plane| left.iter().flat_map(|t| kept(t, plane)).collect());
    !left.is_empty()
}

/// Whether some volume of a tetrahedron is in none of the others.
pub(super) fn sticks_out(t: &Tetrahedron, others: &[&[Plane; 4]]) -> bool {
    let Some((first, rest)) = others.split_first() else { return true };
    if !share_a_volume(t, first) {
        return sticks_out(t, rest);
    }
    // What is beyond the first plane, what is within it and beyond the second, and so on.
    let mut within = vec![t.clone()];
    for plane in *first {
        let beyond = plane.each_ref().map(|x| -x);
        if within.iter().flat_map(|t| kept(t, &beyond)).any(|t| sticks_out(&t, rest)) {
            return true;
        }
        within = within.iter().flat_map(|t| kept(t, plane)).collect();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron(corners: [[i64; 3]; 4]) -> Tetrahedron {
        corners.map(|p| point(p.map(BigInt::from)))
    }

    #[test]
    fn tetrahedra_share_a_volume_or_a_border() {
        let t = |x: i64| tetrahedron([[x, 0, 0], [x + 4, 0, 0], [x, 4, 0], [x, 0, 4]]);
        for (x, share) in [(0, true), (1, true), (3, true), (4, false), (-3, true), (-4, false), (9, false)] {
            assert_eq!(share_a_volume(&t(x), &planes(&t(0))), share, "{x}");
        }
        let below = tetrahedron([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, -4]]);
        assert!(!share_a_volume(&below, &planes(&t(0))));
    }

    #[test]
    fn nothing_sticks_out_of_two_halves() {
        let halves = [1, -1].map(|x| tetrahedron([[0, 0, 0], [0, 4, 0], [0, 0, 4], [4 * x, 0, 0]]));
        let halves = halves.each_ref().map(planes);
        let across = tetrahedron([[-3, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]]);
        assert!(!sticks_out(&across, &[&halves[0], &halves[1]]));
        assert!(sticks_out(&across, &[&halves[0]]));
        let larger = tetrahedron([[-3, 0, 0], [5, 0, 0], [0, 3, 0], [0, 0, 3]]);
        assert!(sticks_out(&larger, &[&halves[0], &halves[1]]));
    }
}

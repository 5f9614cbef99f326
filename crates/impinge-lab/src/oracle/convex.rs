//! A triangle as an intersection of half-spaces, and the part of a convex hull inside a half-space, in integers.
//!
//! The idea, for convex sets of any dimension in any position: a set is kept as a list of points whose hull it
//! is. Cutting by a half-space keeps the points inside it and adds, for every pair of one point strictly inside
//! and one strictly outside, the point where their segment crosses the boundary.
//!
//! Why the hull of that list is what is left: all of the list is in the hull and in the half-space, so its hull
//! is too. And every extreme point of what is left is either an extreme point of the hull, hence listed, or it
//! lies on the boundary inside an edge of the hull, whose two ends are listed points strictly on both sides.

use num_bigint::BigInt;

/// The point `(x / w, y / w, z / w)` as `[x, y, z, w]` with `w > 0`.
pub(super) type Homogeneous = [BigInt; 4];

/// All points with `h[0] x + h[1] y + h[2] z + h[3] >= 0`.
pub(super) struct HalfSpace([BigInt; 4]);

impl HalfSpace {
    /// `normal . (x - through) >= 0`.
    fn new(normal: [BigInt; 3], through: &[BigInt; 3]) -> Self {
        let offset = -dot(&normal, through);
        let [x, y, z] = normal;
        Self([x, y, z, offset])
    }

    /// Positive strictly inside, zero on the boundary: the distance times positive numbers.
    fn side(&self, point: &Homogeneous) -> BigInt {
        dot(&self.0, point)
    }

    /// Whether the point is inside or on the boundary.
    pub(super) fn holds(&self, point: &Homogeneous) -> bool {
        self.side(point) >= BigInt::ZERO
    }

    /// Points whose hull is the part of the hull of `points` inside the half-space. Takes the points first so
    /// that cutting by one half-space after another is a fold.
    pub(super) fn cut(points: Vec<Homogeneous>, half_space: &Self) -> Vec<Homogeneous> {
        let sides: Vec<BigInt> = points.iter().map(|p| half_space.side(p)).collect();
        let mut crossings = Vec::new();
        for (inside, s) in points.iter().zip(&sides).filter(|(_, s)| **s > BigInt::ZERO) {
            for (outside, t) in points.iter().zip(&sides).filter(|(_, t)| **t < BigInt::ZERO) {
                // s > 0 > t: both weights are positive, so this is a point between the two, and its side is
                // s * t - t * s = 0.
                let between = |i: usize| &outside[i] * s - &inside[i] * t;
                crossings.push([between(0), between(1), between(2), between(3)]);
            }
        }
        let kept = points.into_iter().zip(sides).filter(|(_, s)| *s >= BigInt::ZERO).map(|(p, _)| p);
        kept.chain(crossings).collect()
    }
}

/// Half-spaces whose intersection is the hull of three points, whether that is a triangle, a segment or a point.
pub(super) fn half_spaces(triangle: &[[BigInt; 3]; 3]) -> Vec<HalfSpace> {
    let n = normal(triangle);
    if n.iter().any(|x| *x != BigInt::ZERO) {
        let [a, b, c] = triangle;
        // Its plane from both sides, and the inner side of every edge: for the edge ab the third corner has
        // (n x ab) . ac = n . (ab x ac) = n . n > 0.
        let plane = both_sides(n.clone(), a);
        let edges = [(a, b), (b, c), (c, a)].map(|(p, q)| HalfSpace::new(cross(&n, &minus(q, p)), p));
        return plane.into_iter().chain(edges).collect();
    }
    // On one line, comparing coordinate by coordinate orders points as they follow each other on it. The hull
    // is the segment from the first to the last, which is the line cut to the box with these opposite corners.
    // The line is where (x - low) x (high - low) = 0; when the ends coincide that is everywhere, and the box is
    // the point.
    let [mut low, mut high] = [&triangle[0]; 2];
    for corner in triangle {
        low = low.min(corner);
        high = high.max(corner);
    }
    let along = minus(high, low);
    let line = (0..3).flat_map(|i| both_sides(cross(&along, &axis(i, 1)), low));
    let sides = (0..3).flat_map(|i| {
        let (least, most) = if low[i] <= high[i] { (low, high) } else { (high, low) };
        [HalfSpace::new(axis(i, 1), least), HalfSpace::new(axis(i, -1), most)]
    });
    line.chain(sides).collect()
}

/// A normal of the triangle's plane; zero when its corners are on one line.
pub(super) fn normal([a, b, c]: &[[BigInt; 3]; 3]) -> [BigInt; 3] {
    cross(&minus(b, a), &minus(c, a))
}

/// A point with integer coordinates.
pub(super) fn homogeneous([x, y, z]: &[BigInt; 3]) -> Homogeneous {
    [x.clone(), y.clone(), z.clone(), BigInt::from(1)]
}

/// The plane through a point, as two half-spaces.
fn both_sides(normal: [BigInt; 3], through: &[BigInt; 3]) -> [HalfSpace; 2] {
    let opposite = normal.clone().map(|x| -x);
    [HalfSpace::new(normal, through), HalfSpace::new(opposite, through)]
}

/// `length` times the unit vector of an axis.
fn axis(i: usize, length: i32) -> [BigInt; 3] {
    let mut vector = [BigInt::ZERO; 3];
    vector[i] = BigInt::from(length);
    vector
}

fn minus(p: &[BigInt; 3], q: &[BigInt; 3]) -> [BigInt; 3] {
    [&p[0] - &q[0], &p[1] - &q[1], &p[2] - &q[2]]
}

fn cross(u: &[BigInt; 3], v: &[BigInt; 3]) -> [BigInt; 3] {
    let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

fn dot<const N: usize>(u: &[BigInt; N], v: &[BigInt; N]) -> BigInt {
    u.iter().zip(v).map(|(x, y)| x * y).sum()
}

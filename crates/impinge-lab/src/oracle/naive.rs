//! The oracle's oracle: contact as the solvability of linear inequalities, by Fourier-Motzkin elimination.
//!
//! A common point of two triangles is `sum u[i] a[i] = sum v[j] b[j]` with weights that are not negative and sum
//! to one. Nothing is said about planes, edges or degenerate cases: the definition is the program. "Outside of
//! what they share" adds one strict inequality, and is asked once for every way to be outside.

use num_bigint::BigInt;

use super::{Triangle, integers, shared_vertices};

/// What a row says about `sum coefficients[k] * unknown[k] + coefficients[UNKNOWNS]`.
#[derive(Clone, Copy, PartialEq)]
enum Relation {
    Zero,
    NotNegative,
    Positive,
}

/// Three weights for the corners of `a`, then three for those of `b`.
const UNKNOWNS: usize = 6;

#[derive(Clone)]
struct Row {
    coefficients: [BigInt; UNKNOWNS + 1],
    relation: Relation,
}

/// [`super::triangles_touch`], decided another way.
pub fn triangles_touch(a: &Triangle, b: &Triangle) -> bool {
    let [a, b] = integers(&[*a, *b]);
    solvable(common_points(&a, &b))
}

/// [`super::neighbours_touch`], decided another way.
pub fn neighbours_touch(positions: &[[f64; 3]], a: [u32; 3], b: [u32; 3]) -> bool {
    let corners = |triangle: [u32; 3]| triangle.map(|vertex| positions[vertex as usize]);
    let shared = shared_vertices(a, b);
    let corner_of_a = |v: u32| a.iter().position(|&corner| corner == v);
    let shared: Vec<usize> = shared.into_iter().filter_map(corner_of_a).collect();
    let [a, b] = integers(&[corners(a), corners(b)]);
    let program = common_points(&a, &b);
    let solvable_with = |row: Row| solvable(program.iter().cloned().chain([row]).collect());
    match shared.as_slice() {
        [] => solvable(program),
        &[p] => ways_outside(&a, p, p).into_iter().any(solvable_with),
        &[p, q] => ways_outside(&a, p, q).into_iter().any(solvable_with),
        // One triangle twice; its sides leave something uncovered when its area is not zero, that is when it
        // has an area in one of the three coordinate planes.
        _ => [(0, 1), (1, 2), (2, 0)].into_iter().any(|(x, y)| {
            let minor = |p: usize, q: usize| &a[p][x] * &a[q][y] - &a[p][y] * &a[q][x];
            minor(0, 1) + minor(1, 2) + minor(2, 0) != BigInt::ZERO
        }),
    }
}

/// The rows that say "the weighted corners of `a` and of `b` are the same point of both triangles".
fn common_points(a: &[[BigInt; 3]; 3], b: &[[BigInt; 3]; 3]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |relation, coefficient: &dyn Fn(usize) -> BigInt| {
        rows.push(Row { coefficients: std::array::from_fn(coefficient), relation });
    };
    for axis in 0..3 {
        row(Relation::Zero, &|k| match k {
            0..3 => a[k][axis].clone(),
            3..6 => -&b[k - 3][axis],
            _ => BigInt::ZERO,
        });
    }
    for weights in [0..3, 3..6] {
        row(Relation::Zero, &|k| BigInt::from(i32::from(weights.contains(&k)) - i32::from(k == UNKNOWNS)));
    }
    for weight in 0..UNKNOWNS {
        row(Relation::NotNegative, &|k| BigInt::from(i32::from(k == weight)));
    }
    rows
}

/// Strict inequalities on the weights of `a`, at least one of which holds exactly when the point is not on the
/// segment between the corners `p` and `q` of `a`.
fn ways_outside(a: &[[BigInt; 3]; 3], p: usize, q: usize) -> Vec<Row> {
    let (p, q) = (&a[p], &a[q]);
    let along: [BigInt; 3] = std::array::from_fn(|i| &q[i] - &p[i]);
    // direction . (x - from) > 0, for the point x with the weights of `a`, which sum to one.
    let beyond = |direction: &[BigInt; 3], from: &[BigInt; 3]| Row {
        coefficients: std::array::from_fn(|k| match k {
            0..3 => (0..3).map(|i| &direction[i] * (&a[k][i] - &from[i])).sum(),
            _ => BigInt::ZERO,
        }),
        relation: Relation::Positive,
    };
    let opposite = |direction: &[BigInt; 3]| direction.each_ref().map(|x| -x);
    let unit = |axis: usize| std::array::from_fn(|i| BigInt::from(i32::from(i == axis)));
    let mut directions: Vec<[BigInt; 3]> = Vec::new();
    let mut ways = Vec::new();
    if along.iter().all(|x| *x == BigInt::ZERO) {
        directions.extend((0..3).map(unit)); // off the point, along some axis
    } else {
        // Off the line, when some component of (x - p) x along is not zero; or on it, before p or behind q.
        directions.push([BigInt::ZERO, along[2].clone(), -&along[1]]);
        directions.push([-&along[2], BigInt::ZERO, along[0].clone()]);
        directions.push([along[1].clone(), -&along[0], BigInt::ZERO]);
        ways.extend([beyond(&opposite(&along), p), beyond(&along, q)]);
    }
    ways.extend(directions.iter().flat_map(|d| [beyond(d, p), beyond(&opposite(d), p)]));
    ways
}

/// Whether some real numbers satisfy every row: unknowns are eliminated one after the other.
fn solvable(mut rows: Vec<Row>) -> bool {
    for k in 0..UNKNOWNS {
        let equation =
            rows.iter().position(|r| r.relation == Relation::Zero && r.coefficients[k] != BigInt::ZERO);
        if let Some(index) = equation {
            // Substitution: enough of the equation is added to every row to make its k-th coefficient zero.
            let mut equation = rows.swap_remove(index);
            if equation.coefficients[k] < BigInt::ZERO {
                equation.coefficients = equation.coefficients.map(|x| -x);
            }
            for row in &mut rows {
                let [scale, factor] = [equation.coefficients[k].clone(), -&row.coefficients[k]];
                row.coefficients = combine(&row.coefficients, &scale, &equation.coefficients, &factor);
            }
            continue;
        }
        // No equation has this unknown: every row that bounds it from below meets every one from above.
        let (rest, bounds): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|r| r.coefficients[k] == BigInt::ZERO);
        let (below, above): (Vec<Row>, Vec<Row>) =
            bounds.into_iter().partition(|r| r.coefficients[k] > BigInt::ZERO);
        rows = rest;
        for low in &below {
            for high in &above {
                let strict = [low, high].iter().any(|r| r.relation == Relation::Positive);
                rows.push(Row {
                    coefficients: combine(
                        &low.coefficients,
                        &-&high.coefficients[k],
                        &high.coefficients,
                        &low.coefficients[k],
                    ),
                    relation: if strict { Relation::Positive } else { Relation::NotNegative },
                });
            }
        }
    }
    rows.iter().all(|row| {
        let constant = &row.coefficients[UNKNOWNS];
        match row.relation {
            Relation::Zero => *constant == BigInt::ZERO,
            Relation::NotNegative => *constant >= BigInt::ZERO,
            Relation::Positive => *constant > BigInt::ZERO,
        }
    })
}

/// `s` times the row `p` plus `t` times the row `q`.
fn combine<const N: usize>(p: &[BigInt; N], s: &BigInt, q: &[BigInt; N], t: &BigInt) -> [BigInt; N] {
    std::array::from_fn(|k| &p[k] * s + &q[k] * t)
}

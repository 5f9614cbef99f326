//! Which way depth goes, so that no large face is seen from the side (3.1.2).

use crate::scene::vector::{cross, unit};
use crate::scene::{Mesh, Point, Pose};
use crate::util::tolerance::{EDGE_ON, MAX_EDGE_ON_AREA};

/// Steps of a direction along each of two axes; and so many bins for each third.
const STEPS: usize = 16;

/// The area of a surface by where it faces, in the coordinates of the body: the two sides of a face are not told apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    /// Sums of area vectors that point nearly the same way.
    areas: Vec<Point>,
}

impl Facets {
    /// Of all triangles of a mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let largest = mesh.magnitude().max(f64::MIN_POSITIVE);
        let mut bins = vec![[0.0; 3]; 3 * STEPS * STEPS];
        for triangle in 0..mesh.triangles().len() {
            // Small numbers, so that no product overflows.
            let [a, b, c] = mesh.corners(triangle).map(|p| p.map(|c| c / largest));
            let [u, v]: [Point; 2] = [b, c].map(|p| std::array::from_fn(|k| p[k] - a[k]));
            let area = cross(u, v);
            let most = (0..3).fold(0, |most, k| if area[k].abs() > area[most].abs() { k } else { most });
            if area[most] != 0.0 {
                let area = if area[most] < 0.0 { area.map(|c| -c) } else { area };
                let step = |k: usize| (f64::midpoint(area[k] / area[most], 1.0) * STEPS as f64) as usize;
                let [i, j] = [1, 2].map(|k| step((most + k) % 3).min(STEPS - 1));
                let bin = &mut bins[(most * STEPS + i) * STEPS + j];
                *bin = std::array::from_fn(|k| bin[k] + area[k]);
            }
        }
        bins.retain(|area| *area != [0.0; 3]);
        Self { areas: bins }
    }

    /// The whole area, and the part of it that is seen nearly from the side along each direction, where the body stands.
    fn seen_from_the_side(&self, pose: &Pose, directions: &[Point]) -> (f64, Vec<f64>) {
        let rows = pose.rows().map(|[x, y, z, _]| [x, y, z]);
        // Areas turn with the cofactors of the matrix: for a rotation, with the matrix.
        let cofactors: [Point; 3] = std::array::from_fn(|k| cross(rows[(k + 1) % 3], rows[(k + 2) % 3]));
        let (mut whole, mut parts) = (0.0, vec![0.0; directions.len()]);
        for area in &self.areas {
            let turned: Point = cofactors.map(|row| row[0] * area[0] + row[1] * area[1] + row[2] * area[2]);
            let size = turned.iter().map(|c| c * c).sum::<f64>().sqrt();
            whole += size;
            for (part, d) in parts.iter_mut().zip(directions) {
                let facing: f64 = (0..3).map(|k| turned[k] * d[k]).sum();
                if facing.abs() < EDGE_ON * size {
                    *part += size;
                }
            }
        }
        (whole, parts)
    }
}

/// The direction to look along: the axis on which boxes overlap least, unless large faces of a body are seen from the side
/// there; then the next; then the best of directions between the axes. `sizes` are those of the region where boxes overlap.
pub fn choose(sizes: [f64; 3], bodies: [(&Facets, &Pose); 2]) -> Point {
    let mut axes = [2, 1, 0];
    axes.sort_by(|&i, &j| sizes[i].total_cmp(&sizes[j]));
    let upright = axes.map(|k| std::array::from_fn(|i| f64::from(u8::from(i == k))));
    let shares = seen_from_the_side(&upright, bodies);
    if let Some(fine) = shares.iter().position(|share| *share <= MAX_EDGE_ON_AREA) {
        return upright[fine];
    }
    let steps = [-1.0, 0.0, 1.0];
    let turned = steps.into_iter().flat_map(|x| steps.map(|y| [x, y, 1.0]));
    let diagonals = turned.chain([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]]);
    // And some off every plane of symmetry.
    let all = diagonals.chain([[0.9, 0.4, 0.2], [0.2, 0.9, -0.4], [-0.4, 0.2, 0.9]]);
    let directions: Vec<Point> = upright.into_iter().chain(all.filter_map(unit)).collect();
    let shares = seen_from_the_side(&directions, bodies);
    directions[(0..shares.len()).fold(0, |best, k| if shares[k] < shares[best] { k } else { best })]
}

/// The larger of two bodies' parts of area that are seen nearly from the side, along each direction.
fn seen_from_the_side(directions: &[Point], bodies: [(&Facets, &Pose); 2]) -> Vec<f64> {
    let mut shares = vec![0.0f64; directions.len()];
    for (facets, pose) in bodies {
        let (whole, parts) = facets.seen_from_the_side(pose, directions);
        if whole > 0.0 {
            shares.iter_mut().zip(parts).for_each(|(share, part)| *share = share.max(part / whole));
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interference::testing::cube;

    #[test]
    fn a_desk_is_not_seen_from_the_side_however_it_stands() {
        let facets = Facets::of(&cube([0.0; 3], 1.0));
        for n in 0..50 {
            let pose = Pose::from_axis_angle([1.0, 0.3 * f64::from(n), -0.2], 0.37 * f64::from(n), [0.0; 3])
                .unwrap();
            let d = choose([1.0, 2.0, 3.0], [(&facets, &pose), (&facets, &pose)]);
            let (whole, part) = facets.seen_from_the_side(&pose, &[d]);
            assert!(whole > 0.0 && part[0] == 0.0, "{n}: {d:?}");
        }
    }

    #[test]
    fn the_thinnest_axis_is_kept_where_nothing_large_is_seen_from_the_side() {
        let octahedron = Mesh::new(
            vec![
                [1.0f64, 0.0, 0.0],
                [-1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, -1.0, 0.0],
                [0.0, 0.0, 1.0],
                [0.0, 0.0, -1.0],
            ],
            vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
        )
        .unwrap();
        let facets = Facets::of(&octahedron);
        let pose = Pose::IDENTITY;
        assert_eq!(choose([3.0, 1.0, 2.0], [(&facets, &pose), (&facets, &pose)]), [0.0, 1.0, 0.0]);
        // A body without any area has no face to be seen.
        let nothing = Facets::default();
        assert_eq!(choose([3.0, 2.0, 1.0], [(&nothing, &pose), (&nothing, &pose)]), [0.0, 0.0, 1.0]);
    }
}

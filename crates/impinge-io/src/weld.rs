//! Vertices at exactly the same place become one: the topology that STL and glTF do not write down.

use impinge::{Mesh, Positions};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Numbers points in the order of their first appearance; equal points get the same number. Equal is what `==`
/// says of finite numbers: `0.0` and `-0.0` are one place.
#[derive(Default)]
pub(crate) struct Welder<T> {
    points: Vec<[T; 3]>,
    /// With the standard hasher: a quicker one could be fed points that all collide.
    numbers: HashMap<[u64; 3], u32>,
}

impl<T: Copy + Into<f64>> Welder<T> {
    pub(crate) fn add(&mut self, point: [T; 3]) -> u32 {
        // Adding zero turns -0.0 into 0.0; f64 holds every f32 exactly.
        let key = point.map(|c| (c.into() + 0.0).to_bits());
        match self.numbers.entry(key) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                // No file that is read has as many corners as u32 has numbers.
                let number = self.points.len() as u32;
                entry.insert(number);
                self.points.push(point);
                number
            }
        }
    }

    pub(crate) fn into_points(self) -> Vec<[T; 3]> {
        self.points
    }
}

/// Merges vertices at exactly the same place, in the order of their first appearance. Triangles keep their
/// order; one that gets the same vertex twice stays, since it was degenerate before.
///
/// ```
/// use impinge::Mesh;
/// let corners = vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0],
///                    [1.0, 0.0, 0.0], [-0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
/// let square = impinge_io::weld(&Mesh::new(corners, vec![[0, 1, 2], [3, 5, 4]])?);
/// assert_eq!(square.positions().len(), 4);
/// assert_eq!(square.triangles(), [[0, 1, 2], [1, 3, 2]]);
/// # Ok::<(), impinge::MeshError>(())
/// ```
pub fn weld(mesh: &Mesh) -> Mesh {
    fn merge<T: Copy + Into<f64>>(points: &[[T; 3]], triangles: &[[u32; 3]]) -> (Vec<[T; 3]>, Vec<[u32; 3]>) {
        let mut welder = Welder { points: Vec::new(), numbers: HashMap::new() };
        let numbers: Vec<u32> = points.iter().map(|&point| welder.add(point)).collect();
        let triangles =
            triangles.iter().map(|corners| corners.map(|corner| numbers[corner as usize])).collect();
        (welder.into_points(), triangles)
    }
    let welded = match mesh.positions() {
        Positions::F32(points) => {
            let (points, triangles) = merge(points, mesh.triangles());
            Mesh::new(points, triangles)
        }
        Positions::F64(points) => {
            let (points, triangles) = merge(points, mesh.triangles());
            Mesh::new(points, triangles)
        }
    };
    // The points are some of a valid mesh's, the corners are numbers of those points.
    welded.unwrap_or_else(|_| mesh.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_one_ulp_apart_stay_two() {
        let mut welder = Welder::<f64>::default();
        let next = f64::from_bits(1.0f64.to_bits() + 1);
        let numbers = [[1.0, 0.0, 0.0], [next, 0.0, 0.0], [1.0, -0.0, 0.0]].map(|p| welder.add(p));
        assert_eq!(numbers, [0, 1, 0]);
        assert_eq!(welder.into_points().len(), 2);
    }
}

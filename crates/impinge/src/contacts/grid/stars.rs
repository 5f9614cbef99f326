//! Neighbours a whole vertex at a time: most candidates within a body share a vertex, and nearly all of them
//! share nothing else because the triangles around that vertex lie side by side.
//!
//! The certificate is the one of `bvh::stars`: let the triangles around `v` form one fan to the vertices `r0,
//! r1, ...` of its ring, and let `n` be any vector. If every `n . (ri - v) x (ri+1 - v)` is positive and the
//! ring turns about `n` by at most a full circle, no two of these triangles share more than `v` or an edge.
//!
//! **What floats are off.** `n` is what its floats say. The computed `e` and `f` are off by at most `d` in each component, beyond
//! the rounding of the difference ([`super::signs`]), so with `m` no less than the norm of any true or computed spoke,
//!
//! `|n . (E x F) - n . (e x f)| <= |n . ((E - e) x F)| + |n . (e x (F - f))| <= 2 d |n| m`,
//!
//! and seven roundings on every path of a sum of six products: below `16 r |n| m^2`. `n` is normalised first,
//! so these are products of two differences, whatever their size, and underflow loses less than
//! [`LOST_BELOW`].

use super::bounds::{Vector, cross, dot, minus, norm};
use crate::bvh::stars::rings::{MAX_RING_TRIANGLES, ring};
use crate::image::gather::Member;
use crate::scene::{Body, BodyId, Scene, Version};
use crate::util::tolerance::{DETERMINANT_FILTER, FLOAT_ROUNDOFF, LOST_BELOW};

/// The rings of the vertices of a body, from its triangles alone, independent of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rings {
    starts: Vec<u32>,
    around: Vec<u32>,
}

impl Rings {
    /// The rings of `vertices` vertices. A vertex of one triangle, of very many, or of triangles that are not
    /// one fan has none.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut ends = vec![0u32; vertices + 1];
        for vertex in triangles.iter().flatten() {
            ends[*vertex as usize] += 1;
        }
        // Ends move back to starts while triangles are filled in from behind.
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        let mut of_vertex = vec![0u32; end as usize];
        for (triangle, corners) in triangles.iter().enumerate().rev() {
            for vertex in corners {
                let at = &mut ends[*vertex as usize];
                *at -= 1;
                of_vertex[*at as usize] = triangle as u32;
            }
        }
        let mut rings = Self { starts: Vec::with_capacity(vertices + 1), around: Vec::new() };
        rings.starts.push(0);
        for vertex in 0..vertices {
            let fan = &of_vertex[ends[vertex] as usize..ends[vertex + 1] as usize];
            if (2..=MAX_RING_TRIANGLES).contains(&fan.len())
                && let Some((ring, len)) = ring(vertex as u32, fan, triangles)
            {
                rings.around.extend_from_slice(&ring[..len]);
                // A closed ring ends with its first vertex.
                rings.around.extend((len == fan.len()).then_some(ring[0]));
            }
            rings.starts.push(rings.around.len() as u32);
        }
        rings
    }

    /// Where the ring of every vertex begins in [`Rings::around`], and where the last one ends.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All rings, one after the other.
    pub fn around(&self) -> &[u32] {
        &self.around
    }

    /// The ring of a vertex, in order; a closed ring ends with its first vertex. Empty if it has none.
    pub fn of(&self, vertex: usize) -> &[u32] {
        &self.around[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// Rings of bodies with self-collision, kept while their triangles stay.
#[derive(Debug, Default)]
pub struct RingCache {
    bodies: Vec<(BodyId, Version, Option<Rings>)>,
}

impl RingCache {
    /// Follows the scene. A body gets rings at once, or, with patience, when it has the same triangles a
    /// second time: one that breaks in every frame never pays for them.
    pub fn update(&mut self, scene: &Scene, members: &[Member], patience: bool) {
        let before = std::mem::take(&mut self.bodies);
        let mut before: std::collections::BTreeMap<BodyId, (Version, Option<Rings>)> =
            before.into_iter().map(|(id, version, rings)| (id, (version, rings))).collect();
        for member in members {
            let Some(body) = scene.body(member.id).filter(|body| body.self_collision()) else { continue };
            // An external body has other triangles than its mesh.
            if body.mesh().triangles().len() != member.triangles as usize {
                continue;
            }
            let version = body.topology_version();
            let rings = match before.remove(&member.id).filter(|(seen, _)| *seen == version) {
                Some((_, Some(rings))) => Some(rings),
                Some((_, None)) => Some(Self::of(body)),
                None => (!patience).then(|| Self::of(body)),
            };
            self.bodies.push((member.id, version, rings));
        }
    }

    fn of(body: &Body) -> Rings {
        Rings::new(body.mesh().triangles(), body.mesh().positions().len())
    }

    /// The rings of a body and the version of its triangles, if it has any.
    pub fn of_body(&self, id: BodyId) -> Option<(Version, &Rings)> {
        let (_, version, rings) = self.bodies.iter().find(|(known, _, _)| *known == id)?;
        rings.as_ref().map(|rings| (*version, rings))
    }
}

/// Whether the triangles from a vertex to its ring certainly share nothing but that vertex and their edges.
/// Differences of coordinates have errors of at most `d`. `closed` says that the last vertex of the ring is
/// the first again, not only in the same place.
pub fn is_certified(middle: Vector, ring: &[Vector], closed: bool, d: f32) -> bool {
    if ring.len() < 3 {
        return false;
    }
    let spoke = |k: usize| minus(ring[k], middle);
    let steps = ring.len() - 1;
    let mut sum = [0.0; 3];
    let mut longest = norm(spoke(0));
    for k in 0..steps {
        let turn = cross(spoke(k), spoke(k + 1));
        sum = std::array::from_fn(|axis| sum[axis] + turn[axis]);
        longest = longest.max(norm(spoke(k + 1)));
    }
    let n = sum.map(|x| x / norm(sum));
    let m = longest + 3.0 * d;
    let rounding = DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF;
    // NaN if there is no `n`; then nothing is above it.
    let bound = norm(n) * (2.0 * d * m + rounding * (m * m)) + LOST_BELOW;
    // Whether all spokes so far are certainly on the left of the first.
    let mut left = true;
    for k in 0..steps {
        let turns_on = dot(n, cross(spoke(k), spoke(k + 1))) > bound;
        // The first step starts on the left, the last of a closed ring comes back to the start.
        let is_free = k == 0 || (closed && k + 1 == steps);
        let side = dot(n, cross(spoke(0), spoke(k + 1)));
        // Left only after left; a single doubtful one after left; right after anything.
        if !(turns_on && (is_free || left || side < -bound)) {
            return false;
        }
        left &= is_free || side > bound;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fan around the origin: ring points at angles and heights.
    fn fan(angles: &[f32], height: impl Fn(f32) -> f32) -> Vec<Vector> {
        angles.iter().map(|a| [a.cos(), a.sin(), height(*a)]).collect()
    }

    #[test]
    fn rings_are_found_where_triangles_form_one_fan() {
        // Four triangles around vertex 0, closed; the others have open fans of two.
        let rings = Rings::new(&[[0, 1, 2], [0, 2, 3], [0, 3, 4], [4, 1, 0]], 6);
        assert_eq!(rings.of(0).len(), 5);
        assert_eq!(rings.of(0).first(), rings.of(0).last());
        assert_eq!(rings.of(1).len(), 3);
        assert_eq!(rings.of(5), &[] as &[u32], "a vertex of no triangle");
        // Two triangles that share a vertex only are not one fan, nor are three on an edge.
        assert_eq!(Rings::new(&[[0, 1, 2], [0, 3, 4]], 5).of(0), &[] as &[u32]);
        assert_eq!(Rings::new(&[[0, 1, 2], [0, 1, 3], [0, 1, 4]], 5).of(0), &[] as &[u32]);
        // A triangle that names a vertex twice.
        assert_eq!(Rings::new(&[[0, 0, 1], [0, 1, 2]], 3).of(0), &[] as &[u32]);
    }

    #[test]
    fn fans_side_by_side_are_certified_and_others_are_not() {
        let turn = std::f32::consts::TAU;
        let closed =
            |count: usize| -> Vec<f32> { (0..=count).map(|k| k as f32 / count as f32 * turn).collect() };
        let ring = |angles: &[f32], height: &dyn Fn(f32) -> f32| {
            let mut ring = fan(angles, height);
            *ring.last_mut().unwrap() = ring[0];
            ring
        };
        let middle = [0.0; 3];
        let d = 1e-6;
        assert!(is_certified(middle, &ring(&closed(6), &|_| 0.0), true, d));
        assert!(is_certified(middle, &ring(&closed(7), &|_| 1.5), true, d), "a cone");
        assert!(is_certified(middle, &ring(&closed(8), &|a| 0.5 * (2.0 * a).cos()), true, d), "a saddle");
        assert!(is_certified(middle, &fan(&[0.0, 0.5, 1.0, 2.0], |_| 0.0), false, d), "open");
        // Once around and further: the first and the last triangle overlap.
        assert!(!is_certified(middle, &fan(&[0.0, 1.5, 3.0, 4.5, 6.0, 6.8], |_| 0.0), false, d));
        // Twice around, closed.
        let twice: Vec<f32> = (0..=8).map(|k| k as f32 / 4.0 * turn).collect();
        assert!(!is_certified(middle, &ring(&twice, &|_| 0.0), true, d));
        // A fold: one triangle turns back over the one before it.
        assert!(!is_certified(middle, &fan(&[0.0, 1.0, 0.5], |_| 0.0), false, d));
        // As flat as floats are off.
        assert!(!is_certified(middle, &ring(&closed(6), &|_| 0.0), true, 0.5));
        assert!(!is_certified(middle, &ring(&closed(6), &|_| f32::NAN), true, d));
        // Once around to the same place, but to another vertex: two edges lie on each other.
        assert!(!is_certified(middle, &ring(&closed(6), &|_| 0.0), false, d));
        let nothing = [[0.0; 3]; 4];
        assert!(!is_certified(middle, &nothing, true, 0.0));
    }

    /// Whatever is certified has no two triangles that share more: by exact arithmetic, on fans that are nearly folded or nearly
    /// once around.
    #[test]
    fn certified_fans_have_no_contacts() {
        let mut state = 11u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u32 << 24) as f32
        };
        let (mut certified, mut refused, mut touching) = (0, 0, 0);
        for _ in 0..4000 {
            let count = 3 + (random() * 5.0) as usize;
            let full = std::f32::consts::TAU * if random() < 0.5 { 1.0 } else { 0.7 + 0.6 * random() };
            let closed = random() < 0.5;
            let flat = random() < 0.3;
            let mut ring: Vec<Vector> = (0..=count)
                .map(|k| {
                    let angle = full * (k as f32 + 0.7 * (random() - 0.5)) / count as f32;
                    let height = if flat { 0.0 } else { 2.0 * (random() - 0.5) };
                    [angle.cos(), angle.sin(), height]
                })
                .collect();
            if closed {
                ring[count] = ring[0];
            }
            let ok = is_certified([0.0; 3], &ring, closed, 0.0);
            let mut positions = vec![[0.0f64; 3]];
            positions.extend(ring.iter().map(|p| p.map(f64::from)));
            let last = |k: usize| if closed && k == count { 1 } else { k as u32 + 1 };
            let fans: Vec<[u32; 3]> = (0..count).map(|k| [0, k as u32 + 1, last(k + 1)]).collect();
            let mut touch = false;
            for i in 0..count {
                for j in i + 1..count {
                    let corners = |t: [u32; 3]| t.map(|v| positions[v as usize]);
                    touch |= crate::exact::neighbours_touch(
                        [corners(fans[i]), corners(fans[j])],
                        [fans[i], fans[j]],
                    );
                }
            }
            certified += usize::from(ok);
            refused += usize::from(!ok && !touch);
            touching += usize::from(touch);
            assert!(!(ok && touch), "{ring:?}");
        }
        assert!(
            certified > 500 && touching > 500,
            "{certified} certified, {refused} refused, {touching} touch"
        );
    }
}

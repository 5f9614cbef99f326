//! A direction and the image in it: world coordinates to pixels and depth.
//!
//! Orthographic, "the most isotropic sampling" (4.1). Across, the image is tight around the regions where boxes
//! overlap, because nothing collides beside them; along the rays it holds the whole bodies, because the order of
//! surfaces counts from where a ray starts.

use super::options::{Direction, PeelOptions};
use crate::bounds::Bounds;
use crate::mesh::Point;
use crate::tolerance::{DEPTH_MARGIN, FLATTEST_VIEW, NARROWEST_VIEW};
use crate::vector;

/// What rays see: `image = rows * (world / unit)`, pixels across, pixels down, depth from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Rays across.
    pub width: u32,
    /// Rays down.
    pub height: u32,
    /// Which way rays go; of length 1.
    pub direction: Point,
    /// A power of two near the size of the scene, so that no product overflows.
    pub unit: f64,
    /// Affine rows.
    pub rows: [[f64; 4]; 3],
}

/// Interval of a box along a direction of length at most 1.
fn extent(bounds: &Bounds, axis: Point) -> [f64; 2] {
    let mut middle = 0.0;
    let mut half = 0.0;
    for k in 0..3 {
        // Halved first, so that the largest coordinates do not overflow.
        middle += (bounds.min[k] / 2.0 + bounds.max[k] / 2.0) * axis[k];
        half += (bounds.max[k] / 2.0 - bounds.min[k] / 2.0) * axis[k].abs();
    }
    [middle - half, middle + half]
}

fn union(boxes: &[Bounds], axis: Point) -> [f64; 2] {
    let mut all = [f64::INFINITY, f64::NEG_INFINITY];
    for bounds in boxes {
        let [low, high] = extent(bounds, axis);
        all = [all[0].min(low), all[1].max(high)];
    }
    all
}

/// Nearest power of two at or below a positive number; 1 for zero.
fn power_of_two(x: f64) -> f64 {
    if x > 0.0 { x.log2().floor().clamp(-1000.0, 1000.0).exp2() } else { 1.0 }
}

/// Two unit vectors that make a right-handed frame with a third: across, down.
fn frame_around(d: Point) -> [Point; 2] {
    // For the axes themselves the exact axes, so that boxes stay exact.
    if let Some(k) = (0..3).find(|&k| d[k] == 1.0) {
        let axis = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k % 3)));
        return [axis(k + 1), axis(k + 2)];
    }
    let least = (0..3).min_by(|&i, &j| d[i].abs().total_cmp(&d[j].abs())).unwrap_or(0);
    let helper: Point = std::array::from_fn(|i| f64::from(u8::from(i == least)));
    let u = vector::unit(vector::cross(helper, d)).unwrap_or([1.0, 0.0, 0.0]);
    [u, vector::cross(d, u)]
}

impl View {
    /// Along `direction` (the z axis when it has no length), tight around `regions` across, around `bodies` along the
    /// rays. `None` when there is nothing to see.
    pub fn new(direction: Point, pixels: [u32; 2], regions: &[Bounds], bodies: &[Bounds]) -> Option<Self> {
        let d = vector::unit(direction).unwrap_or([0.0, 0.0, 1.0]);
        if regions.iter().all(Bounds::is_empty) {
            return None;
        }
        let boxes = bodies.iter().chain(regions).filter(|b| !b.is_empty());
        let largest = boxes.flat_map(|b| b.min.into_iter().chain(b.max));
        let unit = power_of_two(largest.fold(0.0, |most: f64, c| most.max(c.abs())));
        let scaled = |boxes: &[Bounds]| -> Vec<Bounds> {
            let inner = boxes.iter().filter(|b| !b.is_empty());
            inner.map(|b| Bounds { min: b.min.map(|c| c / unit), max: b.max.map(|c| c / unit) }).collect()
        };
        let (regions, bodies) = (scaled(regions), scaled(bodies));
        let [u, v] = frame_around(d);
        // One pixel of border on each side: what ends with the region is not on the edge of the image.
        let across = |axis: Point, pixels: u32| {
            let [low, high] = union(&regions, axis);
            let [least, most] = union(&bodies, axis);
            // An image much smaller than the bodies shows nothing but how their floats are rounded.
            let size = (high - low).max((most - least) * NARROWEST_VIEW).max(FLATTEST_VIEW);
            let scale = f64::from(pixels - 2) / size;
            let middle = f64::midpoint(low, high);
            [axis[0] * scale, axis[1] * scale, axis[2] * scale, f64::from(pixels) / 2.0 - middle * scale]
        };
        let along = {
            let [low, high] = union(&bodies, d);
            let size = (high - low).max(FLATTEST_VIEW);
            let scale = (1.0 - 2.0 * DEPTH_MARGIN) / size;
            let middle = f64::midpoint(low, high);
            [d[0] * scale, d[1] * scale, d[2] * scale, 0.5 - middle * scale]
        };
        let rows = [across(u, pixels[0]), across(v, pixels[1]), along];
        Some(Self { width: pixels[0], height: pixels[1], direction: d, unit, rows })
    }

    /// The views that options ask for: one, or three, or none where nothing overlaps. `area` is that of some surfaces, as
    /// seen along x, y and z; zero when nothing is known of them.
    pub fn choose(options: &PeelOptions, regions: &[Bounds], bodies: &[Bounds], area: [f64; 3]) -> Vec<Self> {
        let axis = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
        let directions = match options.direction {
            Direction::Along(d) => vec![d],
            Direction::Axes => vec![axis(0), axis(1), axis(2)],
            Direction::Auto => {
                // Rays that meet the surfaces: their area over that of the image, which is the volume of the region over
                // its thickness. Without an area, the thinnest axis.
                let thick = |k: usize| {
                    let [low, high] = union(regions, axis(k));
                    (high / 2.0 - low / 2.0).max(f64::MIN_POSITIVE)
                };
                // Bodies that barely touch share a flat region: seen from the side, no ray passes it.
                let flat = |k: usize| {
                    let [low, high] = union(bodies, axis(k));
                    thick(k) / (high / 2.0 - low / 2.0).max(f64::MIN_POSITIVE)
                };
                let flattest = (0..3).min_by(|&i, &j| flat(i).total_cmp(&flat(j))).unwrap_or(2);
                if flat(flattest) < NARROWEST_VIEW {
                    return Self::new(axis(flattest), options.pixels(), regions, bodies)
                        .into_iter()
                        .collect();
                }
                let known = area.iter().any(|&a| a > 0.0);
                let met = |k: usize| thick(k).log2() + area[k].max(f64::MIN_POSITIVE).log2();
                let score = |k: usize| if known { met(k) } else { -thick(k) };
                vec![axis((0..3).max_by(|&i, &j| score(i).total_cmp(&score(j))).unwrap_or(2))]
            }
        };
        let views = directions.into_iter().map(|d| Self::new(d, options.pixels(), regions, bodies));
        views.flatten().collect()
    }

    /// Image coordinates of a point, in doubles.
    #[inline]
    pub fn project(&self, p: Point) -> Point {
        let p = p.map(|c| c / self.unit);
        self.rows.map(|[a, b, c, t]| p[0] * a + p[1] * b + p[2] * c + t)
    }

    /// World size of a pixel across and down.
    pub fn pixel_size(&self) -> [f64; 2] {
        let length = |k: usize| self.rows[k][..3].iter().map(|c| c * c).sum::<f64>().sqrt();
        [self.unit / length(0), self.unit / length(1)]
    }

    /// A distance along the rays, as a difference of depths.
    pub fn depth_of(&self, distance: f64) -> f64 {
        let length = self.rows[2][..3].iter().map(|c| c * c).sum::<f64>().sqrt();
        (distance / self.unit) * length
    }

    /// What options call near along the rays, as a difference of depths.
    pub fn near(&self, options: &PeelOptions) -> f64 {
        let [across, down] = self.pixel_size();
        self.depth_of(options.open_threshold.unwrap_or(2.0 * across.max(down)).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: Bounds = Bounds { min: [1.0, 2.0, 3.0], max: [2.0, 4.0, 7.0] };
    const BODY: Bounds = Bounds { min: [-10.0; 3], max: [10.0; 3] };

    #[test]
    fn the_region_fills_the_image_and_the_bodies_fill_the_depth() {
        for direction in
            [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [1.0, -2.0, 0.5], [0.0, 0.0, -1.0]]
        {
            let view = View::new(direction, [64, 48], &[REGION], &[BODY]).unwrap();
            let corners = |b: Bounds| {
                (0..8)
                    .map(move |k| std::array::from_fn(|i| if k >> i & 1 == 0 { b.min[i] } else { b.max[i] }))
            };
            let image = Bounds::of(corners(REGION).map(|p| view.project(p)));
            for (axis, pixels) in [(0, 64.0), (1, 48.0)] {
                assert!(
                    (image.min[axis] - 1.0).abs() < 1e-9 && (image.max[axis] - (pixels - 1.0)).abs() < 1e-9
                );
            }
            let depth = Bounds::of(corners(BODY).map(|p| view.project(p)));
            assert!(depth.min[2] > 0.0 && depth.max[2] < 1.0 && depth.max[2] - depth.min[2] > 0.9);
        }
    }

    #[test]
    fn a_triangle_that_faces_the_rays_turns_left_in_an_image_with_y_down() {
        for direction in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 2.0, 3.0], [-1.0, 0.2, 0.1]] {
            let view = View::new(direction, [64, 64], &[BODY], &[BODY]).unwrap();
            let [u, v] = frame_around(view.direction);
            let [p, q] = [u, v].map(|axis| view.project(axis));
            let o = view.project([0.0; 3]);
            let area = (p[0] - o[0]) * (q[1] - o[1]) - (q[0] - o[0]) * (p[1] - o[1]);
            assert!(area > 0.0, "across, then down, with rays away from the eye: turns right, a back face");
        }
    }

    #[test]
    fn bodies_that_touch_face_to_face_are_seen_from_the_front() {
        for k in 0..3 {
            let mut region = BODY;
            region.min[k] = region.max[k];
            let views = View::choose(&PeelOptions::default(), &[region], &[BODY], [1.0; 3]);
            assert_eq!(views.len(), 1);
            assert_eq!(views[0].direction[k], 1.0);
        }
    }

    #[test]
    fn huge_tiny_and_flat_scenes_have_finite_views() {
        for size in [1e-300, 1e-30, 1.0, 1e30, 1e300] {
            let region = Bounds { min: [-size; 3], max: [size, size, -size] };
            let view = View::new([0.0, 1.0, 1.0], [64, 64], &[region], &[region]).unwrap();
            let p = view.project([size, size, -size]);
            assert!(p.iter().all(|c| c.is_finite()), "{size}: {p:?}");
        }
        assert!(View::new([0.0; 3], [64, 64], &[Bounds::EMPTY], &[]).is_none());
        let with_nothing =
            View::new([0.0, 0.0, 1.0], [64, 64], &[REGION, Bounds::EMPTY], &[BODY, Bounds::EMPTY]);
        assert_eq!(
            with_nothing,
            View::new([0.0, 0.0, 1.0], [64, 64], &[REGION], &[BODY]),
            "nothing changes nothing"
        );
    }
}

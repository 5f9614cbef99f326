//! A direction and the image in it: world coordinates to pixels and depth.
//!
//! Orthographic, "the most isotropic sampling" (Georgii 4.1), or in perspective, where what is near is seen more finely
//! (Knott 4.5.3). Across, the image is tight around the regions where boxes overlap, because nothing collides beside
//! them; along the rays it holds the whole bodies, because the order of surfaces counts from where a ray starts.

use super::options::{Direction, Looking, Projection};
use crate::scene::{Bounds, Point, vector};
use crate::util::tolerance::{
    DEPTH_ERROR, DEPTH_MARGIN, MIN_EYE_DISTANCE, MIN_VIEW_OF_BODIES, MIN_VIEW_OF_COORDINATES,
};

/// What rays see: `image = rows * (world / unit)`, divided by `away * (world / unit)` in perspective: pixels across, pixels
/// down, depth from 0 to 1.
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
    /// Distance from the eye along the rays, affine too; `None` for parallel rays.
    pub away: Option<[f64; 4]>,
    /// Units across and down that a pixel shows, at the far end of the bodies.
    pixel: [f64; 2],
    /// How much depth grows in a unit, at the far end of the bodies.
    steepness: f64,
}

/// Pixels around the region: what ends with it is not on the edge of the image. A little more than one, so that what ends
/// with it is nearest to a pixel within it: where bodies are flush, an edge is seen inside.
const BORDER: f64 = 1.25;

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

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Nearest power of two at or below a positive number; 1 for zero.
pub(crate) fn power_of_two(x: f64) -> f64 {
    if x > 0.0 { x.log2().floor().clamp(-1000.0, 1000.0).exp2() } else { 1.0 }
}

/// Two unit vectors that make a right-handed frame with a third: across, down.
pub(crate) fn frame_around(d: Point) -> [Point; 2] {
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
    pub fn new(
        direction: Point,
        pixels: [u32; 2],
        projection: Projection,
        regions: &[Bounds],
        bodies: &[Bounds],
    ) -> Option<Self> {
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
        let blank = Self {
            width: pixels[0],
            height: pixels[1],
            direction: d,
            unit,
            rows: [[0.0; 4]; 3],
            away: None,
            pixel: [1.0; 2],
            steepness: 1.0,
        };
        Some(match projection {
            Projection::Orthographic => blank.parallel([u, v, d], &regions, &bodies),
            Projection::Perspective { field_of_view } => {
                blank.through_an_eye([u, v, d], field_of_view, &regions, &bodies)
            }
        })
    }

    /// Pixels across or down for what reaches from `low` to `high`: how many a unit has, and where zero is. `least` is the
    /// smallest size shown.
    fn across(pixels: u32, [low, high]: [f64; 2], least: f64) -> [f64; 2] {
        let scale = (f64::from(pixels) - 2.0 * BORDER) / (high - low).max(least).max(MIN_VIEW_OF_COORDINATES);
        [scale, f64::from(pixels) / 2.0 - f64::midpoint(low, high) * scale]
    }

    fn parallel(self, [u, v, d]: [Point; 3], regions: &[Bounds], bodies: &[Bounds]) -> Self {
        let across = |axis: Point, pixels: u32| {
            let [least, most] = union(bodies, axis);
            // An image much smaller than the bodies shows nothing but how their floats are rounded.
            let [scale, zero] =
                Self::across(pixels, union(regions, axis), (most - least) * MIN_VIEW_OF_BODIES);
            ([axis[0] * scale, axis[1] * scale, axis[2] * scale, zero], 1.0 / scale)
        };
        let [low, high] = union(bodies, d);
        let steepness = (1.0 - 2.0 * DEPTH_MARGIN) / (high - low).max(MIN_VIEW_OF_COORDINATES);
        let [near, far] = [d.map(|c| c * steepness), [0.5 - f64::midpoint(low, high) * steepness; 3]];
        let ((across, width), (down, height)) = (across(u, self.width), across(v, self.height));
        let rows = [across, down, [near[0], near[1], near[2], far[0]]];
        Self { rows, pixel: [width, height], steepness, ..self }
    }

    fn through_an_eye(
        self,
        [u, v, d]: [Point; 3],
        field_of_view: f64,
        regions: &[Bounds],
        bodies: &[Bounds],
    ) -> Self {
        let [[left, right], [top, bottom]] = [u, v].map(|axis| union(regions, axis));
        let middle = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
        let [low, high] = union(bodies, d);
        let deep = (high - low).max(MIN_VIEW_OF_COORDINATES);
        // The eye sees the whole region, and is so far before the bodies that depths stay apart.
        let half = f64::max(right - left, bottom - top) / 2.0;
        let angle = field_of_view.clamp(Projection::NARROWEST, Projection::WIDEST).to_radians();
        let near = (half / (angle / 2.0).tan()).max(deep * MIN_EYE_DISTANCE);
        let (eye, far) = (low - near, near + deep);
        let away = [d[0], d[1], d[2], -eye];
        let distance = |p: Point| dot(d, p) - eye;
        let across = |axis: Point, middle: f64, pixels: u32| {
            let seen =
                regions.iter().flat_map(Bounds::corners).map(|p| (dot(axis, p) - middle) / distance(p));
            let [low, high] = seen.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                [f64::min(low, x), f64::max(high, x)]
            });
            let [least, most] = union(bodies, axis);
            let [scale, zero] = Self::across(pixels, [low, high], (most - least) / far * MIN_VIEW_OF_BODIES);
            let row: Point = std::array::from_fn(|k| axis[k] * scale + d[k] * zero);
            ([row[0], row[1], row[2], -middle * scale - eye * zero], far / scale)
        };
        // Depth is linear in one over the distance: planes stay planes.
        let fall = (1.0 - 2.0 * DEPTH_MARGIN) / (1.0 / near - 1.0 / far);
        let end = DEPTH_MARGIN + fall / near;
        let along = [d[0] * end, d[1] * end, d[2] * end, -eye * end - fall];
        let ((across, width), (down, height)) =
            (across(u, middle[0], self.width), across(v, middle[1], self.height));
        let rows = [across, down, along];
        Self { rows, away: Some(away), pixel: [width, height], steepness: fall / far / far, ..self }
    }

    /// The views that options ask for: one, two, or three, or none where nothing overlaps. `area` is that of some
    /// surfaces, as seen along x, y and z; zero when nothing is known of them.
    pub fn choose(looking: &Looking, regions: &[Bounds], bodies: &[Bounds], area: [f64; 3]) -> Vec<Self> {
        let axis = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
        let best = || axes_by_worth(regions, bodies, area).map(axis);
        let directions = match looking.direction {
            Direction::Along(d) => vec![d],
            Direction::Axes => vec![axis(0), axis(1), axis(2)],
            Direction::Auto => best()[..1].to_vec(),
            Direction::TwoAxes => best()[..2].to_vec(),
        };
        let view = |d| Self::new(d, looking.pixels, looking.projection, regions, bodies);
        directions.into_iter().filter_map(view).collect()
    }

    /// Image coordinates of a point, in doubles.
    #[inline]
    pub fn project(&self, p: Point) -> Point {
        let p = p.map(|c| c / self.unit);
        let affine = |[a, b, c, t]: [f64; 4]| p[0] * a + p[1] * b + p[2] * c + t;
        match self.away {
            None => self.rows.map(affine),
            Some(away) => self.rows.map(|row| affine(row) / affine(away)),
        }
    }

    /// The point that is seen at some image coordinates.
    pub fn unproject(&self, image: Point) -> Point {
        // Every coordinate says that the point lies in a plane; three planes meet in it.
        let planes: [[f64; 4]; 3] = std::array::from_fn(|k| {
            let away = self.away.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            std::array::from_fn(|i| self.rows[k][i] - image[k] * away[i])
        });
        let normals = planes.map(|[a, b, c, _]| [a, b, c]);
        let across: [Point; 3] =
            std::array::from_fn(|k| vector::cross(normals[(k + 1) % 3], normals[(k + 2) % 3]));
        let volume = dot(normals[0], across[0]);
        let sum = |axis: usize| (0..3).map(|k| planes[k][3] * across[k][axis]).sum::<f64>();
        std::array::from_fn(|axis| -sum(axis) / volume * self.unit)
    }

    /// World size of a pixel across and down; in perspective, the largest that a body has.
    pub fn pixel_size(&self) -> [f64; 2] {
        self.pixel.map(|size| size * self.unit)
    }

    /// A distance along the rays, as a difference of depths; in perspective, the smallest that it makes.
    pub fn depth_of(&self, distance: f64) -> f64 {
        (distance / self.unit) * self.steepness
    }

    /// How much longer than its depth a ray is, at most: 1 for parallel rays.
    pub fn slant(&self) -> f64 {
        if self.away.is_none() {
            return 1.0;
        }
        let corner = |k: u32| [f64::from(k % 2 * self.width), f64::from(k / 2 * self.height)];
        let slant = |k: u32| {
            let [near, far] = [0.25, 0.75].map(|depth| self.unproject([corner(k)[0], corner(k)[1], depth]));
            let along = vector::unit(std::array::from_fn(|axis| far[axis] - near[axis]));
            along.map_or(1.0, |along| 1.0 / dot(along, self.direction).max(f64::MIN_POSITIVE))
        };
        (0..4).map(slant).fold(1.0, f64::max)
    }

    /// Most pixels that a box is from the corner of the image, across or down.
    pub(crate) fn farthest_pixel(&self, bounds: &Bounds) -> f64 {
        let far = bounds.corners().map(|p| self.project(p)).map(|[x, y, _]| x.abs().max(y.abs()));
        far.fold(0.0, f64::max)
    }

    /// From where to where a box reaches along the rays, with room for the error of depths.
    pub(crate) fn range(&self, bounds: &Bounds) -> [f32; 2] {
        let [low, high] = self.depths(&[*bounds]);
        [(low - 2.0 * DEPTH_ERROR) as f32, (high + 2.0 * DEPTH_ERROR) as f32]
    }

    /// From where to where some boxes reach along the rays.
    pub(crate) fn depths(&self, boxes: &[Bounds]) -> [f64; 2] {
        let depths = boxes.iter().flat_map(Bounds::corners).map(|p| self.project(p)[2]);
        depths.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)])
    }
}

/// The axes, the one first along which rays meet surfaces most often.
fn axes_by_worth(regions: &[Bounds], bodies: &[Bounds], area: [f64; 3]) -> [usize; 3] {
    let size = |boxes: &[Bounds], k: usize| {
        let [low, high] = union(boxes, std::array::from_fn(|i| f64::from(u8::from(i == k))));
        (high / 2.0 - low / 2.0).max(f64::MIN_POSITIVE)
    };
    // Rays that meet the surfaces: their area over that of the image, which is the volume of the region over its
    // thickness. Without an area, the thinnest axis.
    let thick = |k: usize| size(regions, k);
    let known = area.iter().any(|&a| a > 0.0);
    let met = |k: usize| thick(k).log2() + area[k].max(f64::MIN_POSITIVE).log2();
    let score = |k: usize| if known { met(k) } else { -thick(k) };
    // Bodies that barely touch share a flat region: seen from the side, no ray passes it.
    let flat = |k: usize| thick(k) / size(bodies, k);
    let mut axes = [2, 1, 0];
    if axes.iter().any(|&k| flat(k) < MIN_VIEW_OF_BODIES) {
        axes.sort_by(|&i, &j| flat(i).total_cmp(&flat(j)));
    } else {
        axes.sort_by(|&i, &j| score(j).total_cmp(&score(i)));
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORTHOGRAPHIC: Projection = Projection::Orthographic;
    const PERSPECTIVE: Projection = Projection::Perspective { field_of_view: 60.0 };
    const REGION: Bounds = Bounds { min: [1.0, 2.0, 3.0], max: [2.0, 4.0, 7.0] };
    const BODY: Bounds = Bounds { min: [-10.0; 3], max: [10.0; 3] };

    #[test]
    fn the_region_fills_the_image_and_the_bodies_fill_the_depth() {
        for direction in
            [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [1.0, -2.0, 0.5], [0.0, 0.0, -1.0]]
        {
            let view = View::new(direction, [64, 48], ORTHOGRAPHIC, &[REGION], &[BODY]).unwrap();
            let image = Bounds::of(REGION.corners().map(|p| view.project(p)));
            for (axis, pixels) in [(0, 64.0), (1, 48.0)] {
                assert!(
                    (image.min[axis] - BORDER).abs() < 1e-9
                        && (image.max[axis] - (pixels - BORDER)).abs() < 1e-9
                );
            }
            let depth = Bounds::of(BODY.corners().map(|p| view.project(p)));
            assert!(depth.min[2] > 0.0 && depth.max[2] < 1.0 && depth.max[2] - depth.min[2] > 0.9);
        }
    }

    #[test]
    fn what_is_seen_somewhere_lies_there() {
        for projection in [ORTHOGRAPHIC, PERSPECTIVE] {
            for direction in [[0.0, 0.0, 1.0], [1.0, -2.0, 0.5], [0.0, -1.0, 0.0]] {
                let view = View::new(direction, [64, 48], projection, &[REGION], &[BODY]).unwrap();
                for p in BODY.corners().chain(REGION.corners()) {
                    let q = view.unproject(view.project(p));
                    assert!((0..3).all(|k| (p[k] - q[k]).abs() < 1e-9), "{projection:?} {p:?} {q:?}");
                }
            }
        }
    }

    #[test]
    fn in_perspective_the_region_is_seen_whole_and_what_is_near_is_larger() {
        for field_of_view in [f64::NAN, 0.0, 30.0, 90.0, 180.0] {
            let projection = Projection::Perspective { field_of_view };
            let view = View::new([0.0, 0.0, 1.0], [64, 48], projection, &[REGION], &[BODY]).unwrap();
            let image = Bounds::of(REGION.corners().map(|p| view.project(p)));
            assert!(
                (image.min[0] - BORDER).abs() < 1e-9 && (image.max[0] - (64.0 - BORDER)).abs() < 1e-9,
                "{image:?}"
            );
            let width = |z: f64| view.project([2.0, 2.0, z])[0] - view.project([1.0, 2.0, z])[0];
            assert!(width(-10.0) > width(10.0) && width(10.0) > 0.0);
            let depth = |z: f64| view.project([1.5, 3.0, z])[2];
            assert!(0.0 < depth(-10.0) && depth(-10.0) < depth(0.0) && depth(10.0) < 1.0);
            // At the far end, a pixel and a step of depth are as large as they are said to be.
            assert!((width(10.0) * view.pixel_size()[0] - 1.0).abs() < 1e-9);
            let step = depth(10.0) - depth(10.0 - 1e-6);
            assert!((step / view.depth_of(1e-6) - 1.0).abs() < 1e-3, "{step}");
        }
    }

    #[test]
    fn a_triangle_that_faces_the_rays_turns_left_in_an_image_with_y_down() {
        for direction in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 2.0, 3.0], [-1.0, 0.2, 0.1]] {
            let view = View::new(direction, [64, 64], ORTHOGRAPHIC, &[BODY], &[BODY]).unwrap();
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
            let views = View::choose(
                &Looking {
                    pixels: [1024; 2],
                    direction: Direction::Auto,
                    projection: Projection::Orthographic,
                },
                &[region],
                &[BODY],
                [1.0; 3],
            );
            assert_eq!(views.len(), 1);
            assert_eq!(views[0].direction[k], 1.0);
        }
    }

    #[test]
    fn huge_tiny_and_flat_scenes_have_finite_views() {
        for (size, projection) in [1e-300, 1e-30, 1.0, 1e30, 1e300]
            .into_iter()
            .flat_map(|size| [ORTHOGRAPHIC, PERSPECTIVE].map(|projection| (size, projection)))
        {
            let region = Bounds { min: [-size; 3], max: [size, size, -size] };
            let view = View::new([0.0, 1.0, 1.0], [64, 64], projection, &[region], &[region]).unwrap();
            let p = view.project([size, size, -size]);
            assert!(p.iter().all(|c| c.is_finite()), "{size}: {p:?}");
        }
        assert!(View::new([0.0; 3], [64, 64], ORTHOGRAPHIC, &[Bounds::EMPTY], &[]).is_none());
        let with_nothing = View::new(
            [0.0, 0.0, 1.0],
            [64, 64],
            ORTHOGRAPHIC,
            &[REGION, Bounds::EMPTY],
            &[BODY, Bounds::EMPTY],
        );
        assert_eq!(
            with_nothing,
            View::new([0.0, 0.0, 1.0], [64, 64], ORTHOGRAPHIC, &[REGION], &[BODY]),
            "nothing changes nothing"
        );
    }
}

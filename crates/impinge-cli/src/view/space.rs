//! The page's coordinates: any scene, of any size and place, within about -1 to 1, where single precision is enough to
//! look at it. World coordinates are got back from the centre and the scale, which the page is told.

use impinge::{Body, Bounds, Point, Scene};

/// Largest coordinate that the page is sent. What moves farther away than this, in sizes of the scene, stays there.
const FARTHEST: f64 = 1e6;

/// Largest entry of a pose that the page is sent: a float can hold it times any coordinate.
const STEEPEST: f64 = 1e30;

/// How page coordinates come from world coordinates: less the centre, divided by the scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    /// Half of each, so that differences exist for all finite coordinates.
    half_centre: Point,
    half_scale: f64,
}

impl Space {
    /// Around everything that is in the scene now.
    pub(crate) fn around(scene: &Scene) -> Self {
        let bounds = scene.bodies().map(|(_, body)| world_bounds(body));
        let bounds = bounds.reduce(Bounds::union).filter(|bounds| !bounds.is_empty());
        let Some(Bounds { min, max }) = bounds else {
            return Self { half_centre: [0.0; 3], half_scale: 0.5 };
        };
        let half_centre = std::array::from_fn(|i| min[i] / 4.0 + max[i] / 4.0);
        let half_scale = (0..3).map(|i| max[i] / 4.0 - min[i] / 4.0).fold(0.0, f64::max);
        Self { half_centre, half_scale: if half_scale.is_normal() { half_scale } else { 0.5 } }
    }

    pub(crate) fn centre(&self) -> Point {
        self.half_centre.map(|c| c * 2.0)
    }

    pub(crate) fn scale(&self) -> f64 {
        (self.half_scale * 2.0).min(f64::MAX)
    }

    pub(crate) fn point(&self, world: Point) -> [f32; 3] {
        std::array::from_fn(|i| bounded((world[i] / 2.0 - self.half_centre[i]) / self.half_scale))
    }

    /// A difference of two points.
    fn vector(&self, from: Point, to: Point) -> [f32; 3] {
        std::array::from_fn(|i| bounded((to[i] / 2.0 - from[i] / 2.0) / self.half_scale))
    }

    /// A vertex in the coordinates that a body's own are on the page: around its middle.
    pub(crate) fn local(&self, middle: Point, vertex: Point) -> [f32; 3] {
        self.vector(middle, vertex)
    }

    /// From those coordinates to the page's: three rows of four numbers.
    pub(crate) fn pose(&self, body: &Body, middle: Point) -> [f32; 12] {
        let rows = body.pose().rows();
        let place = self.point(body.pose().apply(middle));
        std::array::from_fn(|i| match i % 4 {
            3 => place[i / 4],
            column => rows[i / 4][column].clamp(-STEEPEST, STEEPEST) as f32,
        })
    }
}

fn bounded(value: f64) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-FARTHEST, FARTHEST) as f32 }
}

/// The middle of a body's box, in its own coordinates.
pub(crate) fn middle(body: &Body) -> Point {
    let bounds = Bounds::of(body.mesh().positions().iter());
    if bounds.is_empty() {
        return [0.0; 3];
    }
    std::array::from_fn(|i| bounds.min[i] / 2.0 + bounds.max[i] / 2.0)
}

pub(crate) fn world_bounds(body: &Body) -> Bounds {
    Bounds::of((0..body.mesh().positions().len()).map(|vertex| body.world_position(vertex)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::{Mesh, Pose};

    fn scene(points: Vec<Point>, pose: Pose) -> Scene {
        let mut scene = Scene::new();
        let body = scene.add("body", Mesh::new(points, vec![[0, 1, 2]]).unwrap());
        scene.set_pose(body, pose).unwrap();
        scene
    }

    /// Where a vertex ends up when the page does what it is told.
    fn shown(scene: &Scene, space: &Space, vertex: usize) -> [f32; 3] {
        let (_, body) = scene.bodies().next().unwrap();
        let middle = middle(body);
        let p = space.local(middle, body.mesh().positions().get(vertex));
        let m = space.pose(body, middle);
        std::array::from_fn(|i| m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3])
    }

    #[test]
    fn poses_and_local_coordinates_together_are_the_place_in_the_world() {
        let turned = Pose::from_axis_angle([1.0, 2.0, -1.0], 0.7, [1e7, -3e6, 2.0]).unwrap();
        let points = vec![[5e5, 1.0, 2.0], [5e5 + 4.0, 1.0, 2.0], [5e5, 3.0, 2.5]];
        let scene = scene(points, turned);
        let space = Space::around(&scene);
        let (_, body) = scene.bodies().next().unwrap();
        for vertex in 0..3 {
            let direct = space.point(body.world_position(vertex));
            let by_pose = shown(&scene, &space, vertex);
            for i in 0..3 {
                assert!((direct[i] - by_pose[i]).abs() < 1e-5, "{direct:?} {by_pose:?}");
                assert!(direct[i].abs() <= 1.001);
            }
        }
    }

    #[test]
    fn the_largest_and_the_smallest_scenes_are_shown() {
        for size in [1e-300, 1e300, 8e307] {
            let points = vec![[-size, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, 0.0]];
            let scene = scene(points, Pose::IDENTITY);
            let space = Space::around(&scene);
            assert_eq!(shown(&scene, &space, 0)[0], -1.0, "{size}");
            assert_eq!(shown(&scene, &space, 1)[0], 1.0, "{size}");
            assert!(space.scale().is_finite() && space.scale() > 0.0);
        }
    }
}

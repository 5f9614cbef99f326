//! Where the camera stands: any scene, of any size and place, fills the picture from a three-quarter view.

use super::vector::{V, cross, dot, sub, unit};
use super::{HEIGHT, SUPERSAMPLING, WIDTH};
use impinge::{Bounds, Point};

/// Half the vertical field of view, as a tangent: a long lens, which keeps shapes true.
const TANGENT: f32 = 0.22;

/// Part of the picture that the scene may fill, each way.
const FILL: f32 = 0.86;

/// Nearest that anything may come to the camera, in half-sizes of the scene.
const NEAREST: f32 = 0.5;

/// From the scene's centre to the camera, y up.
const TOWARD: V = [0.55, 0.42, 0.90];

/// The axis of the scene that points up in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Up {
    Y,
    Z,
}

/// A camera. Its coordinates are right, up and toward the viewer.
pub(super) struct View {
    /// Half of the scene's centre, and half of its largest half-size: halves, so that their difference exists
    /// for any finite coordinates.
    half_centre: Point,
    half_size: f64,
    up: Up,
    axes: [V; 3],
    /// Position of the camera, in its own coordinates.
    eye: V,
    /// The same in normalised scene coordinates.
    pub(super) eye_in_scene: V,
    /// Height of the scene's lowest point, normalised.
    pub(super) floor: f32,
}

/// A projected point: x and y in samples from the top left, and one over the distance.
pub(super) type Projected = V;

impl View {
    pub(super) fn new(points: impl Iterator<Item = Point> + Clone, up: Up) -> Self {
        let bounds = Bounds::of(points.clone());
        let mut view = Self {
            half_centre: [0.0; 3],
            half_size: 0.0,
            up,
            axes: axes(),
            eye: [0.0, 0.0, NEAREST / TANGENT],
            eye_in_scene: [0.0; 3],
            floor: 0.0,
        };
        if bounds.is_empty() {
            return view;
        }
        for axis in 0..3 {
            let (low, high) = (bounds.min[axis] / 2.0, bounds.max[axis] / 2.0);
            view.half_centre[axis] = low / 2.0 + high / 2.0;
            view.half_size = view.half_size.max(high / 2.0 - low / 2.0);
        }
        view.floor = view.normalised(bounds.min)[1];

        // A point (x, y, z) is inside the picture when |x - cx| <= t (d - z), so the camera's place follows from
        // the extremes of t z + x and t z - x, and the same for y.
        let mut extremes = [f32::MIN; 4];
        let mut nearest = f32::MIN;
        for p in points {
            let [x, y, z] = view.in_camera(view.normalised(p));
            let (tx, ty) = tangents();
            for (extreme, value) in extremes.iter_mut().zip([tx * z + x, tx * z - x, ty * z + y, ty * z - y])
            {
                *extreme = extreme.max(value);
            }
            nearest = nearest.max(z);
        }
        let [right, left, top, bottom] = extremes;
        let (tx, ty) = tangents();
        let distance = ((right + left) / (2.0 * tx)).max((top + bottom) / (2.0 * ty)).max(nearest + NEAREST);
        view.eye = [(right - left) / 2.0, (top - bottom) / 2.0, distance];
        view.eye_in_scene =
            std::array::from_fn(|i| (0..3).map(|axis| view.axes[axis][i] * view.eye[axis]).sum());
        view
    }

    /// The scene's coordinates moved and scaled into -1 to 1, and turned so that y is up.
    pub(super) fn normalised(&self, p: Point) -> V {
        let [x, y, z] = std::array::from_fn(|axis| {
            let q = (p[axis] / 4.0 - self.half_centre[axis] / 2.0) / (self.half_size / 2.0);
            // Zero where the scene has no size; contact points may stick out by their rounding.
            if q.is_nan() { 0.0 } else { q.clamp(-1.0, 1.0) as f32 }
        });
        match self.up {
            Up::Y => [x, y, z],
            Up::Z => [x, z, -y],
        }
    }

    /// Back from there to the scene's coordinates.
    pub(super) fn scene(&self, [x, y, z]: V) -> Point {
        let q = match self.up {
            Up::Y => [x, y, z],
            Up::Z => [x, -z, y],
        };
        std::array::from_fn(|axis| 2.0 * (self.half_centre[axis] + f64::from(q[axis]) * self.half_size))
    }

    fn in_camera(&self, q: V) -> V {
        self.axes.map(|axis| dot(axis, q))
    }

    /// Where a normalised point is seen.
    pub(super) fn project(&self, q: V) -> Projected {
        let [x, y, z] = sub(self.in_camera(q), self.eye);
        let inverse = 1.0 / (-z).max(NEAREST / 2.0);
        let focal = focal();
        [
            (WIDTH * SUPERSAMPLING) as f32 / 2.0 + x * inverse * focal,
            (HEIGHT * SUPERSAMPLING) as f32 / 2.0 - y * inverse * focal,
            inverse,
        ]
    }

    /// Direction of sight through a sample, normalised scene coordinates; its part along the camera's axis is -1.
    pub(super) fn ray(&self, x: f32, y: f32) -> V {
        let focal = focal();
        let (right, up) = (
            (x - (WIDTH * SUPERSAMPLING) as f32 / 2.0) / focal,
            ((HEIGHT * SUPERSAMPLING) as f32 / 2.0 - y) / focal,
        );
        std::array::from_fn(|i| self.axes[0][i] * right + self.axes[1][i] * up - self.axes[2][i])
    }
}

/// Samples per unit of tangent.
pub(super) fn focal() -> f32 {
    (HEIGHT * SUPERSAMPLING) as f32 / (2.0 * TANGENT)
}

fn tangents() -> (f32, f32) {
    (TANGENT * FILL * WIDTH as f32 / HEIGHT as f32, TANGENT * FILL)
}

fn axes() -> [V; 3] {
    let toward = unit(TOWARD);
    let right = unit(cross([0.0, 1.0, 0.0], toward));
    [right, cross(toward, right), toward]
}

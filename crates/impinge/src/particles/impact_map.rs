//! The impact map: a collider's surface, unrolled, and what hit it where (Knott 2003, sections 3.4.2 and 3.4.3).
//!
//! | collider | across | down | resolution |
//! |---|---|---|---|
//! | plane | its x | its y | the same everywhere |
//! | box | six faces side by side, -x +x -y +y -z +z | | the same on each face |
//! | ellipsoid | longitude about z | z | of a sphere, every texel has the same area |
//! | cylinder, cone, paraboloid, hyperboloid | longitude about z | z | of a cylinder the same everywhere, otherwise finer where it is narrower |
//! | other quadrics, meshes | longitude about z, seen from the middle | sine of the latitude | by the distance from there; not bounded where the surface goes along the sight |
//!
//! Coordinates are those of the collider's own frame; sizes are given in it too (3.5.1), which is the world's for poses
//! that do not scale.

use super::collider::{Collider, plane_bounds};
use super::error::ParticleError;
use super::impact::Impact;
use super::shape::{Form, Shape};
use crate::scene::{Bounds, Point};
use std::f64::consts::TAU;

/// Most texels across or down.
pub(crate) const MAX_TEXELS: u32 = 16_384;

/// What a texel keeps when it is hit again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    /// The latest: the splat texture of the thesis' figure 3.6.
    #[default]
    Latest,
    /// Speeds add up; the time is of the latest.
    Additive,
}

/// What a texel knows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Texel {
    /// How many impacts fell on it.
    pub hits: u32,
    /// The collider; of several maps put side by side, which.
    pub collider: u32,
    /// Exactly when it was hit last.
    pub time: f64,
    /// How fast; of all impacts together when they are added.
    pub speed: f64,
}

/// How large a texel is on the surface, in units of the collider's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Across, where it is finest and where it is coarsest.
    pub across: [f64; 2],
    /// Down, the same.
    pub down: [f64; 2],
}

/// How a surface is laid out flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    /// A rectangle of a plane.
    Flat {
        /// Smallest coordinates.
        min: [f64; 2],
        /// Largest coordinates.
        max: [f64; 2],
    },
    /// Six faces side by side.
    Faces {
        /// Half the size of the box.
        half: Point,
    },
    /// Round the z axis, and along it.
    Unrolled {
        /// Half axes where it is widest.
        radii: [f64; 2],
        /// From where to where along the axis.
        z: [f64; 2],
        /// The quadric's, for how wide it is where.
        matrix: [[f64; 4]; 4],
    },
    /// By direction from a point.
    Directions {
        /// The point.
        centre: Point,
        /// Greatest distance of the surface from it.
        far: f64,
    },
}

/// A map of one collider.
#[derive(Clone, Debug)]
pub struct ImpactMap {
    collider: u32,
    width: u32,
    height: u32,
    blend: Blend,
    layout: Layout,
    texels: Vec<Texel>,
}

impl ImpactMap {
    /// An empty map of the collider with this index. A plane without bounds is mapped as the square of side 2 about its
    /// origin, and what hits it elsewhere falls on the border texels.
    pub fn new(
        collider: &Collider,
        index: u32,
        [width, height]: [u32; 2],
        blend: Blend,
    ) -> Result<Self, ParticleError> {
        let good = 1..=MAX_TEXELS;
        if !good.contains(&width) || !good.contains(&height) {
            return Err(ParticleError::MapSize { width, height });
        }
        let layout = Layout::of(collider);
        let texels = vec![Texel::default(); width as usize * height as usize];
        Ok(Self { collider: index, width, height, blend, layout, texels })
    }

    /// Adds the impacts that are of its collider. They may come in any order: the latest wins by its time, and of equal
    /// times the one that came last.
    pub fn add<'a>(&mut self, collider: &Collider, impacts: impl IntoIterator<Item = &'a Impact>) {
        for impact in impacts {
            if impact.collider != self.collider {
                continue;
            }
            let place = self.texel_of(collider, impact);
            let texel = &mut self.texels[place];
            let latest = texel.hits == 0 || impact.time >= texel.time;
            texel.collider = self.collider;
            texel.hits = texel.hits.saturating_add(1);
            match self.blend {
                Blend::Latest if latest => texel.speed = impact.speed,
                Blend::Latest => {}
                Blend::Additive => texel.speed += impact.speed,
            }
            if latest {
                texel.time = impact.time;
            }
        }
    }

    /// Which texel an impact falls on.
    pub fn texel_of(&self, collider: &Collider, impact: &Impact) -> usize {
        let [u, v] = self.place(collider, impact.position, impact.element);
        // What rounding puts over the border is on it.
        let texel = |x: f64, count: u32| ((x * f64::from(count)) as usize).min(count as usize - 1);
        texel(v, self.height) * self.width as usize + texel(u, self.width)
    }

    /// Where a point of the collider is on its map, from 0 to 1 across and down.
    pub fn place(&self, collider: &Collider, position: Point, element: u32) -> [f64; 2] {
        let p = collider.from_world().map_or(position, |from_world| from_world.point(position));
        self.layout.place(p, element)
    }

    /// All texels, row after row.
    pub fn texels(&self) -> &[Texel] {
        &self.texels
    }

    /// Texels across and down.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// How the surface is laid out flat.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What texels keep.
    pub fn blend(&self) -> Blend {
        self.blend
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.texels.fill(Texel::default());
    }

    /// How large a texel is on the surface (3.5.1).
    pub fn resolution(&self) -> Resolution {
        self.layout.resolution([f64::from(self.width), f64::from(self.height)])
    }
}

impl Layout {
    fn of(collider: &Collider) -> Self {
        match collider.shape() {
            Shape::Plane(constraints) => {
                let unit = Bounds { min: [-1.0; 3], max: [1.0; 3] };
                let Bounds { min: [left, low, _], max: [right, high, _] } =
                    plane_bounds(constraints).unwrap_or(unit);
                Self::Flat { min: [left, low], max: [right, high] }
            }
            Shape::Box { half } => Self::Faces { half: *half },
            Shape::Quadric { form: Form::Ellipsoid { radii: [x, y, z] }, matrix, .. } => {
                Self::Unrolled { radii: [*x, *y], z: [-z, *z], matrix: *matrix }
            }
            Shape::Quadric { form: Form::Turned { radii, z }, matrix, .. } => {
                Self::Unrolled { radii: *radii, z: *z, matrix: *matrix }
            }
            Shape::Quadric { .. } | Shape::Mesh(_) => Self::seen(collider),
        }
    }

    /// From the middle of its box; from its origin when it has none.
    fn seen(collider: &Collider) -> Self {
        let Some(Bounds { min, max }) = collider.bounds() else {
            return Self::Directions { centre: [0.0; 3], far: f64::INFINITY };
        };
        let middle: Point = std::array::from_fn(|k| 0.5 * (min[k] + max[k]));
        let into = |p: Point| collider.from_world().map_or(p, |from_world| from_world.point(p));
        let centre = into(middle);
        let far = Bounds { min, max }.corners().map(|corner| {
            let p = into(corner);
            (0..3).map(|k| (p[k] - centre[k]).powi(2)).sum::<f64>().sqrt()
        });
        Self::Directions { centre, far: far.fold(0.0, f64::max) }
    }

    fn place(&self, p: Point, element: u32) -> [f64; 2] {
        let part = |x: f64, [from, to]: [f64; 2]| {
            let part = (x - from) / (to - from);
            if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
        };
        let longitude = |x: f64, y: f64| part(y.atan2(x), [-0.5 * TAU, 0.5 * TAU]);
        match *self {
            Self::Flat { min, max } => [part(p[0], [min[0], max[0]]), part(p[1], [min[1], max[1]])],
            Self::Faces { half } => {
                let axis = (element as usize / 2).min(2);
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                // A hair short of the next face.
                let across = part(p[i], [-half[i], half[i]]).min(1.0 - f64::EPSILON);
                [(f64::from(element.min(5)) + across) / 6.0, part(p[j], [-half[j], half[j]])]
            }
            Self::Unrolled { radii, z, .. } => [longitude(p[0] / radii[0], p[1] / radii[1]), part(p[2], z)],
            Self::Directions { centre, .. } => {
                let [x, y, z]: Point = std::array::from_fn(|k| p[k] - centre[k]);
                let length = x.hypot(y).hypot(z);
                [longitude(x, y), part(z / length, [-1.0, 1.0])]
            }
        }
    }

    fn resolution(&self, [width, height]: [f64; 2]) -> Resolution {
        match *self {
            Self::Flat { min, max } => {
                Resolution { across: [(max[0] - min[0]) / width; 2], down: [(max[1] - min[1]) / height; 2] }
            }
            Self::Faces { half } => {
                let range = |count: f64| {
                    let sizes = half.map(|h| 2.0 * h / count);
                    [sizes.into_iter().fold(f64::INFINITY, f64::min), sizes.into_iter().fold(0.0, f64::max)]
                };
                Resolution { across: range(width / 6.0), down: range(height) }
            }
            Self::Unrolled { z, matrix, .. } => unrolled_resolution(z, &matrix, [width, height]),
            Self::Directions { far, .. } => {
                Resolution { across: [0.0, far * TAU / width], down: [0.0, f64::INFINITY] }
            }
        }
    }
}

/// Row by row: how wide the surface is in its middle, and how far from its upper border to its lower, along the chord.
fn unrolled_resolution(z: [f64; 2], matrix: &[[f64; 4]; 4], [width, height]: [f64; 2]) -> Resolution {
    // Where the plane through the axis and x, or y, meets the surface at this height.
    let radii = |z: f64| {
        let rest = -(matrix[2][2] * z * z + 2.0 * matrix[2][3] * z + matrix[3][3]);
        [matrix[0][0], matrix[1][1]].map(|entry| (rest / entry).max(0.0).sqrt())
    };
    let step = (z[1] - z[0]) / height;
    let mut resolution = Resolution { across: [f64::INFINITY, 0.0], down: [f64::INFINITY, 0.0] };
    for row in 0..height as usize {
        let at = |part: f64| radii(z[0] + (row as f64 + part) * step);
        let (upper, middle, lower) = (at(0.0), at(0.5), at(1.0));
        for k in 0..2 {
            let (across, down) = (middle[k] * TAU / width, step.hypot(lower[k] - upper[k]));
            let Resolution { across: [finest, coarsest], down: [shortest, longest] } = resolution;
            resolution.across = [finest.min(across), coarsest.max(across)];
            resolution.down = [shortest.min(down), longest.max(down)];
        }
    }
    resolution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Pose;

    fn impact(position: Point, element: u32, time: f64, speed: f64) -> Impact {
        Impact {
            time,
            particle: 0,
            generation: 0,
            bounce: 0,
            collider: 3,
            element,
            position,
            normal: [0.0, 0.0, 1.0],
            velocity: [0.0, 0.0, -speed],
            speed,
        }
    }

    #[test]
    fn a_rectangle_maps_by_scaling_alone() {
        let roof = Collider::rectangle("roof", [10.0, 0.0, 0.0], [0.0, 0.0, 1.0], [4.0, 2.0]).unwrap();
        let mut map = ImpactMap::new(&roof, 3, [8, 4], Blend::Latest).unwrap();
        // The thesis' M / p by N / q.
        assert_eq!(map.resolution(), Resolution { across: [0.5; 2], down: [0.5; 2] });
        map.add(&roof, &[impact([8.1, -0.9, 0.0], 0, 2.0, 5.0), impact([11.9, 0.9, 0.0], 0, 1.0, 6.0)]);
        let hit: Vec<usize> = (0..32).filter(|&k| map.texels()[k].hits > 0).collect();
        assert_eq!(hit, [0, 31]);
        assert_eq!(map.texels()[0], Texel { hits: 1, collider: 3, time: 2.0, speed: 5.0 });
        // Another collider's impacts are not drawn.
        let other = Impact { collider: 2, ..impact([10.0, 0.0, 0.0], 0, 1.0, 1.0) };
        map.add(&roof, &[other]);
        assert_eq!(map.texels().iter().map(|texel| texel.hits).sum::<u32>(), 2);
    }

    #[test]
    fn the_latest_wins_or_speeds_add_up() {
        let roof = Collider::rectangle("roof", [0.0; 3], [0.0, 0.0, 1.0], [2.0, 2.0]).unwrap();
        let both = [impact([0.5, 0.5, 0.0], 0, 2.0, 5.0), impact([0.5, 0.5, 0.0], 0, 1.0, 3.0)];
        for (blend, speed) in [(Blend::Latest, 5.0), (Blend::Additive, 8.0)] {
            for order in [[0, 1], [1, 0]] {
                let mut map = ImpactMap::new(&roof, 3, [1, 1], blend).unwrap();
                map.add(&roof, order.map(|k| &both[k]));
                assert_eq!(map.texels()[0], Texel { hits: 2, collider: 3, time: 2.0, speed });
            }
        }
    }

    #[test]
    fn texels_of_a_sphere_have_one_area() {
        // Points spread evenly by a spiral: about as many on every texel.
        let ball = Collider::sphere("ball", [1.0, 2.0, 3.0], 2.0).unwrap();
        let mut map = ImpactMap::new(&ball, 3, [8, 4], Blend::Additive).unwrap();
        let count = 32_000;
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let all: Vec<Impact> = (0..count)
            .map(|k| {
                let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
                let (radius, turn) = ((1.0 - z * z).sqrt(), golden * f64::from(k));
                let p = [radius * turn.cos(), radius * turn.sin(), z];
                impact(std::array::from_fn(|k| [1.0, 2.0, 3.0][k] + 2.0 * p[k]), 0, 0.0, 1.0)
            })
            .collect();
        map.add(&ball, &all);
        assert!(map.texels().iter().all(|texel| texel.hits.abs_diff(1000) < 20));
        let Resolution { across, down } = map.resolution();
        assert!(
            (across[1] - 4.0 * std::f64::consts::PI / 8.0).abs() < 0.2 && down[0] >= 1.0 && down[1] < 2.3
        );
    }

    #[test]
    fn cylinders_unroll_and_boxes_have_six_faces() {
        let pose = Pose::from_axis_angle([1.0, 1.0, 0.0], 0.8, [5.0, 6.0, 7.0]).unwrap();
        let can = Collider::cylinder("can", [0.5, 0.5], 1.0, pose).unwrap();
        let map = ImpactMap::new(&can, 3, [100, 50], Blend::Latest).unwrap();
        let Resolution { across, down } = map.resolution();
        assert!((across[0] - 0.01 * std::f64::consts::PI).abs() < 1e-12 && across[0] == across[1]);
        assert!((down[0] - 0.04).abs() < 1e-12 && down[0] == down[1]);
        let [u, v] = map.place(&can, pose.apply([0.0, 0.5, 0.5]), 0);
        assert!((u - 0.75).abs() < 1e-12 && (v - 0.75).abs() < 1e-12);

        let crate_ = Collider::cuboid("crate", [1.0, 2.0, 3.0], pose).unwrap();
        let map = ImpactMap::new(&crate_, 3, [60, 10], Blend::Latest).unwrap();
        assert_eq!(map.resolution(), Resolution { across: [0.2, 0.6], down: [0.2, 0.6] });
        for (face, p) in [(0, [-1.0, 0.0, 0.0]), (3, [0.5, 2.0, 0.0]), (5, [0.0, -0.5, 3.0])] {
            let texel = map.texel_of(&crate_, &impact(pose.apply(p), face, 0.0, 1.0));
            assert_eq!(texel % 60 / 10, face as usize);
        }
    }

    #[test]
    fn every_place_of_anything_is_on_its_map() {
        for collider in [
            Collider::plane("plane", [0.0; 3], [1.0, 2.0, 3.0]).unwrap(),
            Collider::cone("cone", 1.0, 2.0, Pose::IDENTITY).unwrap(),
            Collider::quadric(
                "saddle",
                [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, -0.5], [0.0, 0.0, -0.5, 0.0]],
                Vec::new(),
                Pose::IDENTITY,
            )
            .unwrap(),
        ] {
            let map = ImpactMap::new(&collider, 3, [7, 5], Blend::Latest).unwrap();
            for p in [[0.0; 3], [1e300, -1e300, 1e300], [-1.0, 0.0, 0.0], [f64::NAN; 3]] {
                assert!(map.texel_of(&collider, &impact(p, 99, 0.0, 1.0)) < 35);
            }
        }
    }
}

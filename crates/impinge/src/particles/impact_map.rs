//! The impact map: a collider's surface, unrolled, and what hit it where (Knott 2003, sections 3.4.2 and 3.4.3).
//!
//! | collider | across | down | resolution |
//! |---|---|---|---|
//! | plane | its x | its y | the same everywhere |
//! | box | six faces side by side, -x +x -y +y -z +z | | the same on each face |
//! | ellipsoid | longitude about z | z | a texel of a sphere has the same area everywhere |
//! | cylinder, cone, paraboloid, hyperboloid | longitude about z | z | finer where it is narrower |
//! | other quadrics, meshes | longitude about z, from the middle of its box | sine of the latitude | by the distance from there |
//!
//! Coordinates are those of the collider's own frame; sizes are given in it too (3.5.1), which is the world's for poses
//! that do not scale.

use super::collider::Collider;
use super::error::ParticleError;
use super::impact::Impact;
use super::shape::{Constraint, Form, Shape};
use crate::bounds::Bounds;
use crate::mesh::Point;
use std::f64::consts::TAU;

/// Most texels across or down.
pub(crate) const MOST_TEXELS: u32 = 16_384;

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
        /// Whether it closes at both ends like a ball.
        round: bool,
    },
    /// By direction from a point.
    Directions {
        /// The point.
        centre: Point,
        /// Least distance of the surface from it.
        near: f64,
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
        let good = 1..=MOST_TEXELS;
        if !good.contains(&width) || !good.contains(&height) {
            return Err(ParticleError::MapSize { width, height });
        }
        let layout = Layout::of(collider);
        let texels = vec![Texel::default(); width as usize * height as usize];
        Ok(Self { collider: index, width, height, blend, layout, texels })
    }

    /// Adds the impacts that are of its collider. They may come in any order: the latest wins by its time, and of equal
    /// times the higher particle.
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
                let mut bounds: Option<[[f64; 2]; 2]> = None;
                for constraint in constraints {
                    if let Constraint::Inside(region) = constraint {
                        let [low, high] = region.rectangle();
                        bounds = Some(bounds.map_or([low, high], |[min, max]| {
                            [
                                [min[0].max(low[0]), min[1].max(low[1])],
                                [max[0].min(high[0]), max[1].min(high[1])],
                            ]
                        }));
                    }
                }
                let [min, max] = bounds.unwrap_or([[-1.0; 2], [1.0; 2]]);
                Self::Flat { min, max }
            }
            Shape::Box { half } => Self::Faces { half: *half },
            Shape::Quadric { form: Form::Ellipsoid { radii: [x, y, z] }, .. } => {
                Self::Unrolled { radii: [*x, *y], z: [-z, *z], round: true }
            }
            Shape::Quadric { form: Form::Turned { radii, z }, .. } => {
                Self::Unrolled { radii: *radii, z: *z, round: false }
            }
            Shape::Quadric { .. } => Self::Directions { centre: [0.0; 3], near: 0.0, far: f64::INFINITY },
            Shape::Mesh(_) => {
                let Bounds { min, max } = collider.bounds().unwrap_or_default();
                let centre = std::array::from_fn(|k| 0.5 * (min[k] + max[k]));
                let far = (0..3).map(|k| (max[k] - centre[k]).powi(2)).sum::<f64>().sqrt();
                Self::Directions { centre, near: 0.0, far }
            }
        }
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
                let sizes = half.map(|h| 2.0 * h);
                let range = |count: f64, first: usize| {
                    let of = [sizes[first % 3], sizes[(first + 1) % 3], sizes[(first + 2) % 3]];
                    [
                        of.iter().fold(f64::INFINITY, |a, &b| a.min(b)) / count,
                        of.iter().fold(0.0, |a: f64, &b| a.max(b)) / count,
                    ]
                };
                Resolution { across: range(width / 6.0, 1), down: range(height, 2) }
            }
            Self::Unrolled { radii: [x, y], z, round } => {
                let (low, high) = (x.min(y), x.max(y));
                let down = (z[1] - z[0]) / height;
                // On a ball a row is longest on the surface where it is shortest across.
                let steepest =
                    if round { f64::INFINITY } else { down * (1.0 + (high / (z[1] - z[0])).powi(2)).sqrt() };
                let finest = if round { 0.0 } else { low * TAU / width };
                Resolution { across: [finest, high * TAU / width], down: [down, steepest] }
            }
            Self::Directions { near, far, .. } => Resolution {
                across: [near * TAU / width, far * TAU / width],
                down: [near * 2.0 / height, f64::INFINITY],
            },
        }
    }
}

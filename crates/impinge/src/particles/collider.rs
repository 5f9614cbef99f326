//! Something that particles hit: a surface in a pose, with a name and a response.

use super::affine::FromWorld;
use super::error::{ColliderFault, ParticleError};
use super::quadric::Quadric;
use super::response::Response;
use super::shape::{Clip, Constraint, Form, Region, Shape};
use super::surface::Surface;
use crate::scene::vector::{cross, unit};
use crate::scene::{Bounds, Mesh, Point, Pose};
use crate::util::tolerance::PLACE_ERROR;
use std::sync::Arc;

/// Something that particles hit, checked once.
///
/// ```
/// use impinge::particles::{Collider, Path};
///
/// let ball = Collider::sphere("ball", [0.0, 0.0, 5.0], 1.0)?;
/// let up = Path { start: 0.0, position: [0.0; 3], velocity: [0.0, 0.0, 2.0], acceleration: [0.0; 3] };
/// let hit = ball.first_hit(&up, 0.0, 10.0).unwrap();
/// assert_eq!((hit.elapsed, hit.position, hit.normal), (2.0, [0.0, 0.0, 4.0], [0.0, 0.0, -1.0]));
///
/// let error = Collider::plane("floor", [0.0; 3], [0.0; 3]).unwrap_err();
/// assert_eq!(error.to_string(), "collider 'floor': the normal is zero; it needs a direction");
/// # Ok::<(), impinge::particles::ParticleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collider {
    name: String,
    shape: Shape,
    pose: Pose,
    response: Response,
    pub(crate) solid: Solid,
    bounds: Option<Bounds>,
    /// The largest coordinate on the way to it: what errors of places are relative to.
    pub(crate) magnitude: f64,
}

/// A shape made ready.
#[derive(Clone, Debug)]
pub(crate) enum Solid {
    Plane { from_world: FromWorld, constraints: Vec<Constraint> },
    Quadric { from_world: FromWorld, quadric: Quadric },
    Box { from_world: FromWorld, half: Point },
    Mesh(Arc<Surface>),
}

impl Collider {
    /// A shape in a pose. The pose may turn, scale and shear; it may not flatten.
    pub fn new(name: impl Into<String>, shape: Shape, pose: Pose) -> Result<Self, ParticleError> {
        let name = name.into();
        let (solid, bounds) = Self::try_new(&shape, &pose).map_err(|fault| wrong(&name, fault))?;
        let reach = bounds.as_ref().map_or(0.0, Bounds::magnitude);
        let magnitude = pose.rows().iter().map(|row| row[3].abs()).fold(reach, f64::max);
        Ok(Self { name, shape, pose, response: Response::default(), solid, bounds, magnitude })
    }

    fn try_new(shape: &Shape, pose: &Pose) -> Result<(Solid, Option<Bounds>), ColliderFault> {
        let from_world = FromWorld::of(pose)?;
        let (solid, local) = match shape {
            Shape::Plane(constraints) => {
                constraints.iter().try_for_each(Constraint::check)?;
                let solid = Solid::Plane { from_world, constraints: constraints.clone() };
                (solid, plane_bounds(constraints))
            }
            Shape::Quadric { matrix, clips, .. } => {
                let quadric = Quadric::new(*matrix, clips.clone())?;
                let bounds = quadric.bounds();
                (Solid::Quadric { from_world, quadric }, bounds)
            }
            Shape::Box { half } => {
                half.iter().try_for_each(|&h| positive("half the size of the box", h))?;
                (Solid::Box { from_world, half: *half }, Some(Bounds { min: half.map(|h| -h), max: *half }))
            }
            Shape::Mesh(mesh) => {
                let surface = Surface::new(mesh, pose)?;
                let bounds = surface.bounds();
                return Ok((Solid::Mesh(Arc::new(surface)), Some(bounds)));
            }
        };
        let world = local.map(|local| Bounds::of(local.corners().map(|corner| pose.apply(corner))));
        Ok((solid, world.filter(|b| b.min.iter().chain(&b.max).all(|c| c.is_finite()))))
    }

    /// The same collider with another response.
    pub fn with_response(mut self, response: Response) -> Result<Self, ParticleError> {
        response.check().map_err(|fault| wrong(&self.name, fault))?;
        self.response = response;
        Ok(self)
    }

    /// An unbounded plane through a point.
    pub fn plane(name: impl Into<String>, point: Point, normal: Point) -> Result<Self, ParticleError> {
        Self::bounded_plane(name, point, normal, Vec::new())
    }

    /// A plane through a point, its origin, bounded by constraints. Its own x axis is across the normal and the world's
    /// z (its x where the normal goes along z), its y axis across both.
    pub fn bounded_plane(
        name: impl Into<String>,
        point: Point,
        normal: Point,
        constraints: Vec<Constraint>,
    ) -> Result<Self, ParticleError> {
        let name = name.into();
        let pose = facing(point, normal, "the normal").map_err(|fault| wrong(&name, fault))?;
        Self::new(name, Shape::Plane(constraints), pose)
    }

    /// A rectangle about a point, so long along the plane's own x and y (see [`Collider::bounded_plane`]).
    pub fn rectangle(
        name: impl Into<String>,
        centre: Point,
        normal: Point,
        size: [f64; 2],
    ) -> Result<Self, ParticleError> {
        let max = size.map(|s| 0.5 * s);
        let rectangle = Region::Rectangle { min: max.map(|m| -m), max };
        Self::bounded_plane(name, centre, normal, vec![Constraint::Inside(rectangle)])
    }

    /// A disc.
    pub fn disc(
        name: impl Into<String>,
        centre: Point,
        normal: Point,
        radius: f64,
    ) -> Result<Self, ParticleError> {
        let disc = Region::Disc { centre: [0.0; 2], radius };
        Self::bounded_plane(name, centre, normal, vec![Constraint::Inside(disc)])
    }

    /// A quadric by its matrix in its own frame. Digits are best kept by a matrix about the origin and a pose that moves it.
    pub fn quadric(
        name: impl Into<String>,
        matrix: [[f64; 4]; 4],
        clips: Vec<Clip>,
        pose: Pose,
    ) -> Result<Self, ParticleError> {
        Self::new(name, Shape::Quadric { matrix, clips, form: Form::General }, pose)
    }

    /// A sphere.
    pub fn sphere(name: impl Into<String>, centre: Point, radius: f64) -> Result<Self, ParticleError> {
        let name = name.into();
        let pose = Pose::from_translation(centre).map_err(|_| {
            let value = centre.into_iter().find(|c| !c.is_finite()).unwrap_or(f64::NAN);
            wrong(&name, ColliderFault::NotFinite { what: "the centre", value })
        })?;
        Self::ellipsoid(name, [radius; 3], pose)
    }

    /// An ellipsoid about its origin, by its half axes.
    pub fn ellipsoid(name: impl Into<String>, radii: Point, pose: Pose) -> Result<Self, ParticleError> {
        let [x, y, z] = radii.map(|r| 1.0 / (r * r));
        Self::measured(name, &radii, [x, y, z, 0.0, -1.0], Vec::new(), Form::Ellipsoid { radii }, pose)
    }

    /// A cylinder about its z axis, open at both ends, by its half axes across and half its height.
    pub fn cylinder(
        name: impl Into<String>,
        radii: [f64; 2],
        half_height: f64,
        pose: Pose,
    ) -> Result<Self, ParticleError> {
        let [x, y] = radii.map(|r| 1.0 / (r * r));
        let z = [-half_height, half_height];
        let sizes = [radii[0], radii[1], half_height];
        Self::measured(name, &sizes, [x, y, 0.0, 0.0, -1.0], slab(z), Form::Turned { radii, z }, pose)
    }

    /// A cone, open below: of this radius at z = 0, its tip at z = `height`.
    pub fn cone(
        name: impl Into<String>,
        radius: f64,
        height: f64,
        pose: Pose,
    ) -> Result<Self, ParticleError> {
        // x^2 + y^2 = (radius / height)^2 (height - z)^2
        let slope = radius / height;
        let square = slope * slope;
        let entries = [1.0, 1.0, -square, square * height, -square * height * height];
        let (radii, z) = ([radius; 2], [0.0, height]);
        // A little beyond the tip, where rounding must not cut it off.
        let clips = slab([0.0, height * (1.0 + PLACE_ERROR)]);
        Self::measured(name, &[radius, height], entries, clips, Form::Turned { radii, z }, pose)
    }

    /// A bowl, the lower part of a paraboloid: deepest at z = 0, its rim of this radius at z = `height`.
    pub fn paraboloid(
        name: impl Into<String>,
        radius: f64,
        height: f64,
        pose: Pose,
    ) -> Result<Self, ParticleError> {
        // x^2 + y^2 = z radius^2 / height
        let entries = [1.0, 1.0, 0.0, -0.5 * radius * radius / height, 0.0];
        let (radii, z) = ([radius; 2], [0.0, height]);
        // Open below as well: where it is deepest, rounding must not cut it off.
        let clips = slab([f64::NEG_INFINITY, height]);
        Self::measured(name, &[radius, height], entries, clips, Form::Turned { radii, z }, pose)
    }

    /// A hyperboloid about its z axis, `x^2 / a^2 + y^2 / b^2 - z^2 / c^2 = 1` of one sheet or -1 of two, cut at
    /// z = `half_height` above and below.
    pub fn hyperboloid(
        name: impl Into<String>,
        [a, b, c]: Point,
        sheets: Sheets,
        half_height: f64,
        pose: Pose,
    ) -> Result<Self, ParticleError> {
        let constant = if sheets == Sheets::One { -1.0 } else { 1.0 };
        let entries = [1.0 / (a * a), 1.0 / (b * b), -1.0 / (c * c), 0.0, constant];
        let z = [-half_height, half_height];
        let wider = (half_height / c).mul_add(half_height / c, -constant).max(0.0).sqrt();
        let form = Form::Turned { radii: [a * wider, b * wider], z };
        Self::measured(name, &[a, b, c, half_height], entries, slab(z), form, pose)
    }

    /// The six faces of a box about its origin, by half its size.
    pub fn cuboid(name: impl Into<String>, half: Point, pose: Pose) -> Result<Self, ParticleError> {
        Self::new(name, Shape::Box { half }, pose)
    }

    /// The triangles of a mesh.
    pub fn mesh(name: impl Into<String>, mesh: Mesh, pose: Pose) -> Result<Self, ParticleError> {
        Self::new(name, Shape::Mesh(Arc::new(mesh)), pose)
    }

    /// A quadric about its z axis from the diagonal, the linear term along z and the constant; sizes are checked first.
    fn measured(
        name: impl Into<String>,
        sizes: &[f64],
        [x, y, z, linear, constant]: [f64; 5],
        clips: Vec<Clip>,
        form: Form,
        pose: Pose,
    ) -> Result<Self, ParticleError> {
        let name = name.into();
        let positive = |&size: &f64| positive("a radius or height", size);
        sizes.iter().try_for_each(positive).map_err(|fault| wrong(&name, fault))?;
        let matrix =
            [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, linear], [0.0, 0.0, linear, constant]];
        Self::new(name, Shape::Quadric { matrix, clips, form }, pose)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its surface in its own frame.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// From its own frame to the world.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// What particles do that hit it.
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// From the world to its own frame, as hits are computed; `None` for meshes, whose triangles stand in the world.
    pub fn from_world(&self) -> Option<&FromWorld> {
        match &self.solid {
            Solid::Plane { from_world, .. }
            | Solid::Quadric { from_world, .. }
            | Solid::Box { from_world, .. } => Some(from_world),
            Solid::Mesh(_) => None,
        }
    }

    /// A box around it in the world, as it rounds; `None` when it goes on for ever.
    pub fn bounds(&self) -> Option<Bounds> {
        self.bounds
    }
}

/// How many parts a hyperboloid has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sheets {
    /// A waist.
    One,
    /// Two bowls.
    Two,
}

fn wrong(name: &str, fault: ColliderFault) -> ParticleError {
    ParticleError::Collider { name: name.to_owned(), fault }
}

pub(crate) fn positive(what: &'static str, value: f64) -> Result<(), ColliderFault> {
    if !value.is_finite() {
        Err(ColliderFault::NotFinite { what, value })
    } else if value <= 0.0 {
        Err(ColliderFault::NotPositive { what, value })
    } else {
        Ok(())
    }
}

/// Between two heights.
fn slab([low, high]: [f64; 2]) -> Vec<Clip> {
    let wide = f64::INFINITY;
    vec![Clip::Box { min: [-wide, -wide, low], max: [wide, wide, high] }]
}

/// What all regions have in common that the plane is inside of.
pub(crate) fn plane_bounds(constraints: &[Constraint]) -> Option<Bounds> {
    let mut bounds: Option<Bounds> = None;
    for constraint in constraints {
        if let Constraint::Inside(region) = constraint {
            let [min, max] = region.rectangle();
            let this = Bounds { min: [min[0], min[1], 0.0], max: [max[0], max[1], 0.0] };
            bounds = Some(bounds.map_or(this, |so_far| so_far.common(&this)));
        }
    }
    bounds
}

/// The pose at a point whose z axis goes along a normal.
fn facing(point: Point, normal: Point, what: &'static str) -> Result<Pose, ColliderFault> {
    for vector in [point, normal] {
        if let Some(value) = vector.into_iter().find(|c| !c.is_finite()) {
            return Err(ColliderFault::NotFinite { what: "the point or normal", value });
        }
    }
    let z = unit(normal).ok_or(ColliderFault::ZeroNormal { what })?;
    let x = unit(cross([0.0, 0.0, 1.0], z)).unwrap_or([1.0, 0.0, 0.0]);
    let y = cross(z, x);
    let rows = std::array::from_fn(|k| [x[k], y[k], z[k], point[k]]);
    Pose::from_rows(rows).map_err(|_| ColliderFault::ZeroNormal { what })
}

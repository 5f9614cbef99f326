//! What the words of a `[[collider]]` mean.

use super::description::{ClipDescription, ColliderDescription, RegionDescription};
use crate::error::ParticlesError;
use impinge::particles::{Blend, Clip, Collider, Constraint, ParticleError, Region, Response, Sheets};
use impinge::{Mesh, Pose};

/// The fields that a shape has, beside those of every collider.
fn fields(shape: &str) -> Option<&'static [&'static str]> {
    Some(match shape {
        "plane" => &["at", "normal", "holes"],
        "rectangle" => &["at", "normal", "size", "holes"],
        "disc" => &["at", "normal", "radius", "holes"],
        "polygon" => &["at", "normal", "corners", "holes"],
        "sphere" => &["at", "radius"],
        "ellipsoid" => &["at", "axis", "angle", "radii"],
        "cylinder" => &["at", "axis", "angle", "radius", "radii", "half_height"],
        "cone" | "paraboloid" => &["at", "axis", "angle", "radius", "height"],
        "hyperboloid" => &["at", "axis", "angle", "radii", "half_height", "sheets"],
        "quadric" => &["at", "axis", "angle", "matrix", "clips"],
        "box" => &["at", "axis", "angle", "size"],
        "mesh" => &["at", "axis", "angle", "mesh"],
        _ => return None,
    })
}

const SHAPES: &str = "plane, rectangle, disc, polygon, sphere, ellipsoid, cylinder, cone, paraboloid, hyperboloid, \
                      quadric, box and mesh";

/// A collider, and its map when it has one.
pub(super) fn collider(
    given: &ColliderDescription,
    load: &mut dyn FnMut(&str) -> Result<Mesh, ParticlesError>,
) -> Result<Collider, ParticlesError> {
    let reader = Reader { given };
    let known = fields(&given.shape).ok_or_else(|| {
        reader.wrong(format!("there is no shape '{}'; there are {SHAPES}", shown(&given.shape)))
    })?;
    if let Some(field) = reader.present().into_iter().find(|field| !known.contains(field)) {
        return Err(reader.wrong(format!("a {} has no '{field}'; it has {}", given.shape, known.join(", "))));
    }
    let name = given.name.as_str();
    let at = given.at.unwrap_or([0.0; 3]);
    let pose = || reader.pose(at);
    let normal = || reader.need("normal", given.normal);
    let plane = |inside: Option<Region>| {
        let mut constraints: Vec<Constraint> = inside.into_iter().map(Constraint::Inside).collect();
        for hole in &given.holes {
            constraints.push(Constraint::Outside(reader.region(hole)?));
        }
        Ok(Collider::bounded_plane(name, at, normal()?, constraints)?)
    };
    let made: Result<Collider, ParticlesError> = match given.shape.as_str() {
        "plane" => plane(None),
        "rectangle" => {
            let half = reader.list::<2>("size", given.size.as_deref())?.map(|s| 0.5 * s);
            plane(Some(Region::Rectangle { min: half.map(|h| -h), max: half }))
        }
        "disc" => {
            plane(Some(Region::Disc { centre: [0.0; 2], radius: reader.need("radius", given.radius)? }))
        }
        "polygon" => plane(Some(Region::Polygon(reader.need("corners", given.corners.clone())?))),
        "sphere" => Ok(Collider::sphere(name, at, reader.need("radius", given.radius)?)?),
        "ellipsoid" => Ok(Collider::ellipsoid(name, reader.list("radii", given.radii.as_deref())?, pose()?)?),
        "cylinder" => {
            let radii = match given.radius {
                Some(radius) => [radius; 2],
                None => reader.list("radii", given.radii.as_deref())?,
            };
            Ok(Collider::cylinder(name, radii, reader.need("half_height", given.half_height)?, pose()?)?)
        }
        "cone" | "paraboloid" => {
            let (radius, height) =
                (reader.need("radius", given.radius)?, reader.need("height", given.height)?);
            let make = if given.shape == "cone" { Collider::cone } else { Collider::paraboloid };
            Ok(make(name.to_owned(), radius, height, pose()?)?)
        }
        "hyperboloid" => {
            let sheets = match given.sheets {
                None | Some(1) => Sheets::One,
                Some(2) => Sheets::Two,
                Some(other) => return Err(reader.wrong(format!("sheets is {other}; it must be 1 or 2"))),
            };
            let half_height = reader.need("half_height", given.half_height)?;
            let radii = reader.list("radii", given.radii.as_deref())?;
            Ok(Collider::hyperboloid(name, radii, sheets, half_height, pose()?)?)
        }
        "quadric" => {
            let clips = given.clips.iter().map(|clip| reader.clip(clip)).collect::<Result<_, _>>()?;
            Ok(Collider::quadric(name, reader.need("matrix", given.matrix)?, clips, pose()?)?)
        }
        "box" => {
            let half = reader.list::<3>("size", given.size.as_deref())?.map(|s| 0.5 * s);
            Ok(Collider::cuboid(name, half, pose()?)?)
        }
        // Nothing else is left of the shapes that have fields.
        _ => Ok(Collider::mesh(name, load(&reader.need("mesh", given.mesh.clone())?)?, pose()?)?),
    };
    Ok(made?.with_response(reader.response()?)?)
}

/// How an impact map blends.
pub(super) fn blend(given: &ColliderDescription) -> Result<Blend, ParticlesError> {
    match given.blend.as_deref() {
        None | Some("latest") => Ok(Blend::Latest),
        Some("additive") => Ok(Blend::Additive),
        Some(other) => {
            Err(Reader { given }.wrong(format!("blend is '{}'; it must be latest or additive", shown(other))))
        }
    }
}

fn shown(text: &str) -> String {
    crate::error::clean_name(text.as_bytes())
}

struct Reader<'a> {
    given: &'a ColliderDescription,
}

impl Reader<'_> {
    fn wrong(&self, what: String) -> ParticlesError {
        ParticlesError::Collider { name: shown(&self.given.name), what }
    }

    /// Fields of some shapes that are there.
    fn present(&self) -> Vec<&'static str> {
        let g = self.given;
        let all = [
            ("at", g.at.is_some()),
            ("normal", g.normal.is_some()),
            ("axis", g.axis.is_some()),
            ("angle", g.angle.is_some()),
            ("size", g.size.is_some()),
            ("radius", g.radius.is_some()),
            ("radii", g.radii.is_some()),
            ("height", g.height.is_some()),
            ("half_height", g.half_height.is_some()),
            ("sheets", g.sheets.is_some()),
            ("matrix", g.matrix.is_some()),
            ("corners", g.corners.is_some()),
            ("mesh", g.mesh.is_some()),
            ("holes", !g.holes.is_empty()),
            ("clips", !g.clips.is_empty()),
        ];
        all.into_iter().filter(|(_, is_there)| *is_there).map(|(field, _)| field).collect()
    }

    fn need<T>(&self, field: &str, value: Option<T>) -> Result<T, ParticlesError> {
        value.ok_or_else(|| self.wrong(format!("a {} needs '{field}'", self.given.shape)))
    }

    fn list<const N: usize>(&self, field: &str, value: Option<&[f64]>) -> Result<[f64; N], ParticlesError> {
        let list = self.need(field, value)?;
        list.try_into().map_err(|_| self.wrong(format!("'{field}' has {} numbers; it needs {N}", list.len())))
    }

    fn pose(&self, at: [f64; 3]) -> Result<Pose, ParticlesError> {
        let pose = match (self.given.axis, self.given.angle) {
            (None, None) => Pose::from_translation(at),
            (axis, angle) => {
                let axis = self.need("axis", axis)?;
                let angle = self.need("angle", angle)?;
                let length = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
                if !(length > 0.0 && length.is_finite()) {
                    return Err(self.wrong("the axis is zero or not finite; it needs a direction".into()));
                }
                Pose::from_axis_angle(axis.map(|c| c / length), angle.to_radians(), at)
            }
        };
        pose.map_err(|error| self.wrong(error.to_string()))
    }

    fn region(&self, given: &RegionDescription) -> Result<Region, ParticlesError> {
        match given {
            RegionDescription { rectangle: Some([min, max]), disc: None, polygon: None } => {
                Ok(Region::Rectangle { min: *min, max: *max })
            }
            RegionDescription { rectangle: None, disc: Some([x, y, radius]), polygon: None } => {
                Ok(Region::Disc { centre: [*x, *y], radius: *radius })
            }
            RegionDescription { rectangle: None, disc: None, polygon: Some(corners) } => {
                Ok(Region::Polygon(corners.clone()))
            }
            _ => Err(self.wrong("a hole is one of rectangle, disc and polygon".into())),
        }
    }

    fn clip(&self, given: &ClipDescription) -> Result<Clip, ParticlesError> {
        match given {
            ClipDescription { half_space: Some([x, y, z, offset]), corners: None } => {
                Ok(Clip::HalfSpace { normal: [*x, *y, *z], offset: *offset })
            }
            ClipDescription { half_space: None, corners: Some([min, max]) } => {
                Ok(Clip::Box { min: *min, max: *max })
            }
            _ => Err(self.wrong("a clip is one of half_space and box".into())),
        }
    }

    fn response(&self) -> Result<Response, ParticlesError> {
        let g = self.given;
        let bounces = g.restitution.is_some() || g.friction.is_some();
        match g.response.as_deref() {
            Some("bounce") => Ok(Response::Bounce {
                restitution: g.restitution.unwrap_or(1.0),
                friction: g.friction.unwrap_or(0.0),
            }),
            _ if bounces => Err(self.wrong("restitution and friction are of response = \"bounce\"".into())),
            None | Some("eliminate") => Ok(Response::Eliminate),
            Some("stick") => Ok(Response::Stick),
            Some(other) => {
                Err(self
                    .wrong(format!("response is '{}'; it must be eliminate, stick or bounce", shown(other))))
            }
        }
    }
}

impl From<ParticleError> for ParticlesError {
    fn from(error: ParticleError) -> Self {
        Self::Particle { whose: None, error }
    }
}

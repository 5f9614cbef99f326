//! What colliders are made of: surfaces `f(p) = 0` in a frame of their own (Knott 2003, sections 3.2.2 and 3.2.4), and
//! the constraints `c(p) > 0` that bound them (3.2.3).

use super::error::ColliderFault;
use crate::scene::{Mesh, Point};
use robust::{Coord, orient2d};
use std::sync::Arc;

/// A part of a plane, in its own coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// Between two corners.
    Rectangle {
        /// Smallest coordinates.
        min: [f64; 2],
        /// Largest coordinates.
        max: [f64; 2],
    },
    /// Within a circle.
    Disc {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// Within a polygon, convex or not, in either direction; where it crosses itself, by the even-odd rule.
    Polygon(Vec<[f64; 2]>),
}

/// A bound of a plane. Borders belong to the plane, of holes too: it is a closed set. Hits count as on a border where rounding
/// cannot tell, [`crate::util::tolerance::BORDER_ERROR`]: nothing slips between surfaces that share one.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// Only there.
    Inside(Region),
    /// Only elsewhere: a hole.
    Outside(Region),
}

/// A bound of a quadric, in its own frame. Borders belong to it, as those of a [`Constraint`] do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clip {
    /// Where `normal . p <= offset`.
    HalfSpace {
        /// Of any length but zero.
        normal: Point,
        /// In lengths of the normal.
        offset: f64,
    },
    /// Between two corners; infinite ones do not bound.
    Box {
        /// Smallest coordinates.
        min: Point,
        /// Largest coordinates.
        max: Point,
    },
}

/// What an impact map should know about a quadric: how its surface unrolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Nothing is known.
    General,
    /// An ellipsoid about the origin.
    Ellipsoid {
        /// Half axes.
        radii: Point,
    },
    /// Goes round the z axis.
    Turned {
        /// Half axes where it is widest.
        radii: [f64; 2],
        /// From where to where along the axis.
        z: [f64; 2],
    },
}

/// A surface in its own frame.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The plane z = 0 where all constraints hold (3.5).
    Plane(Vec<Constraint>),
    /// Where `[x y z 1] matrix [x y z 1]^T = 0` (3.8) and all clips hold.
    Quadric {
        /// Symmetric.
        matrix: [[f64; 4]; 4],
        /// All must hold.
        clips: Vec<Clip>,
        /// For impact maps; bounds come from the matrix and the clips.
        form: Form,
    },
    /// The six faces of a box about the origin; as tight at its edges as anywhere.
    Box {
        /// Half of its size.
        half: Point,
    },
    /// The triangles of a mesh. Meshes that are closed are tight: nothing slips through at shared edges.
    Mesh(Arc<Mesh>),
}

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Border,
    Outside,
}

impl Region {
    /// Exact for rectangles and polygons; for a disc, as its distance rounds.
    fn place(&self, p: [f64; 2]) -> Place {
        match self {
            Self::Rectangle { min, max } => {
                if (0..2).all(|k| min[k] < p[k] && p[k] < max[k]) {
                    Place::Inside
                } else if (0..2).all(|k| min[k] <= p[k] && p[k] <= max[k]) {
                    Place::Border
                } else {
                    Place::Outside
                }
            }
            Self::Disc { centre, radius } => {
                let from = [p[0] - centre[0], p[1] - centre[1]];
                match from[0].hypot(from[1]).partial_cmp(radius) {
                    Some(std::cmp::Ordering::Less) => Place::Inside,
                    Some(std::cmp::Ordering::Equal) => Place::Border,
                    _ => Place::Outside,
                }
            }
            Self::Polygon(corners) => place_in_polygon(corners, p),
        }
    }

    /// Whether a point is this near to the border.
    fn borders(&self, p: [f64; 2], error: f64) -> bool {
        match self {
            Self::Rectangle { min, max } => {
                let within = |by: f64| (0..2).all(|k| min[k] - by <= p[k] && p[k] <= max[k] + by);
                within(error) && !within(-error)
            }
            Self::Disc { centre, radius } => {
                ((p[0] - centre[0]).hypot(p[1] - centre[1]) - radius).abs() <= error
            }
            Self::Polygon(corners) => {
                let before = corners.iter().cycle().skip(corners.len() - 1);
                corners.iter().zip(before).any(|(a, b)| distance(*a, *b, p) <= error)
            }
        }
    }

    /// Its corners as a rectangle.
    pub(crate) fn rectangle(&self) -> [[f64; 2]; 2] {
        match self {
            Self::Rectangle { min, max } => [*min, *max],
            Self::Disc { centre, radius } => [centre.map(|c| c - radius), centre.map(|c| c + radius)],
            Self::Polygon(corners) => {
                corners.iter().fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[min, max], c| {
                    [[min[0].min(c[0]), min[1].min(c[1])], [max[0].max(c[0]), max[1].max(c[1])]]
                })
            }
        }
    }

    fn check(&self) -> Result<(), ColliderFault> {
        let finite = |what, value: f64| {
            if value.is_finite() { Ok(()) } else { Err(ColliderFault::NotFinite { what, value }) }
        };
        match self {
            Self::Rectangle { min, max } => {
                for k in 0..2 {
                    finite("a corner of a rectangle", min[k])?;
                    finite("a corner of a rectangle", max[k])?;
                    if min[k] >= max[k] {
                        let what = ["a rectangle along x", "a rectangle along y"][k];
                        return Err(ColliderFault::EmptyRange { what, min: min[k], max: max[k] });
                    }
                }
            }
            Self::Disc { centre, radius } => {
                centre.iter().try_for_each(|&c| finite("the centre of a disc", c))?;
                finite("the radius of a disc", *radius)?;
                if *radius <= 0.0 {
                    return Err(ColliderFault::NotPositive { what: "the radius of a disc", value: *radius });
                }
            }
            Self::Polygon(corners) => {
                corners.iter().flatten().try_for_each(|&c| finite("a corner of a polygon", c))?;
                let flat = corners.len() < 3
                    || corners.windows(2).all(|w| turn(corners[0], w[0], w[1]) == 0.0)
                        && (corners.iter()).all(|&c| turn(corners[0], corners[1], c) == 0.0);
                if flat {
                    return Err(ColliderFault::EmptyPolygon { corners: corners.len() });
                }
            }
        }
        Ok(())
    }
}

fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, y]| Coord { x, y });
    orient2d(a, b, c)
}

/// From a segment to a point.
fn distance(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let [u, v] = [b, p].map(|q| [q[0] - a[0], q[1] - a[1]]);
    let square = u[0] * u[0] + u[1] * u[1];
    let part = if square > 0.0 { ((u[0] * v[0] + u[1] * v[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (v[0] - part * u[0]).hypot(v[1] - part * u[1])
}

/// By the even-odd rule: edges that cross the level of `p` on its right are counted, each with its lower end only.
fn place_in_polygon(corners: &[[f64; 2]], p: [f64; 2]) -> Place {
    let mut inside = false;
    let mut a = corners[corners.len() - 1];
    for &b in corners {
        let side = turn(a, b, p);
        let within = |k: usize| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]);
        if side == 0.0 && within(0) && within(1) {
            return Place::Border;
        }
        if (a[1] > p[1]) != (b[1] > p[1]) && (side > 0.0) == (b[1] > a[1]) {
            inside = !inside;
        }
        a = b;
    }
    if inside { Place::Inside } else { Place::Outside }
}

impl Constraint {
    /// Whether a point keeps to it.
    #[must_use]
    pub fn holds(&self, p: [f64; 2]) -> bool {
        match self {
            Self::Inside(region) => region.place(p) != Place::Outside,
            Self::Outside(region) => region.place(p) != Place::Inside,
        }
    }

    /// Whether a point that may be so wrong keeps to it.
    pub(crate) fn nearly_holds(&self, p: [f64; 2], error: f64) -> bool {
        let (Self::Inside(region) | Self::Outside(region)) = self;
        region.borders(p, error)
    }

    pub(crate) fn check(&self) -> Result<(), ColliderFault> {
        let (Self::Inside(region) | Self::Outside(region)) = self;
        region.check()
    }
}

impl Clip {
    /// Whether a point keeps to it.
    #[must_use]
    #[inline]
    pub fn holds(&self, p: Point) -> bool {
        match self {
            Self::HalfSpace { normal, offset } => {
                normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] <= *offset
            }
            Self::Box { min, max } => (0..3).all(|k| min[k] <= p[k] && p[k] <= max[k]),
        }
    }

    /// Whether a point that may be so wrong keeps to it.
    pub(crate) fn nearly_holds(&self, p: Point, error: f64) -> bool {
        match self {
            Self::HalfSpace { normal, offset } => {
                let wider = error * normal.iter().map(|c| c.abs()).sum::<f64>();
                Self::HalfSpace { normal: *normal, offset: offset + wider }.holds(p)
            }
            Self::Box { min, max } => {
                Self::Box { min: min.map(|c| c - error), max: max.map(|c| c + error) }.holds(p)
            }
        }
    }

    pub(crate) fn check(&self) -> Result<(), ColliderFault> {
        match self {
            Self::HalfSpace { normal, offset } => {
                let numbers = normal.iter().chain([offset]);
                if let Some(&value) = numbers.into_iter().find(|c| !c.is_finite()) {
                    return Err(ColliderFault::NotFinite { what: "a half space", value });
                }
                if normal.iter().all(|&c| c == 0.0) {
                    return Err(ColliderFault::ZeroNormal { what: "the normal of a half space" });
                }
            }
            Self::Box { min, max } => {
                for k in 0..3 {
                    // No range when one of them is not a number.
                    let range = min[k] <= max[k];
                    if !range {
                        let what = "a clip box";
                        return Err(ColliderFault::EmptyRange { what, min: min[k], max: max[k] });
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_holds_what_winds_around() {
        // A U, given clockwise, against the union of its three bars.
        let corners = vec![
            [0.0, 0.0],
            [0.0, 3.0],
            [1.0, 3.0],
            [1.0, 1.0],
            [2.0, 1.0],
            [2.0, 3.0],
            [3.0, 3.0],
            [3.0, 0.0],
        ];
        let bars = [[0.0, 0.0, 1.0, 3.0], [0.0, 0.0, 3.0, 1.0], [2.0, 0.0, 3.0, 3.0]];
        let (inside, outside) = (
            Constraint::Inside(Region::Polygon(corners.clone())),
            Constraint::Outside(Region::Polygon(corners)),
        );
        let mut both = 0;
        for i in -2..=14 {
            for j in -2..=14 {
                let [x, y] = [f64::from(i) * 0.25, f64::from(j) * 0.25];
                let closed = bars.iter().any(|b| b[0] <= x && x <= b[2] && b[1] <= y && y <= b[3]);
                assert_eq!(inside.holds([x, y]), closed, "{x} {y}");
                // The border belongs to the plane either way.
                both += usize::from(inside.holds([x, y]) && outside.holds([x, y]));
                assert!(inside.holds([x, y]) || outside.holds([x, y]));
            }
        }
        // Steps of a quarter along a border of length 16.
        assert_eq!(both, 64);
    }

    #[test]
    fn regions_without_area_are_refused() {
        let line = vec![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.5, 0.5]];
        for region in [
            Region::Polygon(Vec::new()),
            Region::Polygon(line),
            Region::Rectangle { min: [0.0; 2], max: [1.0, 0.0] },
            Region::Disc { centre: [0.0; 2], radius: 0.0 },
            Region::Disc { centre: [f64::NAN; 2], radius: 1.0 },
        ] {
            assert!(Constraint::Outside(region.clone()).check().is_err(), "{region:?}");
        }
    }
}

//! How a body's coordinates are read in this frame: the pose, the unit; its exact world box.

use crate::scene::Body;
use crate::scene::Bounds;
use crate::scene::Pose;
use crate::scene::Positions;

/// A body, and how its coordinates are read.
#[derive(Clone, Copy)]
pub(crate) struct Placement<'a> {
    pub(crate) body: &'a Body,
    pub(crate) coordinates: Coordinates,
    /// Coordinates are read in the body's frame, without the pose.
    pub(crate) in_body_frame: bool,
    /// A power of two that takes every coordinate to at most 1.
    pub(crate) unit: f64,
}

impl Placement<'_> {
    /// The pose that coordinates are read through.
    pub(crate) fn pose(&self) -> &Pose {
        if self.in_body_frame { &Pose::IDENTITY } else { self.body.pose() }
    }

    /// The positions, if they are world coordinates as floats and stay exact when scaled.
    #[inline(always)]
    pub(crate) fn exact(&self) -> Option<(&[[f32; 3]], f32)> {
        match self.body.mesh().positions() {
            Positions::F32(p) if self.coordinates == Coordinates::Unposed => {
                self.float_unit().map(|unit| (p.as_slice(), unit))
            }
            _ => None,
        }
    }

    /// The unit, if world coordinates are floats and stay exact when scaled, though positions are moved to get there.
    #[inline(always)]
    pub(crate) fn exact_when_moved(&self) -> Option<f32> {
        if self.coordinates == Coordinates::Floats { self.float_unit() } else { None }
    }

    #[inline(always)]
    fn float_unit(&self) -> Option<f32> {
        let unit = self.unit as f32;
        (unit.is_normal() && f64::from(unit) == self.unit).then_some(unit)
    }
}

/// What the pose makes of vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// Nothing: it is the identity.
    Unposed,
    /// Floats of floats, without rounding: parts on one lattice, moved along its axes.
    Floats,
    /// Doubles.
    #[default]
    Posed,
}

impl Coordinates {
    pub(crate) fn of(body: &Body) -> Self {
        if *body.pose() == Pose::IDENTITY {
            return Self::Unposed;
        }
        let is_axis = |row: &[f64; 4]| {
            row[..3].iter().all(|x| [0.0, 1.0].contains(&x.abs()))
                && row[..3].iter().filter(|&&x| x != 0.0).count() == 1
        };
        let is_float = |x: f64| f64::from(x as f32) == x;
        let to_floats = match body.mesh().positions() {
            Positions::F32(positions) if body.pose().rows().iter().all(is_axis) => {
                positions.iter().all(|p| body.pose().apply(p.map(f64::from)).into_iter().all(is_float))
            }
            _ => false,
        };
        if to_floats { Self::Floats } else { Self::Posed }
    }
}

/// The exact world box of all vertices.
pub(crate) fn world_box(body: &Body, identity: bool) -> Bounds {
    let positions = body.mesh().positions();
    match positions {
        Positions::F32(p) if identity => {
            let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
            // Eight vertices are three times eight floats: lanes stay full, whatever the axis.
            let (eights, rest) = p.as_chunks::<8>();
            let (mut low, mut high) = ([f32::INFINITY; 24], [f32::NEG_INFINITY; 24]);
            for eight in eights {
                let flat = eight.as_flattened();
                for i in 0..24 {
                    low[i] = if flat[i] < low[i] { flat[i] } else { low[i] };
                    high[i] = if flat[i] > high[i] { flat[i] } else { high[i] };
                }
            }
            for i in 0..24 {
                min[i % 3] = min[i % 3].min(low[i]);
                max[i % 3] = max[i % 3].max(high[i]);
            }
            for p in rest {
                for axis in 0..3 {
                    min[axis] = min[axis].min(p[axis]);
                    max[axis] = max[axis].max(p[axis]);
                }
            }
            Bounds { min: min.map(f64::from), max: max.map(f64::from) }
        }
        _ => Bounds::of((0..positions.len()).map(|vertex| body.world_position(vertex))),
    }
}

/// A power of two that takes numbers up to `largest` to at most 1/16.
pub(crate) fn unit(largest: f64) -> f64 {
    // `largest` is infinite only through the doubling in the bound on world coordinates.
    let exponent = if largest > 0.0 { largest.log2().ceil().min(1016.0) as i32 + 4 } else { 0 };
    2f64.powi((-exponent).clamp(-1020, 1020))
}

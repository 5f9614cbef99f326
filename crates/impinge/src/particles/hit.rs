//! When a path meets a collider, where, and which way the surface faces (Knott 2003, section 3.2.3).

use super::affine::{FromWorld, along, dot};
use super::collider::{Collider, Solid};
use super::particle::Path;
use super::roots::Polynomial;
use super::shape::Constraint;
use crate::scene::vector::unit;
use crate::scene::{Bounds, Point};
use crate::util::tolerance::{PLACE_ERROR, STEADY};

/// Where a path first meets a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Since the start of the path.
    pub elapsed: f64,
    /// Which part of the collider, as in [`super::Impact`].
    pub element: u32,
    /// Where.
    pub position: Point,
    /// Of length 1, on the side that the path comes from.
    pub normal: Point,
}

/// A surface at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    /// Of length 1, towards where the path comes from.
    pub(crate) normal: Point,
    /// The sign of [`Collider::side`] on that side; 0 where the surface has no normal.
    pub(crate) side: f64,
}

impl Collider {
    /// The first hit in `after < elapsed <= until`, both since the start of the path. A path that starts on a surface
    /// does not hit it there.
    pub fn first_hit(&self, path: &Path, after: f64, until: f64) -> Option<Hit> {
        let (elapsed, element) = self.first(path, after, until)?;
        let position = path.position_after(elapsed);
        let normal = self.facing(path, elapsed, element, position).normal;
        Some(Hit { elapsed, element, position, normal })
    }

    /// The first hit and its element; of equal times, the lowest element.
    #[inline]
    pub(crate) fn first(&self, path: &Path, after: f64, until: f64) -> Option<(f64, u32)> {
        let mut best: Option<(f64, u32)> = None;
        self.hits(path, after, until, |t, element| {
            if best.is_none_or(|(so_far, lowest)| t < so_far || t == so_far && element < lowest) {
                best = Some((t, element));
            }
        });
        best
    }

    /// Every hit, in no order.
    #[inline]
    pub(crate) fn hits(&self, path: &Path, after: f64, until: f64, mut found: impl FnMut(f64, u32)) {
        // Nothing when one of them is not a number.
        let some = until > after;
        if !some {
            return;
        }
        match &self.solid {
            Solid::Plane { from_world, constraints } => {
                hits_plane(from_world, constraints, path, after, until, &mut found);
            }
            Solid::Quadric { from_world, quadric } => {
                let local = from_world.path(path);
                for &t in quadric.roots(&local, after, until).as_slice() {
                    if quadric.keeps(local.position_after(t), || from_world.place_error(path, t)) {
                        found(t, 0);
                    }
                }
            }
            Solid::Box { from_world, half } => {
                hits_box(&from_world.path(path), *half, after, until, &mut found);
            }
            Solid::Mesh(surface) => {
                let until = if until.is_finite() { until } else { leaves(path, &surface.bounds()) };
                surface.hits(path, [after, until], &swept(path, after, until), &mut found);
            }
        }
    }

    /// Positive on one side, negative on the other: the very number that a path which starts there begins with.
    pub(crate) fn side(&self, element: u32, p: Point) -> f64 {
        match &self.solid {
            Solid::Plane { from_world, .. } => from_world.point(p)[2],
            Solid::Quadric { from_world, quadric } => quadric.value(from_world.point(p)),
            Solid::Box { from_world, half } => {
                let p = from_world.point(p);
                (0..3).map(|k| p[k].abs() - half[k]).fold(f64::NEG_INFINITY, f64::max)
            }
            Solid::Mesh(surface) => surface.side(element, p),
        }
    }

    /// Which way the surface faces where a path hits it.
    pub(crate) fn facing(&self, path: &Path, elapsed: f64, element: u32, position: Point) -> Facing {
        let velocity = path.velocity_after(elapsed);
        let gradient = match &self.solid {
            Solid::Plane { from_world, .. } => from_world.linear[2],
            Solid::Quadric { from_world, quadric } => {
                from_world.gradient_to_world(quadric.gradient(from_world.point(position)))
            }
            Solid::Box { from_world, .. } => {
                let row = from_world.linear[element as usize / 2];
                if element.is_multiple_of(2) { row.map(|c| -c) } else { row }
            }
            Solid::Mesh(surface) => surface.normal(element),
        };
        let speed = dot(velocity, velocity).sqrt();
        let Some(normal) = unit(gradient) else {
            // The tip of a cone, or a triangle without area: straight back.
            let normal = unit(velocity.map(|c| -c)).unwrap_or([0.0, 0.0, 1.0]);
            return Facing { normal, side: 0.0 };
        };
        let bend = self.bend(position, velocity);
        let (rate, turn) = (dot(normal, velocity), dot(normal, path.acceleration) + bend);
        // Where it neither comes nor goes, it touches and stays on the side that it bends to.
        let side = if rate.abs() > STEADY * speed { -rate.signum() } else { turn.signum() };
        Facing { normal: normal.map(|c| side * c), side }
    }

    /// How fast a path along the surface leaves it on the positive side because the surface bends away, as an
    /// acceleration along the normal.
    pub(crate) fn bend(&self, position: Point, velocity: Point) -> f64 {
        let Solid::Quadric { from_world, quadric } = &self.solid else { return 0.0 };
        let gradient = from_world.gradient_to_world(quadric.gradient(from_world.point(position)));
        let steepness = dot(gradient, gradient).sqrt();
        if steepness > 0.0 { quadric.bend(from_world.vector(velocity)) / steepness } else { 0.0 }
    }
}

/// A box around a part of a path: of its three control points as a Bézier curve, whose hull it stays in, and what
/// rounding can take.
#[inline]
pub(crate) fn swept(path: &Path, after: f64, until: f64) -> Bounds {
    let (from, to) = (path.position_after(after), path.position_after(until));
    let half = 0.5 * (until - after);
    let middle = along(from, half, path.velocity_after(after));
    let mut bounds = Bounds::of([from, middle, to]);
    for k in 0..3 {
        let reach = path.position[k].abs()
            + until * (path.velocity[k].abs() + 0.5 * until * path.acceleration[k].abs());
        bounds.min[k] -= PLACE_ERROR * reach;
        bounds.max[k] += PLACE_ERROR * reach;
    }
    bounds
}

/// A time after which a path is outside of a box for ever: by the axis that says so first, twice what its coordinate takes.
fn leaves(path: &Path, bounds: &Bounds) -> f64 {
    let times = (0..3).map(|k| {
        let (x, v, a) = (path.position[k], path.velocity[k].abs(), path.acceleration[k].abs());
        let way = (bounds.min[k] - x).abs().max((bounds.max[k] - x).abs());
        if a > 0.0 {
            4.0 * (2.0 * v / a).max((2.0 * way / a).sqrt())
        } else if v > 0.0 {
            2.0 * way / v
        } else {
            f64::MAX
        }
    });
    times.fold(f64::MAX, f64::min)
}

/// One coordinate of a path as a polynomial.
#[inline]
fn coordinate(path: &Path, k: usize, less: f64) -> Polynomial {
    let (x, v, a) = (path.position[k], path.velocity[k], 0.5 * path.acceleration[k]);
    Polynomial::quadratic([x - less, v, a], [x.abs() + less.abs(), v.abs(), a.abs()])
}

/// Ways along a plane for one towards it beyond which a path grazes it, and a border is no wider for it.
const FLATTEST_PATH: f64 = 1024.0;

#[inline]
fn hits_plane(
    from_world: &FromWorld,
    constraints: &[Constraint],
    path: &Path,
    after: f64,
    until: f64,
    found: &mut impl FnMut(f64, u32),
) {
    let local = from_world.path(path);
    for &t in coordinate(&local, 2, 0.0).roots(after, until).as_slice() {
        let [x, y, _] = local.position_after(t);
        // The flatter the path, the farther along the plane an error of its height takes it.
        let near = |constraint: &Constraint| {
            let [u, v, w] = local.velocity_after(t);
            let flatness = (u.hypot(v) / w.abs()).clamp(1.0, FLATTEST_PATH);
            constraint.nearly_holds([x, y], flatness * from_world.place_error(path, t))
        };
        if constraints.iter().all(|constraint| constraint.holds([x, y]) || near(constraint)) {
            found(t, 0);
        }
    }
}

/// A path enters a box when it comes between the last of three pairs of planes, and leaves it when it leaves the first.
/// Whether it is between a pair changes with every crossing and is never computed anew, so edges are tight.
fn hits_box(path: &Path, half: Point, after: f64, until: f64, found: &mut impl FnMut(f64, u32)) {
    // At most two crossings of each of six planes.
    let mut crossings = [(0.0, 0u32); 12];
    let mut count = 0;
    for k in 0..3 {
        for (face, at) in [(2 * k, -half[k]), (2 * k + 1, half[k])] {
            for &t in coordinate(path, k, at).roots(0.0, until).as_slice() {
                crossings[count] = (t, face as u32);
                count += 1;
            }
        }
    }
    let crossings = &mut crossings[..count];
    crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut between: [bool; 3] = std::array::from_fn(|k| {
        let (x, v, a) = (path.position[k], path.velocity[k], path.acceleration[k]);
        if x.abs() == half[k] {
            // On a face there is no crossing to come: where it goes is where it is.
            let outward = if v == 0.0 { a } else { v } * x.signum();
            return outward <= 0.0;
        }
        x.abs() < half[k]
    });
    let mut left = false;
    for &(t, face) in &*crossings {
        let k = face as usize / 2;
        let (was, was_between) = (between == [true; 3], between[k]);
        between[k] = !was_between;
        let is = between == [true; 3];
        // After it has left by one face, others that it leaves by count too: it may do so at an edge, at one time.
        if t > after && (was != is || left && was_between) {
            found(t, face);
        }
        left |= was && !is;
    }
}

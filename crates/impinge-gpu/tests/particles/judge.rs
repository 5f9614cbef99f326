//! Which differences between floats and doubles are floats' right, by geometry that shares no code with either side.
//!
//! **The bound.** A place on the GPU is off by roundings alone: of what is given (the particle, the pose, the surface: 1 each),
//! of the place on the path (5), of the difference to the collider's origin and of the product with its pose (5), of the
//! function of the surface there (12, as a distance), all of them of the largest number on the way, `reach`, and of the root that
//! is left when no float lies nearer (2). That is below 32 roundings of 2^-24; devices may round twice as badly
//! (WGSL leaves the rounding mode open, and a square root or a quotient a few last places): [`PLACE`] is 64 of them.
//!
//! **Times.** A path that comes towards the surface with a speed `closing` is off by `PLACE * reach / closing`.
//!
//! **Doubt.** Whether there is a hit at all may differ where a hit is not certain: the path dips less than that below the
//! surface before it comes out again (it grazes), the hit is nearer than that to a border of the surface, to the end of the
//! step, or to the time of another hit. Everything else is a mistake.

use impinge::Point;
use impinge::particles::{Clip, Collider, Constraint, Impact, Path, Region, Shape};

/// How far a place may be off, as a part of the largest number on the way to it: 64 roundings, 2^-18.
pub(crate) const PLACE: f64 = 64.0 / (1u32 << 24) as f64;

/// Why a hit is in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    Grazes,
    AtBorder,
    AtEnd,
    Tied,
}

/// How far a hit of floats and one of doubles are apart, as parts of what they may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict {
    Agree(f64),
    Doubtful(Doubt),
    Wrong,
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn norm(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// The largest number on the way to a place.
pub(crate) fn reach(path: &Path, elapsed: f64, collider: &Collider) -> f64 {
    let origin = collider.pose().rows().map(|row| row[3].abs());
    (0..3).fold(0.0, |most: f64, k| {
        let way = path.position[k].abs()
            + elapsed * (path.velocity[k].abs() + 0.5 * elapsed * path.acceleration[k].abs());
        most.max(way + origin[k])
    })
}

/// A point in the frame of a collider, by elimination.
fn local(collider: &Collider, p: Point) -> Point {
    let rows = collider.pose().rows();
    let mut m: [[f64; 4]; 3] = std::array::from_fn(|r| {
        let [a, b, c, t] = rows[r];
        [a, b, c, p[r] - t]
    });
    for k in 0..3 {
        let pivot = (k..3).fold(k, |best, r| if m[r][k].abs() > m[best][k].abs() { r } else { best });
        m.swap(k, pivot);
        for r in (0..3).filter(|&r| r != k) {
            let factor = m[r][k] / m[k][k];
            for c in k..4 {
                m[r][c] -= factor * m[k][c];
            }
        }
    }
    std::array::from_fn(|k| m[k][3] / m[k][k])
}

/// The signed distance from a collider's surface, to first order. Poses in these tests do not scale. Meshes are convex.
pub(crate) fn distance(collider: &Collider, p: Point) -> f64 {
    let q = local(collider, p);
    match collider.shape() {
        Shape::Plane(_) => q[2],
        Shape::Quadric { matrix, .. } => {
            let h = [q[0], q[1], q[2], 1.0];
            let product: [f64; 4] = std::array::from_fn(|r| (0..4).map(|c| matrix[r][c] * h[c]).sum());
            let value: f64 = (0..4).map(|k| h[k] * product[k]).sum();
            let slope = 2.0 * norm([product[0], product[1], product[2]]);
            value / slope.max(1e-300)
        }
        Shape::Box { half } => (0..3).map(|k| q[k].abs() - half[k]).fold(f64::MIN, f64::max),
        Shape::Mesh(mesh) => (0..mesh.triangles().len())
            .map(|t| {
                let [a, b, c] = mesh.corners(t);
                let (u, v) = (sub(b, a), sub(c, a));
                let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                dot(n, sub(q, a)) / norm(n)
            })
            .fold(f64::MIN, f64::max),
    }
}

/// How far a point of the surface is from the nearest border of it; infinite where there is none.
fn to_border(collider: &Collider, p: Point) -> f64 {
    let q = local(collider, p);
    let mut nearest = f64::INFINITY;
    match collider.shape() {
        Shape::Plane(constraints) => {
            for constraint in constraints {
                let (Constraint::Inside(region) | Constraint::Outside(region)) = constraint;
                nearest = nearest.min(match region {
                    Region::Rectangle { min, max } => (0..2)
                        .map(|k| (q[k] - min[k]).abs().min((q[k] - max[k]).abs()))
                        .fold(f64::INFINITY, f64::min),
                    Region::Disc { centre, radius } => {
                        ((q[0] - centre[0]).hypot(q[1] - centre[1]) - radius).abs()
                    }
                    Region::Polygon(corners) => (0..corners.len())
                        .map(|k| segment([q[0], q[1]], corners[k], corners[(k + 1) % corners.len()]))
                        .fold(f64::INFINITY, f64::min),
                });
            }
        }
        Shape::Quadric { clips, .. } => {
            for clip in clips {
                nearest = nearest.min(match clip {
                    Clip::HalfSpace { normal, offset } => (dot(*normal, q) - offset).abs() / norm(*normal),
                    Clip::Box { min, max } => (0..3)
                        .map(|k| (q[k] - min[k]).abs().min((q[k] - max[k]).abs()))
                        .fold(f64::INFINITY, f64::min),
                });
            }
        }
        Shape::Box { .. } | Shape::Mesh(_) => {}
    }
    nearest
}

fn segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let part =
        ((to[0] * along[0] + to[1] * along[1]) / (along[0].powi(2) + along[1].powi(2))).clamp(0.0, 1.0);
    (to[0] - part * along[0]).hypot(to[1] - part * along[1])
}

/// How deep the path goes to the other side after a hit before it comes back: looked at in steps, as far as `until`.
fn depth(path: &Path, collider: &Collider, elapsed: f64, until: f64) -> f64 {
    const LOOKS: usize = 4000;
    let speed = norm(path.velocity_after(elapsed)).max(1e-9);
    // Fine where a graze is decided, coarse later: every look is a little farther than the one before.
    let first = 1e-5 / speed;
    let side = |t: f64| distance(collider, path.position_after(t));
    let before = (1..40).map(|k| side((elapsed - first * 1.3f64.powi(k)).max(0.0))).find(|d| d.abs() > 1e-7);
    let sign = before.unwrap_or(1.0).signum();
    let mut deepest = 0.0f64;
    let mut t = elapsed;
    let mut step = first;
    for _ in 0..LOOKS {
        t += step;
        step *= 1.01;
        if t > until {
            break;
        }
        let below = -sign * side(t);
        if below < 0.0 && t - elapsed > 20.0 * first {
            break;
        }
        deepest = deepest.max(below);
    }
    deepest
}

/// Whether a hit is certain, given how exact floats are; `None` when it is.
fn doubt(path: &Path, colliders: &[Collider], hit: &Impact, elapsed: f64, until: f64) -> Option<Doubt> {
    let collider = &colliders[hit.collider as usize];
    let slack = PLACE * reach(path, elapsed, collider);
    let velocity = path.velocity_after(elapsed);
    let closing = dot(hit.normal, velocity).abs();
    let aside = slack * (1.0 + norm(velocity) / closing.max(1e-12));
    if to_border(collider, hit.position) <= aside {
        return Some(Doubt::AtBorder);
    }
    if (until - elapsed).abs() * closing <= slack {
        return Some(Doubt::AtEnd);
    }
    if depth(path, collider, elapsed, until + 1.0) <= slack {
        return Some(Doubt::Grazes);
    }
    None
}

/// Compares what floats and doubles found on one path.
pub(crate) fn judge(
    path: &Path,
    colliders: &[Collider],
    until: f64,
    here: Option<&Impact>,
    there: Option<&Impact>,
) -> Verdict {
    let since = |hit: &Impact| hit.time - path.start;
    match (here, there) {
        (None, None) => Verdict::Agree(0.0),
        (Some(one), None) | (None, Some(one)) => {
            doubt(path, colliders, one, since(one), until).map_or(Verdict::Wrong, Verdict::Doubtful)
        }
        (Some(cpu), Some(gpu)) => {
            let collider = &colliders[cpu.collider as usize];
            let slack = PLACE * reach(path, since(cpu).max(since(gpu)), collider);
            let velocity = path.velocity_after(since(cpu));
            let closing = dot(cpu.normal, velocity).abs().max(1e-12);
            let apart = (since(gpu) - since(cpu)).abs() * closing / slack;
            let aside = norm(sub(gpu.position, cpu.position)) / (slack * (1.0 + norm(velocity) / closing));
            if cpu.collider == gpu.collider && apart <= 1.0 && aside <= 1.0 {
                return Verdict::Agree(apart.max(aside));
            }
            if cpu.collider != gpu.collider && apart <= 2.0 {
                return Verdict::Doubtful(Doubt::Tied);
            }
            // The earlier of the two is not there for the other side.
            let earlier = if since(cpu) <= since(gpu) { cpu } else { gpu };
            doubt(path, colliders, earlier, since(earlier), until).map_or(Verdict::Wrong, Verdict::Doubtful)
        }
    }
}

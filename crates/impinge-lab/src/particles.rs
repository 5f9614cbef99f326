//! Particles over a field of colliders, and the loop that everything is measured against: every particle, every collider,
//! the same formulas, one thread, no boxes.

use crate::rng::Rng;
use impinge::Pose;
use impinge::particles::{
    Collider, FromWorld, Impact, Options, Particle, ParticleError, Particles, Path, Response, Shape, Sheets,
    Simulation,
};

/// How far colliders are from each other, in metres.
const SPACING: f64 = 4.0;

/// Particles that fall on a field of so many colliders of every kind, one for every square of four metres: of first order
/// or, with gravity, of second. They are spread over the field up to a height of 12 metres.
pub fn field(
    particles: usize,
    colliders: usize,
    second_order: bool,
    seed: u64,
) -> Result<(Particles, Vec<Collider>), ParticleError> {
    let mut rng = Rng::new(seed);
    let columns = (colliders as f64).sqrt().ceil().max(1.0) as usize;
    let side = columns as f64 * SPACING;
    let mut all = Vec::with_capacity(colliders);
    for k in 0..colliders {
        let centre = [
            (k % columns) as f64 * SPACING + rng.between(1.0, 3.0),
            (k / columns) as f64 * SPACING + rng.between(1.0, 3.0),
            rng.between(0.5, 4.0),
        ];
        all.push(collider(k, centre, &mut rng)?);
    }
    let falling = (0..particles).map(|_| Particle {
        position: [rng.between(0.0, side), rng.between(0.0, side), rng.between(0.0, 12.0)],
        velocity: [rng.between(-2.0, 2.0), rng.between(-2.0, 2.0), rng.between(-12.0, -4.0)],
        acceleration: if second_order { [0.0, 0.0, -9.81] } else { [0.0; 3] },
        ..Particle::default()
    });
    Ok((Particles::new(falling)?, all))
}

fn collider(k: usize, centre: [f64; 3], rng: &mut Rng) -> Result<Collider, ParticleError> {
    let tilt = rng.direction();
    // Of a finite axis, angle and place there is a pose.
    let pose = Pose::from_axis_angle(tilt, rng.between(0.0, 1.0), centre).unwrap_or_default();
    let name = format!("collider {k}");
    let up = [0.3 * tilt[0], 0.3 * tilt[1], 1.0];
    match k % 8 {
        0 => Collider::rectangle(name, centre, up, [2.5, 1.5]),
        1 => Collider::sphere(name, centre, rng.between(0.4, 1.0)),
        2 => Collider::cuboid(name, [0.6, 0.8, 0.4], pose),
        3 => Collider::cylinder(name, [0.6, 0.6], 0.8, pose),
        4 => Collider::disc(name, centre, up, 1.0),
        5 => Collider::ellipsoid(name, [0.8, 0.5, 1.0], pose),
        6 => Collider::cone(name, 0.8, 1.2, pose),
        _ => Collider::hyperboloid(name, [0.4, 0.4, 0.6], Sheets::One, 0.8, pose),
    }
}

/// The plain loop: where every particle is, and nothing else.
pub struct Plain {
    colliders: Vec<Collider>,
    paths: Vec<Option<Path>>,
    time: f64,
    /// What the last step found, particle after particle.
    pub impacts: Vec<Impact>,
}

impl Plain {
    /// Particles must be born by the time 0 and never end; what they hit eliminates them.
    pub fn new(particles: &Particles, colliders: Vec<Collider>) -> Self {
        let paths = (0..particles.len()).map(|particle| particles.path(particle, 0)).collect();
        Self { colliders, paths, time: 0.0, impacts: Vec::new() }
    }

    /// Every particle against every collider.
    pub fn advance(&mut self, to: f64) {
        self.impacts.clear();
        for (particle, slot) in self.paths.iter_mut().enumerate() {
            let Some(path) = slot else { continue };
            let (after, until) = (self.time - path.start, to - path.start);
            let mut first: Option<(impinge::particles::Hit, usize)> = None;
            for (collider, solid) in self.colliders.iter().enumerate() {
                if let Some(hit) = solid.first_hit(path, after, until)
                    && first.is_none_or(|(so_far, _)| hit.elapsed < so_far.elapsed)
                {
                    first = Some((hit, collider));
                }
            }
            if let Some((hit, collider)) = first {
                let velocity = path.velocity_after(hit.elapsed);
                self.impacts.push(Impact {
                    time: path.start + hit.elapsed,
                    particle: particle as u32,
                    generation: 0,
                    bounce: 0,
                    collider: collider as u32,
                    element: hit.element,
                    position: hit.position,
                    normal: hit.normal,
                    velocity,
                    speed: velocity.iter().map(|c| c * c).sum::<f64>().sqrt(),
                });
                *slot = None;
            }
        }
        self.time = to;
    }
}

/// The library's simulation of the same, with every collider eliminating what hits it.
pub fn simulation(
    particles: Particles,
    colliders: Vec<Collider>,
    options: Options,
) -> Result<Simulation, ParticleError> {
    let colliders: Result<Vec<_>, _> =
        colliders.into_iter().map(|collider| collider.with_response(Response::Eliminate)).collect();
    Simulation::new(particles, colliders?, options)
}

/// The thesis' formulas written down as they stand there, for particles of first order: planes by (3.5), quadrics by (3.9) with
/// the matrix in the world. No tolerance, no care about cancellation; what a programmer writes in an afternoon. Boxes and
/// meshes go through the library's formulas.
pub struct Thesis {
    solids: Vec<Written>,
    colliders: Vec<Collider>,
    paths: Vec<Option<Path>>,
    time: f64,
    /// How many hits the last step had.
    pub hits: usize,
}

/// One collider, in the world.
enum Written {
    Plane { normal: [f64; 3], offset: f64 },
    Quadric([[f64; 4]; 4]),
    Other,
}

impl Thesis {
    /// Particles must be of first order, born by the time 0, and never end.
    pub fn new(particles: &Particles, colliders: Vec<Collider>) -> Self {
        let solids = colliders.iter().map(Written::of).collect();
        let paths = (0..particles.len()).map(|particle| particles.path(particle, 0)).collect();
        Self { solids, colliders, paths, time: 0.0, hits: 0 }
    }

    /// Every particle against every collider.
    pub fn advance(&mut self, to: f64) {
        self.hits = 0;
        for slot in &mut self.paths {
            let Some(path) = slot else { continue };
            let (after, until) = (self.time - path.start, to - path.start);
            let mut first = f64::INFINITY;
            for (solid, collider) in self.solids.iter().zip(&self.colliders) {
                let [one, other] = solid.times(path, collider, after, until);
                for t in [one, other] {
                    if t > after && t <= until && t < first && bounded(collider, path.position_after(t)) {
                        first = t;
                    }
                }
            }
            if first <= until {
                self.hits += 1;
                *slot = None;
            }
        }
        self.time = to;
    }
}

/// Whether a place on a surface is within its bounds.
fn bounded(collider: &Collider, place: [f64; 3]) -> bool {
    let Some(from_world) = collider.from_world() else { return true };
    let p = from_world.point(place);
    match collider.shape() {
        Shape::Plane(constraints) => constraints.iter().all(|constraint| constraint.holds([p[0], p[1]])),
        Shape::Quadric { clips, .. } => clips.iter().all(|clip| clip.holds(p)),
        _ => true,
    }
}

impl Written {
    fn of(collider: &Collider) -> Self {
        let Some(FromWorld { linear, origin }) = collider.from_world().copied() else { return Self::Other };
        match collider.shape() {
            Shape::Plane(_) => {
                let offset = (0..3).map(|k| linear[2][k] * origin[k]).sum();
                Self::Plane { normal: linear[2], offset }
            }
            Shape::Quadric { matrix, .. } => {
                let moved = linear.map(|row| -(0..3).map(|k| row[k] * origin[k]).sum::<f64>());
                let into: [[f64; 4]; 4] = std::array::from_fn(|r| {
                    std::array::from_fn(|c| match (r, c) {
                        (3, 3) => 1.0,
                        (3, _) => 0.0,
                        (_, 3) => moved[r],
                        _ => linear[r][c],
                    })
                });
                let entry = |r: usize, c: usize| -> f64 {
                    (0..16).map(|k| into[k / 4][r] * matrix[k / 4][k % 4] * into[k % 4][c]).sum()
                };
                Self::Quadric(std::array::from_fn(|r| std::array::from_fn(|c| entry(r, c))))
            }
            _ => Self::Other,
        }
    }

    #[inline]
    fn times(&self, path: &Path, collider: &Collider, after: f64, until: f64) -> [f64; 2] {
        let (x, v) = (path.position, path.velocity);
        match self {
            Self::Plane { normal, offset } => {
                let dot = |p: [f64; 3]| normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
                [(offset - dot(x)) / dot(v), f64::NAN]
            }
            Self::Quadric(q) => {
                let times = |p: [f64; 3], w: f64| {
                    q.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3] * w)
                };
                let (qx, qv) = (times(x, 1.0), times(v, 0.0));
                let dot =
                    |p: [f64; 3], w: f64, r: [f64; 4]| p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + w * r[3];
                let (a, b, c) = (dot(v, 0.0, qv), dot(v, 0.0, qx), dot(x, 1.0, qx));
                let root = (b * b - a * c).sqrt();
                [(-b - root) / a, (-b + root) / a]
            }
            Self::Other => {
                [collider.first_hit(path, after, until).map_or(f64::NAN, |hit| hit.elapsed), f64::NAN]
            }
        }
    }
}

//! One particle through one step: births, impacts and responses in the order in which they happen.
//!
//! **After a bounce** the path starts a little off the surface, [`CONTACT_OFFSET`], on the side that the particle came
//! from; the number which the next search begins with is computed and looked at, so its sign is certain. From then on
//! nothing needs to be remembered about the last hit: a surface is hit where the sign changes. Impacts nearer than that
//! distance to each other (an edge or corner where colliders meet) are one event with several surfaces, and the path
//! goes on from the right side of all of them.
//!
//! **Bounces that pile up.** With a restitution below 1, bounces on a surface that the particle is drawn to (by its
//! acceleration, or because the surface bends round its path) follow each other faster and faster, infinitely many in
//! finite time. Where the next hop would be shorter than [`Options::hop`](super::Options::hop), the sum is taken: what
//! friction takes at each of infinitely many impacts is everything, so with friction the particle rests; without, it
//! slides, in hops of just that length, whose speed along the normal is neither won nor lost from one to the next.
//! Touches of a particle that slides are counted, not listed. Without any loss (restitution 1) nothing piles up, and only
//! hops lower than [`RESTING_OFFSETS`] offsets count as rest.

use super::affine::{along, dot};
use super::collider::Collider;
use super::hit::{Facing, swept};
use super::impact::{Counts, Impact, Options, Status};
use super::index::Index;
use super::particle::{Particles, Path};
use super::response::Response;
use super::sweep::Boxes;
use crate::scene::Point;
use crate::scene::vector::unit;
use crate::util::tolerance::{CONTACT_OFFSET, RESTING_OFFSETS, UNMOVED};

/// All that does not change during a step.
pub(crate) struct World<'a> {
    pub(crate) particles: &'a Particles,
    pub(crate) colliders: &'a [Collider],
    pub(crate) index: &'a Index,
    pub(crate) options: &'a Options,
    /// After this and up to that.
    pub(crate) span: [f64; 2],
}

/// Where one particle is in its life.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flight {
    /// Its path since birth or the last bounce; where it is, for one that does not move.
    pub(crate) path: Path,
    /// When this generation ends.
    pub(crate) end: f64,
    pub(crate) generation: u32,
    pub(crate) bounces: u32,
    pub(crate) status: Status,
}

/// What a thread collects, and lists it uses again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) impacts: Vec<Impact>,
    pub(crate) exhausted: Vec<u32>,
    pub(crate) counts: Counts,
    pub(crate) candidates: Vec<u32>,
    pub(crate) boxes: Boxes,
    pub(crate) near: Vec<u32>,
    pub(crate) entries: Vec<(u32, u64)>,
}

impl Scratch {
    /// Empty, with the memory it had.
    pub(crate) fn clear(&mut self) {
        self.impacts.clear();
        self.exhausted.clear();
        self.counts = Counts::default();
    }
}

/// Surfaces that one event may have: more at one point are seen at the next.
const MAX_SURFACES_PER_EVENT: usize = 8;

/// What is nearer than this part of an offset to the place of a hit may be on either side of it, as the place rounds: the next
/// triangle of a flat mesh, for one. 2^-46 of the largest coordinate, which is 128 roundoffs.
const CERTAIN_PART: f64 = 0.125;

/// One surface of an event.
#[derive(Clone, Copy)]
struct Contact {
    elapsed: f64,
    collider: u32,
    element: u32,
    facing: Facing,
}

impl Flight {
    /// Before its birth.
    pub(crate) fn unborn(particles: &Particles, particle: usize) -> Self {
        let none = Path { start: 0.0, position: [0.0; 3], velocity: [0.0; 3], acceleration: [0.0; 3] };
        let path = particles.path(particle, 0);
        let status = if path.is_some() { Status::Unborn } else { Status::Ended };
        let end = particles.end(particle, 0).unwrap_or(f64::INFINITY);
        Self { path: path.unwrap_or(none), end, generation: 0, bounces: 0, status }
    }

    /// The times since the start of the path that a step is about.
    pub(crate) fn window(&self, [from, to]: [f64; 2]) -> [f64; 2] {
        let after = (from - self.path.start).max(0.0);
        [after, to.min(self.end) - self.path.start]
    }

    /// Takes a particle to the end of the step. `candidates` in the scratch are the colliders that its path so far may
    /// meet when `listed`.
    pub(crate) fn fly(&mut self, world: &World, particle: u32, mut listed: bool, scratch: &mut Scratch) {
        let to = world.span[1];
        let mut events = 0;
        loop {
            match self.status {
                Status::Unborn if self.path.start > to => return,
                Status::Unborn => {
                    self.status = Status::Flying;
                    scratch.counts.births += 1;
                }
                Status::Flying | Status::Sliding => {
                    let [after, until] = self.window(world.span);
                    if !listed {
                        world.candidates(&self.path, [after, until], &mut scratch.candidates);
                    }
                    listed = false;
                    let hit = world.first(&self.path, [after, until], scratch);
                    match hit {
                        Some(hit) => {
                            events += 1;
                            self.meet(world, particle, hit, until, scratch);
                        }
                        None if self.end <= to => {
                            events += 1;
                            self.renew(world.particles, particle);
                        }
                        None => return,
                    }
                }
                Status::Ended => return,
                _ if self.end > to => return,
                _ => {
                    events += 1;
                    self.renew(world.particles, particle);
                }
            }
            if events >= world.options.most_events && self.status != Status::Ended {
                self.stop(0.0, Status::Exhausted);
                scratch.exhausted.push(particle);
                return;
            }
        }
    }

    /// The next generation.
    fn renew(&mut self, particles: &Particles, particle: u32) {
        let next = self.generation.checked_add(1);
        let born = next.and_then(|next| Some((next, particles.path(particle as usize, next)?)));
        let Some((generation, path)) = born else {
            self.stop(self.end - self.path.start, Status::Ended);
            return;
        };
        let end = particles.end(particle as usize, generation).unwrap_or(f64::INFINITY);
        *self = Self { path, end, generation, bounces: 0, status: Status::Unborn };
    }

    /// Stays where it is after so long.
    fn stop(&mut self, elapsed: f64, status: Status) {
        if self.status.moves() {
            self.path.position = self.path.position_after(elapsed.max(0.0));
        }
        self.status = status;
        self.path.velocity = [0.0; 3];
    }

    /// An event: records it, and lets every surface of it respond.
    fn meet(
        &mut self,
        world: &World,
        particle: u32,
        hit: (f64, u32, u32),
        until: f64,
        scratch: &mut Scratch,
    ) {
        let (path, elapsed) = (self.path, hit.0);
        let position = path.position_after(elapsed);
        let coming = path.velocity_after(elapsed);
        let magnitude = (0..3).fold(world.colliders[hit.1 as usize].magnitude, |most, k| {
            let reach = path.position[k].abs()
                + elapsed * (path.velocity[k].abs() + 0.5 * elapsed * path.acceleration[k].abs());
            most.max(reach)
        });
        let offset = CONTACT_OFFSET * magnitude;
        let (contacts, count) = world.surfaces(&path, hit, offset, until, &scratch.candidates);
        let contacts = &contacts[..count];
        let mut velocity = coming;
        let mut recorded = 0u32;
        let (was_sliding, mut slides) = (self.status == Status::Sliding, false);
        // Around a corner each surface may have to respond again; sharper ones send the particle back.
        for round in 0..=MAX_SURFACES_PER_EVENT {
            let mut calm = true;
            for (k, contact) in contacts.iter().enumerate() {
                let first = round == 0 && k == 0;
                if dot(contact.facing.normal, velocity) >= 0.0 && !first {
                    continue;
                }
                calm = false;
                let (ended, touch) = self.respond(world, contact, offset, &mut velocity, &mut slides);
                if recorded >> k & 1 == 0 {
                    recorded |= 1 << k;
                    if was_sliding && touch {
                        scratch.counts.touches += 1;
                    } else {
                        let times = [world.span[0], world.span[1].min(self.end)];
                        scratch.impacts.push(self.impact(particle, contact, times));
                        self.bounces = self.bounces.saturating_add(1);
                    }
                }
                if let Some(status) = ended {
                    self.path = Path { start: path.start + elapsed, position, ..path };
                    self.path.velocity = [0.0; 3];
                    self.status = status;
                    return;
                }
            }
            if calm {
                break;
            }
            if round == MAX_SURFACES_PER_EVENT {
                velocity = coming.map(|c| -c);
            }
        }
        self.status = if slides { Status::Sliding } else { Status::Flying };
        let (place, away) = set_off(world, contacts, position, offset);
        // What the way there adds to or takes from the energy, its speed that way gives or gets.
        let moved: Point = std::array::from_fn(|k| place[k] - position[k]);
        let speed = dot(velocity, away);
        let square = speed * speed + 2.0 * dot(path.acceleration, moved);
        if speed > 0.0 && square > 0.0 {
            velocity = along(velocity, square.sqrt() - speed, away);
        }
        self.path = Path { start: path.start + elapsed, position: place, velocity, ..path };
    }

    /// The record of a hit, whatever rounding does no earlier than the step and no later than it or the generation.
    fn impact(&self, particle: u32, contact: &Contact, [earliest, latest]: [f64; 2]) -> Impact {
        let velocity = self.path.velocity_after(contact.elapsed);
        Impact {
            time: (self.path.start + contact.elapsed).max(earliest).min(latest),
            particle,
            generation: self.generation,
            bounce: self.bounces,
            collider: contact.collider,
            element: contact.element,
            position: self.path.position_after(contact.elapsed),
            normal: contact.facing.normal,
            velocity,
            speed: dot(velocity, velocity).sqrt(),
        }
    }

    /// Changes the velocity as a surface demands. Says how the particle ended, when it did, and whether this was no more
    /// than a touch of one that slides.
    fn respond(
        &self,
        world: &World,
        contact: &Contact,
        offset: f64,
        velocity: &mut Point,
        slides: &mut bool,
    ) -> (Option<Status>, bool) {
        let (restitution, friction) = match *world.colliders[contact.collider as usize].response() {
            Response::Eliminate => return (Some(Status::Gone), false),
            Response::Stick => return (Some(Status::Stuck), false),
            Response::Bounce { restitution, friction } => (restitution, friction),
        };
        let normal = contact.facing.normal;
        let rate = dot(normal, *velocity);
        let aside: Point = along(*velocity, -rate, normal).map(|c| c * (1.0 - friction));
        // One that only grazes may be leaving already.
        let leaving = if rate < 0.0 { -restitution * rate } else { rate };
        let acceleration = self.path.acceleration;
        let solid = &world.colliders[contact.collider as usize];
        let bend = solid.bend(self.path.position_after(contact.elapsed), aside);
        let pull = -(dot(normal, acceleration) + contact.facing.side * bend);
        let hop = world.options.hop;
        let piled = pull > 0.0
            && if restitution < 1.0 {
                2.0 * leaving < pull * hop
            } else {
                leaving * leaving <= 2.0 * pull * RESTING_OFFSETS * offset
            };
        if !piled {
            *velocity = along(aside, leaving, normal);
            return (None, false);
        }
        let slow = 0.5 * pull * hop;
        let drawn = along(acceleration, -dot(normal, acceleration), normal);
        let drifts = dot(aside, aside).sqrt() > slow || dot(drawn, drawn).sqrt() > UNMOVED * pull;
        if friction > 0.0 || !drifts {
            return (Some(Status::Resting), -rate <= pull * hop);
        }
        *slides = true;
        *velocity = along(aside, slow, normal);
        (None, -rate <= pull * hop)
    }
}

/// A place off all surfaces of an event, on the side that the particle came from, and the direction to it.
fn set_off(world: &World, contacts: &[Contact], position: Point, offset: f64) -> (Point, Point) {
    let sum = contacts.iter().fold([0.0; 3], |sum, contact| along(sum, 1.0, contact.facing.normal));
    let away = unit(sum).unwrap_or(contacts[0].facing.normal);
    let mut step = offset;
    let mut place = along(position, step, away);
    // Doubled as long as any computed sign is wrong; surfaces that oppose each other may never be satisfied.
    for _ in 0..MAX_DOUBLINGS {
        let right = contacts.iter().all(|contact| {
            let side = contact.facing.side;
            side == 0.0
                || world.colliders[contact.collider as usize].side(contact.element, place) * side > 0.0
        });
        if right {
            break;
        }
        step *= 2.0;
        place = along(position, step, away);
    }
    (place, away)
}

/// Times that an offset is doubled: to a ten-thousandth of the scene.
const MAX_DOUBLINGS: usize = 30;

impl World<'_> {
    /// The colliders whose boxes a part of a path meets, and those without a box.
    pub(crate) fn candidates(&self, path: &Path, [after, until]: [f64; 2], list: &mut Vec<u32>) {
        list.clear();
        if until > after {
            self.index.query(&swept(path, after, until), list);
        }
    }

    /// All surfaces that a path meets within an offset of its first hit, that one first, then by time; and those that are
    /// in the way of setting off from it.
    fn surfaces(
        &self,
        path: &Path,
        (elapsed, collider, element): (f64, u32, u32),
        offset: f64,
        until: f64,
        candidates: &[u32],
    ) -> ([Contact; MAX_SURFACES_PER_EVENT], usize) {
        let contact = |elapsed: f64, collider: u32, element: u32| {
            let solid = &self.colliders[collider as usize];
            let facing = solid.facing(path, elapsed, element, path.position_after(elapsed));
            Contact { elapsed, collider, element, facing }
        };
        let mut contacts = [contact(elapsed, collider, element); MAX_SURFACES_PER_EVENT];
        let mut count = 1;
        // As long as it takes to fly the offset, at its speed or by its acceleration.
        let length = |v: Point| dot(v, v).sqrt();
        let by_speed = offset / length(path.velocity_after(elapsed));
        let by_acceleration = (2.0 * offset / length(path.acceleration)).sqrt();
        let moment = by_speed.min(by_acceleration);
        if moment.is_finite() {
            for &other in candidates {
                let last = (elapsed + moment).min(until);
                self.colliders[other as usize].hits(path, 0.0, last, |t, part| {
                    let new = t >= elapsed - moment && (other, part) != (collider, element);
                    if new && count < MAX_SURFACES_PER_EVENT {
                        contacts[count] = contact(t.max(elapsed), other, part);
                        count += 1;
                    }
                });
            }
        }
        // The other side of a sharp groove may be nearer than the offset, and the path itself not meet it.
        let away = contacts[0].facing.normal.map(|c| c * offset);
        let position = path.position_after(elapsed);
        let off = Path { position, velocity: away, acceleration: [0.0; 3], ..*path };
        for &other in candidates {
            let solid = &self.colliders[other as usize];
            solid.hits(&off, 0.0, 1.0, |t, element| {
                let known = contacts[..count].iter().any(|c| (c.collider, c.element) == (other, element));
                if t > CERTAIN_PART && !known && count < MAX_SURFACES_PER_EVENT {
                    let facing = solid.facing(&off, t, element, off.position_after(t));
                    contacts[count] = Contact { elapsed, collider: other, element, facing };
                    count += 1;
                }
            });
        }
        contacts[1..count].sort_unstable_by(|a, b| {
            a.elapsed.total_cmp(&b.elapsed).then((a.collider, a.element).cmp(&(b.collider, b.element)))
        });
        (contacts, count)
    }

    /// The earliest hit among the candidates; of equal times the lowest collider, then the lowest element.
    fn first(&self, path: &Path, [after, until]: [f64; 2], scratch: &mut Scratch) -> Option<(f64, u32, u32)> {
        let mut best: Option<(f64, u32, u32)> = None;
        scratch.counts.solved += scratch.candidates.len();
        for &collider in &scratch.candidates {
            if let Some((t, element)) = self.colliders[collider as usize].first(path, after, until) {
                let this = (t, collider, element);
                if best.is_none_or(|so_far| {
                    t < so_far.0 || t == so_far.0 && (collider, element) < (so_far.1, so_far.2)
                }) {
                    best = Some(this);
                }
            }
        }
        best
    }
}

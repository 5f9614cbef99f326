//! Which colliders each of 64 particles may meet in a step, in lanes: boxes around their paths against boxes around
//! colliders, and against planes. Boxes are floats, rounded outward, so what is dropped cannot meet; what is left is
//! solved as if there were no boxes, so answers do not depend on them.

use super::block::{BLOCK, Block};
use super::index::{FloatBox, Floor};
use crate::simd::{Kernel, Lanes};
use crate::util::tolerance::{FLOAT_ROUNDOFF, PLACE_ERROR, TINY};

/// Boxes around 64 paths. Of one that does not move it is empty.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Boxes {
    pub(crate) min: [[f32; BLOCK]; 3],
    pub(crate) max: [[f32; BLOCK]; 3],
    /// Around all.
    pub(crate) around: FloatBox,
    /// Which need a look whatever they meet.
    pub(crate) awake: u64,
    /// Which move.
    pub(crate) moving: u64,
}

impl Default for Boxes {
    fn default() -> Self {
        let (min, max) = ([[f32::INFINITY; BLOCK]; 3], [[f32::NEG_INFINITY; BLOCK]; 3]);
        Self { min, max, around: FloatBox::EMPTY, awake: 0, moving: 0 }
    }
}

/// Fills the boxes of a block for a step.
pub(crate) struct Sweep<'a> {
    pub(crate) block: &'a Block,
    pub(crate) span: [f64; 2],
    pub(crate) boxes: &'a mut Boxes,
}

impl Kernel for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { block, span: [from, to], boxes } = self;
        let mut after = [0.0; BLOCK];
        let mut until = [0.0; BLOCK];
        let mut live = [false; BLOCK];
        for i in 0..BLOCK {
            let begin = from - block.start[i];
            after[i] = if begin > 0.0 { begin } else { 0.0 };
            let end = if block.end[i] < to { block.end[i] } else { to };
            until[i] = end - block.start[i];
            let some = until[i] > after[i];
            live[i] = some && block.moves[i];
        }
        for k in 0..3 {
            let (position, velocity, acceleration) =
                (&block.position[k], &block.velocity[k], &block.acceleration[k]);
            let (min, max) = (&mut boxes.min[k], &mut boxes.max[k]);
            for i in 0..BLOCK {
                let (x, v, a) = (position[i], velocity[i], 0.5 * acceleration[i]);
                let (t0, t1) = (after[i], until[i]);
                let p = x + t0 * (v + t0 * a);
                let q = x + t1 * (v + t1 * a);
                // The middle control point of the curve: its hull holds the curve.
                let m = p + 0.5 * (t1 - t0) * (v + 2.0 * t0 * a);
                let low = lesser(lesser(p, q), m);
                let high = -lesser(lesser(-p, -q), -m);
                let slack = PLACE_ERROR * (x.abs() + t1.abs() * (v.abs() + t1.abs() * a.abs()));
                let low = (low - slack) as f32;
                let high = (high + slack) as f32;
                let low = low - (low.abs() * (4.0 * FLOAT_ROUNDOFF) + TINY);
                let high = high + (high.abs() * (4.0 * FLOAT_ROUNDOFF) + TINY);
                // Of numbers too large for floats nothing is known: no end.
                let low = if low.is_nan() { f32::NEG_INFINITY } else { low };
                let high = if high.is_nan() { f32::INFINITY } else { high };
                min[i] = if live[i] { low } else { f32::INFINITY };
                max[i] = if live[i] { high } else { f32::NEG_INFINITY };
            }
            let (mut low, mut high) = (lanes.splat(f32::INFINITY), lanes.splat(f32::NEG_INFINITY));
            for (min, max) in min.as_chunks::<8>().0.iter().zip(max.as_chunks::<8>().0) {
                low = lanes.min(low, lanes.load(min));
                high = lanes.max(high, lanes.load(max));
            }
            boxes.around.min[k] = lanes.store(low).into_iter().fold(f32::INFINITY, f32::min);
            boxes.around.max[k] = lanes.store(high).into_iter().fold(f32::NEG_INFINITY, f32::max);
        }
        let mut awake = 0;
        let mut moving = 0;
        for i in 0..BLOCK {
            awake |= u64::from(block.wake[i] <= to) << i;
            moving |= u64::from(live[i]) << i;
        }
        (boxes.awake, boxes.moving) = (awake, moving);
    }
}

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Eight of sixty-four.
#[inline(always)]
fn eight<L: Lanes>(lanes: L, of: &[f32; BLOCK], group: usize) -> L::F {
    lanes.load(&of.as_chunks::<8>().0[group])
}

/// The same in every lane.
#[inline(always)]
pub(crate) fn splat<L: Lanes>(lanes: L, p: [f32; 3]) -> [L::F; 3] {
    [lanes.splat(p[0]), lanes.splat(p[1]), lanes.splat(p[2])]
}

/// Which of eight pairs of boxes have no point in common. Not-a-number is never apart. Written out without closures: what
/// a closure holds is not always compiled for the lanes.
#[inline(always)]
pub(crate) fn apart<L: Lanes>(lanes: L, a: [[L::F; 3]; 2], b: [[L::F; 3]; 2]) -> u8 {
    let x = lanes.or(lanes.gt(a[0][0], b[1][0]), lanes.gt(b[0][0], a[1][0]));
    let y = lanes.or(lanes.gt(a[0][1], b[1][1]), lanes.gt(b[0][1], a[1][1]));
    let z = lanes.or(lanes.gt(a[0][2], b[1][2]), lanes.gt(b[0][2], a[1][2]));
    lanes.bits(lanes.or(x, lanes.or(y, z)))
}

/// Which of the boxes may have a point of a box.
#[inline(always)]
pub(crate) fn meets<L: Lanes>(lanes: L, boxes: &Boxes, other: &FloatBox) -> u64 {
    let other = [splat(lanes, other.min), splat(lanes, other.max)];
    let mut none = 0;
    for group in 0..BLOCK / 8 {
        let (min, max) = (&boxes.min, &boxes.max);
        let these = [
            [eight(lanes, &min[0], group), eight(lanes, &min[1], group), eight(lanes, &min[2], group)],
            [eight(lanes, &max[0], group), eight(lanes, &max[1], group), eight(lanes, &max[2], group)],
        ];
        none |= u64::from(apart(lanes, these, other)) << (8 * group);
    }
    !none
}

/// Error of a box's distance from a plane, in roundoffs of the sum of its terms: 7 for the middle, the difference, the product
/// and the sums, and room.
const FLOOR_FILTER: f32 = 16.0;

/// Which of the boxes may have a point of a plane.
#[inline(always)]
pub(crate) fn reaches<L: Lanes>(lanes: L, boxes: &Boxes, floor: &Floor) -> u64 {
    let (normal, origin) = (splat(lanes, floor.normal), splat(lanes, floor.origin));
    let half = lanes.splat(0.5);
    let slack = lanes.splat(FLOOR_FILTER * FLOAT_ROUNDOFF);
    let mut none = 0;
    for group in 0..BLOCK / 8 {
        let mut height = lanes.splat(0.0);
        let mut reach = lanes.splat(TINY);
        for k in 0..3 {
            let (low, high) = (eight(lanes, &boxes.min[k], group), eight(lanes, &boxes.max[k], group));
            let middle = lanes.mul(half, lanes.add(low, high));
            let size = lanes.mul(half, lanes.sub(high, low));
            height = lanes.mul_add(normal[k], lanes.sub(middle, origin[k]), height);
            let large = lanes.add(lanes.abs(middle), lanes.add(lanes.abs(origin[k]), size));
            reach = lanes.mul_add(lanes.abs(normal[k]), lanes.mul_add(slack, large, size), reach);
        }
        none |= u64::from(lanes.bits(lanes.gt(lanes.abs(height), reach))) << (8 * group);
    }
    !none
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::collider::Collider;
    use crate::particles::index::Index;
    use crate::particles::{Particle, Particles};
    use crate::simd::Machine;

    struct Random(u64);

    impl Random {
        fn between(&mut self, low: f64, high: f64) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            low + (high - low) * ((self.0 >> 11) as f64 / (1u64 << 53) as f64)
        }
    }

    /// Whoever is on a collider during a step is an entry of it: places are sampled on the path, and colliders put there.
    #[test]
    fn what_a_path_passes_is_never_dropped() {
        let mut random = Random(4);
        for round in 0..200 {
            let scale = 10f64.powf(random.between(-3.0, 5.0));
            let far = scale * [0.0, 1.0, 1e6][round % 3];
            let mut vector = |size: f64| std::array::from_fn(|_| random.between(-size, size));
            let all: Vec<Particle> = (0..BLOCK)
                .map(|_| {
                    let near: [f64; 3] = vector(scale);
                    Particle {
                        position: near.map(|c| c + far),
                        velocity: vector(scale),
                        acceleration: vector(if round % 2 == 0 { scale } else { 0.0 }),
                        ..Particle::default()
                    }
                })
                .collect();
            let particles = Particles::new(all).unwrap();
            let mut block = Block::new(&particles, 0);
            for lane in 0..BLOCK {
                let mut flight = block.get(lane);
                flight.status = crate::particles::Status::Flying;
                block.put(lane, &flight);
            }
            let span = [random.between(0.0, 1.0), random.between(1.0, 2.0)];
            let lane = (random.between(0.0, 64.0)) as usize;
            let path = block.get(lane).path;
            let place = path.position_after(random.between(span[0], span[1]));
            let normal = std::array::from_fn(|_| random.between(-1.0, 1.0));
            let size = 1e-6 * scale;
            let colliders = [
                Collider::plane("plane", place, normal).unwrap(),
                Collider::rectangle("rectangle", place, normal, [size; 2]).unwrap(),
                Collider::sphere("ball", place, size).unwrap(),
            ];
            let index = Index::new(&colliders, Some(false));
            for machine in Machine::all() {
                let mut boxes = Boxes::default();
                machine.run(Sweep { block: &block, span, boxes: &mut boxes });
                for other in 0..BLOCK {
                    for time in [span[0], 0.3 * span[0] + 0.7 * span[1], span[1]] {
                        let p = block.get(other).path.position_after(time);
                        assert!((0..3).all(|k| {
                            let [low, high] = [&boxes.min, &boxes.max].map(|of| f64::from(of[k][other]));
                            low <= p[k] && p[k] <= high
                        }));
                    }
                }
                let (mut near, mut entries) = (Vec::new(), Vec::new());
                assert!(!index.sift_on(machine, &boxes, &mut near, &mut entries));
                for collider in 0..3 {
                    let met = entries.iter().find(|entry| entry.0 == collider).map_or(0, |entry| entry.1);
                    assert!(met >> lane & 1 == 1, "round {round}, collider {collider}, {}", machine.name());
                }
                // And not because everything is kept.
                let kept: u32 = entries.iter().map(|entry| entry.1.count_ones()).sum();
                assert!(far > scale || kept < 150, "round {round}: {kept}");
            }
        }
    }

    #[test]
    fn numbers_beyond_floats_are_not_dropped() {
        let all = [1e39, -1e39, 1e150, -1e150].map(|x| Particle {
            position: [x, 0.0, 0.0],
            velocity: [0.5 * x, 0.0, 0.0],
            ..Particle::default()
        });
        let particles = Particles::new(all).unwrap();
        let mut block = Block::new(&particles, 0);
        for lane in 0..4 {
            let mut flight = block.get(lane);
            flight.status = crate::particles::Status::Flying;
            block.put(lane, &flight);
        }
        for lane in 0..4 {
            let x = all[lane].position[0] * 1.25;
            let ball = [Collider::sphere("ball", [x, 0.0, 0.0], x.abs() * 1e-3).unwrap()];
            let index = Index::new(&ball, Some(false));
            let mut boxes = Boxes::default();
            for machine in Machine::all() {
                machine.run(Sweep { block: &block, span: [0.0, 1.0], boxes: &mut boxes });
                let (mut near, mut entries) = (Vec::new(), Vec::new());
                index.sift_on(machine, &boxes, &mut near, &mut entries);
                assert!(entries.iter().any(|entry| entry.1 >> lane & 1 == 1), "{x}");
            }
        }
    }
}

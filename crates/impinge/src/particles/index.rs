//! Colliders by their boxes: what a step asks first. A tree of eight boxes a node when there are many, one after the other
//! when there are few; those without a box apart.

use super::block::BLOCK;
use super::collider::{Collider, Solid};
use super::sweep::{Boxes, apart, meets, reaches, splat};
use crate::scene::Bounds;
use crate::simd::{Kernel, Lanes, Machine};
use crate::util::tolerance::{FLOAT_ROUNDOFF, PLACE_ERROR, TINY};

/// A box of floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FloatBox {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

/// A plane, to tell boxes that do not reach it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    pub(crate) normal: [f32; 3],
    pub(crate) origin: [f32; 3],
}

impl FloatBox {
    pub(crate) const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    const ENDLESS: Self = Self { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };

    /// Rounded outward, and larger by what places may be wrong.
    fn around(bounds: &Bounds, magnitude: f64) -> Self {
        let slack = PLACE_ERROR * magnitude;
        let outward = |x: f64, way: f64| {
            let near = (x + way * slack) as f32;
            let wider = near + way as f32 * (near.abs() * (4.0 * FLOAT_ROUNDOFF) + TINY);
            if wider.is_nan() { way as f32 * f32::INFINITY } else { wider }
        };
        Self { min: bounds.min.map(|x| outward(x, -1.0)), max: bounds.max.map(|x| outward(x, 1.0)) }
    }

    fn union(self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].min(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }
}

/// More colliders than this near a block of particles, and each particle walks the tree on its own: measured by
/// `impinge-lab table particles`, where both take as long at about this many.
const CROSSOVER: usize = 96;

/// Boxes of colliders.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// In the order of the colliders; without end for those that have none.
    boxes: Vec<FloatBox>,
    /// For planes.
    floors: Vec<Option<Floor>>,
    unbounded: Vec<u32>,
    nodes: Vec<Node>,
    /// Whether to walk the tree; `None` when that is faster.
    pub(crate) walk: Option<bool>,
    machine: Machine,
}

/// Eight boxes, and what is in them: another node, or a collider.
#[derive(Clone, Debug)]
struct Node {
    min: [[f32; 8]; 3],
    max: [[f32; 8]; 3],
    below: [u32; 8],
}

/// Says that what is below a node is a collider.
const LEAF: u32 = 1 << 31;

/// Says that nothing is there; no collider has this number.
const EMPTY: u32 = u32::MAX;

/// What a tree can number.
pub(crate) const MAX_COLLIDERS: usize = 1 << 30;

impl Index {
    pub(crate) fn new(colliders: &[Collider], walk: Option<bool>) -> Self {
        let mut index = Self {
            boxes: Vec::new(),
            floors: Vec::new(),
            unbounded: Vec::new(),
            nodes: Vec::new(),
            walk,
            machine: Machine::detect(),
        };
        let mut bounded = Vec::new();
        for (number, collider) in colliders.iter().enumerate() {
            let number = number as u32;
            let around = collider.bounds().map(|bounds| FloatBox::around(&bounds, collider.magnitude));
            // One that is larger than floats has no end either.
            if let Some(around) = around.filter(|around| *around != FloatBox::ENDLESS) {
                index.boxes.push(around);
                bounded.push(number);
            } else {
                index.boxes.push(FloatBox::ENDLESS);
                index.unbounded.push(number);
            }
            index.floors.push(Floor::of(collider));
        }
        if !bounded.is_empty() {
            index.build(&mut bounded);
        }
        index
    }

    /// A node over colliders, in eight parts by halving three times along the widest axis; says where it is.
    fn build(&mut self, numbers: &mut [u32]) -> u32 {
        let place = self.nodes.len();
        let empty = [[f32::INFINITY; 8]; 3];
        self.nodes.push(Node { min: empty, max: empty.map(|x| x.map(|y| -y)), below: [EMPTY; 8] });
        let mut slot = 0;
        let mut parts = vec![(numbers, 3)];
        while let Some((part, halvings)) = parts.pop() {
            if part.len() > 1 && halvings > 0 {
                let axis = widest(&self.boxes, part);
                let middle = part.len() / 2;
                let boxes = &self.boxes;
                let key = |number: &u32| {
                    let FloatBox { min, max } = boxes[*number as usize];
                    (0.5 * min[axis] + 0.5 * max[axis], *number)
                };
                part.select_nth_unstable_by(middle, |a, b| {
                    let (a, b) = (key(a), key(b));
                    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
                });
                let (left, right) = part.split_at_mut(middle);
                parts.push((right, halvings - 1));
                parts.push((left, halvings - 1));
                continue;
            }
            let around = part.iter().fold(FloatBox::EMPTY, |b, &n| b.union(&self.boxes[n as usize]));
            let below = if let [number] = part { LEAF | *number } else { self.build(part) };
            let node = &mut self.nodes[place];
            for k in 0..3 {
                node.min[k][slot] = around.min[k];
                node.max[k][slot] = around.max[k];
            }
            node.below[slot] = below;
            slot += 1;
        }
        place as u32
    }

    /// Appends every collider that may have a point in the box, lowest first.
    pub(crate) fn query(&self, swept: &Bounds, list: &mut Vec<u32>) {
        let around = FloatBox::around(swept, 0.0);
        list.extend_from_slice(&self.unbounded);
        if self.walk == Some(false) {
            let bounded = self.boxes.iter().enumerate().filter(|(_, b)| **b != FloatBox::ENDLESS);
            list.extend(bounded.filter(|(_, b)| b.overlaps(&around)).map(|(number, _)| number as u32));
        } else {
            self.machine.run(Walk { index: self, around: &around, list });
        }
        list.sort_unstable();
    }

    /// For a block: entries of (collider, which of the particles), or nothing and `true` when each particle had better
    /// ask on its own.
    pub(crate) fn sift(&self, boxes: &Boxes, near: &mut Vec<u32>, entries: &mut Vec<(u32, u64)>) -> bool {
        self.sift_on(self.machine, boxes, near, entries)
    }

    pub(crate) fn sift_on(
        &self,
        machine: Machine,
        boxes: &Boxes,
        near: &mut Vec<u32>,
        entries: &mut Vec<(u32, u64)>,
    ) -> bool {
        machine.run(Sift { index: self, boxes, near, entries })
    }
}

impl Floor {
    fn of(collider: &Collider) -> Option<Self> {
        let Solid::Plane { from_world, .. } = &collider.solid else { return None };
        // Heights are compared with reaches, both in lengths of the normal: any length will do but one that floats lose.
        let normal = crate::scene::vector::unit(from_world.linear[2])?.map(|x| x as f32);
        let origin = from_world.origin.map(|x| x as f32);
        origin.iter().all(|x| x.is_finite()).then_some(Self { normal, origin })
    }
}

fn widest(boxes: &[FloatBox], numbers: &[u32]) -> usize {
    let mut around = FloatBox::EMPTY;
    for &number in numbers {
        let FloatBox { min, max } = boxes[number as usize];
        let middle = std::array::from_fn(|k| 0.5 * min[k] + 0.5 * max[k]);
        around = around.union(&FloatBox { min: middle, max: middle });
    }
    let size = |k: usize| around.max[k] - around.min[k];
    (1..3).fold(0, |widest, k| if size(k) > size(widest) { k } else { widest })
}

#[inline(always)]
fn load<L: Lanes>(lanes: L, p: &[[f32; 8]; 3]) -> [L::F; 3] {
    [lanes.load(&p[0]), lanes.load(&p[1]), lanes.load(&p[2])]
}

/// All colliders below the root whose boxes meet a box.
struct Walk<'a> {
    index: &'a Index,
    around: &'a FloatBox,
    list: &'a mut Vec<u32>,
}

impl Kernel for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { index, around, list } = self;
        if index.nodes.is_empty() {
            return;
        }
        let around = [splat(lanes, around.min), splat(lanes, around.max)];
        // Each level leaves at most seven of a node behind, and eleven levels hold all that a `u32` numbers.
        let mut waiting = [0u32; 96];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let node = &index.nodes[waiting[count] as usize];
            let boxes = [load(lanes, &node.min), load(lanes, &node.max)];
            let mut met = !apart(lanes, boxes, around);
            while met != 0 {
                let below = node.below[met.trailing_zeros() as usize];
                met &= met - 1;
                if below == EMPTY {
                    continue;
                }
                if below & LEAF != 0 {
                    list.push(below & !LEAF);
                } else if count < waiting.len() {
                    waiting[count] = below;
                    count += 1;
                }
            }
        }
    }
}

/// The colliders that particles of a block may meet.
struct Sift<'a> {
    index: &'a Index,
    boxes: &'a Boxes,
    near: &'a mut Vec<u32>,
    entries: &'a mut Vec<(u32, u64)>,
}

impl Kernel for Sift<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self { index, boxes, near, entries } = self;
        entries.clear();
        near.clear();
        near.extend_from_slice(&index.unbounded);
        lanes.run(Walk { index, around: &boxes.around, list: near });
        let alone = index.walk.unwrap_or(near.len() > CROSSOVER + index.unbounded.len());
        if alone && near.len() > index.unbounded.len() {
            return true;
        }
        near.sort_unstable();
        for &number in &*near {
            let place = number as usize;
            let mut met = meets(lanes, boxes, &index.boxes[place]) & boxes.moving;
            if met != 0
                && let Some(floor) = &index.floors[place]
            {
                met &= reaches(lanes, boxes, floor);
            }
            if met != 0 {
                entries.push((number, met));
            }
        }
        false
    }
}

const _: () = assert!(BLOCK == 64, "masks are of 64 bits");

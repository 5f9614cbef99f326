//! What geometry says about a frame before any detector runs, and the three rules it is worked out by:
//! balls inside and around bodies, boxes with separating axes, and meshes that share their vertices.

use crate::vector::{Point, cross, distance, dot, norm, scale, sub};
use impinge::{BodyId, Pose, Scene};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Two body names; in a pair, the smaller first; in a containment, the inner first.
pub type Names = (String, String);

/// How many contacts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(usize),
    /// So many or more.
    AtLeast(usize),
}

impl Count {
    /// Whether a number of contacts agrees.
    pub fn allows(self, contacts: usize) -> bool {
        match self {
            Self::Exactly(n) => contacts == n,
            Self::AtLeast(n) => contacts >= n,
        }
    }
}

/// Which bodies have contacts. Every pair listed in neither, self-collisions included, must have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownPairs {
    /// Pairs that must have contacts.
    pub touching: Vec<Names>,
    /// Pairs of which geometry says nothing.
    pub undecided: Vec<Names>,
}

/// What must be true of a complete report. What is `None` or empty is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownAnswer {
    /// Number of contacts.
    pub contacts: Option<Count>,
    /// Pairs of bodies with contacts.
    pub pairs: Option<KnownPairs>,
    /// All containments, `(inner, outer)`, in any order.
    pub containments: Option<Vec<Names>>,
    /// In each list, pairs that must have equally many contacts.
    pub alike: Vec<Vec<Names>>,
}

impl KnownAnswer {
    /// So many contacts and no containment.
    pub fn contacts(count: Count) -> Self {
        Self { contacts: Some(count), ..Self::default() }
    }

    /// Nothing collides.
    pub fn clear() -> Self {
        Self {
            contacts: Some(Count::Exactly(0)),
            pairs: Some(KnownPairs::default()),
            containments: Some(Vec::new()),
            alike: Vec::new(),
        }
    }
}

/// A pair of names, in order.
pub fn pair(a: impl Into<String>, b: impl Into<String>) -> Names {
    let (a, b) = (a.into(), b.into());
    if a <= b { (a, b) } else { (b, a) }
}

/// What is known of two closed surfaces without hollows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Neither reaches the other.
    Apart,
    /// The surfaces cross.
    Touching,
    /// The first lies within the second, surfaces apart.
    Inside,
    /// The second lies within the first, surfaces apart.
    Around,
    /// Too close to say.
    Undecided,
}

impl Relation {
    fn add_to(self, known: &mut KnownAnswer, a: &str, b: &str) {
        let pairs = known.pairs.get_or_insert_default();
        let containments = known.containments.as_mut();
        match self {
            Self::Apart => {}
            Self::Touching => pairs.touching.push(pair(a, b)),
            Self::Inside => containments.into_iter().for_each(|list| list.push((a.into(), b.into()))),
            Self::Around => containments.into_iter().for_each(|list| list.push((b.into(), a.into()))),
            Self::Undecided => {
                pairs.undecided.push(pair(a, b));
                known.containments = None;
            }
        }
    }
}

/// Every relation of every two of `bodies`, as a known answer.
pub fn of_relations<T>(bodies: &[(&str, T)], relation: impl Fn(&T, &T) -> Relation) -> KnownAnswer {
    let mut known = KnownAnswer {
        pairs: Some(KnownPairs::default()),
        containments: Some(Vec::new()),
        ..KnownAnswer::default()
    };
    for (i, (name_a, a)) in bodies.iter().enumerate() {
        for (name_b, b) in &bodies[i + 1..] {
            relation(a, b).add_to(&mut known, name_a, name_b);
        }
    }
    known
}

/// Part of a length by which the rules below stand clear of the rounding of positions (2^-24 of it in single
/// precision) and of their own.
const CLEARANCE: f64 = 1e-5;

/// A closed surface without hollows, between two balls of one centre: it does not enter the smaller, does not
/// leave the larger, and goes around the smaller.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Centre in the world.
    pub centre: Point,
    /// Radius of the smaller ball; 0 when there is none.
    pub inner: f64,
    /// Radius of the larger ball.
    pub outer: f64,
}

impl Ball {
    /// How `self` stands to `other`. Overlapping inner balls mean overlapping solids; a solid whose inner ball
    /// leaves the other's outer ball is not within it; overlapping solids of which neither is within the other
    /// have surfaces that cross.
    pub fn to(&self, other: &Self) -> Relation {
        let d = distance(self.centre, other.centre);
        let clear = CLEARANCE * (d + self.outer + other.outer);
        if d > self.outer + other.outer + clear {
            Relation::Apart
        } else if d + self.outer + clear < other.inner {
            Relation::Inside
        } else if d + other.outer + clear < self.inner {
            Relation::Around
        } else if d + clear < self.inner + other.inner
            && d + self.inner > other.outer + clear
            && d + other.inner > self.outer + clear
        {
            Relation::Touching
        } else {
            Relation::Undecided
        }
    }
}

/// A box of half sizes `half`, placed by a rigid pose.
#[derive(Clone, Copy, Debug)]
pub struct Brick {
    /// `world_from_body`.
    pub pose: Pose,
    /// Half of each edge.
    pub half: Point,
}

impl Brick {
    fn axes(&self) -> [Point; 3] {
        let rows = self.pose.rows();
        [0, 1, 2].map(|axis| [rows[0][axis], rows[1][axis], rows[2][axis]])
    }

    fn reach(&self, direction: Point) -> f64 {
        self.axes().iter().zip(self.half).map(|(&axis, half)| dot(axis, direction).abs() * half).sum()
    }

    /// Furthest that `self` reaches out of `other` along the axes of `other`; negative when within it.
    fn excess(&self, other: &Self) -> f64 {
        let offset = sub(self.pose.apply([0.0; 3]), other.pose.apply([0.0; 3]));
        let along = |(&axis, half): (&Point, f64)| dot(axis, offset).abs() + self.reach(axis) - half;
        other.axes().iter().zip(other.half).map(along).fold(f64::NEG_INFINITY, f64::max)
    }

    /// How `self` stands to `other`: the fifteen separating axes of two boxes.
    pub fn to(&self, other: &Self) -> Relation {
        let offset = sub(self.pose.apply([0.0; 3]), other.pose.apply([0.0; 3]));
        let (a, b) = (self.axes(), other.axes());
        let crossed = a.iter().flat_map(|&x| b.iter().map(move |&y| cross(x, y)));
        // Nearly parallel edges make a direction of rounding errors; the face axes decide those cases.
        let crossed =
            crossed.filter(|axis| norm(*axis) > CLEARANCE).map(|axis| scale(axis, 1.0 / norm(axis)));
        let gap = |axis: Point| dot(axis, offset).abs() - self.reach(axis) - other.reach(axis);
        let gap = a.into_iter().chain(b).chain(crossed).map(gap).fold(f64::NEG_INFINITY, f64::max);
        let clear = CLEARANCE * (norm(self.half) + norm(other.half) + norm(offset));
        if gap > clear {
            Relation::Apart
        } else if self.excess(other) < -clear {
            Relation::Inside
        } else if other.excess(self) < -clear {
            Relation::Around
        } else if gap < -clear && self.excess(other) > clear && other.excess(self) > clear {
            Relation::Touching
        } else {
            Relation::Undecided
        }
    }
}

/// Contacts between bodies whose triangles together form one simplicial complex: two of its triangles meet in the
/// hull of the vertices they have in common, so they touch when they have one. Nothing here is geometry but the
/// equality of coordinates. Containments are not known.
pub fn of_complex(scene: &Scene) -> KnownAnswer {
    let mut at: HashMap<[u64; 3], Vec<(BodyId, u32)>> = HashMap::new();
    for (id, body) in scene.bodies() {
        for (triangle, corners) in body.mesh().triangles().iter().enumerate() {
            for &vertex in corners {
                // Adding zero makes the two zeros one.
                let place = body.world_position(vertex as usize).map(|c| (c + 0.0).to_bits());
                at.entry(place).or_default().push((id, triangle as u32));
            }
        }
    }
    let mut contacts = HashSet::new();
    for around in at.values() {
        for (i, &a) in around.iter().enumerate() {
            let others = around[i + 1..].iter().filter(|b| b.0 != a.0);
            contacts.extend(others.map(|&b| if a <= b { (a, b) } else { (b, a) }));
        }
    }
    let mut by_pair: BTreeMap<(BodyId, BodyId), usize> = BTreeMap::new();
    for (a, b) in &contacts {
        *by_pair.entry((a.0, b.0)).or_default() += 1;
    }
    let name = |id| scene.body(id).map_or("", impinge::Body::name);
    let touching = by_pair.keys().map(|&(a, b)| pair(name(a), name(b))).collect();
    KnownAnswer {
        contacts: Some(Count::Exactly(contacts.len())),
        pairs: Some(KnownPairs { touching, undecided: Vec::new() }),
        ..KnownAnswer::default()
    }
}

//! What floats claim about pairs of triangles, against exact arithmetic: nothing that touches may be called apart, nothing that is
//! apart may be said to touch.
//!
//! Pairs come from the families that the narrow phase is tried on, brought to sizes that the method may see. Floats get the
//! coordinates either as they are, with an error of 0 and the exact question asked about those floats; or moved, with the largest
//! error that this made, and the question asked about the coordinates before.

use crate::families::{Family, Pair};
use crate::rng::Rng;
use impinge::exact::neighbours_touch;
use impinge::stages::grid::BodyInRegion;
use impinge::stages::grid::plane_filter::{FilterVerdict, plane_filter};
use impinge::stages::grid::signs::{Verdict, decide};
use impinge::stages::grid::triangle_filter::Record;
use impinge::{Element, Point, Pose, WorldTriangle};

/// Two triangles as floats have them, and whether they touch.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// What floats are given.
    pub records: [Record; 2],
    /// What the question is about.
    pub exact: [WorldTriangle; 2],
    /// The answer.
    pub touch: bool,
}

/// What was answered.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Of which family.
    pub family: &'static str,
    /// All pairs whose boxes share a point: others never get there.
    pub pairs: usize,
    /// Those that touch.
    pub touching: usize,
    /// Those that floats could not tell.
    pub doubtful: usize,
    /// Those that touch and were called apart.
    pub missed: usize,
    /// Those that are apart and were said to touch.
    pub false_yes: usize,
    /// The first wrong one.
    pub example: Option<Question>,
}

impl Tally {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.family = other.family;
        self.pairs += other.pairs;
        self.touching += other.touching;
        self.doubtful += other.doubtful;
        self.missed += other.missed;
        self.false_yes += other.false_yes;
        self.example = self.example.or(other.example);
    }
}

/// Some pairs of a family.
pub fn questions(family: &Family, pairs: usize, seed: u64) -> Vec<Question> {
    let mut rng = Rng::new(seed);
    let mut list = Vec::with_capacity(pairs);
    // Families whose boxes hardly ever meet give fewer.
    for _ in 0..4 * pairs {
        if list.len() < pairs {
            let pair = family.pair(&mut rng);
            list.extend(question(&pair, &mut rng).filter(|q| q.records[0].overlaps(&q.records[1])));
        }
    }
    list
}

/// Counts the answers.
pub fn tally(family: &'static str, questions: &[Question], verdicts: &[Verdict]) -> Tally {
    let mut tally = Tally { family, pairs: questions.len(), ..Tally::default() };
    for (question, verdict) in questions.iter().zip(verdicts) {
        tally.touching += usize::from(question.touch);
        let wrong = match verdict {
            Verdict::Apart if question.touch => &mut tally.missed,
            Verdict::Touch if !question.touch => &mut tally.false_yes,
            Verdict::Doubtful => {
                tally.doubtful += 1;
                continue;
            }
            _ => continue,
        };
        *wrong += 1;
        tally.example.get_or_insert(*question);
    }
    tally
}

/// What the stages say, on the CPU.
pub fn judge(records: &[Record; 2]) -> Verdict {
    let [a, b] = records;
    match plane_filter(a, b) {
        FilterVerdict::Apart => Verdict::Apart,
        FilterVerdict::Doubtful => Verdict::Doubtful,
        FilterVerdict::Test => decide(a, b),
    }
}

/// Powers of two that the largest coordinate is brought to: a region that has a size makes it about 1, one that is a point as much
/// as 2^36.
const SIZES: [i32; 8] = [0, 0, 0, -20, 10, 31, 33, 35];

fn question(pair: &Pair, rng: &mut Rng) -> Option<Question> {
    let (positions, [a, b], one_body) = match pair {
        Pair::Separate(a, b) => ([*a, *b].concat(), [[0, 1, 2], [3, 4, 5]], false),
        Pair::Neighbours { positions, a, b } => (positions.clone(), [*a, *b], true),
    };
    let largest = positions.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    let exponent = SIZES[rng.below(SIZES.len())] - largest.max(1e-290).log2().ceil() as i32;
    // In two steps: a power may be beyond a double.
    let scaled = |x: f64| x * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    let mut truth: Vec<Point> = positions.iter().map(|p| p.map(scaled)).collect();
    if rng.below(4) == 0 {
        // As far from the origin as a region is wide.
        let aside = rng.in_cube(-1.0, 1.0).map(scaled);
        for p in &mut truth {
            *p = std::array::from_fn(|k| p[k] + aside[k] * largest);
        }
    }
    let moved = match rng.below(3) {
        0 => None,
        1 => Some(0.0),
        _ => Some(
            2f64.powi(-(rng.below(24) as i32))
                * 2f64.powi(exponent / 2)
                * largest
                * 2f64.powi(exponent - exponent / 2),
        ),
    };
    let floats: Vec<[f32; 3]> =
        truth.iter().map(|p| p.map(|x| (x + rng.between(-1.0, 1.0) * moved.unwrap_or(0.0)) as f32)).collect();
    let error = if moved.is_none() {
        truth = floats.iter().map(|p| p.map(f64::from)).collect();
        0.0
    } else {
        let off =
            |(p, q): (&Point, &[f32; 3])| (0..3).map(|k| (p[k] - f64::from(q[k])).abs()).fold(0.0, f64::max);
        (truth.iter().zip(&floats).map(off).fold(0.0, f64::max) as f32).next_up()
    };
    if !truth.iter().flatten().all(|x| x.is_finite()) || !floats.iter().flatten().all(|x| x.is_finite()) {
        return None;
    }
    let record = |named: [u32; 3], number: u32| {
        let body = if one_body { 0 } else { number };
        let in_region = BodyInRegion { error, self_collision: one_body, ..BodyInRegion::NOBODY };
        Record::new(
            named.map(|vertex| floats[vertex as usize]),
            named.map(|vertex| vertex + 1),
            number,
            (body, &in_region),
        )
    };
    let exact = [a, b].map(|vertices| {
        let corners = vertices.map(|vertex| truth[vertex as usize]);
        WorldTriangle { element: Element::default(), vertices, corners }
    });
    Some(Question { records: [record(a, 0), record(b, 1)], exact, touch: touch(&exact) })
}

/// Exact arithmetic. Triangles that share no vertex are no neighbours, whatever body they are of.
fn touch([a, b]: &[WorldTriangle; 2]) -> bool {
    neighbours_touch([a.corners, b.corners], [a.vertices, b.vertices])
}

impl Question {
    /// The same once everything stands there, with corners as they are or as floats.
    #[must_use]
    pub fn standing(&self, pose: &Pose, as_floats: bool) -> Self {
        let float = |x: f64| if as_floats { f64::from(x as f32) } else { x };
        let exact = self.exact.map(|triangle| {
            let corners = triangle.corners.map(|corner| pose.apply(corner.map(float)));
            WorldTriangle { corners, ..triangle }
        });
        Self { touch: touch(&exact), ..*self }
    }
}

/// Where bodies stand: as they are, turned by a quarter and moved, or turned and moved anyhow.
pub fn poses(rng: &mut Rng) -> [Pose; 3] {
    let turned = |axis: Point, angle: f64, to: Point| Pose::from_axis_angle(axis, angle, to);
    let anyhow = turned(rng.direction(), rng.between(-3.0, 3.0), rng.in_cube(-1.0, 1.0));
    let quarter = turned([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2, rng.in_cube(-4.0, 4.0));
    [Pose::IDENTITY, quarter.unwrap_or_default(), anyhow.unwrap_or_default()]
}

//! A narrow phase against the oracle, on many pairs of many families, on all cores.
//!
//! A pair must get the oracle's answer as it is, with the two triangles swapped, with their corners in another
//! order, and, where the triangles share no vertex, as neighbours that share none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use impinge::exact;
use impinge::stages::decide_everywhere;
use rayon::prelude::*;

use super::{Triangle, boxes_touch, neighbours_touch, triangles_touch};
use crate::families::{Family, Pair, Rng};

/// Pairs that one task draws from one stream. Streams are numbered by family and task, so a run is the same on
/// any number of cores, and a longer run starts with the pairs of a shorter one.
const PAIRS_PER_TASK: u64 = 256;

/// Disagreements that are kept whole in every family; the others are counted.
const EXAMPLES: usize = 3;

/// The narrow phase to be examined.
#[derive(Clone, Copy)]
pub struct Subject {
    /// Decides two triangles that have nothing to do with each other.
    pub triangles_touch: fn(&Triangle, &Triangle) -> bool,
    /// Decides two triangles of one body, by their corners and the indices of these.
    pub neighbours_touch: fn([Triangle; 2], [[u32; 3]; 2]) -> bool,
}

impl Subject {
    /// The library's own.
    pub const LIBRARY: Self =
        Self { triangles_touch: exact::triangles_touch, neighbours_touch: exact::neighbours_touch };

    /// The library's exact lanes, and its narrow phase for what those leave.
    pub const LANES: Self = Self { triangles_touch: in_lanes, neighbours_touch: exact::neighbours_touch };
}

/// Pairs that [`Subject::LANES`] was asked about, and those that lanes decided.
pub static IN_LANES: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// Every lane has the pair with its corners in another order, half of them the triangles, too; all that is decided must agree.
fn in_lanes(a: &Triangle, b: &Triangle) -> bool {
    let turned = |t: &Triangle, by: usize| [t[by % 3], t[(by + 1) % 3], t[(by + 2) % 3]];
    let pairs = std::array::from_fn(|lane| {
        let (p, q) = (turned(a, lane), turned(b, lane / 3));
        if lane % 2 == 0 { [p, q] } else { [q, [p[1], p[0], p[2]]] }
    });
    let (answers, differ) = decide_everywhere(&pairs);
    let mut known = answers.iter().flatten();
    let first = known.next();
    IN_LANES[0].fetch_add(1, Ordering::Relaxed);
    IN_LANES[1].fetch_add(u64::from(first.is_some()), Ordering::Relaxed);
    assert!(!differ && known.all(|answer| Some(answer) == first), "lanes differ: {answers:?}");
    first.copied().unwrap_or_else(|| exact::triangles_touch(a, b))
}

/// What a family's pairs gave.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The family's name.
    pub family: &'static str,
    /// How many pairs were decided.
    pub pairs: u64,
    /// How many of them have boxes that overlap, so that their boxes alone do not answer.
    pub overlapping: u64,
    /// How many touch, by the oracle.
    pub touching: u64,
    /// How many the subject answered differently, in at least one way of asking.
    pub disagreements: u64,
    /// The first disagreements: what was asked and answered, then the pair as Rust source.
    pub examples: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.overlapping += other.overlapping;
        self.touching += other.touching;
        self.disagreements += other.disagreements;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
    }
}

/// Decides about `pairs` pairs, as many from every family (at least one), and calls `progress` from any thread
/// with the number of pairs just decided. The tallies come in the order of the families.
pub fn compare(
    subject: Subject,
    families: &[&Family],
    pairs: u64,
    seed: u64,
    progress: impl Fn(u64) + Sync,
) -> Vec<Tally> {
    let per_family = pairs.div_ceil(families.len().max(1) as u64).max(1);
    let tasks = per_family.div_ceil(PAIRS_PER_TASK);
    let none = || families.iter().map(|f| Tally { family: f.name, ..Tally::default() }).collect::<Vec<_>>();
    (0..families.len() as u64 * tasks)
        .into_par_iter()
        .fold(none, |mut tallies, number| {
            // Neighbouring tasks are of different families: some families take much longer than others.
            let which = (number % families.len() as u64) as usize;
            let task = number / families.len() as u64;
            let count = PAIRS_PER_TASK.min(per_family - task * PAIRS_PER_TASK);
            let mut rng = stream(seed, families[which].name, task);
            tallies[which].add(run(subject, families[which], count, &mut rng));
            progress(count);
            tallies
        })
        .reduce(none, |mut all, more| {
            for (tally, more) in all.iter_mut().zip(more) {
                tally.add(more);
            }
            all
        })
}

/// The random numbers of one task, which depend on its family's name but not on what other families there are.
fn stream(seed: u64, family: &str, task: u64) -> Rng {
    let mix = |state: u64, value: u64| Rng::new(state ^ value).bits();
    Rng::new(mix(family.bytes().fold(Rng::new(seed).bits(), |state, byte| mix(state, byte.into())), task))
}

fn run(subject: Subject, family: &Family, count: u64, rng: &mut Rng) -> Tally {
    let mut tally = Tally { family: family.name, pairs: count, ..Tally::default() };
    for _ in 0..count {
        let pair = family.pair(rng);
        let (overlapping, expected) = truth(&pair);
        tally.overlapping += u64::from(overlapping);
        tally.touching += u64::from(expected);
        if let Some(wrong) = first_wrong_answer(subject, &pair, expected, rng) {
            tally.disagreements += 1;
            if tally.examples.len() < EXAMPLES {
                tally.examples.push(format!("{wrong}, the oracle says {expected}\n{pair}"));
            }
        }
    }
    tally
}

/// Whether the boxes overlap, and whether the triangles are in contact.
fn truth(pair: &Pair) -> (bool, bool) {
    match pair {
        Pair::Separate(a, b) => (boxes_touch(a, b), triangles_touch(a, b)),
        Pair::Neighbours { positions, a, b } => {
            let corners = |triangle: &[u32; 3]| triangle.map(|vertex| positions[vertex as usize]);
            (boxes_touch(&corners(a), &corners(b)), neighbours_touch(positions, *a, *b))
        }
    }
}

/// Two triangles with their corners, and with their indices when they are of one body.
type Question = ([Triangle; 2], Option<[[u32; 3]; 2]>);

/// Asks in several ways that must all give the expected answer; tells which one does not. A panic is a wrong
/// answer too.
fn first_wrong_answer(subject: Subject, pair: &Pair, expected: bool, rng: &mut Rng) -> Option<String> {
    let (corners, indices): Question = match pair {
        Pair::Separate(a, b) => ([*a, *b], None),
        Pair::Neighbours { positions, a, b } => {
            ([a, b].map(|t| t.map(|vertex| positions[vertex as usize])), Some([*a, *b]))
        }
    };
    let [order_a, order_b] = [(); 2].map(|()| rng.shuffled([0, 1, 2]));
    let reorder = |t: [Triangle; 2]| [order_a.map(|i| t[0][i]), order_b.map(|i| t[1][i])];
    let reorder_indices = |t: [[u32; 3]; 2]| [order_a.map(|i| t[0][i]), order_b.map(|i| t[1][i])];
    let swap = |t: [[u32; 3]; 2]| [t[1], t[0]];
    let mut questions: Vec<(String, Question)> = vec![
        ("as it is".into(), (corners, indices)),
        ("swapped".into(), ([corners[1], corners[0]], indices.map(swap))),
        (format!("reordered {order_a:?} {order_b:?}"), (reorder(corners), indices.map(reorder_indices))),
    ];
    if indices.is_none() {
        questions.push(("as neighbours that share nothing".into(), (corners, Some([[0, 1, 2], [3, 4, 5]]))));
    }
    questions.into_iter().find_map(|(way, (corners, indices))| {
        let answer = catch_unwind(AssertUnwindSafe(|| match indices {
            None => (subject.triangles_touch)(&corners[0], &corners[1]),
            Some(indices) => (subject.neighbours_touch)(corners, indices),
        }));
        match answer {
            Ok(answer) if answer == expected => None,
            Ok(answer) => Some(format!("asked {way}, the answer is {answer}")),
            Err(_) => Some(format!("asked {way}, it panicked")),
        }
    })
}

//! What pairs of bodies are to each other, in words and in the order of what matters: a clash stands above what only touches,
//! however many contacts that has.

use crate::names::{count, counted};
use crate::question::Findings;
use impinge::contacts::Relation;
use impinge::{BodyId, PairContacts};
use std::cmp::Reverse;

/// As JSON and tables have it.
pub(crate) fn word(relation: Relation) -> &'static str {
    match relation {
        Relation::Overlapping => "overlapping",
        Relation::Inside { .. } => "inside",
        Relation::Equal => "equal",
        Relation::Crossing => "crossing",
        Relation::Touching => "touching",
        _ => "related",
    }
}

/// Every pair to be told: those with contacts, and those that overlap without any. What matters comes first, then the most
/// contacts; a pair of which nothing is known may matter.
pub(crate) fn pairs_by_weight(report: Findings<'_>) -> Vec<PairContacts> {
    let mut pairs = pairs_and_overlaps(report);
    // Stable: pairs that weigh the same stay in the order of their bodies.
    pairs.sort_by_key(|pair| {
        let touches = report.relation(pair) == Some(Relation::Touching);
        (touches, Reverse(pair.contacts.len()))
    });
    pairs
}

/// The same, in the order of their bodies.
pub(crate) fn pairs_and_overlaps(report: Findings<'_>) -> Vec<PairContacts> {
    let is_listed = |a, b| report.pairs.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b)).is_ok();
    let apart = report
        .relations
        .iter()
        .filter(|pair| !matches!(pair.relation, Relation::Inside { .. }) && !is_listed(pair.a, pair.b))
        .map(|pair| PairContacts { a: pair.a, b: pair.b, contacts: 0..0 });
    let mut pairs: Vec<PairContacts> = report.pairs.iter().cloned().chain(apart).collect();
    pairs.sort_by_key(|pair| (pair.a, pair.b));
    pairs
}

/// Whether one of two bodies is told to be inside the other where pairs with contacts are told.
pub(crate) fn is_told_with_contacts(report: Findings<'_>, a: BodyId, b: BodyId) -> bool {
    let key = (a.min(b), a.max(b));
    let listed = report.pairs.binary_search_by_key(&key, |pair| (pair.a, pair.b)).ok();
    let relation = listed.and_then(|at| report.relation(&report.pairs[at]));
    matches!(relation, Some(Relation::Inside { .. }))
}

/// The bodies of a pair, the one inside first.
pub(crate) fn in_order(report: Findings<'_>, pair: &PairContacts) -> [BodyId; 2] {
    match report.relation(pair) {
        Some(Relation::Inside { inner }) if inner == pair.b => [pair.b, pair.a],
        _ => [pair.a, pair.b],
    }
}

/// "2 pairs overlap, 3 touch": how many pairs of each kind, where there is more than one pair.
pub(crate) fn tally(report: Findings<'_>) -> Option<String> {
    let number =
        |word: &str| report.relations.iter().filter(|pair| self::word(pair.relation) == word).count();
    let kinds = [
        ("overlapping", "overlaps", "overlap"),
        ("inside", "lies inside", "lie inside"),
        ("equal", "is equal", "are equal"),
        ("crossing", "crosses", "cross"),
        ("touching", "touches", "touch"),
    ];
    let found =
        kinds.into_iter().map(|(word, one, many)| (number(word), one, many)).filter(|found| found.0 > 0);
    let parts: Vec<String> = found
        .enumerate()
        .map(|(place, (number, one, many))| {
            let verb = if number == 1 { one } else { many };
            let pairs = if place == 0 { counted(number, "pair", "pairs") } else { count(number) };
            format!("{pairs} {verb}")
        })
        .collect();
    (report.relations.len() > 1).then(|| parts.join(", "))
}

/// "a and b touch": two bodies, by their names.
pub(crate) fn sentence(relation: Relation, [a, b]: [&str; 2]) -> String {
    match relation {
        Relation::Overlapping => format!("{a} and {b} overlap"),
        Relation::Inside { .. } => format!("{a} inside {b}"),
        Relation::Equal => format!("{a} and {b} are equal"),
        Relation::Crossing => format!("{a} and {b} cross"),
        Relation::Touching => format!("{a} and {b} touch"),
        _ => format!("{a} and {b}"),
    }
}

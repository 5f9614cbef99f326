//! What the exact test says of two triangles, and lists of that.

use crate::scene::{BodyId, Element};
use std::ops::Range;

/// Two triangles that share at least one point (beyond what neighbours share, within one body).
/// `a.body <= b.body`, and within one body `a.triangle < b.triangle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The first triangle.
    pub a: Element,
    /// The second triangle.
    pub b: Element,
}

impl Contact {
    /// For hashes of answers.
    pub(crate) fn numbers(&self) -> [u32; 4] {
        let Self { a, b } = self;
        [a.body.index() as u32, a.triangle, b.body.index() as u32, b.triangle]
    }
}

/// Two bodies in contact, or one in contact with itself (`a == b`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PairContacts {
    /// The first body.
    pub a: BodyId,
    /// The second body.
    pub b: BodyId,
    /// Where the pair's contacts stand in the list of contacts.
    pub contacts: Range<usize>,
}

impl PairContacts {
    /// Appends the pairs of some contacts, which are sorted.
    pub(crate) fn list(contacts: &[Contact], pairs: &mut Vec<Self>) {
        let mut first = 0;
        while let Some(Contact { a, b }) = contacts.get(first) {
            let same = |other: &Contact| other.a.body == a.body && other.b.body == b.body;
            // Doubling steps, then halves: far fewer looks than contacts.
            let mut step = 1;
            while contacts.get(first + step).is_some_and(same) {
                step *= 2;
            }
            let last = contacts.len().min(first + step);
            let end = first + contacts[first..last].partition_point(same);
            pairs.push(Self { a: a.body, b: b.body, contacts: first..end });
            first = end;
        }
    }
}

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
        for run in contacts.chunk_by(|p, q| p.a.body == q.a.body && p.b.body == q.b.body) {
            let contacts = first..first + run.len();
            first = contacts.end;
            pairs.push(Self { a: run[0].a.body, b: run[0].b.body, contacts });
        }
    }
}

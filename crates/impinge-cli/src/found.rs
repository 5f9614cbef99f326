//! How much a report found, counted as its method counts: contacts, or pairs of bodies that interfere or meet.

use crate::names::counted;
use crate::question::Findings;
use impinge::BodyId;
use impinge::interference::Interference;
use impinge::stages::overlap_cells::{Answer, Overlaps, PairOverlap};
use std::collections::BTreeMap;

/// Ordered by how much it is, so that frames can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Found {
    Contacts(usize),
    /// Whether anything interferes, where nothing else was found out.
    Interference(bool),
    /// Bodies that interfere, where it was not found out with which.
    Bodies(usize),
    /// Pairs of bodies that interfere, and pixels that show it.
    Pairs {
        pairs: usize,
        pixels: usize,
    },
    /// Pairs of bodies whose surfaces meet or may meet, and contacts, where these were asked for.
    Meeting {
        pairs: usize,
        contacts: usize,
    },
}

impl Found {
    pub(crate) fn of(report: Findings<'_>) -> Self {
        if let Some(sliced) = report.overlaps() {
            return Self::Meeting { pairs: meeting(sliced).count(), contacts: report.contacts.len() };
        }
        let Some(interference) = report.interference() else { return Self::Contacts(report.contacts.len()) };
        let pairs = mutual(interference);
        if !pairs.is_empty() {
            return Self::Pairs { pairs: pairs.len(), pixels: pairs.values().sum() };
        }
        match interference.bodies.len() {
            0 => Self::Interference(interference.any),
            bodies => Self::Bodies(bodies),
        }
    }

    pub(crate) fn number(self) -> usize {
        match self {
            Self::Interference(any) => usize::from(any),
            Self::Contacts(number)
            | Self::Bodies(number)
            | Self::Pairs { pairs: number, .. }
            | Self::Meeting { pairs: number, .. } => number,
        }
    }

    /// In words, where there is more to tell than that something was found.
    pub(crate) fn words(self) -> Option<String> {
        match self {
            Self::Contacts(contacts) => Some(counted(contacts, "contact", "contacts")),
            // One body inside another is no pair whose surfaces meet.
            Self::Interference(_) | Self::Meeting { pairs: 0, .. } => None,
            Self::Bodies(bodies) => Some(counted(bodies, "body", "bodies")),
            Self::Pairs { pairs, pixels } => {
                Some(format!("{}, {}", counted(pairs, "pair", "pairs"), counted(pixels, "pixel", "pixels")))
            }
            Self::Meeting { pairs, contacts: 0 } => Some(counted(pairs, "pair", "pairs")),
            Self::Meeting { pairs, contacts } => Some(format!(
                "{}, {}",
                counted(pairs, "pair", "pairs"),
                counted(contacts, "contact", "contacts")
            )),
        }
    }
}

/// The pairs of bodies that interfere, whichever penetrates the other, and in how many pixels.
pub(crate) fn mutual(interference: &Interference) -> BTreeMap<[BodyId; 2], usize> {
    let mut pairs = BTreeMap::new();
    for pair in &interference.pairs {
        let (a, b) = (pair.penetrating.min(pair.penetrated), pair.penetrating.max(pair.penetrated));
        *pairs.entry([a, b]).or_default() += pair.pixels;
    }
    pairs
}

/// The pairs of bodies whose surfaces meet, or may meet.
pub(crate) fn meeting(sliced: &Overlaps) -> impl Iterator<Item = &PairOverlap> {
    sliced.pairs.iter().filter(|pair| pair.answer != Answer::No)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::stages::interference::Penetration;
    use impinge::{Mesh, Scene};

    #[test]
    fn two_bodies_that_penetrate_each_other_are_one_pair() {
        let mut scene = Scene::new();
        let [a, b] =
            ["a", "b"].map(|name| scene.add(name, Mesh::new(vec![[0.0f32; 3]; 3], vec![[0, 1, 2]]).unwrap()));
        let penetration = |penetrating, penetrated, pixels| Penetration { penetrating, penetrated, pixels };
        let mut interference = Interference::default();
        (interference.any, interference.bodies) = (true, vec![a, b]);
        interference.pairs = vec![penetration(a, b, 3), penetration(b, a, 4)];
        let found = Found::of((&interference).into());
        assert_eq!(found, Found::Pairs { pairs: 1, pixels: 7 });
        assert_eq!(found.words().unwrap(), "1 pair, 7 pixels");
        assert!(found > Found::Interference(true));
    }

    #[test]
    fn surfaces_that_meet_are_counted_by_pairs_then_by_contacts() {
        let found = |pairs, contacts| Found::Meeting { pairs, contacts };
        assert_eq!(found(0, 0).words(), None);
        assert_eq!(found(1, 0).words().unwrap(), "1 pair");
        assert_eq!(found(2, 12).words().unwrap(), "2 pairs, 12 contacts");
        assert!(found(2, 0) > found(1, 9) && found(1, 9) > found(1, 8));
    }
}

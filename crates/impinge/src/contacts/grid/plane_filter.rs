//! The first filter of candidates: neighbours that share nothing else, and triangles on one side of the plane
//! of the other.

use super::bounds::is_beside;
use super::neighbours::{meet_nowhere_else, shared};
use super::triangle_filter::Record;
use crate::util::tolerance::VAST_ERROR;

/// The outcome for a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterVerdict {
    /// Certainly no contact.
    Apart,
    /// Left to exact arithmetic: neighbours that may share more, or a triangle of a vast body.
    Doubtful,
    /// Neither is certainly on one side of the plane of the other: all signs are tested.
    Test,
}

/// Filters a candidate.
pub fn plane_filter(a: &Record, b: &Record) -> FilterVerdict {
    if a.error.max(b.error) >= VAST_ERROR {
        return FilterVerdict::Doubtful;
    }
    if a.body == b.body && shared(a, b) != [false; 3] {
        return if meet_nowhere_else(a, b) { FilterVerdict::Apart } else { FilterVerdict::Doubtful };
    }
    let none = [false; 3];
    if is_beside(a, b, none) || is_beside(b, a, none) { FilterVerdict::Apart } else { FilterVerdict::Test }
}

//! Seeded families of triangle pairs that are hard to decide: one generator per way to be degenerate.
//!
//! Most pairs of a family have overlapping boxes, and many touch or miss each other by nothing or by one unit in
//! the last place. The same seed gives the same pairs on every machine.

mod exact;
mod neighbours;
mod rng;
mod rounded;
mod shapes;

use std::fmt;

pub use crate::rng::Rng;

/// Two triangles to be decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Pair {
    /// Corners of two triangles that have nothing to do with each other.
    Separate([[f64; 3]; 3], [[f64; 3]; 3]),
    /// Two triangles of one body.
    Neighbours {
        /// The body's vertices.
        positions: Vec<[f64; 3]>,
        /// Vertices of the first triangle.
        a: [u32; 3],
        /// Vertices of the second triangle.
        b: [u32; 3],
    },
}

/// What the pairs of a family have for answers, so that a test can tell a family that went stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Some touch and some do not.
    Both,
    /// Every pair touches, by construction.
    Touching,
}

/// A named generator of pairs.
pub struct Family {
    /// Unique among all families; lower case with dashes.
    pub name: &'static str,
    /// What to expect of its pairs.
    pub answers: Answers,
    generate: fn(&mut Rng) -> Pair,
}

impl Family {
    const fn both(name: &'static str, generate: fn(&mut Rng) -> Pair) -> Self {
        Self { name, answers: Answers::Both, generate }
    }

    const fn touching(name: &'static str, generate: fn(&mut Rng) -> Pair) -> Self {
        Self { name, answers: Answers::Touching, generate }
    }

    /// The next pair. Every coordinate is finite and every index in range.
    pub fn pair(&self, rng: &mut Rng) -> Pair {
        (self.generate)(rng)
    }
}

/// Every family, in the order of the tables that are printed.
pub fn all() -> &'static [Family] {
    const ALL: &[Family] = &[
        Family::both("grid-2", |rng| exact::grid(rng, 2)),
        Family::both("grid-3", |rng| exact::grid(rng, 3)),
        Family::both("grid-4", |rng| exact::grid(rng, 4)),
        Family::both("grid-8", |rng| exact::grid(rng, 8)),
        Family::both("coplanar-axis", exact::coplanar_axis),
        Family::both("coplanar-tilted", exact::coplanar_tilted),
        Family::both("coplanar-fan", exact::coplanar_fan),
        Family::both("shared-positions", exact::shared_positions),
        Family::touching("identical", exact::identical),
        Family::touching("meeting", exact::meeting),
        Family::both("zero-area", exact::zero_area),
        Family::both("ulp-f64", rounded::ulp_f64),
        Family::both("ulp-f32", rounded::ulp_f32),
        Family::both("near-plane", rounded::near_plane),
        Family::both("near-coplanar", rounded::near_coplanar),
        Family::both("near-edges", rounded::near_edges),
        Family::both("slivers", rounded::slivers),
        Family::both("needles", rounded::needles),
        Family::both("random-f32", rounded::random_f32),
        Family::both("far-from-origin", rounded::far_from_origin),
        Family::both("scaled-pair", rounded::scaled_pair),
        Family::both("scaled-axes", rounded::scaled_axes),
        Family::both("mixed-scales", rounded::mixed_scales),
        Family::both("extreme-range", rounded::extreme_range),
        Family::both("extreme-scale", rounded::extreme_scale),
        Family::both("extreme-axes", rounded::extreme_axes),
        Family::both("neighbours-vertex-grid", |rng| neighbours::grid(rng, 1)),
        Family::both("neighbours-edge-grid", |rng| neighbours::grid(rng, 2)),
        Family::both("neighbours-face-grid", |rng| neighbours::grid(rng, 3)),
        Family::both("neighbours-any-indices", neighbours::any_indices),
        Family::both("neighbours-coincident", neighbours::coincident),
        Family::both("neighbours-fold", neighbours::fold),
        Family::both("neighbours-vertex-meeting", neighbours::vertex_meeting),
        Family::both("neighbours-edge-coplanar", neighbours::edge_coplanar),
        Family::both("neighbours-face", neighbours::face),
        Family::both("neighbours-welded", neighbours::welded),
        Family::both("neighbours-extreme", neighbours::extreme),
    ];
    ALL
}

/// As Rust source with the bits of every coordinate, so that a pair can be pasted into a test and replayed.
impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = |f: &mut fmt::Formatter<'_>, points: &[[f64; 3]]| {
            write!(f, "[")?;
            for (i, [x, y, z]) in points.iter().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                write!(f, "{comma}[{:#018x}, {:#018x}, {:#018x}]", x.to_bits(), y.to_bits(), z.to_bits())?;
            }
            write!(f, "].map(|p| p.map(f64::from_bits)) /* {points:?} */")
        };
        match self {
            Self::Separate(a, b) => {
                write!(f, "let a = ")?;
                points(f, a)?;
                write!(f, ";\nlet b = ")?;
                points(f, b)?;
                write!(f, ";")
            }
            Self::Neighbours { positions, a, b } => {
                write!(f, "let positions = ")?;
                points(f, positions)?;
                write!(f, ";\nlet (a, b) = ({a:?}, {b:?});")
            }
        }
    }
}

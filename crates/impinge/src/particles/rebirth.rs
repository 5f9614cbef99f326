//! Starting conditions of later generations, made from nothing but numbers (Knott 2003, section 3.2.1).
//!
//! A counter-based hash of (seed, particle, generation, channel) in `u32` arithmetic: no state, so that any generation
//! can be asked for in any order, on any thread, and a shader computes the same bits. The hash is PCG4D of Jarzynski and
//! Olano, "Hash Functions for GPU Rendering", 2020. Fractions have 24 bits, which are exact in a float too.

use super::error::ParticleError;
use crate::scene::Point;

/// Four hashed numbers of four. `u32` arithmetic that wraps, as WGSL has it.
///
/// ```
/// // The same words in a shader give the same words.
/// assert_eq!(impinge::particles::hash([0, 0, 0, 0]), [251852841, 760645481, 850445371, 3542436074]);
/// ```
#[must_use]
pub fn hash(words: [u32; 4]) -> [u32; 4] {
    let [mut x, mut y, mut z, mut w] =
        words.map(|word| word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    for round in 0..2 {
        x = x.wrapping_add(y.wrapping_mul(w));
        y = y.wrapping_add(z.wrapping_mul(x));
        z = z.wrapping_add(x.wrapping_mul(y));
        w = w.wrapping_add(y.wrapping_mul(z));
        if round == 0 {
            [x, y, z, w] = [x, y, z, w].map(|word| word ^ (word >> 16));
        }
    }
    [x, y, z, w]
}

/// A hashed word as a fraction in `0..1`, a multiple of 2^-24: exact as a float and as a double.
#[must_use]
pub fn fraction(word: u32) -> f64 {
    f64::from(word >> 8) * FRACTION_STEP
}

/// 2^-24, the step of [`fraction`].
const FRACTION_STEP: f64 = 1.0 / 16_777_216.0;

/// Channels of the hash: what a generation's position and velocity are made from.
const POSITION_CHANNEL: u32 = 0;
const VELOCITY_CHANNEL: u32 = 1;

/// Around a vector, where others may be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Spread {
    /// Nowhere else.
    #[default]
    None,
    /// In a box of this half size, evenly.
    Box([f64; 3]),
    /// In a ball of this radius, evenly.
    Ball(f64),
}

impl Spread {
    /// A vector of the spread, from three fractions `0..1`.
    #[must_use]
    pub fn at(&self, fractions: [f64; 3]) -> Point {
        let [a, b, c] = fractions;
        match *self {
            Self::None => [0.0; 3],
            Self::Box(half) => std::array::from_fn(|k| (2.0 * fractions[k] - 1.0) * half[k]),
            Self::Ball(radius) => {
                // Height and turn are even on the sphere (Archimedes); the cube root makes the radius even in the ball.
                let height = 2.0 * a - 1.0;
                let (sin, cos) = (std::f64::consts::TAU * b).sin_cos();
                let across = (1.0 - height * height).max(0.0).sqrt();
                let radius = radius * c.cbrt();
                [radius * across * cos, radius * across * sin, radius * height]
            }
        }
    }

    fn check(&self, what: &'static str) -> Result<(), ParticleError> {
        let sizes = match *self {
            Self::None => [0.0; 3],
            Self::Box(half) => half,
            Self::Ball(radius) => [radius; 3],
        };
        match sizes.into_iter().find(|size| !(size.is_finite() && *size >= 0.0)) {
            Some(value) => Err(ParticleError::Spread { what, value }),
            None => Ok(()),
        }
    }
}

/// How generations differ from the first, which starts as it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rebirth {
    /// Another seed gives other generations.
    pub seed: u32,
    /// Around the particle's position.
    pub position: Spread,
    /// Around the particle's velocity.
    pub velocity: Spread,
    /// How many generations there are; `None` for no end.
    pub generations: Option<u32>,
}

impl Rebirth {
    /// What generation `generation` of a particle adds to its position and to its velocity. Nothing to the first.
    #[must_use]
    pub fn offsets(&self, particle: u32, generation: u32) -> [Point; 2] {
        if generation == 0 {
            return [[0.0; 3]; 2];
        }
        let fractions = |channel| {
            let [a, b, c, _] = hash([self.seed, particle, generation, channel]);
            [fraction(a), fraction(b), fraction(c)]
        };
        [self.position.at(fractions(POSITION_CHANNEL)), self.velocity.at(fractions(VELOCITY_CHANNEL))]
    }

    pub(crate) fn check(&self) -> Result<(), ParticleError> {
        self.position.check("position")?;
        self.velocity.check("velocity")
    }
}

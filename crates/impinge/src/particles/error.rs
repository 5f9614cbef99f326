//! What is wrong with particles or with what they are to hit, and where.

/// What is wrong, with the number of the particle or the name of the collider.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParticleError {
    /// A number of a particle is infinite or not a number.
    #[error("particle {particle} has {what} = {value}; it must be finite")]
    NotFinite {
        /// Index of the particle.
        particle: usize,
        /// Which number, such as `velocity x`.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A life that is not above zero.
    #[error(
        "particle {particle} has the life {life}; it must be above 0 (infinite for a particle that never ends)"
    )]
    Life {
        /// Index of the particle.
        particle: usize,
        /// Its life.
        life: f64,
    },
    /// More particles than a `u32` can number.
    #[error("{count} particles; at most {} are supported", u32::MAX)]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// A spread with a number that is negative, infinite or not a number.
    #[error("the spread of {what} at rebirth has the size {value}; it must be finite and not negative")]
    Spread {
        /// `position` or `velocity`.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A collider that cannot be.
    #[error("collider '{name}': {fault}")]
    Collider {
        /// Its name.
        name: String,
        /// What is wrong with it.
        fault: ColliderFault,
    },
    /// More colliders than are supported.
    #[error("{count} colliders; at most {} are supported", super::index::MAX_COLLIDERS)]
    TooManyColliders {
        /// How many there are.
        count: usize,
    },
    /// A step to a time that is not a number, not finite, or before the last one.
    #[error("cannot go to the time {to}: the simulation is at {from} already, and times are finite")]
    Time {
        /// Where the simulation is.
        from: f64,
        /// Where it was told to go.
        to: f64,
    },
    /// An option that is out of its range.
    #[error("the option {option} is {value}; {expected}")]
    Option {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// A map without texels, or with too many.
    #[error(
        "an impact map of {width} x {height} texels; each side has 1 to {} of them",
        super::impact_map::MAX_TEXELS
    )]
    MapSize {
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
    },
}

/// What is wrong with a collider.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ColliderFault {
    /// A number that is infinite or not a number.
    #[error("{what} is {value}; it must be finite")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A size that is not above zero.
    #[error("{what} is {value}; it must be above 0")]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A normal or an axis without a direction.
    #[error("{what} is zero; it needs a direction")]
    ZeroNormal {
        /// Which vector.
        what: &'static str,
    },
    /// A quadric whose matrix is not symmetric.
    #[error(
        "the matrix is not symmetric: row {row}, column {column} is {value}, and {mirrored} across the diagonal"
    )]
    NotSymmetric {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// The entry.
        value: f64,
        /// The entry across the diagonal.
        mirrored: f64,
    },
    /// A quadric whose function is constant, or has the same sign everywhere: it has no surface with two sides.
    #[error("the quadric is degenerate: {why}, so it has no surface with two sides")]
    Degenerate {
        /// What makes it so.
        why: &'static str,
    },
    /// A polygon of fewer than three corners, or all on one line.
    #[error("a polygon of {corners} corners has no area")]
    EmptyPolygon {
        /// How many corners there are.
        corners: usize,
    },
    /// A range whose end is before its beginning.
    #[error("{what} goes from {min} to {max}; it must not be empty")]
    EmptyRange {
        /// Which range.
        what: &'static str,
        /// Its beginning.
        min: f64,
        /// Its end.
        max: f64,
    },
    /// A pose that flattens space.
    #[error("the pose has no inverse (determinant {determinant})")]
    Flat {
        /// The determinant of its linear part.
        determinant: f64,
    },
    /// A number of the response that is out of its range.
    #[error("{what} is {value}; it must be between 0 and 1")]
    Response {
        /// `restitution` or `friction`.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A mesh without triangles.
    #[error("the mesh has no triangles")]
    EmptyMesh,
}

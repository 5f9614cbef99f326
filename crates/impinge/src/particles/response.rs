//! What a particle does when it hits (Knott 2003, section 3.3).

use super::error::ColliderFault;

/// What happens to a particle that hits a collider.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Response {
    /// It is gone for the rest of its generation (3.3.1).
    #[default]
    Eliminate,
    /// It stays where it hit for the rest of its generation.
    Stick,
    /// It flies on, any number of times (3.3.2 has three).
    Bounce {
        /// Part of the speed along the normal that is left, turned round: 1 keeps it all, 0 none. `0..=1`.
        restitution: f64,
        /// Part of the velocity along the surface that an impact takes: 0 takes none, 1 all. `0..=1`. A factor, not
        /// Coulomb's law: it needs no force, and bounces that pile up stop the particle where it is.
        friction: f64,
    },
}

impl Response {
    /// Bounces that keep all of the energy.
    pub const ELASTIC: Self = Self::Bounce { restitution: 1.0, friction: 0.0 };

    pub(crate) fn check(&self) -> Result<(), ColliderFault> {
        if let Self::Bounce { restitution, friction } = *self {
            for (what, value) in [("restitution", restitution), ("friction", friction)] {
                if !(0.0..=1.0).contains(&value) {
                    return Err(ColliderFault::Response { what, value });
                }
            }
        }
        Ok(())
    }
}

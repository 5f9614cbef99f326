//! What can go wrong with a GPU, and what to do about it.

use impinge::SceneError;
use impinge::particles::ParticleError;

/// Why a GPU gave no answer. There is never a shorter one instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter at all.
    #[error(
        "no GPU adapter was found, not even a software one; install a driver (on Debian and Ubuntu, \
         mesa-vulkan-drivers has one for the CPU)"
    )]
    NoAdapter,
    /// There are adapters, but not the one asked for.
    #[error("no adapter is called '{wanted}'; there are: {}", there_are.join(", "))]
    NoSuchAdapter {
        /// What was asked for.
        wanted: String,
        /// The names of those there are.
        there_are: Vec<String>,
    },
    /// The adapter does not give a device.
    #[error("adapter '{adapter}' gives no device: {reason}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What it says.
        reason: String,
    },
    /// The device is gone: unplugged, reset, destroyed, or its driver crashed. Make another context.
    #[error("the GPU device was lost: {reason}; make a new context and try again")]
    Lost {
        /// What is known about it.
        reason: String,
    },
    /// The device has no more memory.
    #[error("the GPU is out of memory: {reason}; use a lower resolution, or fewer triangles")]
    OutOfMemory {
        /// What it says.
        reason: String,
    },
    /// A buffer would be larger than the device allows.
    #[error(
        "{what} need a buffer of {bytes} bytes, and this device allows {limit}; use a lower resolution, fewer \
         triangles, or a device with higher limits"
    )]
    TooLarge {
        /// What was to be stored.
        what: &'static str,
        /// How many bytes that takes.
        bytes: u64,
        /// How many the device allows.
        limit: u64,
    },
    /// More vertices or triangles than a `u32` can number.
    #[error("the scene has more vertices or triangles than 32 bits can number")]
    TooMany,
    /// Coordinates that floats cannot hold.
    #[error(
        "the scene has coordinates that 32-bit floats cannot hold beside each other; the method bvh on the CPU takes them"
    )]
    BeyondFloats,
    /// Very many triangles are in one place.
    #[error(
        "more than {triangles} triangles meet in one place, and their pairs need longer buffers than this device \
         allows; the method bvh on the CPU has no such limit"
    )]
    TooCrowded {
        /// As many fit.
        triangles: u32,
    },
    /// The image is larger than the device allows.
    #[error("an image of {width} x {height} is larger than this device allows, {limit} x {limit}")]
    TooWide {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Most of either.
        limit: u32,
    },
    /// The device refuses something it should have accepted.
    #[error("the GPU refused a command, which is an error in impinge: {reason}")]
    Refused {
        /// What it says.
        reason: String,
    },
    /// A method was asked for that looks at bodies of the scene only.
    #[error(
        "body '{body}' lives on the GPU, and cullide looks at bodies of the scene only; detach it, or use conservative"
    )]
    NotInScene {
        /// Name of the first such body.
        body: String,
    },
    /// There is no such body in the scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A caller's buffer cannot be used.
    #[error("body '{body}': its buffer of {what} {problem}")]
    Buffer {
        /// Name of the body.
        body: String,
        /// Which of its buffers.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A coordinate in a caller's buffer is infinite or not a number.
    #[error("body '{body}': vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// The first such vertex.
        vertex: u32,
    },
    /// An index in a caller's buffer is out of range.
    #[error("body '{body}': triangle {triangle} refers to a vertex that is not there; it has {vertices}")]
    IndexOutOfRange {
        /// Name of the body.
        body: String,
        /// The first such triangle.
        triangle: u32,
        /// How many vertices there are.
        vertices: u32,
    },
    /// The caller's count of triangles exceeds what the body was attached with.
    #[error("body '{body}': more triangles are live than the {most} it was attached with")]
    TooManyLive {
        /// Name of the body.
        body: String,
        /// How many it was attached with.
        most: u32,
    },
    /// Something about particles that is wrong on the CPU too.
    #[error(transparent)]
    Particles(#[from] ParticleError),
    /// A particle that floats cannot hold.
    #[error(
        "particle {particle} has a number above 1e9, whose squares floats cannot hold; the CPU's simulation takes it"
    )]
    ParticleBeyondFloats {
        /// Index of the particle.
        particle: usize,
    },
    /// A collider that floats cannot hold.
    #[error(
        "collider '{collider}' is larger, farther away or finer than floats can hold; the CPU's simulation takes it"
    )]
    ColliderBeyondFloats {
        /// Its name.
        collider: String,
    },
    /// A collider with very many bounds.
    #[error(
        "collider '{collider}' has {bounds} bounds and corners of polygons, and a GPU takes {most}; make it a mesh, or use the \
         CPU's simulation"
    )]
    TooManyBounds {
        /// Its name.
        collider: String,
        /// How many it has.
        bounds: usize,
        /// How many it may have.
        most: usize,
    },
    /// A map of a collider that is not there.
    #[error("there is no collider {collider} to make an impact map of; there are {colliders}")]
    NoSuchCollider {
        /// Which one was asked for.
        collider: u32,
        /// How many there are.
        colliders: usize,
    },
    /// A simulation that goes on much longer than its first step.
    #[error(
        "the time {time} is a hundred thousand times farther than the first step went; start a new simulation there, or with a \
         longer first step"
    )]
    TooLate {
        /// The time.
        time: f64,
    },
    /// A device that ends loops early, and noticed.
    #[error("the GPU ended a loop before it was done, so impacts may be missing; use the CPU's simulation")]
    CutShort,
}

//! Errors of the GPU, each with what to do about it.

use impinge::particles::ParticleError;
use impinge::{ContactError, SceneError};

/// Why a GPU gave no answer. There is never a partial one instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter at all.
    #[error(
        "no GPU adapter was found, not even a software one; install a driver (on Debian and Ubuntu, \
         mesa-vulkan-drivers has one for the CPU)"
    )]
    NoAdapter,
    /// No adapter has the requested name.
    #[error("no adapter is called '{wanted}'; there are: {}", there_are.join(", "))]
    NoSuchAdapter {
        /// The requested name.
        wanted: String,
        /// The names of the adapters.
        there_are: Vec<String>,
    },
    /// The adapter gives no device.
    #[error("adapter '{adapter}' gives no device: {reason}")]
    NoDevice {
        /// The adapter.
        adapter: String,
        /// The driver's message.
        reason: String,
    },
    /// The device is gone: unplugged, reset, destroyed, or its driver crashed. Make another context.
    #[error("the GPU device was lost: {reason}; make a new context and try again")]
    Lost {
        /// The driver's message.
        reason: String,
    },
    /// The device has no more memory.
    #[error("the GPU is out of memory: {reason}; use a lower resolution, or fewer triangles")]
    OutOfMemory {
        /// The driver's message.
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
        /// The size needed.
        bytes: u64,
        /// The limit of the device.
        limit: u64,
    },
    /// More vertices or triangles than a `u32` can number.
    #[error("the scene has more vertices or triangles than 32 bits can number")]
    TooMany,
    /// Coordinates that floats cannot represent beside each other.
    #[error(
        "the scene has coordinates that 32-bit floats cannot hold beside each other; the method bvh on the CPU takes them"
    )]
    BeyondFloats,
    /// Too many triangles are in one place.
    #[error(
        "more than {triangles} triangles meet in one place, and their pairs need longer buffers than this device \
         allows; the method bvh on the CPU has no such limit"
    )]
    TooCrowded {
        /// The capacity of the list of triangles.
        triangles: u32,
    },
    /// The image is larger than the device allows.
    #[error("an image of {width} x {height} is larger than this device allows, {limit} x {limit}")]
    TooWide {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The limit of the device, for either.
        limit: u32,
    },
    /// The device rejected a command: a bug in impinge.
    #[error("the GPU refused a command, which is an error in impinge: {reason}")]
    Refused {
        /// The driver's message.
        reason: String,
    },
    /// The method does not support external bodies.
    #[error(
        "body '{body}' lives on the GPU, and cullide looks at bodies of the scene only; detach it, or use grid"
    )]
    NotInScene {
        /// Name of the first such body.
        body: String,
    },
    /// The method runs on the CPU alone.
    #[error(
        "method {method} does not run on a GPU: take impinge::Collider, or auto, grid, depth_peel, a_buffer or cullide here"
    )]
    NotOnGpu {
        /// Name of the method.
        method: &'static str,
    },
    /// Overlapping cells were asked for what only the corners of triangles can tell.
    #[error(
        "body '{body}' lives on the GPU, and depth_slices {needs} of bodies of the scene only; detach it, or do not ask for that"
    )]
    NeedsCorners {
        /// What was asked for.
        needs: &'static str,
        /// Name of the first such body.
        body: String,
    },
    /// What the method cannot tell.
    #[error(transparent)]
    Contacts(#[from] ContactError),
    /// There is no such body in the scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A caller's buffer is not usable.
    #[error("body '{body}': its buffer of {what} {problem}")]
    Buffer {
        /// Name of the body.
        body: String,
        /// Which buffer.
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
        /// Number of vertices.
        vertices: u32,
    },
    /// The caller's count of triangles exceeds what the body was attached with.
    #[error("body '{body}': more triangles are live than the {most} it was attached with")]
    TooManyLive {
        /// Name of the body.
        body: String,
        /// The number it was attached with.
        most: u32,
    },
    /// An error of the CPU's simulation too.
    #[error(transparent)]
    Particles(#[from] ParticleError),
    /// A particle that floats cannot represent.
    #[error(
        "particle {particle} has a number above 1e9, whose squares floats cannot hold; the CPU's simulation takes it"
    )]
    ParticleBeyondFloats {
        /// Index of the particle.
        particle: usize,
    },
    /// A collider that floats cannot represent.
    #[error(
        "collider '{collider}' is larger, farther away or finer than floats can hold; the CPU's simulation takes it"
    )]
    ColliderBeyondFloats {
        /// Its name.
        collider: String,
    },
    /// A collider with too many bounds.
    #[error(
        "collider '{collider}' has {bounds} bounds and corners of polygons, and a GPU takes {most}; make it a mesh, or use the \
         CPU's simulation"
    )]
    TooManyBounds {
        /// Its name.
        collider: String,
        /// The number of bounds.
        bounds: usize,
        /// The limit.
        most: usize,
    },
    /// An impact map of a collider that does not exist.
    #[error("there is no collider {collider} to make an impact map of; there are {colliders}")]
    NoSuchCollider {
        /// The requested index.
        collider: u32,
        /// The number of colliders.
        colliders: usize,
    },
    /// A simulation that goes on much longer than its first step.
    #[error(
        "the time {time} is a hundred thousand times farther than the first step went; start a new simulation there, or with a \
         longer first step"
    )]
    TooLate {
        /// The requested time.
        time: f64,
    },
    /// The device ended a loop early, which was detected.
    #[error("the GPU ended a loop before it was done, so impacts may be missing; use the CPU's simulation")]
    CutShort,
}

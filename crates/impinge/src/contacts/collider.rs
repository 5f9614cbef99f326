//! The call: a scene in, a report out.

use super::a_buffer::ABufferCuller;
use super::brute_force::BruteForce;
use super::bvh::Engine;
use super::cullide::CullideCuller;
use super::depth_peel::PeelCuller;
use super::driver::Driver;
use super::error::ContactError;
use super::grid::GridCuller;
use super::method::{Method, Options};
use super::report::Report;
use crate::bvh::Visits;
use crate::scene::{Scene, counts};
use crate::util::query::Query;
use crate::util::threads::Workers;
use std::convert::Infallible;

/// Scenes of fewer triangles are done before other threads would have woken up.
const MIN_SHARED_TRIANGLES: usize = 30_000;
/// Unless so many pairs of them were looked at in the frame before: crowds of few triangles.
const MIN_SHARED_CANDIDATES: usize = 50_000;

/// Finds collisions, frame after frame, and keeps between frames whatever it can reuse. What changed is found by
/// comparing versions, so one collider may serve any sequence of scenes.
#[derive(Debug, Default)]
pub struct Collider {
    /// May be changed between calls.
    pub options: Options,
    workers: Workers,
    driver: Driver,
    cullers: Cullers,
}

/// Every method of the CPU, with what it keeps between frames.
#[derive(Debug, Default)]
struct Cullers {
    bvh: Engine,
    grid: GridCuller,
    depth_peel: PeelCuller,
    a_buffer: ABufferCuller,
    cullide: CullideCuller,
}

impl Collider {
    /// A collider with these options.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    #[cfg(test)]
    pub(crate) fn with_engine(options: Options, bvh: Engine) -> Self {
        Self { options, cullers: Cullers { bvh, ..Cullers::default() }, ..Self::default() }
    }

    /// What the filters of [`Method::Bvh`] are computed with on this machine.
    pub fn lanes(&self) -> &'static str {
        self.cullers.bvh.lanes()
    }

    /// Everything that collides in the scene as it stands now. A scene that is beyond what the method can hold (more triangles
    /// than rays can number, coordinates beyond floats) is answered by [`Method::Bvh`], and the report says so.
    pub fn collide(&mut self, scene: &Scene) -> Result<&Report, ContactError> {
        let Self { options, workers, driver, cullers } = self;
        options.method.check(scene)?;
        let small = counts(scene, &[])[1] < MIN_SHARED_TRIANGLES
            && driver.report.stages.candidates < MIN_SHARED_CANDIDATES
            && options.method != Method::BruteForce;
        workers.run(options.threads, small, || cullers.run(driver, scene, options));
        Ok(&self.driver.report)
    }

    /// The boxes that [`Method::Bvh`] finds to meet in the scene, whatever the method in the options is: to look at. It collides
    /// first, and then walks over the same trees once more.
    ///
    /// ```
    /// use impinge::{Collider, Mesh, Scene};
    ///
    /// let triangle = |z: f32| Mesh::new(vec![[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, -z]], vec![[0, 1, 2]]);
    /// let mut scene = Scene::new();
    /// scene.add("a", triangle(0.5)?);
    /// scene.add("b", triangle(-0.5)?);
    /// let visits = Collider::default().visits(&scene);
    /// // Each body is one patch, and the two meet.
    /// assert_eq!((visits.compared, visits.met, visits.patch_pairs), (1, 1, 1));
    /// assert_eq!(visits.boxes.len(), 2);
    /// # Ok::<(), impinge::MeshError>(())
    /// ```
    pub fn visits(&mut self, scene: &Scene) -> Visits {
        let Self { options, workers, driver, cullers } = self;
        let options = Options { method: Method::Bvh, query: Query::All, ..options.clone() };
        workers.run(options.threads, false, || cullers.run(driver, scene, &options));
        Visits { stages: driver.report.stages, ..cullers.bvh.visits(scene, driver.pairs()) }
    }
}

impl Cullers {
    fn run(&mut self, driver: &mut Driver, scene: &Scene, options: &Options) {
        let method = options.method;
        let Ok(answered): Result<bool, Infallible> = match method {
            Method::Auto | Method::Bvh => Ok(false),
            Method::BruteForce => driver.run(&mut BruteForce, method, scene, options),
            Method::Grid(choices) => driver.run(self.grid.with(choices), method, scene, options),
            Method::DepthPeel(choices) => driver.run(self.depth_peel.with(choices), method, scene, options),
            Method::ABuffer(choices) => driver.run(self.a_buffer.with(choices), method, scene, options),
            Method::Cullide(choices) => driver.run(self.cullide.with(choices), method, scene, options),
        };
        if !answered {
            let Ok(_): Result<bool, Infallible> = driver.run(&mut self.bvh, Method::Bvh, scene, options);
        }
    }
}

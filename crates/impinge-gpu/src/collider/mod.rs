//! The calls: a scene in, an answer out. What runs on the device and what on the CPU is up to each method; bodies, pairs of bodies,
//! the exact test, containment and shapes are the CPU's, and the same as there (`impinge::stages::Driver`).

mod a_buffer;
mod cullide;
mod depth_peel;
mod grid;
mod inspect;
mod interference;
mod session;

pub use self::session::GpuTriangle;

use self::a_buffer::ABufferPass;
use self::cullide::CullidePass;
use self::depth_peel::{Drawn, PeelPass};
use self::grid::GridPass;
use self::interference::{CastPass, LastCast};
use self::session::Session;
use crate::bodies::GpuBody;
use crate::contacts::a_buffer::ABuffer;
use crate::contacts::cullide::Cullide;
use crate::contacts::depth_peel::DepthPeel;
use crate::contacts::grid::Grid;
use crate::device::{Context, Recorder, StageTimes};
use crate::error::GpuError;
use crate::interference::RayCast;
use crate::overlap_cells::{CellBackend, OverlapCells};
use impinge::contacts::{GridOptions, GridStats, RayStats};
use impinge::interference::{Interference, RayCastOptions};
use impinge::overlap_cells::{Certainty, Overlaps, Paths, SliceOptions};
use impinge::stages::cullide::Culling;
use impinge::stages::grid::Found;
use impinge::stages::interference::Casting;
use impinge::stages::overlap_cells::Slicing;
use impinge::stages::{Clock, Driver};
use impinge::{BodyId, Element, Method, Options, Pose, Report, Scene, SceneError};

/// Finds collisions on a GPU, frame after frame: all of them (`impinge::Method::Conservative`, unless the options say otherwise), or
/// what a sampled method sees, and then the report says so. The contacts that any of them reports are exact.
///
/// ```
/// use impinge::{Mesh, Scene};
/// use impinge_gpu::{Context, GpuCollider};
///
/// # if std::env::var_os("IMPINGE_NO_GPU").is_some() { return Ok(()) }
/// let tetrahedron = |x: f32| {
///     Mesh::new(
///         vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]],
///         vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
///     )
/// };
/// let mut scene = Scene::new();
/// scene.add("a", tetrahedron(0.0)?);
/// scene.add("b", tetrahedron(0.25)?);
///
/// let mut collider = GpuCollider::new(Context::new()?)?;
/// let report = collider.collide(&scene)?;
/// assert!(report.collides() && report.complete);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GpuCollider {
    /// May be changed between calls. `impinge::Method::Auto` is `Grid` here, which misses nothing; `Bvh` and `BruteForce` are the
    /// CPU's, and refused.
    pub options: Options,
    /// Whether to wait for the GPU after every stage, so that the times of stages are what each took by the wall
    /// clock. Else they are the GPU's own, where it has a clock, and reading back has the rest; without one, reading back has
    /// nearly all.
    pub wait_for_stages: bool,
    driver: Driver,
    session: Session,
    drawn: Drawn,
    found: Vec<Found>,
    culling: Culling,
    casting: Casting,
    slicing: Slicing,
    /// What the last frame cast last.
    last_cast: Option<LastCast>,
    // Shaders, compiled when they are first asked for.
    grid: Option<Box<Grid>>,
    pub(crate) a_buffer: Option<Box<ABuffer>>,
    cullide: Option<Box<Cullide>>,
    ray_cast: Option<Box<RayCast>>,
    depth_slices: Option<Box<OverlapCells>>,
}

impl GpuCollider {
    /// Compiles the shaders.
    pub fn new(context: Context) -> Result<Self, GpuError> {
        Self::with_atomics(context, false)
    }

    /// The same; and layers are peeled with atomics even where the device could blend them. The answer is the same.
    pub fn with_atomics(context: Context, atomics: bool) -> Result<Self, GpuError> {
        let (stages, recorder) = context.checked(|| {
            let mut stages = DepthPeel::new(&context, atomics);
            let mut recorder = Recorder::new(&context);
            // A lost device accepts everything and does nothing; only what should come back tells.
            stages.try_out(&mut recorder)?;
            Ok((stages, recorder))
        })?;
        Ok(Self {
            options: Options::default(),
            wait_for_stages: false,
            driver: Driver::default(),
            session: Session::new(context, recorder),
            drawn: Drawn { stages, runs: Vec::new(), packed: Vec::new() },
            found: Vec::new(),
            culling: Culling::default(),
            casting: Casting::default(),
            slicing: Slicing::default(),
            last_cast: None,
            grid: None,
            a_buffer: None,
            cullide: None,
            ray_cast: None,
            depth_slices: None,
        })
    }

    /// From now on the triangles of this body are those in the caller's buffers, as they are whenever
    /// [`Self::collide`] is called. Name, pose and self-collision are the scene's. Attaching again replaces the buffers.
    /// An id means what it means in the scene that is given then: collide one scene with one collider.
    pub fn attach(&mut self, scene: &Scene, id: BodyId, body: GpuBody) -> Result<(), GpuError> {
        let in_scene = scene.body(id).ok_or(SceneError::NoSuchBody)?;
        body.check(&self.session.context, in_scene.name())?;
        self.detach(id);
        self.session.attached.push((id, body));
        self.session.attached.sort_unstable_by_key(|(id, _)| *id);
        Ok(())
    }

    /// The body is again what its mesh in the scene says.
    pub fn detach(&mut self, id: BodyId) {
        self.session.attached.retain(|(attached, _)| *attached != id);
    }

    /// Every contact that the method finds. After an error nothing of the frame is kept, and the next call starts anew.
    pub fn collide(&mut self, scene: &Scene) -> Result<&Report, GpuError> {
        self.checked(|collider| collider.run(scene))?;
        Ok(&self.driver.report)
    }

    /// Which bodies interfere, by casting rays at edges: **sampled**.
    pub fn interference(
        &mut self,
        scene: &Scene,
        options: &RayCastOptions,
    ) -> Result<Interference, GpuError> {
        self.checked(|collider| {
            let clock = Clock::start();
            let external = collider.session.upload_bodies(scene)?;
            let Self { session, ray_cast, last_cast, casting, .. } = collider;
            let mut pass = CastPass { session, stages: ray_cast, last: last_cast };
            let found = casting.run(scene, &external, clock, options, &mut pass)?;
            let mut found = found.map_err(|_| GpuError::TooMany)?;
            found.adapter = Some(collider.session.context.adapter.clone());
            Ok(found)
        })
    }

    /// Whether the surfaces of bodies meet, pair by pair, by cells that both take: **proven** unless the options say otherwise.
    pub fn overlaps(&mut self, scene: &Scene, options: &SliceOptions) -> Result<Overlaps, GpuError> {
        self.checked(|collider| {
            let clock = Clock::start();
            collider.check_slices(scene, options)?;
            let external = collider.session.upload_bodies(scene)?;
            let Self { session, depth_slices, slicing, .. } = collider;
            let mut pen =
                CellBackend::new(depth_slices, &mut session.recorder, &session.bodies, &session.members);
            let mut overlaps = slicing.run(scene, &external, clock, options, &mut pen)?;
            overlaps.stages.bytes_read_back = pen.slices.bytes_read_back;
            overlaps.adapter = Some(session.context.adapter.clone());
            Ok(overlaps)
        })
    }

    /// When two bodies meet first on their way: `impinge::overlap_cells::Slicer::paths`, drawn here.
    pub fn paths(
        &mut self,
        scene: &Scene,
        bodies: [BodyId; 2],
        steps: &[[Pose; 2]],
        between: bool,
        options: &SliceOptions,
    ) -> Result<Paths, GpuError> {
        scene.check_steps(bodies, steps)?;
        self.checked(|collider| {
            collider.check_slices(scene, options)?;
            let external = collider.session.upload_bodies(scene)?;
            let Self { session, depth_slices, slicing, .. } = collider;
            slicing.follow(scene, &external);
            let mut pen =
                CellBackend::new(depth_slices, &mut session.recorder, &session.bodies, &session.members);
            let mut paths = slicing.paths(scene, bodies, steps, between, options, &mut pen)?;
            paths.stages.bytes_read_back = pen.slices.bytes_read_back;
            Ok(paths)
        })
    }

    /// Triangles of attached bodies that may collide, sorted: those of every contact are among them.
    pub fn triangles(&self) -> &[GpuTriangle] {
        &self.session.triangles
    }

    /// A triangle of an attached body, if it came back in the last call.
    pub fn triangle(&self, element: Element) -> Option<&GpuTriangle> {
        self.session.came_back(element)
    }

    /// The time of every stage of the last call, by the GPU's own clock; `None` where it has none.
    pub fn gpu_times(&self) -> Option<StageTimes> {
        self.session.context.has_timestamps().then_some(self.session.recorder.measured)
    }

    /// One call, after which a device that was lost is told, and nothing is kept of what failed.
    fn checked<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, GpuError>) -> Result<T, GpuError> {
        self.session.wait_for_stages = self.wait_for_stages;
        self.drawn.runs.clear();
        self.last_cast = None;
        let context = self.session.context.clone();
        let result = context.checked(|| call(self));
        if result.is_err() {
            self.forget();
        }
        result
    }

    /// After an error: what was uploaded or drawn may not have arrived, and what was made may not be there.
    fn forget(&mut self) {
        self.driver.report = Report::default();
        self.session.forget();
        self.drawn.stages.forget();
        self.drawn.runs.clear();
        self.last_cast = None;
        if let Some(ray_cast) = &mut self.ray_cast {
            ray_cast.forget();
        }
        if let Some(depth_slices) = &mut self.depth_slices {
            depth_slices.forget();
        }
        if let Some(cullide) = &mut self.cullide {
            cullide.forget();
        }
        if let Some(grid) = &mut self.grid {
            grid.forget();
        }
        if let Some(a_buffer) = &mut self.a_buffer {
            a_buffer.forget();
        }
    }

    fn run(&mut self, scene: &Scene) -> Result<(), GpuError> {
        let Self { options, driver, session, .. } = self;
        options.method.check(scene)?;
        let method = match options.method {
            Method::Auto => Method::Grid(GridOptions::default()),
            method => method,
        };
        match method {
            Method::Grid(choices) => {
                let (stages, found, stats) = (&mut self.grid, &mut self.found, GridStats::default());
                let mut pass = GridPass { session, stages, found, options: choices, stats };
                driver.run(&mut pass, method, scene, options)?;
            }
            Method::DepthPeel(choices) => {
                let (drawn, stats) = (&mut self.drawn, RayStats::default());
                let mut pass = PeelPass { session, drawn, options: choices, stats };
                driver.run(&mut pass, method, scene, options)?;
            }
            Method::ABuffer(choices) => {
                let (stages, stats) = (&mut self.a_buffer, RayStats::default());
                let mut pass = ABufferPass { session, stages, options: choices, stats };
                driver.run(&mut pass, method, scene, options)?;
            }
            Method::Cullide(choices) => {
                self.culling.options = choices;
                let (stages, culling) = (&mut self.cullide, &mut self.culling);
                let mut pass = CullidePass { session, stages, culling };
                driver.run(&mut pass, method, scene, options)?;
            }
            method => return Err(GpuError::NotOnGpu { method: method.name() }),
        }
        self.driver.report.adapter = Some(self.session.context.adapter.clone());
        Ok(())
    }

    /// Whether the cells can tell what is asked about bodies that live on the GPU.
    fn check_slices(&self, scene: &Scene, options: &SliceOptions) -> Result<(), GpuError> {
        let needs = if options.triangles || options.shapes {
            "lists the triangles that touch"
        } else if let Certainty::Offset(_) = options.certainty {
            "moves surfaces along the normals of vertices"
        } else {
            return Ok(());
        };
        match self.session.first_attached(scene) {
            Some(body) => Err(GpuError::NeedsCorners { needs, body: body.name().to_owned() }),
            None => Ok(()),
        }
    }
}

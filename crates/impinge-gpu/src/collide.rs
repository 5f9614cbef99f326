//! The flow on a GPU: scene -> views -> packed triangles -> contacts. Stages run on the device; which bodies, which views
//! and the exact test are the CPU's, and the same as there (`impinge::stages::Flow`).

mod inspect;
mod methods;

use crate::a_buffer::ABuffer;
use crate::bodies::{Bodies, GpuBody};
use crate::conservative::Conservative;
use crate::cullide::Cullide;
use crate::depth_slices::{DepthSlices, Pen};
use crate::device::Context;
use crate::error::GpuError;
use crate::ray_cast::RayCast;
use crate::recorder::{Recorder, StageTimes};
use crate::stages::{Stages, runs};
use impinge::stages::cullide::Culler;
use impinge::stages::depth_peel::pack::PackedTriangle;
use impinge::stages::gather::Member;
use impinge::stages::grid::{Found, Sifter};
use impinge::stages::interference::{Cast, Interference, RayCastOptions, RayCaster};
use impinge::stages::overlap_cells::{Paths, Sliced, Slicer};
use impinge::stages::{External, Flow, Looking, View};
use impinge::{BodyId, Bounds, Element, Method, Options, Point, Pose, Report, Scene};

/// A triangle of a body that lives on the GPU, as it came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuTriangle {
    /// The body and the triangle.
    pub element: Element,
    /// World positions of its corners: the pose applied to what the buffer holds.
    pub corners: [Point; 3],
    /// Of length 1, in body coordinates; zero for a triangle without area.
    pub normal: [f32; 3],
    /// Its vertices.
    pub vertices: [u32; 3],
    /// What the caller's buffer of tags says; 0 without one.
    pub tag: u32,
}

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
    /// May be changed between calls. `impinge::Method::Conservative` misses nothing, and is what `impinge::Method::Auto`, `Bvh` and
    /// `BruteForce` mean here: they are complete, and it gives their contacts. `impinge::Method::DepthPeel` looks for collision rays,
    /// `RayCast` casts rays at edges, `DepthSlices` looks for shared cells, `ABuffer` keeps everything that rays meet, `Cullide` looks
    /// at what hides what.
    pub options: Options,
    /// Whether to wait for the GPU after every stage, so that the times in [`Report::image`] are what each took by the wall
    /// clock. Else they are the GPU's own, where it has a clock, and reading back has the rest; without one, reading back has
    /// nearly all.
    pub wait_for_stages: bool,
    context: Context,
    flow: Flow,
    report: Report,
    attached: Vec<(BodyId, GpuBody)>,
    bodies: Bodies,
    stages: Stages,
    recorder: Recorder,
    triangles: Vec<GpuTriangle>,
    /// What the last frame drew last.
    drawn: Vec<std::ops::Range<u32>>,
    members: Vec<Member>,
    packed: Vec<PackedTriangle>,
    /// Compiled when it is first asked for.
    ray_cast: Option<Box<RayCast>>,
    caster: Box<RayCaster>,
    /// What the last frame cast last.
    last_cast: Option<(View, Vec<[f32; 2]>, Cast, RayCastOptions)>,
    /// Compiled when it is first asked for.
    depth_slices: Option<Box<DepthSlices>>,
    slicer: Box<Slicer>,
    /// Compiled when it is first asked for.
    conservative: Option<Box<Conservative>>,
    sifter: Box<Sifter>,
    found: Vec<Found>,
    pub(crate) a_buffer: Option<Box<ABuffer>>,
    cullide: Option<Box<Cullide>>,
    culler: Box<Culler>,
}

impl GpuCollider {
    /// Compiles the shaders.
    pub fn new(context: Context) -> Result<Self, GpuError> {
        Self::with_atomics(context, false)
    }

    /// The same; and layers are peeled with atomics even where the device could blend them. The answer is the same.
    pub fn with_atomics(context: Context, atomics: bool) -> Result<Self, GpuError> {
        let (bodies, stages, recorder) = context.checked(|| {
            let mut stages = Stages::new(&context, atomics);
            let mut recorder = Recorder::new(&context);
            // A lost device accepts everything and does nothing; only what should come back tells.
            stages.try_out(&mut recorder)?;
            Ok((Bodies::new(&context), stages, recorder))
        })?;
        Ok(Self {
            options: Options::default(),
            wait_for_stages: false,
            context,
            flow: Flow::default(),
            report: Report::default(),
            attached: Vec::new(),
            bodies,
            stages,
            recorder,
            triangles: Vec::new(),
            drawn: Vec::new(),
            members: Vec::new(),
            packed: Vec::new(),
            ray_cast: None,
            caster: Box::default(),
            last_cast: None,
            depth_slices: None,
            slicer: Box::default(),
            conservative: None,
            sifter: Box::default(),
            found: Vec::new(),
            a_buffer: None,
            cullide: None,
            culler: Box::default(),
        })
    }

    /// From now on the triangles of this body are those in the caller's buffers, as they are whenever
    /// [`Self::collide`] is called. Name, pose and self-collision are the scene's. Attaching again replaces the buffers.
    /// An id means what it means in the scene that is given then: collide one scene with one collider.
    pub fn attach(&mut self, scene: &Scene, id: BodyId, body: GpuBody) -> Result<(), GpuError> {
        let in_scene = scene.body(id).ok_or(impinge::SceneError::NoSuchBody)?;
        body.check(&self.context, in_scene.name())?;
        self.detach(id);
        self.attached.push((id, body));
        self.attached.sort_unstable_by_key(|(id, _)| *id);
        Ok(())
    }

    /// The body is again what its mesh in the scene says.
    pub fn detach(&mut self, id: BodyId) {
        self.attached.retain(|(attached, _)| *attached != id);
    }

    /// Every contact that the method finds. After an error nothing of the frame is kept, and the next call starts anew.
    pub fn collide(&mut self, scene: &Scene) -> Result<&Report, GpuError> {
        let context = self.context.clone();
        let result = context.checked(|| self.run(scene));
        if result.is_err() {
            self.forget();
        }
        result.map(|()| &self.report)
    }

    /// After an error: what was uploaded or drawn may not have arrived, and what was made may not be there.
    fn forget(&mut self) {
        self.report = Report::default();
        self.triangles.clear();
        self.drawn.clear();
        self.bodies.forget();
        self.stages.forget();
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
        if let Some(conservative) = &mut self.conservative {
            conservative.forget();
        }
        if let Some(a_buffer) = &mut self.a_buffer {
            a_buffer.forget();
        }
    }

    /// Whether the surfaces of bodies meet, pair by pair, by `impinge::Method::DepthSlices`, whatever the method in the options
    /// is.
    pub fn slices(&mut self, scene: &Scene) -> Result<Sliced, GpuError> {
        let method = std::mem::replace(&mut self.options.method, Method::DepthSlices);
        let result = self.collide(scene).map(|report| report.sliced.clone().unwrap_or_default());
        self.options.method = method;
        result
    }

    /// When two bodies meet first on their way: `impinge::Collider::paths`, drawn here.
    pub fn paths(
        &mut self,
        scene: &Scene,
        bodies: [BodyId; 2],
        steps: &[[Pose; 2]],
        between: bool,
    ) -> Result<Paths, GpuError> {
        scene.check_steps(bodies, steps)?;
        let context = self.context.clone();
        let result = context.checked(|| {
            let external = self.take_in(scene)?;
            self.slicer.follow(scene, &external);
            let mut pen = Pen::new(&mut self.depth_slices, &mut self.recorder, &self.bodies, &self.members);
            let mut paths =
                self.slicer.paths(scene, bodies, steps, between, &self.options.slices, &mut pen)?;
            paths.stages.bytes_read_back = pen.slices.bytes_read_back;
            Ok(paths)
        });
        if result.is_err() {
            self.forget();
        }
        result
    }

    /// Which bodies interfere, by `impinge::Method::RayCast`, whatever the options say: **sampled**.
    pub fn interference(&mut self, scene: &Scene) -> Result<Interference, GpuError> {
        let method = std::mem::replace(&mut self.options.method, Method::RayCast);
        let result = self.collide(scene).map(|report| report.interference.clone().unwrap_or_default());
        self.options.method = method;
        result
    }

    /// Triangles of attached bodies that may collide, sorted: those of every contact are among them.
    pub fn triangles(&self) -> &[GpuTriangle] {
        &self.triangles
    }

    /// A triangle of an attached body, if it came back in the last call.
    pub fn triangle(&self, element: Element) -> Option<&GpuTriangle> {
        let at = self.triangles.binary_search_by_key(&element, |triangle| triangle.element);
        at.ok().map(|at| &self.triangles[at])
    }

    /// The time of every stage of the last call, by the GPU's own clock; `None` where it has none.
    pub fn gpu_times(&self) -> Option<StageTimes> {
        self.context.has_timestamps().then_some(self.recorder.measured)
    }

    fn run(&mut self, scene: &Scene) -> Result<(), GpuError> {
        match self.options.method {
            Method::Cullide => return self.cull(scene),
            Method::DepthPeel | Method::RayCast | Method::DepthSlices | Method::ABuffer => {}
            _ => return self.sift(scene),
        }
        let (casts, slices) =
            (self.options.method == Method::RayCast, self.options.method == Method::DepthSlices);
        if casts {
            self.caster.start();
        } else if slices {
            self.slicer.start();
        } else {
            self.flow.start();
        }
        let external = self.take_in(scene)?;
        if slices {
            return self.slice(scene, &external);
        }
        if casts {
            return self.cast(scene, &external);
        }
        let keeps = self.options.method == Method::ABuffer;
        let (method, looking) = if keeps {
            (Method::ABuffer, Looking::from(&self.options.a_buffer))
        } else {
            (Method::DepthPeel, Looking::from(&self.options.peel))
        };
        let looks =
            self.flow.begin(scene, &external, method, &looking, &mut self.report).ok_or(GpuError::TooMany)?;
        self.report.adapter = Some(self.context.adapter.clone());
        for look in &looks {
            if keeps {
                self.keep(scene, look, external.len())?;
            } else {
                self.drawn = runs(&look.members);
                self.look(scene, look, external.len())?;
            }
        }
        self.triangles.sort_unstable_by_key(|triangle| triangle.element);
        self.triangles.dedup_by_key(|triangle| triangle.element);
        let triangles = &self.triangles;
        let elsewhere = |element: Element| {
            let at = triangles.binary_search_by_key(&element, |triangle| triangle.element);
            at.ok().map(|at| triangles[at].corners)
        };
        self.flow.finish(scene, &self.options, &elsewhere, &mut self.report);
        self.members = looks.into_iter().next_back().map_or_else(Vec::new, |look| look.members);
        Ok(())
    }

    /// Starts a call: forgets what the last one drew, uploads what changed, and takes in the bodies that live on the GPU.
    fn take_in(&mut self, scene: &Scene) -> Result<Vec<External>, GpuError> {
        self.triangles.clear();
        self.drawn.clear();
        self.last_cast = None;
        if let Some(a_buffer) = &mut self.a_buffer {
            a_buffer.start();
        }
        self.recorder.fence = self.wait_for_stages;
        self.recorder.begin();
        let attached: Vec<(BodyId, GpuBody)> =
            self.attached.iter().filter(|(id, _)| scene.body(*id).is_some()).cloned().collect();
        let mut external: Vec<External> = attached
            .iter()
            .map(|(id, body)| External {
                id: *id,
                vertices: body.vertices as usize,
                triangles: body.triangle_count as usize,
                bounds: Bounds::EMPTY,
                local: Bounds::EMPTY,
                closed: body.closed,
            })
            .collect();
        let members = Flow::arrange(scene, &external).ok_or(GpuError::TooMany)?;
        let boxes = self.bodies.update(&mut self.recorder, scene, &members, &attached)?;
        for (external, (local, bounds)) in external.iter_mut().zip(boxes) {
            (external.local, external.bounds) = (local, bounds);
        }
        self.members = members;
        Ok(external)
    }
}

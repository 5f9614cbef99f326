//! The flow on a GPU: scene -> views -> packed triangles -> contacts. Stages run on the device; which bodies, which views
//! and the exact test are the CPU's, and the same as there (`impinge::image_space::Flow`).

use crate::a_buffer::{ABuffer, Given as Kept, KeptInspection};
use crate::bodies::{Bodies, GpuBody};
use crate::conservative::Conservative;
use crate::cullide::{Cullide, Eye};
use crate::depth_slices::{DepthSlices, Pen, SliceInspection};
use crate::device::Context;
use crate::error::GpuError;
use crate::layout::Details;
use crate::ray_cast::{CastInspection, Given, RayCast};
use crate::recorder::{Recorder, StageTimes};
use crate::stages::{Inspection, Seen, Stages, runs};
use impinge::image_space::a_buffer::fragments::MOST_TRIANGLES;
use impinge::image_space::a_buffer::{Part, Piece};
use impinge::image_space::conservative::keep::Record;
use impinge::image_space::conservative::signs::Verdict;
use impinge::image_space::conservative::{Elsewhere, Found, Sifter};
use impinge::image_space::cullide::Culler;
use impinge::image_space::depth_peel::Rule;
use impinge::image_space::depth_slices::{Paths, Sliced, Slicer};
use impinge::image_space::gather::{Member, owner, totals};
use impinge::image_space::pack::PackedTriangle;
use impinge::image_space::ray_cast::{Cast, Interference, RayCastOptions, RayCaster};
use impinge::image_space::sweep::Tested;
use impinge::image_space::{External, Flow, Look, Looking, View, tested};
use impinge::{BodyId, Bounds, Element, Method, Options, Point, Pose, Query, Report, Scene};
use std::time::{Duration, Instant};

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

    /// What the last view of the last call with `impinge::Method::ABuffer` kept; `None` before the first such call, and where
    /// nothing overlapped.
    pub fn inspect_kept(&mut self) -> Result<Option<KeptInspection>, GpuError> {
        let context = self.context.clone();
        let Some(a_buffer) = self.a_buffer.as_ref().filter(|kept| kept.has_looked()) else { return Ok(None) };
        context.checked(|| {
            self.recorder.begin();
            let screen = (self.stages.shown().1, self.stages.frame.vertices);
            a_buffer.inspect(&mut self.recorder, &self.bodies, screen)
        })
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

    /// The bits that the last call with `impinge::Method::DepthSlices` drew last; `None` before the first such call, and where
    /// nothing was drawn. The scene must be the same.
    pub fn inspect_slices(&mut self, scene: &Scene) -> Result<Option<SliceInspection>, GpuError> {
        let context = self.context.clone();
        let Some(depth_slices) = &self.depth_slices else { return Ok(None) };
        context.checked(|| {
            self.recorder.begin();
            depth_slices.inspect(&mut self.recorder, scene)
        })
    }

    /// Which bodies interfere, by `impinge::Method::RayCast`, whatever the options say: **sampled**.
    pub fn interference(&mut self, scene: &Scene) -> Result<Interference, GpuError> {
        let method = std::mem::replace(&mut self.options.method, Method::RayCast);
        let result = self.collide(scene).map(|report| report.interference.clone().unwrap_or_default());
        self.options.method = method;
        result
    }

    /// The last view of the last call with `impinge::Method::RayCast`, drawn again: what every stage gives, in so many layers.
    /// `None` before the first such call, and where nothing overlapped.
    pub fn inspect_cast(&mut self, layers: u32) -> Result<Option<CastInspection>, GpuError> {
        let context = self.context.clone();
        let (Some((view, ranges, cast, options)), Some(ray_cast)) = (&self.last_cast, &mut self.ray_cast)
        else {
            return Ok(None);
        };
        context.checked(|| {
            self.recorder.begin();
            let (frame, vertices) = self.stages.shown();
            let given = Given { bodies: &self.bodies, frame, vertices, view, cast, options, one: false };
            let seen = ray_cast.inspect(&mut self.recorder, &given, &mut self.caster, layers)?;
            Ok(Some(CastInspection { ranges: ranges.clone(), ..seen }))
        })
    }

    /// What the last stages of `impinge::Method::Conservative` say about pairs of triangles of the caller's own: for tests of
    /// what floats claim. The triangles need no numbers.
    pub fn judge(&mut self, pairs: &[[Record; 2]]) -> Result<Vec<Verdict>, GpuError> {
        let context = self.context.clone();
        let conservative = self.conservative.get_or_insert_with(|| Box::new(Conservative::new(&context)));
        context.checked(|| {
            self.recorder.begin();
            conservative.judge(&mut self.recorder, pairs)
        })
    }

    /// From now on, lists of `impinge::Method::Conservative` start with room for one item and must grow: for tests of that.
    pub fn start_with_short_lists(&mut self) {
        let context = self.context.clone();
        self.conservative.get_or_insert_with(|| Box::new(Conservative::new(&context))).start_small();
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

    /// The time of every stage of the last call, by the wall clock: told apart only if [`Self::wait_for_stages`] is set.
    pub fn waited(&self) -> StageTimes {
        self.recorder.waited
    }

    /// The time of every stage of the last call, by the GPU's own clock; `None` where it has none.
    pub fn gpu_times(&self) -> Option<StageTimes> {
        self.context.has_timestamps().then_some(self.recorder.measured)
    }

    /// What every stage of the last view left on the device; empty before the first call, and where nothing overlapped.
    pub fn inspect(&mut self) -> Result<Inspection, GpuError> {
        if self.drawn.is_empty() || self.stages.frame.passes == 0 {
            return Ok(Inspection::default());
        }
        let context = self.context.clone();
        context.checked(|| {
            self.recorder.begin();
            let seen = self.stages.inspect(&mut self.recorder, &self.bodies)?;
            Ok(Inspection { packed: self.packed.clone(), ..seen })
        })
    }

    /// The bodies of the last call, as the stages number them.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The time of one plain render of the last view, depth alone: the yardstick of sampling. Zero before the first call.
    pub fn time_plain_render(&mut self) -> Result<Duration, GpuError> {
        if self.drawn.is_empty() {
            return Ok(Duration::ZERO);
        }
        let context = self.context.clone();
        context.checked(|| {
            self.recorder.begin();
            let start = Instant::now();
            self.stages.plain(&mut self.recorder, &self.bodies, &self.drawn);
            self.recorder.read(&[], |_| ())?;
            Ok(start.elapsed())
        })
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

    /// Every body, by what hides what.
    fn cull(&mut self, scene: &Scene) -> Result<(), GpuError> {
        let held = self.attached.iter().find_map(|(id, _)| scene.body(*id));
        if let Some(body) = held {
            return Err(GpuError::NotInScene { body: body.name().to_owned() });
        }
        self.culler.start();
        self.take_in(scene)?;
        let most = self.options.cullide.pixels();
        let mut eye = Eye::new(&mut self.cullide, &mut self.recorder, &self.bodies, &mut self.stages, most)?;
        if !self.culler.cull(scene, &self.options, &mut eye, &mut self.report)? {
            return Err(GpuError::TooMany);
        }
        let bytes_read_back = eye.cullide.bytes_read_back;
        self.report.adapter = Some(self.context.adapter.clone());
        if let Some(culled) = &mut self.report.culled {
            culled.stages.bytes_read_back = bytes_read_back;
        }
        Ok(())
    }

    /// Every pair of triangles, with a grid.
    fn sift(&mut self, scene: &Scene) -> Result<(), GpuError> {
        self.sifter.start();
        let external = self.take_in(scene)?;
        let nears = self.bodies.nears();
        let plan =
            self.sifter.begin(scene, &external, &nears, &mut self.report).ok_or(GpuError::BeyondFloats)?;
        self.report.adapter = Some(self.context.adapter.clone());
        let context = self.context.clone();
        let conservative = self.conservative.get_or_insert_with(|| Box::new(Conservative::new(&context)));
        self.found.clear();
        for run in &plan.runs {
            let (recorder, options) = (&mut self.recorder, self.options.conservative);
            let stages =
                conservative.sift(recorder, &self.bodies, &plan.members, run, options, &mut self.found)?;
            self.report.sifted.get_or_insert_default().add(&stages);
        }
        self.fetch_found(scene, &plan.members, external.len())?;
        let triangles = &self.triangles;
        let elsewhere = |element: Element| {
            let at = triangles.binary_search_by_key(&element, |triangle| triangle.element).ok()?;
            let GpuTriangle { corners, vertices, .. } = triangles[at];
            Some(Elsewhere { corners, vertices })
        };
        self.sifter.finish(scene, &plan.members, &self.found, &elsewhere, &self.options, &mut self.report);
        // Whether anything is inside a body that lives on the GPU was not looked for.
        self.report.complete &= external.is_empty() || !self.options.containment;
        Ok(())
    }

    /// Triangles of attached bodies among the pairs found.
    fn fetch_found(&mut self, scene: &Scene, members: &[Member], external: usize) -> Result<(), GpuError> {
        let Some(first) = members[members.len() - external..].first().map(|member| member.first_triangle)
        else {
            return Ok(());
        };
        let named = self.found.iter().flat_map(|pair| [pair.a, pair.b]);
        let mut theirs: Vec<u32> = named.filter(|triangle| *triangle >= first).collect();
        theirs.sort_unstable();
        theirs.dedup();
        if theirs.is_empty() {
            return Ok(());
        }
        self.bodies.number(&self.context, members);
        let details = self.stages.details_of(&mut self.recorder, &self.bodies, first, &theirs)?;
        let came_back = theirs.iter().zip(&details).filter_map(|(t, d)| came_back(scene, members, *t, d));
        self.triangles.extend(came_back);
        self.triangles.sort_unstable_by_key(|triangle| triangle.element);
        let sifted = self.report.sifted.get_or_insert_default();
        sifted.bytes_read_back += theirs.len() * size_of::<Details>();
        Ok(())
    }

    /// Every pair of bodies, with cells.
    fn slice(&mut self, scene: &Scene, external: &[External]) -> Result<(), GpuError> {
        let pairs = self.slicer.begin(scene, external, &self.options, &mut self.report);
        self.report.adapter = Some(self.context.adapter.clone());
        let mut pen = Pen::new(&mut self.depth_slices, &mut self.recorder, &self.bodies, &self.members);
        for pair in pairs {
            self.slicer.pair(scene, pair, &self.options, &mut pen, &mut self.report)?;
        }
        let bytes_read_back = pen.slices.bytes_read_back;
        self.slicer.finish(scene, &self.options, &mut self.report);
        if let Some(sliced) = &mut self.report.sliced {
            sliced.stages.bytes_read_back = bytes_read_back;
        }
        Ok(())
    }

    /// Every view, with rays cast at edges.
    fn cast(&mut self, scene: &Scene, external: &[External]) -> Result<(), GpuError> {
        let options = self.options.ray_cast;
        let looks =
            self.caster.begin(scene, external, &options, &mut self.report).ok_or(GpuError::TooMany)?;
        self.report.adapter = Some(self.context.adapter.clone());
        let context = self.context.clone();
        let ray_cast = self.ray_cast.get_or_insert_with(|| Box::new(RayCast::new(&context)));
        let one = self.options.query == Query::Any;
        for look in &looks {
            for cast in Cast::all(scene, look, &options) {
                if one && self.caster.findings().any() {
                    break;
                }
                let placed = (&cast.members[..], &look.ranges[..]);
                self.bodies.place(&self.context, scene, placed, &look.view);
                let recorder = &mut self.recorder;
                let (frame, vertices) =
                    self.stages.show(recorder, &self.bodies, &cast.members, &look.view)?;
                let given = Given {
                    bodies: &self.bodies,
                    frame,
                    vertices,
                    view: &look.view,
                    cast: &cast,
                    options: &options,
                    one,
                };
                ray_cast.cast(recorder, &given, &mut self.caster)?;
                self.last_cast = Some((look.view, look.ranges.clone(), cast, options));
            }
        }
        let times = match self.context.has_timestamps().then_some(self.recorder.measured) {
            Some(told) if !self.wait_for_stages => {
                let rest = self.recorder.waited.total().saturating_sub(told.project + told.sample);
                StageTimes { pack: rest, ..told }
            }
            _ => self.recorder.waited,
        };
        let stages = &mut self.caster.findings().stages;
        (stages.prepare, stages.render, stages.read) = (times.project, times.sample, times.pack);
        self.caster.finish(scene, &self.options, &mut self.report);
        Ok(())
    }

    fn look(
        &mut self,
        scene: &Scene,
        Look { view, members, ranges, .. }: &Look,
        external: usize,
    ) -> Result<(), GpuError> {
        let options = self.options.peel;
        let pixels = self.bodies.place(&self.context, scene, (members, ranges), view);
        let seen = self.stages.look(&mut self.recorder, &self.bodies, members, external, view, &options)?;
        self.tell_times();
        let stages = self.report.image.get_or_insert_default();
        stages.saw(&Rule::new(&options, view, seen.deepest), seen.deepest, seen.rays as usize);
        stages.bytes_read_back += seen.bytes_read_back as usize;
        let tested = self.tested(scene, members, &seen);
        self.flow.test(view, &tested, pixels, self.options.threads, &mut self.report);
        Ok(())
    }

    /// The time of every stage so far, into the report.
    fn tell_times(&mut self) {
        // What the CPU waited tells the stages apart only if it waited for each.
        let waited = match self.gpu_times() {
            Some(measured) if !self.wait_for_stages => {
                let told = measured.project + measured.sample + measured.merge + measured.separate;
                StageTimes { pack: self.recorder.waited.total().saturating_sub(told), ..measured }
            }
            _ => self.recorder.waited,
        };
        let stages = self.report.image.get_or_insert_default();
        (stages.project, stages.sample, stages.merge) = (waited.project, waited.sample, waited.merge);
        (stages.separate, stages.pack) = (waited.separate, waited.pack);
    }

    /// One view with everything that rays meet.
    fn keep(&mut self, scene: &Scene, look: &Look, external: usize) -> Result<(), GpuError> {
        let (view, members) = (&look.view, &look.members[..]);
        let options = self.options.a_buffer;
        let [_, triangles] = totals(members);
        if triangles >= MOST_TRIANGLES {
            return Err(GpuError::TooMany);
        }
        let context = self.context.clone();
        let a_buffer = self.a_buffer.get_or_insert_with(|| Box::new(ABuffer::new(&context)));
        let near = options.near(view);
        let parts = Part::of_all(scene, look, near);
        self.bodies.place(&context, scene, (members, &look.ranges), view);
        let (_, screen) = self.stages.show(&mut self.recorder, &self.bodies, members, view)?;
        let (bodies, parts, keeping) = (&self.bodies, &parts[..], options.keeping);
        let given = Kept { bodies, screen, view, parts, triangles, near, keeping };
        let mut kept = a_buffer.look(&mut self.recorder, &given)?;

        let first_external =
            members[members.len() - external..].first().map_or(u32::MAX, |member| member.first_triangle);
        let theirs = kept.pairs.iter().flatten().copied().filter(|triangle| *triangle >= first_external);
        let mut theirs: Vec<u32> = theirs.collect();
        theirs.sort_unstable();
        theirs.dedup();
        let mut pieces: Vec<Option<Piece>> = Vec::new();
        if !theirs.is_empty() {
            let details =
                self.stages.details_of(&mut self.recorder, &self.bodies, first_external, &theirs)?;
            kept.bytes_read_back += (theirs.len() * size_of::<Details>()) as u64;
            for (triangle, details) in theirs.iter().zip(&details) {
                let came_back = came_back(scene, members, *triangle, details);
                self.triangles.extend(came_back);
                pieces.push(came_back.map(|GpuTriangle { element, corners, vertices, .. }| Piece {
                    element,
                    corners,
                    vertices,
                }));
            }
        }
        self.tell_times();
        let stages = self.report.image.get_or_insert_default();
        stages.deepest = stages.deepest.max(kept.deepest);
        stages.layers = stages.deepest;
        stages.fragments += kept.fragments as usize;
        stages.rays += kept.rays as usize;
        stages.bytes_read_back += kept.bytes_read_back as usize;
        let piece = |triangle: u32| match theirs.binary_search(&triangle) {
            Ok(at) => pieces[at],
            Err(_) => Piece::of(scene, members, triangle),
        };
        self.flow.test_pairs(&kept.pairs, &piece, self.options.threads, &mut self.report);
        Ok(())
    }

    /// What the exact test asks about the packed triangles; keeps those of attached bodies for the caller.
    fn tested(&mut self, scene: &Scene, members: &[Member], seen: &Seen) -> Vec<Tested> {
        let ours = seen.packed.len() - seen.details.len();
        self.packed.clear();
        self.packed.extend(
            seen.packed.iter().map(|p| PackedTriangle { triangle: p.triangle, rectangle: p.rectangle }),
        );
        let mut list = Vec::with_capacity(seen.packed.len());
        list.extend(self.packed[..ours].iter().filter_map(|packed| tested(scene, members, packed)));
        for (packed, details) in self.packed[ours..].iter().zip(&seen.details) {
            let Some(triangle) = came_back(scene, members, packed.triangle, details) else { continue };
            self.triangles.push(triangle);
            let GpuTriangle { element, corners, vertices, .. } = triangle;
            let self_collision = scene.body(element.body).is_some_and(impinge::Body::self_collision);
            list.push(Tested { element, rectangle: packed.rectangle, corners, vertices, self_collision });
        }
        list
    }
}

/// A triangle of a body that lives on the GPU, by its number among all.
fn came_back(scene: &Scene, members: &[Member], triangle: u32, details: &Details) -> Option<GpuTriangle> {
    let member = members.get(owner(members, triangle))?;
    let body = scene.body(member.id)?;
    let element = Element { body: member.id, triangle: triangle - member.first_triangle };
    let Details { corners, normal, vertices, tag } = *details;
    let corners = corners.map(|corner| body.pose().apply(corner.map(f64::from)));
    Some(GpuTriangle { element, corners, normal, vertices, tag })
}

//! The flow: scene -> body pairs -> candidates -> contacts, one line per stage.

use super::Report;
use super::a_buffer;
use super::a_buffer::ABufferOptions;
use super::brute_force;
use super::bvh::Engine;
use super::candidates::Candidates;
use super::cullide::{Culler, CullideOptions};
use super::depth_peel::PeelOptions;
use super::grid::{ConservativeOptions, Sifter};
use crate::broad_phase::BodyPair;
use crate::broad_phase::SweepAndPrune;
use crate::bvh::Visits;
use crate::exact as narrow_phase;
use crate::image::Flow;
use crate::interference::{Interference, RayCastOptions, RayCaster};
use crate::overlap_cells::{Paths, SliceOptions, Sliced, Slicer};
use crate::scene::Pose;
use crate::scene::{Body, BodyId, Scene, SceneError};
use crate::solid::Containments;
use crate::util::clock::Clock;
use crate::util::threads;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How candidates are found. Every method that is complete gives the same answer, in its own time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The fastest complete method for the scene.
    #[default]
    Auto,
    /// Trees of axis-aligned boxes.
    Bvh,
    /// Every triangle against every other: the oracle.
    BruteForce,
    /// Whole boxes of triangles in a grid, and floats that say what they can prove: complete, made for a GPU, where `impinge-gpu`
    /// runs it. Here it is the definition, written to be read.
    Conservative,
    /// Collision rays found by depth peeling (Georgii, Krüger, Westermann 2007): **sampled**, what lies between rays is
    /// missed. Here it is the definition, written to be read; `impinge-gpu` has it for a GPU.
    DepthPeel,
    /// Edges inside solids, found by casting rays at them (Knott 2003): **sampled**. It gives bodies, pairs, edges and points
    /// ([`Report::interference`]), no contacts. `impinge-gpu` has it for a GPU.
    RayCast,
    /// Cells of space that both of two bodies take (Dinerstein, Egbert 2002). It tells for every pair of bodies whether their
    /// surfaces meet ([`Report::sliced`]), **proven** unless the options say otherwise; contacts only if asked for. `impinge-gpu`
    /// has it for a GPU.
    DepthSlices,
    /// Surfaces that follow each other closely along a ray, all of them kept in one pass (Jang, Han 2008): **sampled**, what lies
    /// between rays is missed. `impinge-gpu` has it for a GPU.
    ABuffer,
    /// Bodies and parts of bodies that hide nothing of each other do not collide (Govindaraju, Lin, Manocha: CULLIDE and FAR).
    /// What is left is tested exactly, and counted in [`Report::culled`]. Between bodies nothing is missed unless the options
    /// say so; bodies are not asked about themselves. `impinge-gpu` has it for a GPU.
    Cullide,
}

impl Method {
    /// Whether the method misses nothing, whatever the options. [`Self::DepthSlices`] and [`Self::Cullide`] may or may not:
    /// [`Report::complete`] tells.
    pub fn is_complete(self) -> bool {
        let sampled = [Self::DepthPeel, Self::RayCast, Self::DepthSlices, Self::ABuffer, Self::Cullide];
        !sampled.contains(&self)
    }
}

/// What to stop at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Query {
    /// Every contact and containment.
    #[default]
    All,
    /// Whether there is any: the report holds at most one contact or one containment. Whether it holds one is the same
    /// everywhere; which one is not.
    Any,
}

/// Choices, all with a default.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How candidates are found.
    pub method: Method,
    /// What to stop at.
    pub query: Query,
    /// Threads to use; 0 for as many as the machine has. The answer does not depend on it.
    pub threads: usize,
    /// Whether closed bodies inside others are looked for.
    pub containment: bool,
    /// Whether [`Report::shapes`] is filled.
    pub shapes: bool,
    /// Whether [`Report::responses`] is filled.
    pub responses: bool,
    /// Choices of [`Method::Conservative`].
    pub conservative: ConservativeOptions,
    /// Choices of [`Method::DepthPeel`].
    pub peel: PeelOptions,
    /// Choices of [`Method::RayCast`].
    pub ray_cast: RayCastOptions,
    /// Choices of [`Method::DepthSlices`].
    pub slices: SliceOptions,
    /// Choices of [`Method::ABuffer`].
    pub a_buffer: ABufferOptions,
    /// Choices of [`Method::Cullide`].
    pub cullide: CullideOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            query: Query::All,
            threads: 0,
            containment: true,
            shapes: false,
            responses: false,
            conservative: ConservativeOptions::default(),
            peel: PeelOptions::default(),
            ray_cast: RayCastOptions::default(),
            slices: SliceOptions::default(),
            a_buffer: ABufferOptions::default(),
            cullide: CullideOptions::default(),
        }
    }
}

/// Scenes of fewer triangles are done before other threads would have woken up.
const SMALL_SCENE: usize = 30_000;

/// Finds collisions, frame after frame, and keeps between frames whatever it can reuse. What changed is found by
/// comparing versions, so one collider may serve any sequence of scenes.
#[derive(Debug, Default)]
pub struct Collider {
    /// May be changed between calls.
    pub options: Options,
    pool: Option<(usize, ThreadPool)>,
    broad_phase: SweepAndPrune,
    engine: Engine,
    containments: Containments,
    sifter: Sifter,
    image_space: Flow,
    ray_caster: RayCaster,
    slicer: Slicer,
    culler: Culler,
    body_pairs: Vec<BodyPair>,
    report: Report,
}

impl Collider {
    /// A collider with these options.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    #[cfg(test)]
    pub(crate) fn with_engine(options: Options, engine: Engine) -> Self {
        Self { options, engine, ..Self::default() }
    }

    /// What the filters of [`Method::Bvh`] are computed with on this machine.
    pub fn lanes(&self) -> &'static str {
        self.engine.lanes()
    }

    /// Everything that collides in the scene as it stands now.
    pub fn collide(&mut self, scene: &Scene) -> &Report {
        let triangles: usize = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
        match self.options.threads {
            1 => threads::alone(|| self.run(scene)),
            _ if triangles < SMALL_SCENE && self.options.method != Method::BruteForce => {
                threads::alone(|| self.run(scene));
            }
            // The process-wide pool, when it has the right size: making another one takes longer than a small frame.
            threads if threads == 0 || threads == rayon::current_num_threads() => {
                rayon::join(|| self.run(scene), || ());
            }
            threads => self.run_in_pool(scene, threads),
        }
        &self.report
    }

    /// Which bodies interfere, by [`Method::RayCast`], whatever the options say: **sampled**. `None` only when there are more
    /// triangles than can be numbered.
    ///
    /// ```
    /// use impinge::{Collider, Mesh, Scene};
    ///
    /// let tetrahedron = |x: f32| {
    ///     Mesh::new(
    ///         vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]],
    ///         vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    ///     )
    /// };
    /// let mut scene = Scene::new();
    /// let a = scene.add("a", tetrahedron(0.0)?);
    /// let b = scene.add("b", tetrahedron(0.25)?);
    ///
    /// let interference = Collider::default().interference(&scene).unwrap();
    /// assert!(interference.any && interference.not_closed.is_empty());
    /// assert_eq!(interference.bodies, [a, b]);
    /// # Ok::<(), impinge::MeshError>(())
    /// ```
    pub fn interference(&mut self, scene: &Scene) -> Option<Interference> {
        let method = std::mem::replace(&mut self.options.method, Method::RayCast);
        self.collide(scene);
        self.options.method = method;
        self.report.interference.clone()
    }

    /// Whether the surfaces of bodies meet, pair by pair, by [`Method::DepthSlices`], whatever the method in the options is.
    ///
    /// ```
    /// use impinge::overlap_cells::Answer;
    /// use impinge::{Collider, Mesh, Scene};
    ///
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
    /// let sliced = Collider::default().slices(&scene);
    /// assert_eq!(sliced.pairs[0].answer, Answer::Yes);
    /// assert!(sliced.is_certain());
    /// # Ok::<(), impinge::MeshError>(())
    /// ```
    pub fn slices(&mut self, scene: &Scene) -> Sliced {
        let method = std::mem::replace(&mut self.options.method, Method::DepthSlices);
        self.collide(scene);
        self.options.method = method;
        self.report.sliced.clone().unwrap_or_default()
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
        let all = Options { method: Method::Bvh, query: Query::All, ..self.options.clone() };
        let options = std::mem::replace(&mut self.options, all);
        self.collide(scene);
        self.options = options;
        Visits { stages: self.report.stages, ..self.engine.visits(scene, &self.body_pairs) }
    }

    /// When two bodies meet first on their way, at the steps given (where each of the two stands), or between them too, on
    /// straight lines from step to step; by [`Method::DepthSlices`] and its options. Where they stand in the scene does not
    /// count.
    ///
    /// ```
    /// use impinge::overlap_cells::Crossing;
    /// use impinge::{Collider, Mesh, Pose, Scene};
    ///
    /// let tetrahedron = || {
    ///     Mesh::new(
    ///         vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ///         vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    ///     )
    /// };
    /// let mut scene = Scene::new();
    /// let (wall, ball) = (scene.add("wall", tetrahedron()?), scene.add("ball", tetrahedron()?));
    /// // Past each other in one jump: no step shows it, the way between does.
    /// let steps = [-5.0, 5.0].map(|x| [Pose::IDENTITY, Pose::from_translation([x, 0.1, 0.1]).unwrap()]);
    /// let mut collider = Collider::default();
    /// assert_eq!(collider.paths(&scene, [wall, ball], &steps, false)?.crossing, Crossing::Never);
    /// assert_eq!(collider.paths(&scene, [wall, ball], &steps, true)?.crossing, Crossing::Between { step: 0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paths(
        &mut self,
        scene: &Scene,
        bodies: [BodyId; 2],
        steps: &[[Pose; 2]],
        between: bool,
    ) -> Result<Paths, SceneError> {
        scene.check_steps(bodies, steps)?;
        let slices = self.options.slices;
        Ok(threads::alone(|| self.slicer.run_paths(scene, bodies, steps, between, &slices)))
    }

    fn run_in_pool(&mut self, scene: &Scene, threads: usize) {
        if self.pool.as_ref().map(|(threads, _)| *threads) != Some(threads) {
            self.pool =
                ThreadPoolBuilder::new().num_threads(threads).build().ok().map(|pool| (threads, pool));
        }
        match self.pool.take() {
            Some((threads, pool)) => {
                pool.install(|| self.run(scene));
                self.pool = Some((threads, pool));
            }
            // No more threads to be had: one gives the same answer.
            None => self.run(scene),
        }
    }

    fn run(&mut self, scene: &Scene) {
        let mut clock = Clock::start();
        let method = match self.options.method {
            Method::Conservative if self.sifter.run(scene, &self.options, &mut self.report) => return,
            Method::DepthPeel if self.image_space.run(scene, &self.options, &mut self.report) => return,
            Method::RayCast if self.ray_caster.run(scene, &self.options, &mut self.report) => return,
            Method::ABuffer
                if a_buffer::run(&mut self.image_space, scene, &self.options, &mut self.report) =>
            {
                return;
            }
            Method::Cullide if self.culler.run(scene, &self.options, &mut self.report) => return,
            Method::DepthSlices => {
                self.slicer.run(scene, &self.options, &mut self.report);
                return;
            }
            // More triangles than rays can number, or numbers that floats cannot hold: a complete method has the answer, and the
            // report says which.
            Method::Auto
            | Method::Conservative
            | Method::DepthPeel
            | Method::RayCast
            | Method::ABuffer
            | Method::Cullide => Method::Bvh,
            method => method,
        };
        let report = &mut self.report;
        report.begin(scene, method);
        if method == Method::BruteForce {
            brute_force::body_pairs(scene, &mut self.body_pairs);
            for &pair in &self.body_pairs {
                if let (Some(a), Some(b)) = (scene.at(pair.a as usize), scene.at(pair.b as usize)) {
                    brute_force::for_each_chunk(pair, a.1, b.1, |chunk| decide(report, chunk, [a, b]));
                }
            }
            clock.lap(&mut report.stages.narrow_phase);
        } else {
            // Whether anything touches is found so fast that reading the time at every border would be a tenth of it.
            let every_stage = self.options.query == Query::All;
            self.engine.update(scene);
            if every_stage {
                clock.lap(&mut report.stages.update);
            }
            self.broad_phase.update(self.engine.boxes());
            self.body_pairs.clear();
            self.body_pairs.extend(self.broad_phase.pairs());
            let looks_at_itself = scene.bodies().filter(|(_, body)| body.self_collision());
            self.body_pairs.extend(looks_at_itself.map(|(id, _)| BodyPair::same(id.index())));
            self.body_pairs.sort_unstable();
            if every_stage {
                clock.lap(&mut report.stages.broad_phase);
            }
            self.engine.prepare(scene, &self.body_pairs, self.options.query);
            clock.lap(&mut report.stages.update);
            self.engine.contacts(scene, &self.body_pairs, self.options.query, &mut clock, report);
        }
        report.stages.body_pairs = self.body_pairs.len();
        report.summarise_pairs();
        let any = self.options.query == Query::Any;
        if self.options.containment && !(any && report.collides()) {
            // Every pair, where no boxes were asked for the contacts either.
            let boxes = if method == Method::BruteForce { &[] } else { self.engine.boxes() };
            self.containments.find(scene, &self.body_pairs, boxes, report);
            clock.lap(&mut report.stages.containment);
        }
        report.conclude(scene, &self.options, &|_| None, clock);
    }
}

/// The narrow phase for some candidates of one pair.
fn decide(report: &mut Report, candidates: &Candidates, bodies: [(BodyId, &Body); 2]) {
    report.stages.candidates += candidates.unsorted_triangles.len();
    report.stages.exact += candidates.unsorted_triangles.len();
    narrow_phase::append_contacts(candidates, bodies, &mut report.contacts);
}

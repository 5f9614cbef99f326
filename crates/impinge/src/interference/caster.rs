//! The flow of the method: which bodies, which views, then images of edges, counts and verdicts.
//!
//! [`RayCaster`] is the call on the CPU; the crate `impinge-gpu` takes the same [`Casting`] through its own [`CastBackend`].

use super::count::{self, Crossing, Targets, Whose};
use super::edges::{self, Drawn, MAX_TRIANGLES, Metric, Side};
use super::findings::{Findings, Interference};
use super::judge;
use super::marked::{self, Marked};
use super::options::{Identify, RayCastOptions};
use crate::broad_phase::{Frame, Survey};
use crate::image::gather::{self, Member, owner, totals};
use crate::image::options::Looking;
use crate::image::{View, ViewPlanner, ViewTask};
use crate::scene::{Body, BodyId, ExternalBody, Scene, Version, counts};
use crate::util::clock::Clock;
use crate::util::query::Query;
use crate::util::stages::Stages;
use crate::util::threads::Workers;
use std::convert::Infallible;
use std::ops::Range;

/// Scenes of fewer triangles are done before other threads would have woken up.
const MIN_SHARED_TRIANGLES: usize = 30_000;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InterferenceError {
    /// Sides of triangles are numbered in 32 bits.
    #[error("interference can number {MAX_TRIANGLES} triangles, and the scene has {triangles}")]
    TooManyTriangles {
        /// How many there are.
        triangles: usize,
    },
}

/// Finds bodies that interfere, frame after frame: **sampled**.
///
/// ```
/// use impinge::interference::RayCaster;
/// use impinge::{Mesh, Scene};
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
/// let mut caster = RayCaster::default(); // keeps between frames whatever it can reuse
/// let interference = caster.find(&scene)?;
/// assert!(interference.any && interference.not_closed.is_empty());
/// assert_eq!(interference.bodies, [a, b]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct RayCaster {
    /// May be changed between calls.
    pub options: RayCastOptions,
    workers: Workers,
    casting: Casting,
    answer: Interference,
}

impl RayCaster {
    /// A caster with these options.
    pub fn new(options: RayCastOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The bodies of the scene that interfere as they stand now.
    pub fn find(&mut self, scene: &Scene) -> Result<&Interference, InterferenceError> {
        self.watch(scene, &mut |_| {})
    }

    /// The same, where somebody looks at every layer of every image.
    #[doc(hidden)]
    pub fn watch(
        &mut self,
        scene: &Scene,
        watch: &mut (dyn FnMut(&Layer) + Send),
    ) -> Result<&Interference, InterferenceError> {
        let Self { options, workers, casting, answer } = self;
        let small = counts(scene, &[])[1] < MIN_SHARED_TRIANGLES;
        let mut backend = CpuBackend { watch, number: 0 };
        let run = || casting.run(scene, &[], Clock::start(), options, &mut backend);
        let Ok(found) = workers.run(options.threads, small, run);
        *answer = found?;
        Ok(answer)
    }
}

/// What the edges of one body depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    id: BodyId,
    first_triangle: u32,
    triangles: u32,
    topology: Option<Version>,
}

/// One layer of an image of edges, to look at.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// Which of the views, from 0.
    pub look: usize,
    /// The view.
    pub view: &'a View,
    /// Of which bodies, and whose surfaces count.
    pub cast: &'a Cast,
    /// Which layer, from 0.
    pub number: u32,
    /// The edge that every pixel shows.
    pub targets: &'a Targets,
    /// The pixels whose count is not zero.
    pub marked: &'a [Marked],
    /// In which bodies these are.
    pub judged: &'a [judge::Judged],
}

/// Draws and counts, and adds what it finds to [`Casting::findings`].
pub trait CastBackend {
    /// Why it may fail.
    type Error;

    /// One view, with edges of some bodies and surfaces of some, cast after cast.
    fn look(
        &mut self,
        casting: &mut Casting,
        scene: &Scene,
        task: &ViewTask,
        casts: &[Cast],
        options: &RayCastOptions,
    ) -> Result<(), Self::Error>;
}

/// The method around its drawing; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct Casting {
    survey: Survey,
    planner: ViewPlanner,
    /// Every edge of every body once.
    sides: Vec<Side>,
    /// The same in another order, in which neighbours are far apart.
    scattered: Vec<Side>,
    /// Which of [`Self::sides`] are whose.
    ranges: Vec<Range<u32>>,
    keys: Vec<Key>,
    /// Grows whenever they change.
    edition: u64,
    /// What was found so far.
    pub findings: Findings,
}

impl Casting {
    /// Every stage, with anybody's drawing. `clock` began with the call.
    pub fn run<B: CastBackend>(
        &mut self,
        scene: &Scene,
        external: &[ExternalBody],
        mut clock: Clock,
        options: &RayCastOptions,
        backend: &mut B,
    ) -> Result<Result<Interference, InterferenceError>, B::Error> {
        let mut timing = Stages::default();
        let mut survey = std::mem::take(&mut self.survey);
        let frame = survey.frame(scene, external, &mut timing, &mut clock);
        let planned = self.plan(&frame, options);
        self.survey = survey;
        let Some((members, tasks)) = planned else {
            return Ok(Err(InterferenceError::TooManyTriangles { triangles: timing.triangles }));
        };
        clock.lap(&mut timing.broad_phase);
        for task in &tasks {
            backend.look(self, scene, task, &Cast::all(scene, task, options), options)?;
        }
        let mut answer = std::mem::take(&mut self.findings).finish(&members);
        clock.lap(&mut timing.culling);
        timing.total = clock.total();
        answer.timing = timing;
        Ok(Ok(answer))
    }

    /// The views, and the edges. `None` when there are more vertices or triangles than can be numbered.
    fn plan(&mut self, frame: &Frame<'_>, options: &RayCastOptions) -> Option<(Vec<Member>, Vec<ViewTask>)> {
        let members = gather::members(frame.scene, frame.external)?;
        if totals(&members)[1] > MAX_TRIANGLES {
            return None;
        }
        let looking = Looking::from(options);
        let tasks = self.planner.plan(frame, &looking)?;
        self.list_edges(frame, &members);
        let looked_at = tasks.iter().flat_map(|task| &task.members);
        let open = looked_at.filter(|member| member.active && !member.closed).map(|member| member.id);
        self.findings = Findings::begin(open, options.most_points);
        self.findings.stages.resolution = looking.pixels;
        self.findings.stages.views = tasks.len();
        self.findings.stages.edges = self.sides.len();
        Some((members, tasks))
    }

    /// Every edge of every body once, in the order in which they are drawn, and a number that changes when they do. The
    /// thesis' algorithms draw body after body; else edges are scattered, so that every layer shows some of every body.
    pub fn sides(&self, identify: Identify) -> (&[Side], u64) {
        let scattered = identify == Identify::Everything;
        let sides = if scattered { &self.scattered } else { &self.sides };
        (sides, 2 * self.edition + u64::from(scattered))
    }

    /// The edges as they are drawn, and what was found: to look things up in one and add them to the other.
    pub fn parts(&mut self, identify: Identify) -> (&[Side], &mut Findings) {
        let scattered = identify == Identify::Everything;
        (if scattered { &self.scattered } else { &self.sides }, &mut self.findings)
    }

    /// Which edges are whose, for every member, where body after body is drawn.
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    fn list_edges(&mut self, frame: &Frame<'_>, members: &[Member]) {
        let scene = frame.scene;
        let key = |member: &Member| Key {
            id: member.id,
            first_triangle: member.first_triangle,
            triangles: member.triangles,
            topology: match frame.external(member.id) {
                Some(_) => None,
                None => scene.body(member.id).map(Body::topology_version),
            },
        };
        let keys: Vec<Key> = members.iter().map(key).collect();
        if keys == self.keys {
            return;
        }
        // Bodies that stay where they are keep their edges: one that breaks does not cost the others anything.
        let before = std::mem::take(&mut self.sides);
        let mut ranges = Vec::with_capacity(keys.len());
        for (index, (key, member)) in keys.iter().zip(members).enumerate() {
            let first = self.sides.len() as u32;
            let offset = 3 * key.first_triangle;
            if self.keys.get(index) == Some(key) {
                let Range { start, end } = self.ranges[index];
                self.sides.extend_from_slice(&before[start as usize..end as usize]);
            } else if let (Some(_), Some(body)) = (key.topology, scene.body(key.id)) {
                self.sides.extend(edges::sides(body.mesh()).iter().map(|side| side + offset));
            } else {
                // Which of its triangles share an edge is known to a GPU alone: each draws its own.
                self.sides.extend(offset..offset + 3 * member.triangles);
            }
            ranges.push(first..self.sides.len() as u32);
        }
        self.ranges = ranges;
        self.keys = keys;
        self.edition += 1;
        self.scattered.clear();
        self.scattered.extend(scatter(self.sides.len()).map(|k| self.sides[k]));
    }
}

/// The drawing of the CPU, which somebody may watch.
struct CpuBackend<'a> {
    watch: &'a mut (dyn FnMut(&Layer) + Send),
    /// Views so far.
    number: usize,
}

impl CastBackend for CpuBackend<'_> {
    type Error = Infallible;

    fn look(
        &mut self,
        casting: &mut Casting,
        scene: &Scene,
        task: &ViewTask,
        casts: &[Cast],
        options: &RayCastOptions,
    ) -> Result<(), Infallible> {
        let mut clock = Clock::start();
        let (vertices, triangles) = gather::gather(scene, &task.members, &task.view);
        clock.lap(&mut casting.findings.stages.prepare);
        for cast in casts {
            let drawn = Drawn {
                pixels: [task.view.width, task.view.height],
                vertices: &vertices,
                triangles: &triangles,
                members: &cast.members,
                ranges: &task.ranges,
            };
            self.cast(casting, &task.view, cast, &drawn, options);
        }
        self.number += 1;
        Ok(())
    }
}

impl CpuBackend<'_> {
    /// One view, for edges of some bodies and surfaces of some.
    fn cast(
        &mut self,
        casting: &mut Casting,
        view: &View,
        cast: &Cast,
        drawn: &Drawn,
        options: &RayCastOptions,
    ) {
        let Cast { whose, members, metric } = cast;
        let one = options.query == Query::Any;
        let (sides, findings) = casting.parts(options.identify);
        let mut clock = Clock::start();
        let outward = metric.moves().then(|| edges::outward(drawn, metric));
        let (lines, farthest) = edges::lines(drawn, outward.as_deref(), sides, metric, *whose);
        findings.reaches(*whose, metric.reach(farthest));
        clock.lap(&mut findings.stages.prepare);

        let mut last: Option<Targets> = None;
        for layer in 0..=options.most_layers() {
            if one && findings.any() {
                break;
            }
            let targets = count::targets(drawn.pixels, &lines, last.as_ref());
            let shown = targets.lines.iter().filter(|&&line| line != 0).count();
            if shown == 0 {
                break;
            }
            if layer == options.most_layers() {
                findings.stages.limited |= options.identify == Identify::Everything;
                break;
            }
            let counts = count::count(drawn, &targets, *whose);
            clock.lap(&mut findings.stages.render);
            let marked = marked::marked(&targets, &counts);
            findings.stages.layers = findings.stages.layers.max(layer + 1);
            findings.stages.pixels += shown;
            findings.stages.marked += marked.len();
            let (mut judged, mut entered) = (Vec::new(), Vec::new());
            if !marked.is_empty() || !options.early_answer {
                let mut take = |crossings: &mut Vec<Crossing>| {
                    findings.stages.crossings += crossings.len();
                    judge::judge(&marked, crossings, &mut judged);
                    judge::entered(&marked, crossings, &mut entered);
                };
                count::crossings(drawn, &targets, &counts, *whose, &mut take);
                let inside = marked.iter().filter(|at| at.count > 0).map(|at| sides[at.line as usize]);
                match options.identify {
                    Identify::Everything => findings.judged(view, members, sides, &marked, &judged),
                    Identify::Any => findings.saw_any(inside.count() > 0),
                    Identify::Penetrating | Identify::PenetratingByColour => {
                        inside.for_each(|side| findings.saw_edge(members, side));
                    }
                    Identify::LastDrawn => {
                        for (at, body) in judge::last_drawn(&marked, &entered) {
                            findings.saw_pair(members, sides[marked[at].line as usize], body);
                        }
                    }
                    Identify::Queries => {
                        let edges = inside.map(|side| owner(members, side / 3));
                        let around = entered.iter().map(|&(_, body)| body as usize);
                        edges.chain(around).for_each(|body| findings.saw_body(members[body].id));
                    }
                }
                // A pixel whose count is negative tells that some body is not closed; the crossings tell which (4.4.1).
                let open = judged.iter().filter(|judged| judged.verdict == judge::Verdict::NotClosed);
                open.for_each(|judged| findings.saw_open(members[judged.body as usize].id));
            }
            clock.lap(&mut findings.stages.parse);
            (self.watch)(&Layer {
                look: self.number,
                view,
                cast,
                number: layer,
                targets: &targets,
                marked: &marked,
                judged: &judged,
            });
            last = Some(targets);
        }
    }
}

/// Every number below a count once, neighbours far apart: steps of the golden section, or the next that shares no factor with
/// the count.
fn scatter(count: usize) -> impl Iterator<Item = usize> {
    let shares_none = |step: &usize| {
        let (mut a, mut b) = (count, *step);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let golden = (count as f64 * 0.618_033_988_749_895) as usize;
    let step = (golden.max(1)..=count.max(1)).find(shares_none).unwrap_or(1);
    (0..count).map(move |k| (k as u128 * step as u128 % count as u128) as usize)
}

/// What is drawn in one view: of which bodies, and whose surfaces count.
#[derive(Clone, Debug)]
pub struct Cast {
    /// Whose surfaces count before an edge.
    pub whose: Whose,
    /// The bodies; those are active that are drawn.
    pub members: Vec<Member>,
    /// How far edges stand off.
    pub metric: Metric,
}

impl Cast {
    /// The thesis' algorithms count all surfaces together. Else others' surfaces count before edges that stay in their place;
    /// and once more the own ones before edges moved outward, where bodies look at themselves.
    pub fn all(scene: &Scene, task: &ViewTask, options: &RayCastOptions) -> Vec<Self> {
        let cast = |whose, members, clearance| Self {
            whose,
            members,
            metric: Metric::new(&task.view, task.depths, task.farthest_pixel, clearance),
        };
        if options.identify != Identify::Everything {
            return vec![cast(Whose::All, task.members.clone(), options.offset)];
        }
        let looks_at_itself = |member: &Member| scene.body(member.id).is_some_and(Body::self_collision);
        let alone = |member: &Member| Member { active: member.active && looks_at_itself(member), ..*member };
        let selves: Vec<Member> = task.members.iter().map(alone).collect();
        let mut casts = vec![cast(Whose::Others, task.members.clone(), Some(options.offset.unwrap_or(0.0)))];
        if selves.iter().any(|member| member.active) {
            casts.push(cast(Whose::Own, selves, options.offset));
        }
        casts
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn scattering_leaves_nothing_out() {
        for count in [0, 1, 2, 3, 18, 97, 1000, 4096] {
            let mut all: Vec<usize> = super::scatter(count).collect();
            assert!(count < 10 || all.windows(2).all(|two| two[0].abs_diff(two[1]) > count / 4), "{count}");
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}

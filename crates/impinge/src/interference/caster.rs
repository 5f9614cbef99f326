//! The flow of the method: which bodies, which views, then images of edges, counts and verdicts.
//!
//! [`RayCaster::run`] is the whole of it on the CPU; the crate `impinge-gpu` calls the same steps with its own stages
//! between them.

use super::count;
use super::count::{Crossing, Targets, Whose};
use super::edges;
use super::edges::{Drawn, MOST_TRIANGLES, Metric, Side};
use super::findings::Findings;
use super::judge;
use super::options::{Identify, RayCastOptions};
use crate::contacts::Report;
use crate::contacts::{Method, Options, Query};
use crate::image::flow::{External, Flow, Look};
use crate::image::gather;
use crate::image::gather::{Member, owner, totals};
use crate::image::options::Looking;
use crate::image::view::View;
use crate::scene::{Body, BodyId, Scene, Version};
use crate::util::clock::Clock;
use std::ops::Range;

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
    pub marked: &'a [count::Marked],
    /// In which bodies these are.
    pub judged: &'a [judge::Judged],
}

/// Machinery of the method around its stages; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct RayCaster {
    flow: Flow,
    /// Every edge of every body once.
    sides: Vec<Side>,
    /// The same in another order, in which neighbours are far apart.
    scattered: Vec<Side>,
    /// Which of [`Self::sides`] are whose.
    ranges: Vec<Range<u32>>,
    keys: Vec<Key>,
    /// Grows whenever they change.
    edition: u64,
    findings: Findings,
    members: Vec<Member>,
}

impl RayCaster {
    /// Every stage, on the CPU. `false` when there are more triangles than can be numbered; nothing was done then.
    pub(crate) fn run(&mut self, scene: &Scene, options: &Options, report: &mut Report) -> bool {
        self.watch(scene, options, report, &mut |_| {})
    }

    /// The same, where somebody looks at every layer of every image.
    pub fn watch(
        &mut self,
        scene: &Scene,
        options: &Options,
        report: &mut Report,
        watch: &mut dyn FnMut(&Layer),
    ) -> bool {
        let Some(looks) = self.begin(scene, &[], &options.ray_cast, report) else { return false };
        for (number, look) in looks.iter().enumerate() {
            self.look(scene, look, options, &mut |layer: &Layer| watch(&Layer { look: number, ..*layer }));
        }
        self.finish(scene, options, report);
        true
    }

    /// Boxes and pairs of bodies, from them the views; and the edges. `None` when there are more vertices or triangles than
    /// can be numbered.
    pub fn begin(
        &mut self,
        scene: &Scene,
        external: &[External],
        options: &RayCastOptions,
        report: &mut Report,
    ) -> Option<Vec<Look>> {
        let members = Flow::arrange(scene, external)?;
        if totals(&members)[1] > MOST_TRIANGLES {
            return None;
        }
        let looks = self.flow.begin(scene, external, Method::RayCast, &Looking::from(options), report)?;
        self.list_edges(scene, &members, external);
        let looked_at = looks.iter().flat_map(|look| &look.members);
        let open = looked_at.filter(|member| member.active && !member.closed).map(|member| member.id);
        self.findings = Findings::begin(open, options.most_points);
        self.findings.stages.resolution = Looking::from(options).pixels;
        self.findings.stages.views = looks.len();
        self.findings.stages.edges = self.sides.len();
        self.members = members;
        Some(looks)
    }

    /// Starts the clock of a frame, when something must be done before [`Self::begin`]; it counts as update.
    pub fn start(&mut self) {
        self.flow.start();
    }

    /// What was found; to be added to between [`Self::begin`] and [`Self::finish`].
    pub fn findings(&mut self) -> &mut Findings {
        &mut self.findings
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

    fn list_edges(&mut self, scene: &Scene, members: &[Member], external: &[External]) {
        let elsewhere = |id: BodyId| external.iter().find(|body| body.id == id);
        let key = |member: &Member| Key {
            id: member.id,
            first_triangle: member.first_triangle,
            triangles: member.triangles,
            topology: match elsewhere(member.id) {
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

    /// One view.
    fn look(&mut self, scene: &Scene, look: &Look, options: &Options, watch: &mut dyn FnMut(&Layer)) {
        let mut clock = Clock::start();
        let (vertices, triangles) = gather::gather(scene, &look.members, &look.view);
        clock.lap(&mut self.findings.stages.prepare);
        for cast in Cast::all(scene, look, &options.ray_cast) {
            let drawn = Drawn {
                pixels: [look.view.width, look.view.height],
                vertices: &vertices,
                triangles: &triangles,
                members: &cast.members,
                ranges: &look.ranges,
            };
            self.cast(&look.view, &cast, &drawn, options, watch);
        }
    }

    /// One view, for edges of some bodies and surfaces of some.
    fn cast(
        &mut self,
        view: &View,
        cast: &Cast,
        drawn: &Drawn,
        options: &Options,
        watch: &mut dyn FnMut(&Layer),
    ) {
        let Cast { whose, members, metric } = cast;
        let (one, options) = (options.query == Query::Any, &options.ray_cast);
        let (sides, findings) = self.parts(options.identify);
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
            let marked = count::marked(&targets, &counts);
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
            watch(&Layer {
                look: 0,
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

    /// Sums up.
    pub fn finish(&mut self, scene: &Scene, options: &Options, report: &mut Report) {
        let findings = std::mem::take(&mut self.findings);
        report.interference = Some(findings.finish(&self.members));
        report.image = None;
        self.flow.conclude(scene, options, report);
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
    pub fn all(scene: &Scene, look: &Look, options: &RayCastOptions) -> Vec<Self> {
        let cast = |whose, members, clearance| Self {
            whose,
            members,
            metric: Metric::new(&look.view, look.depths, look.farthest_pixel, clearance),
        };
        if options.identify != Identify::Everything {
            return vec![cast(Whose::All, look.members.clone(), options.offset)];
        }
        let looks_at_itself = |member: &Member| scene.body(member.id).is_some_and(Body::self_collision);
        let alone = |member: &Member| Member { active: member.active && looks_at_itself(member), ..*member };
        let selves: Vec<Member> = look.members.iter().map(alone).collect();
        let mut casts = vec![cast(Whose::Others, look.members.clone(), Some(options.offset.unwrap_or(0.0)))];
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

//! The flow around the stages that run on the CPU or on the GPU: which bodies, which views, then the exact test.
//!
//! `Flow::run` is the whole of it on the CPU; the crate `impinge-gpu` calls the same steps with its own stages
//! between them.

use super::gather;
use super::gather::{Entry, Member};
use super::groups::Group;
use super::options::Looking;
use super::view::View;
use crate::broad_phase::BodyPair;
use crate::broad_phase::SweepAndPrune;
use crate::contacts::ImageStages;
use crate::contacts::Report;
use crate::contacts::a_buffer;
use crate::contacts::a_buffer::Piece;
use crate::contacts::depth_peel::PeelOptions;
use crate::contacts::depth_peel::pack;
use crate::contacts::depth_peel::pack::PackedTriangle;
use crate::contacts::depth_peel::peel as depth_peel;
use crate::contacts::depth_peel::peel::Rule;
use crate::contacts::depth_peel::ray_mipmap::RayMipmap;
use crate::contacts::depth_peel::separate;
use crate::contacts::depth_peel::sweep;
use crate::contacts::depth_peel::sweep::Tested;
use crate::contacts::depth_peel::tested;
use crate::contacts::{Method, Options, Query};
use crate::exact::Contact;
use crate::scene::Bounds;
use crate::scene::Element;
use crate::scene::Point;
use crate::scene::vector::cross;
use crate::scene::{Body, BodyId, Scene, Version};
use crate::solid::Containments;
use crate::util::clock::Clock;

/// A body of the scene whose triangles somebody else holds, on a GPU for example. Its mesh in the scene is not looked at.
#[derive(Clone, Copy, Debug)]
pub struct External {
    /// The body.
    pub id: BodyId,
    /// How many vertices it has.
    pub vertices: usize,
    /// How many triangles it has.
    pub triangles: usize,
    /// Its box in the world.
    pub bounds: Bounds,
    /// Its box in its own coordinates.
    pub local: Bounds,
    /// See [`Member::closed`].
    pub closed: bool,
}

/// What is kept of a body while its versions stay.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    placed: Option<(Version, Version)>,
    bounds: Bounds,
    topology: Option<Version>,
    closed: bool,
}

/// Machinery of the method around its stages; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct Flow {
    kept: Vec<Kept>,
    boxes: Vec<Bounds>,
    broad_phase: SweepAndPrune,
    pairs: Vec<BodyPair>,
    containments: Containments,
    /// Slots of bodies that the scene does not hold.
    elsewhere: Vec<u32>,
    clock: Option<Clock>,
}

/// One view, and what it looks at.
#[derive(Clone, Debug)]
pub struct Look {
    /// The view.
    pub view: View,
    /// Every body of the scene, in the order of their ids, but for those held elsewhere, which come last. Those are active
    /// that are looked at.
    pub members: Vec<Member>,
    /// From where to where boxes of bodies overlap along the rays.
    pub depths: [f64; 2],
    /// From where to where every member reaches along the rays: a ray that goes to any other depth leaves it as often as it
    /// enters it. Everywhere, for one that is not closed, or that only somebody else says is.
    pub ranges: Vec<[f32; 2]>,
    /// For every member, what its box has in common with those of others, or all of it when it may collide with itself.
    pub common: Vec<Bounds>,
    /// Most pixels that any of them is from the corner of the image.
    pub farthest_pixel: f64,
}

impl Flow {
    /// Every stage, on the CPU. `false` when there are more triangles than the method can number; nothing was done then.
    pub(crate) fn run(&mut self, scene: &Scene, options: &Options, report: &mut Report) -> bool {
        let looking = Looking::from(&options.peel);
        let Some(looks) = self.begin(scene, &[], Method::DepthPeel, &looking, report) else { return false };
        for Look { view, members, .. } in &looks {
            let packed = look(scene, members, view, &options.peel, report);
            let tested: Vec<Tested> =
                packed.iter().filter_map(|packed| tested(scene, members, packed)).collect();
            // Projected in doubles: only the last rounding, to a float within the image, counts.
            self.test(view, &tested, view.width.max(view.height) as f32, options.threads, report);
        }
        self.finish(scene, options, &|_| None, report);
        true
    }

    /// Boxes and pairs of bodies, and from them the views: none when no boxes overlap, several where groups of bodies are
    /// far apart. `None` when there are more vertices or triangles than a `u32` can number.
    pub fn begin(
        &mut self,
        scene: &Scene,
        external: &[External],
        method: Method,
        looking: &Looking,
        report: &mut Report,
    ) -> Option<Vec<Look>> {
        let members = self.survey(scene, external, method, true, report)?;
        let mut clock = self.clock.take().unwrap_or_else(Clock::start);
        let elsewhere = |id: BodyId| external.iter().find(|body| body.id == id);
        let mut shared = vec![Bounds::EMPTY; self.boxes.len()];
        for pair in &self.pairs {
            let [a, b] = [pair.a, pair.b].map(|slot| slot as usize);
            let common = self.boxes[a].common(&self.boxes[b]);
            (shared[a], shared[b]) = (shared[a].union(common), shared[b].union(common));
        }
        let common: Vec<Bounds> = members.iter().map(|member| shared[member.id.index()]).collect();
        let mut looks = Vec::new();
        for group in Group::of(&self.pairs, &self.boxes) {
            let is_here = |id: BodyId| group.slots.binary_search(&id.index()).is_ok();
            let held: Vec<&Body> = scene
                .bodies()
                .filter(|(id, _)| is_here(*id) && elsewhere(*id).is_none())
                .map(|(_, body)| body)
                .collect();
            let boxes: Vec<Bounds> = group.slots.iter().map(|&slot| self.boxes[slot]).collect();
            for view in View::choose(looking, &group.regions, &boxes, area(&held)) {
                let active = |member: &Member| Member { active: is_here(member.id), ..*member };
                let depths = view.depths(&group.regions);
                let known = |member: &Member| member.closed && elsewhere(member.id).is_none();
                let range = |member: &Member| {
                    let everywhere = [f32::MIN, f32::MAX];
                    if known(member) { view.range(&self.boxes[member.id.index()]) } else { everywhere }
                };
                let far = boxes.iter().map(|bounds| view.farthest_pixel(bounds)).fold(0.0, f64::max);
                let farthest_pixel = far.max(f64::from(view.width.max(view.height)));
                let ranges = members.iter().map(range).collect();
                let members = members.iter().map(active).collect();
                let common = common.clone();
                looks.push(Look { view, members, depths, ranges, common, farthest_pixel });
            }
        }
        report.image = Some(ImageStages { resolution: looking.pixels, ..ImageStages::default() });
        clock.lap(&mut report.stages.broad_phase);
        self.clock = Some(clock);
        Some(looks)
    }

    /// Boxes and pairs of bodies, and where their vertices and triangles go; which are closed only if that is asked for. `None`
    /// when there are more vertices or triangles than a `u32` can number.
    pub(crate) fn survey(
        &mut self,
        scene: &Scene,
        external: &[External],
        method: Method,
        closedness: bool,
        report: &mut Report,
    ) -> Option<Vec<Member>> {
        let mut clock = self.clock.take().unwrap_or_else(Clock::start);
        begin_report(scene, external, method, report);
        let elsewhere = |id: BodyId| external.iter().find(|body| body.id == id);
        self.kept.resize(scene.slots(), Kept::default());
        self.boxes.clear();
        self.boxes.resize(scene.slots(), Bounds::EMPTY);
        for (id, body) in scene.bodies() {
            let kept = &mut self.kept[id.index()];
            if elsewhere(id).is_none() {
                kept.follow(body, closedness);
            }
            self.boxes[id.index()] = elsewhere(id).map_or(kept.bounds, |body| body.bounds);
        }
        clock.lap(&mut report.stages.update);
        self.broad_phase.update(&self.boxes);
        self.pairs.clear();
        self.pairs.extend(self.broad_phase.pairs());
        let looks_at_itself = scene.bodies().filter(|(_, body)| body.self_collision());
        self.pairs.extend(looks_at_itself.map(|(id, _)| BodyPair::same(id.index())));
        self.pairs.sort_unstable();
        report.stages.body_pairs = self.pairs.len();

        self.elsewhere.clear();
        self.elsewhere.extend(external.iter().map(|body| body.id.index() as u32));
        let mut members = Self::arrange(scene, external)?;
        for member in &mut members {
            let slot = member.id.index();
            member.closed = elsewhere(member.id).map_or(self.kept[slot].closed, |other| other.closed);
        }
        clock.lap(&mut report.stages.broad_phase);
        self.clock = Some(clock);
        Some(members)
    }

    /// Pairs of bodies whose boxes overlap, and bodies that look at themselves, by slot, sorted.
    pub(crate) fn pairs(&self) -> &[BodyPair] {
        &self.pairs
    }

    /// Boxes of bodies in the world, by slot.
    pub(crate) fn boxes(&self) -> &[Bounds] {
        &self.boxes
    }

    /// What was done since the last stage was culling.
    pub(crate) fn culled(&mut self, report: &mut Report) {
        self.clock.get_or_insert_with(Clock::start).lap(&mut report.stages.culling);
    }

    /// Starts the clock of a frame, when something must be done before [`Self::begin`]; it counts as update.
    pub fn start(&mut self) {
        self.clock = Some(Clock::start());
    }

    /// Where vertices and triangles of all bodies go. Bodies held elsewhere come last, so that what is known of them alone
    /// is in one piece too. Which are closed and active is known when a frame begins.
    pub fn arrange(scene: &Scene, external: &[External]) -> Option<Vec<Member>> {
        let elsewhere = |id: BodyId| external.iter().find(|body| body.id == id);
        let entry = |(id, body): (BodyId, &Body)| {
            let other = elsewhere(id);
            Entry {
                id,
                vertices: other.map_or(body.mesh().positions().len(), |other| other.vertices),
                triangles: other.map_or(body.mesh().triangles().len(), |other| other.triangles),
                closed: false,
                mirrored: gather::is_mirror(body),
                active: false,
            }
        };
        let (theirs, ours): (Vec<_>, Vec<_>) = scene.bodies().partition(|(id, _)| elsewhere(*id).is_some());
        gather::arrange(ours.into_iter().chain(theirs).map(entry))
    }

    /// The exact test of what one view has found; contacts of several views add up.
    ///
    /// `pixels` is the most that the terms of an image coordinate add up to, which tells how far vertices may be off.
    pub fn test(
        &mut self,
        view: &View,
        triangles: &[Tested],
        pixels: f32,
        threads: usize,
        report: &mut Report,
    ) {
        /// Fewer triangles are tested before other threads would have woken up.
        const FEW: usize = 2000;
        let clock = self.clock.get_or_insert_with(Clock::start);
        clock.lap(&mut report.stages.culling);
        let swept = if threads == 1 || triangles.len() < FEW {
            sweep::sweep(view, triangles, pixels)
        } else {
            rayon::join(|| sweep::sweep(view, triangles, pixels), || ()).0
        };
        report.contacts.extend(swept.unsorted_contacts);
        report.stages.candidates += swept.tests;
        report.stages.exact += swept.tests;
        let stages = report.image.get_or_insert_default();
        stages.views += 1;
        stages.read_back += triangles.len();
        stages.involved += swept.involved;
        stages.tests += swept.tests;
        clock.lap(&mut report.stages.narrow_phase);
    }

    /// The exact test of the pairs of triangles that one view has found, each once; contacts of several views add up. `piece`
    /// knows every triangle by its number among all.
    pub fn test_pairs(
        &mut self,
        pairs: &[[u32; 2]],
        piece: &(dyn Fn(u32) -> Option<Piece> + Sync),
        threads: usize,
        report: &mut Report,
    ) {
        /// Fewer pairs are tested before other threads would have woken up.
        const FEW: usize = 2000;
        let clock = self.clock.get_or_insert_with(Clock::start);
        clock.lap(&mut report.stages.culling);
        let contacts = if threads == 1 || pairs.len() < FEW {
            a_buffer::exact::contacts(pairs, piece)
        } else {
            rayon::join(|| a_buffer::exact::contacts(pairs, piece), || ()).0
        };
        report.contacts.extend(contacts);
        report.stages.candidates += pairs.len();
        report.stages.exact += pairs.len();
        let mut involved: Vec<u32> = pairs.iter().flatten().copied().collect();
        involved.sort_unstable();
        involved.dedup();
        let stages = report.image.get_or_insert_default();
        stages.views += 1;
        stages.read_back += involved.len();
        stages.involved += involved.len();
        stages.tests += pairs.len();
        clock.lap(&mut report.stages.narrow_phase);
    }

    /// Sorts and sums up; looks for containments where no contact was found. `elsewhere` has the world corners of
    /// triangles that the scene does not hold.
    pub fn finish(
        &mut self,
        scene: &Scene,
        options: &Options,
        elsewhere: &dyn Fn(Element) -> Option<[Point; 3]>,
        report: &mut Report,
    ) {
        let mut clock = self.clock.take().unwrap_or_else(Clock::start);
        let key = |c: &Contact| (c.a.body, c.b.body, c.a.triangle, c.b.triangle);
        report.contacts.sort_unstable_by_key(key);
        report.contacts.dedup();
        report.summarise_pairs();
        clock.lap(&mut report.stages.narrow_phase);
        let any = options.query == Query::Any;
        if options.containment && !(any && report.collides()) {
            // Containment asks for every contact of a pair: a body may touch from inside the one that holds it. A sampled list may
            // lack some, but a pair whose list is empty most likely has none; a body that pokes out between rays is taken for
            // one inside.
            let complete = report.complete;
            let slots = |pair: &crate::contacts::PairContacts| (pair.a.index() as u32, pair.b.index() as u32);
            let apart = |pair: &BodyPair| {
                complete
                    || report.pairs.binary_search_by(|listed| slots(listed).cmp(&(pair.a, pair.b))).is_err()
            };
            // Of what is held elsewhere there is too little here to tell what is inside it.
            let here = |pair: &BodyPair| ![pair.a, pair.b].iter().any(|slot| self.elsewhere.contains(slot));
            let pairs: Vec<BodyPair> =
                self.pairs.iter().copied().filter(|pair| apart(pair) && here(pair)).collect();
            self.containments.find(scene, &pairs, &self.boxes, report);
            clock.lap(&mut report.stages.containment);
        }
        report.conclude(scene, options, elsewhere, clock);
    }

    /// The end of a frame of a method that finds no contacts.
    pub(crate) fn conclude(&mut self, scene: &Scene, options: &Options, report: &mut Report) {
        let mut clock = self.clock.take().unwrap_or_else(Clock::start);
        clock.lap(&mut report.stages.culling);
        report.conclude(scene, options, &|_| None, clock);
    }
}

/// Starts a report over; triangles are counted where they are.
pub(crate) fn begin_report(scene: &Scene, external: &[External], method: Method, report: &mut Report) {
    report.begin(scene, method);
    report.complete = false;
    for body in external {
        let not_looked_at = scene.body(body.id).map_or(0, |body| body.mesh().triangles().len());
        report.stages.triangles = report.stages.triangles - not_looked_at + body.triangles;
    }
}

/// The stages from vertices to packed triangles, for one view.
fn look(
    scene: &Scene,
    members: &[Member],
    view: &View,
    options: &PeelOptions,
    report: &mut Report,
) -> Vec<PackedTriangle> {
    let pixels = [view.width, view.height];
    let mut clock = Clock::start();
    let mut stages = report.image.take().unwrap_or_default();
    let (vertices, triangles) = gather::gather(scene, members, view);
    clock.lap(&mut stages.project);
    let rule = |deepest| Rule::new(options, view, deepest);
    let (rays, deepest) = depth_peel::sample(pixels, &vertices, &triangles, members, rule);
    clock.lap(&mut stages.sample);
    let wide = rays.widened(options.widening());
    let mipmap = RayMipmap::new(&wide);
    clock.lap(&mut stages.merge);
    let sparse = separate::separate(&vertices, &triangles, members, &mipmap);
    clock.lap(&mut stages.separate);
    let packed = pack::pack(&sparse);
    clock.lap(&mut stages.pack);
    stages.saw(&rule(deepest), deepest, rays.count());
    report.image = Some(stages);
    packed
}

impl Kept {
    /// Takes the box and the topology of a body that changed.
    fn follow(&mut self, body: &Body, closedness: bool) {
        let placed = Some((body.positions_version(), body.pose_version()));
        if self.placed != placed {
            self.placed = placed;
            let positions: &dyn Fn(usize) -> Point = &|vertex| body.world_position(vertex);
            self.bounds = Bounds::of((0..body.mesh().positions().len()).map(positions));
        }
        let topology = Some(body.topology_version());
        if closedness && self.topology != topology {
            self.topology = topology;
            let edges = body.mesh().topology();
            self.closed = edges.is_closed() && edges.is_oriented();
        }
    }
}

/// Area of some triangles of the bodies as seen along each axis, in no particular unit.
fn area(bodies: &[&Body]) -> [f64; 3] {
    const LOOKED_AT: usize = 4096;
    let count: usize = bodies.iter().map(|body| body.mesh().triangles().len()).sum();
    let largest = bodies.iter().fold(f64::MIN_POSITIVE, |most, body| most.max(body.world_magnitude()));
    let every = count.div_ceil(LOOKED_AT).max(1);
    let mut area = [0.0; 3];
    for body in bodies {
        for triangle in (0..body.mesh().triangles().len()).step_by(every) {
            let [a, b, c] = body.world_corners(triangle).map(|p| p.map(|c| c / largest));
            let [u, v]: [Point; 2] = [b, c].map(|p| std::array::from_fn(|k| p[k] - a[k]));
            let normal = cross(u, v);
            area = std::array::from_fn(|k| area[k] + normal[k].abs());
        }
    }
    area
}

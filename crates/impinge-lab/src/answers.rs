//! Every answer of the library in a few numbers: one for each scene and method, and one over all of them. Two states of the library
//! that print the same give the same answers.
//!
//! Numbers are written one by one, in an order that stands in this file, so that they stay the same when types get other names or
//! other fields. Everything that names those types is in the module `library`, at the end.

use anyhow::{Result, ensure};
use library::Machine;
use std::collections::BTreeMap;
use std::io::Write;

/// Triangles of every scene, and how far the frames that are looked at are on the way from its first one to its last: where most
/// scenes have contacts.
const TRIANGLES: usize = 2000;
const FRAMES: [f64; 3] = [0.5, 0.75, 1.0];

/// Scenes that are looked at once more, in one frame, with so many triangles: the library uses one thread for few.
const LARGE: [&str; 5] = ["knots", "creatures", "cloth", "soup", "big"];
const LARGE_TRIANGLES: usize = 32_000;

/// Numbers of threads that must give the same.
const THREADS: [usize; 2] = [1, 2];

/// Rays, or pixels, across and down.
const RESOLUTION: [u32; 2] = [128; 2];

const SEED: u64 = 1;

/// Prints a line for every scene with this in its name, with a hash for every method, and one hash over all; with the GPU of that
/// name or without any. An error when the number of threads makes a difference.
pub fn answers(gpu: Option<&str>, only: &str, out: &mut impl Write) -> Result<()> {
    ensure!(jobs(only).next().is_some(), "the lab has no scene with '{only}' in its name");
    let which = if only.is_empty() { String::new() } else { format!(" with '{only}' in its name") };
    writeln!(
        out,
        "Every scene of the lab{which} at about {TRIANGLES} triangles, {} frames, and some at {LARGE_TRIANGLES} (+), 1 frame; images\n\
         of {} x {}.",
        FRAMES.len(),
        RESOLUTION[0],
        RESOLUTION[1]
    )?;
    let mut different = Vec::new();
    let mut machines = THREADS.map(Machine::cpu);
    let mut cpu = Table::new(machines[0].columns());
    cpu.head("CPU, 1 and 2 threads", out)?;
    for job in jobs(only) {
        let [one, two] = machines.each_mut().map(|machine| job.run(machine));
        let (one, two) = (one?, two?);
        for column in cpu.columns.iter().filter(|column| one.cells.get(*column) != two.cells.get(*column)) {
            different.push(format!("{} {column}", job.name()));
        }
        cpu.add(&job.name(), one, out)?;
    }
    let cpu = cpu.finish(out)?;
    let mut total = cpu;
    let mut what = "without a GPU";
    if let Some(name) = gpu {
        let mut machine = Machine::gpu(name)?;
        let mut table = Table::new(machine.columns());
        table.head(&format!("GPU, {}", machine.name()), out)?;
        for job in jobs(only) {
            let line = job.run(&mut machine)?;
            table.add(&job.name(), line, out)?;
        }
        total = Fnv::default();
        total.hash(cpu);
        total.hash(table.finish(out)?);
        what = "CPU and GPU";
    }
    writeln!(out, "\n{:016x}  {what}", total.0)?;
    ensure!(different.is_empty(), "other answers with 2 threads than with 1: {}", different.join(", "));
    Ok(())
}

/// A scene at a size.
struct Job {
    scene: &'static crate::LabScene,
    large: bool,
}

fn jobs(only: &str) -> impl Iterator<Item = Job> {
    let all = || crate::all().iter().filter(move |scene| scene.name.contains(only));
    let small = all().map(|scene| Job { scene, large: false });
    let large = all().filter(|scene| LARGE.contains(&scene.name)).map(|scene| Job { scene, large: true });
    small.chain(large)
}

impl Job {
    fn name(&self) -> String {
        if self.large { format!("{} +", self.scene.name) } else { self.scene.name.to_owned() }
    }

    /// Every method on every frame.
    fn run(&self, machine: &mut Machine) -> Result<Line> {
        let mut line = Line::default();
        let mut motion = self.scene.build(if self.large { LARGE_TRIANGLES } else { TRIANGLES }, SEED);
        for way in if self.large { &FRAMES[1..2] } else { &FRAMES[..] } {
            motion.set_frame((way * (motion.frames - 1) as f64) as usize)?;
            machine.look(&motion, &mut line)?;
        }
        Ok(line)
    }
}

/// What was found on a scene.
#[derive(Default)]
struct Line {
    /// For a reader: contacts of all frames.
    contacts: usize,
    /// By column.
    cells: BTreeMap<&'static str, Fnv>,
}

impl Line {
    fn cell(&mut self, column: &'static str) -> &mut Fnv {
        self.cells.entry(column).or_default()
    }
}

/// What was found on all scenes.
struct Table {
    columns: &'static [&'static str],
    all: Line,
}

impl Table {
    fn new(columns: &'static [&'static str]) -> Self {
        Self { columns, all: Line::default() }
    }

    fn head(&self, title: &str, out: &mut impl Write) -> Result<()> {
        write!(out, "\n{title}\n\n{:<12} {:>8}", "scene", "contacts")?;
        for column in self.columns {
            write!(out, " {column:>8}")?;
        }
        Ok(writeln!(out)?)
    }

    fn add(&mut self, name: &str, line: Line, out: &mut impl Write) -> Result<()> {
        self.print(name, &line, out)?;
        self.all.contacts += line.contacts;
        for (column, hash) in line.cells {
            let all = self.all.cell(column);
            all.text(name);
            all.hash(hash);
        }
        Ok(())
    }

    /// The hash over all cells.
    fn finish(&self, out: &mut impl Write) -> Result<Fnv> {
        self.print("all", &self.all, out)?;
        let mut total = Fnv::default();
        for column in self.columns {
            if let Some(hash) = self.all.cells.get(column) {
                total.text(column);
                total.hash(*hash);
            }
        }
        Ok(total)
    }

    /// A line; of each hash one half, folded into the other.
    fn print(&self, name: &str, line: &Line, out: &mut impl Write) -> Result<()> {
        write!(out, "{name:<12} {:>8}", line.contacts)?;
        for column in self.columns {
            match line.cells.get(column) {
                Some(Fnv(hash)) => write!(out, " {:08x}", (hash >> 32) as u32 ^ *hash as u32)?,
                None => write!(out, " {:>8}", "-")?,
            }
        }
        writeln!(out)?;
        Ok(out.flush()?)
    }
}

/// FNV-1a over the bytes of numbers, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn hash(&mut self, hash: Self) {
        self.bytes(&hash.0.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// A yes or no, or a number that tells cases apart.
    fn tag(&mut self, tag: impl Into<u8>) {
        self.bytes(&[tag.into()]);
    }

    fn number(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    fn real(&mut self, x: f64) {
        self.bytes(&x.to_bits().to_le_bytes());
    }

    fn reals<const N: usize>(&mut self, all: [f64; N]) {
        for x in all {
            self.real(x);
        }
    }
}

/// Everything that names types of the library: what is asked, and the numbers of what comes back.
mod library {
    use super::{Fnv, Line, RESOLUTION};
    use crate::Motion;
    use anyhow::Result;
    use impinge::contacts::{ABufferOptions, Culled, CullideOptions, GridOptions, PeelOptions, RayStats};
    use impinge::interference::{CastStages, Interference, RayCastOptions, RayCaster};
    use impinge::overlap_cells::{
        Answer, Crossing, DecidedBy, Overlaps, PairOverlap, Paths, SliceOptions, Slicer, Volume,
    };
    use impinge::{
        BodyId, Bounds, Collider, Contact, ContactShape, Containment, Element, Method, Options, PairContacts,
        Pose, Query, Report, Response, Scene,
    };
    use impinge_gpu::{Context, GpuCollider, GpuError};

    /// What is asked.
    #[derive(Clone, Copy, PartialEq)]
    enum Question {
        Contacts(Method),
        Interference,
        Overlap,
    }

    /// Every method, and the column that has its answers.
    fn questions() -> [(&'static str, Question); 9] {
        let [peel, a_buffer, cullide] = [
            Method::DepthPeel(PeelOptions { resolution: RESOLUTION, ..PeelOptions::default() }),
            Method::ABuffer(ABufferOptions { resolution: RESOLUTION, ..ABufferOptions::default() }),
            Method::Cullide(CullideOptions { resolution: RESOLUTION, ..CullideOptions::default() }),
        ];
        [
            ("auto", Question::Contacts(Method::Auto)),
            ("bvh", Question::Contacts(Method::Bvh)),
            ("brute", Question::Contacts(Method::BruteForce)),
            ("conserv", Question::Contacts(Method::Grid(GridOptions::default()))),
            ("peel", Question::Contacts(peel)),
            ("cast", Question::Interference),
            ("slices", Question::Overlap),
            ("a-buffer", Question::Contacts(a_buffer)),
            ("cullide", Question::Contacts(cullide)),
        ]
    }

    /// What was given: every corner of every triangle.
    const GIVEN: &str = "given";
    /// Points and normals of the contacts of `bvh` and `conservative`, and which way triangles should go.
    const SHAPES: &str = "shapes";
    /// Whether anything collides, by every method, when no more is asked.
    const ANY: &str = "any";
    /// How much was seen by methods that look along rays or at pixels.
    const SEEN: &str = "seen";
    /// Two bodies on their way past each other.
    const PATHS: &str = "paths";

    const ON_CPU: [&str; 14] = [
        GIVEN, "auto", "bvh", "brute", "conserv", SHAPES, ANY, "peel", "cast", "slices", "a-buffer",
        "cullide", SEEN, PATHS,
    ];

    /// The other complete methods mean `conservative` there.
    const ON_GPU: [&str; 10] =
        ["conserv", SHAPES, ANY, "peel", "cast", "slices", "a-buffer", "cullide", SEEN, PATHS];

    /// Every triangle is held against every other of at most so many.
    const MAX_BRUTE_FORCE_TRIANGLES: usize = 5000;

    /// Steps of a way.
    const STEPS: usize = 7;

    /// Something that finds collisions. One for all scenes: what it keeps is of another scene now and then.
    pub(super) enum Machine {
        Cpu { collider: Box<Collider>, caster: Box<RayCaster>, slicer: Box<Slicer> },
        Gpu { collider: Box<GpuCollider>, name: String },
    }

    /// An answer to any question, with what only some have.
    #[derive(Clone, Debug, Default)]
    struct Found {
        complete: bool,
        collides: bool,
        contacts: Vec<Contact>,
        pairs: Vec<PairContacts>,
        containments: Vec<Containment>,
        shapes: Vec<ContactShape>,
        responses: Vec<Response>,
        rays: Option<RayStats>,
        culled: Option<Culled>,
        /// Bodies that `cullide` was not asked about.
        not_looked_at: Vec<BodyId>,
        interference: Option<Interference>,
        overlaps: Option<Overlaps>,
    }

    impl From<&Report> for Found {
        fn from(report: &Report) -> Self {
            Self {
                complete: report.complete,
                collides: report.collides(),
                contacts: report.contacts.clone(),
                pairs: report.pairs.clone(),
                containments: report.containments.clone(),
                shapes: report.shapes.clone(),
                responses: report.responses.clone(),
                rays: report.rays().copied(),
                culled: report.culled().cloned(),
                ..Self::default()
            }
        }
    }

    impl From<Interference> for Found {
        fn from(found: Interference) -> Self {
            Self { collides: found.collides(), interference: Some(found), ..Self::default() }
        }
    }

    impl From<Overlaps> for Found {
        fn from(found: Overlaps) -> Self {
            Self {
                complete: found.complete,
                collides: found.collides(),
                contacts: found.contacts.clone(),
                pairs: found.contact_pairs.clone(),
                containments: found.containments.clone(),
                overlaps: Some(found),
                ..Self::default()
            }
        }
    }

    impl Machine {
        /// With so many threads.
        pub(super) fn cpu(threads: usize) -> Self {
            Self::Cpu {
                collider: Box::new(Collider::new(Options { threads, ..Options::default() })),
                caster: Box::new(RayCaster::new(RayCastOptions { threads, ..casting() })),
                slicer: Box::new(Slicer::new(SliceOptions { threads, ..SliceOptions::default() })),
            }
        }

        /// On the adapter of this name.
        pub(super) fn gpu(name: &str) -> Result<Self> {
            let context = Context::on(Some(name))?;
            let name = context.adapter.clone();
            let mut collider = Box::new(GpuCollider::new(context)?);
            collider.options.threads = 1;
            Ok(Self::Gpu { collider, name })
        }

        /// What it is called.
        pub(super) fn name(&self) -> &str {
            match self {
                Self::Cpu { .. } => "CPU",
                Self::Gpu { name, .. } => name,
            }
        }

        /// What it has answers for.
        pub(super) fn columns(&self) -> &'static [&'static str] {
            match self {
                Self::Cpu { .. } => &ON_CPU,
                Self::Gpu { .. } => &ON_GPU,
            }
        }

        /// Adds what every method finds on the scene as it stands.
        pub(super) fn look(&mut self, motion: &Motion, line: &mut Line) -> Result<()> {
            let scene = &motion.scene;
            let columns = self.columns();
            if columns.contains(&GIVEN) {
                given(scene, line.cell(GIVEN));
            }
            let many = motion.triangles() > MAX_BRUTE_FORCE_TRIANGLES;
            for (column, question) in questions() {
                let brute = question == Question::Contacts(Method::BruteForce);
                if !columns.contains(&column) || many && brute {
                    continue;
                }
                match self.ask(scene, question, Query::All)? {
                    Some(found) => {
                        answer(&found, line.cell(column));
                        saw(&found, line.cell(SEEN));
                        if has_shapes(question) {
                            shapes(&found, line.cell(SHAPES));
                        }
                        if column == "conserv" {
                            line.contacts += found.contacts.len();
                        }
                    }
                    None => line.cell(column).tag(NO_ANSWER),
                }
                let found = self.ask(scene, question, Query::Any)?;
                line.cell(ANY).tag(found.is_some_and(|found| found.collides));
            }
            self.pass(motion, line.cell(PATHS))
        }

        /// What a method finds; `None` where it says that it cannot.
        fn ask(&mut self, scene: &Scene, question: Question, query: Query) -> Result<Option<Found>> {
            // What is asked about bodies with themselves is asked of methods that can tell.
            let between = matches!(question, Question::Contacts(Method::Cullide(_)));
            let not_looked_at: Vec<BodyId> = scene
                .bodies()
                .filter(|(_, body)| between && body.self_collision())
                .map(|(id, _)| id)
                .collect();
            let mut without = None;
            for &id in &not_looked_at {
                without.get_or_insert_with(|| scene.clone()).set_self_collision(id, false)?;
            }
            let scene = without.as_ref().unwrap_or(scene);
            let found = match (self, question) {
                (Self::Cpu { collider, .. }, Question::Contacts(method)) => {
                    choose(&mut collider.options, method, query);
                    Ok(Found::from(collider.collide(scene)?))
                }
                (Self::Gpu { collider, .. }, Question::Contacts(method)) => {
                    choose(&mut collider.options, method, query);
                    collider.collide(scene).map(Found::from)
                }
                (Self::Cpu { caster, .. }, Question::Interference) => {
                    caster.options.query = query;
                    Ok(caster.find(scene)?.clone().into())
                }
                (Self::Gpu { collider, .. }, Question::Interference) => {
                    collider.interference(scene, &RayCastOptions { query, ..casting() }).map(Found::from)
                }
                (Self::Cpu { slicer, .. }, Question::Overlap) => {
                    slicer.options.query = query;
                    Ok(slicer.find(scene).clone().into())
                }
                (Self::Gpu { collider, .. }, Question::Overlap) => {
                    let options = SliceOptions { query, threads: 1, ..SliceOptions::default() };
                    collider.overlaps(scene, &options).map(Found::from)
                }
            };
            match found {
                Ok(found) => {
                    let complete = found.complete && not_looked_at.is_empty();
                    Ok(Some(Found { complete, not_looked_at, ..found }))
                }
                Err(GpuError::BeyondFloats) => Ok(None),
                Err(error) => Err(error.into()),
            }
        }

        /// The first two bodies, one of them carried past the other.
        fn pass(&mut self, motion: &Motion, fnv: &mut Fnv) -> Result<()> {
            let scene = &motion.scene;
            let [still, moving, ..] = motion.bodies[..] else { return Ok(()) };
            let (Some(a), Some(b)) = (scene.body(still), scene.body(moving)) else { return Ok(()) };
            let [around_a, around_b] = [a, b].map(|body| {
                Bounds::of((0..body.mesh().positions().len()).map(|vertex| body.world_position(vertex)))
            });
            let mut steps = Vec::new();
            for step in 0..STEPS {
                let way = step as f64 / (STEPS - 1) as f64;
                let mut rows = *b.pose().rows();
                // From before it to behind it along x.
                let from = around_a.min[0] - around_b.max[0];
                let to = around_a.max[0] - around_b.min[0];
                rows[0][3] += 1.25 * (from * (1.0 - way) + to * way);
                steps.push([*a.pose(), Pose::from_rows(rows)?]);
            }
            for between in [false, true] {
                let found = match self {
                    Self::Cpu { slicer, .. } => slicer.paths(scene, [still, moving], &steps, between)?,
                    Self::Gpu { collider, .. } => {
                        let options = SliceOptions::default();
                        collider.paths(scene, [still, moving], &steps, between, &options)?
                    }
                };
                paths(&found, fnv);
            }
            Ok(())
        }
    }

    /// Stands where there is no answer, or one that this file does not know.
    const NO_ANSWER: u8 = 255;

    fn casting() -> RayCastOptions {
        RayCastOptions { resolution: RESOLUTION, ..RayCastOptions::default() }
    }

    fn choose(options: &mut Options, method: Method, query: Query) {
        (options.method, options.query) = (method, query);
        options.shapes = has_shapes(Question::Contacts(method));
        options.responses = options.shapes;
    }

    /// Whether shapes and responses are asked for.
    fn has_shapes(question: Question) -> bool {
        matches!(question, Question::Contacts(Method::Bvh | Method::Grid(_)))
    }

    fn given(scene: &Scene, fnv: &mut Fnv) {
        for (id, it) in scene.bodies() {
            body(id, fnv);
            fnv.tag(it.self_collision());
            let triangles = it.mesh().triangles();
            fnv.count(triangles.len());
            for (triangle, vertices) in triangles.iter().enumerate() {
                for vertex in vertices {
                    fnv.number(*vertex);
                }
                for corner in it.world_corners(triangle) {
                    fnv.reals(corner);
                }
            }
        }
    }

    fn answer(found: &Found, fnv: &mut Fnv) {
        fnv.tag(found.complete);
        contacts(&found.contacts, fnv);
        pairs(&found.pairs, fnv);
        containments(&found.containments, fnv);
        some(found.interference.as_ref(), fnv, interference);
        some(found.overlaps.as_ref(), fnv, sliced);
        some(found.culled.as_ref(), fnv, |left, fnv| culled(left, &found.not_looked_at, fnv));
    }

    fn contacts(all: &[Contact], fnv: &mut Fnv) {
        fnv.count(all.len());
        for contact in all {
            element(contact.a, fnv);
            element(contact.b, fnv);
        }
    }

    fn pairs(all: &[PairContacts], fnv: &mut Fnv) {
        fnv.count(all.len());
        for pair in all {
            body(pair.a, fnv);
            body(pair.b, fnv);
            fnv.count(pair.contacts.start);
            fnv.count(pair.contacts.end);
        }
    }

    fn containments(all: &[Containment], fnv: &mut Fnv) {
        fnv.count(all.len());
        for containment in all {
            body(containment.inner, fnv);
            body(containment.outer, fnv);
        }
    }

    fn shapes(report: &Found, fnv: &mut Fnv) {
        fnv.count(report.shapes.len());
        for shape in &report.shapes {
            shape_of(shape, fnv);
        }
        fnv.count(report.responses.len());
        for response in &report.responses {
            response_of(response, fnv);
        }
    }

    fn shape_of(shape: &ContactShape, fnv: &mut Fnv) {
        points(shape.points(), fnv);
        fnv.reals(shape.normal_a);
        fnv.reals(shape.normal_b);
    }

    fn response_of(response: &Response, fnv: &mut Fnv) {
        element(response.element, fnv);
        fnv.reals(response.direction);
    }

    fn interference(found: &Interference, fnv: &mut Fnv) {
        fnv.tag(found.any);
        bodies(&found.bodies, fnv);
        fnv.count(found.pairs.len());
        for pair in &found.pairs {
            body(pair.penetrating, fnv);
            body(pair.penetrated, fnv);
            fnv.count(pair.pixels);
        }
        fnv.count(found.edges.len());
        for edge in &found.edges {
            body(edge.body, fnv);
            fnv.number(edge.triangle);
            fnv.tag(edge.side);
        }
        fnv.count(found.points.len());
        for point in &found.points {
            fnv.reals(point.position);
            fnv.count(point.edge);
            body(point.inside, fnv);
        }
        bodies(&found.self_interfering, fnv);
        bodies(&found.not_closed, fnv);
        fnv.real(found.reach);
    }

    fn sliced(found: &Overlaps, fnv: &mut Fnv) {
        fnv.count(found.pairs.len());
        for pair in &found.pairs {
            sliced_pair(pair, fnv);
        }
        bodies(&found.not_looked_at, fnv);
    }

    fn sliced_pair(pair: &PairOverlap, fnv: &mut Fnv) {
        body(pair.a, fnv);
        body(pair.b, fnv);
        whether(&pair.answer, fnv);
        fnv.tag(match pair.by {
            DecidedBy::Boxes => 0,
            DecidedBy::Slices => 1,
            DecidedBy::NarrowPhase => 2,
            _ => NO_ANSWER,
        });
        fnv.tag(pair.certain);
        some(pair.volume.as_ref(), fnv, volume);
        some(pair.bounds.as_ref(), fnv, |bounds, fnv| {
            fnv.reals(bounds.min);
            fnv.reals(bounds.max);
        });
        fnv.count(pair.cells as usize);
        points(&pair.points, fnv);
        fnv.reals(pair.facing);
    }

    fn whether(answer: &Answer, fnv: &mut Fnv) {
        match answer {
            Answer::No => fnv.tag(0),
            Answer::Yes => fnv.tag(1),
            Answer::Maybe { volume: within } => {
                fnv.tag(2);
                volume(within, fnv);
            }
        }
    }

    fn volume(volume: &Volume, fnv: &mut Fnv) {
        for axis in volume.axes {
            fnv.reals(axis);
        }
        fnv.reals(volume.low);
        fnv.reals(volume.high);
    }

    fn culled(found: &Culled, not_looked_at: &[BodyId], fnv: &mut Fnv) {
        bodies(&found.bodies, fnv);
        fnv.count(found.body_pairs.len());
        for [a, b] in &found.body_pairs {
            body(*a, fnv);
            body(*b, fnv);
        }
        for count in [found.sub_bodies, found.sub_body_pairs, found.triangle_pairs] {
            fnv.count(count);
        }
        bodies(not_looked_at, fnv);
    }

    fn paths(found: &Paths, fnv: &mut Fnv) {
        match &found.crossing {
            Crossing::Never => fnv.tag(0),
            Crossing::At { step, answer } => {
                fnv.tag(1);
                fnv.count(*step);
                whether(answer, fnv);
            }
            Crossing::Between { step } => {
                fnv.tag(2);
                fnv.count(*step);
            }
            _ => fnv.tag(NO_ANSWER),
        }
        fnv.tag(found.certain);
    }

    /// Counts that tell more about what was sampled than the few contacts of a scene do.
    fn saw(report: &Found, fnv: &mut Fnv) {
        some(report.rays.as_ref(), fnv, image);
        some(report.interference.as_ref().map(|found| &found.stages), fnv, cast);
    }

    fn image(seen: &RayStats, fnv: &mut Fnv) {
        for count in [seen.views, seen.fragments, seen.rays] {
            fnv.count(count);
        }
        fnv.number(seen.deepest);
        fnv.number(seen.layers);
        fnv.tag(seen.limited);
    }

    fn cast(seen: &CastStages, fnv: &mut Fnv) {
        for count in [seen.views, seen.edges, seen.pixels, seen.marked, seen.crossings, seen.points] {
            fnv.count(count);
        }
        fnv.number(seen.layers);
        fnv.tag(seen.limited);
    }

    fn some<T>(value: Option<&T>, fnv: &mut Fnv, write: impl FnOnce(&T, &mut Fnv)) {
        fnv.tag(value.is_some());
        if let Some(value) = value {
            write(value, fnv);
        }
    }

    fn points(all: &[[f64; 3]], fnv: &mut Fnv) {
        fnv.count(all.len());
        for point in all {
            fnv.reals(*point);
        }
    }

    fn bodies(all: &[BodyId], fnv: &mut Fnv) {
        fnv.count(all.len());
        for id in all {
            body(*id, fnv);
        }
    }

    fn element(element: Element, fnv: &mut Fnv) {
        body(element.body, fnv);
        fnv.number(element.triangle);
    }

    fn body(id: BodyId, fnv: &mut Fnv) {
        fnv.count(id.index());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut fnv = Fnv::default();
        fnv.bytes(b"foobar");
        assert_eq!(fnv, Fnv(0x8594_4171_f739_67e8));
    }

    #[test]
    fn the_same_scene_has_the_same_answers() {
        let print = |scene| {
            let mut out = Vec::new();
            answers(None, scene, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let jets = print("jets");
        assert!(jets.lines().any(|line| line.starts_with("jets ")) && jets.ends_with("  without a GPU\n"));
        assert_eq!(jets, print("jets"));
        assert_ne!(jets.lines().last(), print("open").lines().last());
    }
}

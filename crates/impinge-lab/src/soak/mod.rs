//! Random small scenes that change, against every triangle with every other; and random pairs for what floats claim ([`filter`]).
//!
//! Scenes are nasty on purpose: corners on a coarse grid, so that triangles touch in every degenerate way; sizes from a thousandth
//! to a million beside each other; far from the origin; triangles without area, named twice, with vertices named twice; poses that
//! mirror, shear and flatten. Every third scene has sheets that are crumpled or folded, nearly flat or not at all. Every scene is made from its seed alone.

pub mod filter;

use crate::rng::Rng;
use impinge::contacts::GridOptions;
use impinge::{BodyId, Collider, Mesh, Method, Options, Point, Pose, Report, Scene};
use impinge_gpu::{GpuCollider, GpuError};

/// A scene and what is done to it.
pub struct Case {
    /// The bodies as they are now.
    pub scene: Scene,
    /// The choices of the method.
    pub options: GridOptions,
    /// How many frames there are.
    pub frames: usize,
    rng: Rng,
    ids: Vec<BodyId>,
    /// Size and place of everything.
    scale: f64,
    far: Point,
    /// Whether corners are on a grid.
    snaps: bool,
    /// Whether bodies are sheets.
    sheets: bool,
}

/// Vertices across a sheet.
const ACROSS: usize = 4;

impl Case {
    /// The scene of a seed, in its first frame.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5eed);
        let options = GridOptions {
            cell: 10f64.powf(rng.between(-2.0, 1.7)) as f32,
            most_cells: [0, 1, 3, 27, 128, 1000][rng.below(6)],
        };
        let scale = 10f64.powf(rng.between(-3.0, 6.0));
        let scale = if rng.below(2) == 0 { scale.log2().round().exp2() } else { scale };
        let far = match rng.below(3) {
            0 => 0.0,
            1 => scale * (1 << rng.below(8)) as f64,
            _ => 10f64.powf(rng.between(-2.0, 7.0)),
        };
        let far = std::array::from_fn(|_| far * rng.below(3) as f64 - far);
        let (snaps, frames) = (rng.below(2) == 0, 1 + rng.below(3));
        let sheets = seed % 3 == 1;
        let frames = if sheets { frames + 1 } else { frames };
        let mut case =
            Self { scene: Scene::new(), options, frames, rng, ids: Vec::new(), scale, far, snaps, sheets };
        for _ in 0..=case.rng.below(6) {
            case.add();
        }
        case
    }

    /// The next frame: bodies deform, move, are replaced, come and go.
    pub fn step(&mut self) {
        for id in self.ids.clone() {
            match self.rng.below(7) {
                0 => {
                    let count = self.scene.body(id).map_or(0, |body| body.mesh().positions().len());
                    let points = if self.sheets { self.sheet(count) } else { self.points(count) };
                    self.scene.set_positions(id, &points).expect("as many as before");
                }
                1 => {
                    let mesh = self.mesh();
                    self.scene.set_mesh(id, mesh).expect("it is there");
                }
                2 => {
                    let pose = self.pose();
                    self.scene.set_pose(id, pose).expect("it is there");
                }
                3 => {
                    let on = self.rng.below(2) == 0;
                    self.scene.set_self_collision(id, on).expect("it is there");
                }
                4 if self.ids.len() > 1 => {
                    self.ids.retain(|other| *other != id);
                    self.scene.remove(id).expect("it is there");
                }
                _ => {}
            }
        }
        if self.rng.below(3) == 0 && self.ids.len() < 6 {
            self.add();
        }
    }

    fn add(&mut self) {
        let mesh = self.mesh();
        let id = self.scene.add("body", mesh);
        let pose = self.pose();
        self.scene.set_pose(id, pose).expect("it is there");
        let on = self.rng.below(2) == 0;
        self.scene.set_self_collision(id, on).expect("it is there");
        self.ids.push(id);
    }

    /// Corners of a body: of its own size now and then, in an octant of their own now and then, flat now and then.
    fn points(&mut self, count: usize) -> Vec<Point> {
        let size = match self.rng.below(8) {
            0 => self.scale * 10f64.powf(self.rng.between(-6.0, 3.0)),
            1 => self.scale * (1 << self.rng.below(12)) as f64,
            _ => self.scale,
        };
        let grid = [1.0, 2.0, 8.0][self.rng.below(3)];
        // 0: both sides; 1, 2: one side only, so that boxes of bodies share a corner, an edge or a side.
        let sides: [usize; 3] =
            std::array::from_fn(|_| if self.rng.below(3) == 0 { 1 + self.rng.below(2) } else { 0 });
        let flat = (self.rng.below(8) == 0).then(|| self.rng.below(3));
        let mut point = || -> Point {
            std::array::from_fn(|k| {
                let x = self.rng.between(-2.0, 2.0);
                let x = if self.snaps { (x * grid).round() / grid } else { x };
                let x = [x, x.abs(), -x.abs()][sides[k]];
                self.far[k] + size * if flat == Some(k) { 0.0 } else { x }
            })
        };
        (0..count).map(|_| point()).collect()
    }

    /// Corners of a sheet, in rows of [`ACROSS`]: flat but for some noise, folded now and then, and then anywhere.
    fn sheet(&mut self, count: usize) -> Vec<Point> {
        let noise = 10f64.powf(self.rng.between(-9.0, 0.5));
        let folded = self.rng.below(2) == 0;
        let grid = [2.0, 8.0, 64.0][self.rng.below(3)];
        let up = self.rng.below(3);
        let point = |at: usize| -> Point {
            let (x, y) = ((at % ACROSS) as f64 - 1.5, (at / ACROSS) as f64 / 2.0 - 1.0);
            let flat = [if folded { x.abs() } else { x }, y, 0.3 * x * y];
            std::array::from_fn(|k| {
                let x = flat[(k + up) % 3] + noise * self.rng.between(-1.0, 1.0);
                let x = if self.snaps { (x * grid).round() / grid } else { x };
                self.far[k] + self.scale * x
            })
        };
        (0..count).map(point).collect()
    }

    fn sheet_mesh(&mut self) -> Mesh {
        let rows = 3 + self.rng.below(4);
        let mut triangles = Vec::new();
        for at in (0..(rows - 1) * ACROSS).filter(|at| at % ACROSS + 1 < ACROSS) {
            let [a, b, c, d] = [at, at + 1, at + ACROSS, at + ACROSS + 1].map(|v| v as u32);
            triangles.extend([[a, b, c], [b, d, c]]);
        }
        // Torn now and then: holes, and vertices of two fans.
        if self.rng.below(3) == 0 {
            for _ in 0..3 {
                triangles.swap_remove(self.rng.below(triangles.len()));
            }
        }
        let points = self.sheet(rows * ACROSS);
        Mesh::new(points, triangles).expect("in range")
    }

    fn mesh(&mut self) -> Mesh {
        if self.sheets {
            return self.sheet_mesh();
        }
        if self.rng.below(5) == 0 {
            // Closed: a box, or what its corners become.
            const BOX: [[u32; 3]; 12] = [
                [0, 2, 1],
                [1, 2, 3],
                [4, 5, 6],
                [5, 7, 6],
                [0, 1, 4],
                [1, 5, 4],
                [2, 6, 3],
                [3, 6, 7],
                [0, 4, 2],
                [2, 4, 6],
                [1, 3, 5],
                [3, 7, 5],
            ];
            let ends = self.points(2);
            let corner = |k: usize| std::array::from_fn(|axis| ends[k >> axis & 1][axis]);
            return Mesh::new((0..8).map(corner).collect::<Vec<Point>>(), BOX.to_vec()).expect("in range");
        }
        let count = 3 + self.rng.below(20);
        let points = self.points(count);
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        let many = if self.rng.below(10) == 0 { 60 } else { 15 };
        for at in 0..=self.rng.below(many) {
            let named: [u32; 3] = match self.rng.below(6) {
                // Named twice, and its vertices in another order.
                0 if at > 0 => {
                    let earlier = triangles[self.rng.below(at)];
                    self.rng.shuffled(earlier)
                }
                // A strip.
                1 | 2 => std::array::from_fn(|k| ((at + k) % count) as u32),
                _ => std::array::from_fn(|_| self.rng.below(count) as u32),
            };
            triangles.push(named);
        }
        if self.rng.below(2) == 0 {
            let rounded: Vec<[f32; 3]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
            return Mesh::new(rounded, triangles).expect("in range");
        }
        Mesh::new(points, triangles).expect("in range")
    }

    /// Mostly none; else turned, moved, mirrored, sheared or flattened about the place of the scene.
    fn pose(&mut self) -> Pose {
        let rng = &mut self.rng;
        let mut rows = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        match rng.below(12) {
            0 => {
                let turned = Pose::from_axis_angle(rng.direction(), rng.between(-3.0, 3.0), [0.0; 3]);
                rows = *turned.expect("finite").rows();
            }
            1 => rows[rng.below(3)][rng.below(3)] = rng.between(-1.0, 1.0),
            2 => {
                let axis = rng.below(3);
                rows[axis][axis] = -1.0;
            }
            3 => {
                let axis = rng.below(3);
                rows[axis][axis] = 0.0;
            }
            4 => {
                let factor = (1 << rng.below(8)) as f64 / 16.0;
                for (k, row) in rows.iter_mut().enumerate() {
                    row[k] = factor;
                }
            }
            5 => rows = [[0.0; 4]; 3],
            _ => {}
        }
        for (k, row) in rows.iter_mut().enumerate() {
            // What is at the place of the scene stays near it.
            let there: f64 = (0..3).map(|i| row[i] * self.far[i]).sum();
            let by = self.scale * if self.snaps { rng.below(3) as f64 - 1.0 } else { rng.between(-1.0, 1.0) };
            row[3] = self.far[k] - there + if rng.below(3) == 0 { by } else { 0.0 };
        }
        Pose::from_rows(rows).unwrap_or(Pose::IDENTITY)
    }
}

/// What went through so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Scenes, each frame of them one.
    pub frames: usize,
    /// Contacts in them.
    pub contacts: usize,
    /// Containments in them.
    pub containments: usize,
    /// Pairs that floats left to exact arithmetic on the GPU.
    pub doubtful: usize,
    /// Frames that a GPU's floats cannot hold.
    pub beyond: usize,
}

impl Tally {
    /// Adds what another job counted.
    pub fn add(&mut self, other: &Self) {
        self.frames += other.frames;
        self.contacts += other.contacts;
        self.containments += other.containments;
        self.doubtful += other.doubtful;
        self.beyond += other.beyond;
    }
}

/// Colliders that go through all scenes, so that what they keep is of other scenes.
pub struct Soak {
    truth: Collider,
    cpu: Collider,
    gpu: Option<GpuCollider>,
    /// Counts.
    pub tally: Tally,
}

impl Soak {
    /// With a GPU or without.
    pub fn new(gpu: Option<GpuCollider>) -> Self {
        let with = |method| Options { method, threads: 1, ..Options::default() };
        Self {
            truth: Collider::new(with(Method::BruteForce)),
            cpu: Collider::new(with(Method::Grid(GridOptions::default()))),
            gpu: gpu.map(|mut gpu| {
                gpu.options = with(Method::Grid(GridOptions::default()));
                gpu
            }),
            tally: Tally::default(),
        }
    }

    /// Every frame of a scene; what differs, if anything.
    pub fn run(&mut self, seed: u64) -> Result<(), String> {
        let mut case = Case::new(seed);
        self.cpu.options.method = Method::Grid(case.options);
        for frame in 0..case.frames {
            if frame > 0 {
                case.step();
            }
            let place = format!("seed {seed}, frame {frame}, {:?}", case.options);
            let truth = self.truth.collide(&case.scene).map_err(|error| error.to_string())?;
            self.tally.frames += 1;
            self.tally.contacts += truth.contacts.len();
            self.tally.containments += truth.containments.len();
            let report = self.cpu.collide(&case.scene).map_err(|error| error.to_string())?;
            same(truth, report).map_err(|what| format!("{place}, CPU: {what}"))?;
            let Some(gpu) = &mut self.gpu else { continue };
            gpu.options.method = Method::Grid(case.options);
            match gpu.collide(&case.scene) {
                Ok(report) => {
                    self.tally.doubtful += report.grid().map_or(0, |stats| stats.doubtful);
                    same(truth, report).map_err(|what| format!("{place}, GPU: {what}"))?;
                }
                Err(GpuError::BeyondFloats) => self.tally.beyond += 1,
                Err(error) => return Err(format!("{place}, GPU: {error}")),
            }
        }
        Ok(())
    }
}

/// Whether two reports tell the same.
fn same(truth: &Report, report: &Report) -> Result<(), String> {
    if !report.complete {
        return Err("not complete".to_owned());
    }
    if report.contacts != truth.contacts {
        let missed = truth.contacts.iter().filter(|contact| !report.contacts.contains(contact));
        let added = report.contacts.iter().filter(|contact| !truth.contacts.contains(contact));
        return Err(format!(
            "{} contacts, not {}; missed {:?}, added {:?}",
            report.contacts.len(),
            truth.contacts.len(),
            missed.take(3).collect::<Vec<_>>(),
            added.take(3).collect::<Vec<_>>()
        ));
    }
    if report.containments != truth.containments {
        return Err(format!("containments {:?}, not {:?}", report.containments, truth.containments));
    }
    Ok(())
}

//! The table of scenes: each a name, a sentence, and a function from a number of triangles and a seed to a motion.

mod big;
mod blobs;
mod boxes;
mod chain;
mod cloth;
mod creatures;
mod far;
mod jets;
mod knots;
mod nested;
mod open;
mod pile;
mod ribbon;
mod shatter;
mod soup;
mod spheres;
mod wave;
mod zoo;

use crate::motion::Motion;
use crate::shapes::MAX_TRIANGLES;
use impinge::SceneError;

/// A scene that can be built at any size.
#[derive(Clone, Copy, Debug)]
pub struct LabScene {
    /// What it is called.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub about: &'static str,
    /// About how many triangles show it well, and in a few seconds.
    pub triangles: usize,
    make: fn(usize, u64) -> Result<Motion, SceneError>,
}

impl LabScene {
    /// At about so many triangles (the nearest its shapes allow, at most 2^26). The same numbers give the same scene.
    pub fn build(&self, triangles: usize, seed: u64) -> Motion {
        let motion = (self.make)(triangles.clamp(1, MAX_TRIANGLES), seed);
        motion.expect("lab scenes stay within the range of f64, which the tests of this crate check")
    }
}

macro_rules! table {
    ($($module:ident $name:literal $triangles:literal $about:literal,)*) => {
        &[$(LabScene { name: $name, about: $about, triangles: $triangles, make: $module::make }),*]
    };
}

/// Every scene, in the order of the table.
pub fn all() -> &'static [LabScene] {
    table![
        spheres "spheres" 60_000 "balls of several sizes fly through each other, some swallow others",
        boxes "boxes" 20_000 "tumbling boxes, as many as there are triangles for",
        knots "knots" 60_000 "two entangled torus knots that deform",
        chain "chain" 60_000 "linked rings that are pulled until they bite",
        blobs "blobs" 60_000 "bumpy spheres and torus knots, rigid, moving",
        creatures "creatures" 60_000 "spheres with waving tentacles, and starships that try to pass",
        cloth "cloth" 60_000 "a cloth falls on a ball, drapes over it and folds into itself",
        jets "jets" 60_000 "two passenger jets at random poses in close proximity",
        pile "pile" 20_000 "boxes stacked face to face, lifted apart, and slid one cell aside",
        nested "nested" 40_000 "shells in shells, and a ball that wanders out through every wall",
        shatter "shatter" 60_000 "a plate is struck, cracks in two and breaks into pieces",
        zoo "zoo" 2_000 "points, segments, slivers, fans, twins and one-ulp gaps, each with its count",
        soup "soup" 12_000 "overlapping lattice tetrahedra and prisms, full of coincidences",
        open "open" 60_000 "open surfaces: bowls and pipes over terrain",
        ribbon "ribbon" 60_000 "a ribbon curls until it crosses itself",
        far "far" 60_000 "the same collision near the origin and very far from it",
        big "big" 60_000 "as many bodies as there are triangles for, at constant density",
    ]
}

/// The scene of that name.
pub fn find(name: &str) -> Option<&'static LabScene> {
    all().iter().find(|scene| scene.name == name)
}

/// Above this many bodies a known answer over all pairs costs more than it tells.
const MAX_BODIES_KNOWN: usize = 600;

/// Fractions of the way from the first frame to the last.
fn progress(frame: usize, frames: usize) -> f64 {
    frame as f64 / (frames.max(2) - 1) as f64
}

/// Turns done at a frame of a motion that comes back to its start after the last one.
fn turns(frame: usize, frames: usize) -> f64 {
    frame as f64 / frames as f64
}

/// Points of a cubic lattice about the origin, row by row, as many as asked for.
pub(crate) fn cube_lattice(count: usize, spacing: f64) -> impl Iterator<Item = crate::vector::Point> {
    let mut side = 1;
    while side * side * side < count {
        side += 1;
    }
    let middle = (side - 1) as f64 / 2.0;
    (0..count).map(move |i| {
        [i % side, i / side % side, i / side / side].map(|cell| (cell as f64 - middle) * spacing)
    })
}

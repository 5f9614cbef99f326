//! Casting rays at edges on the GPU against its definition on the CPU: every stage, pixel by pixel, on every scene of the
//! lab. A pixel may differ where the border of what it sees passes closer to its middle than rasterisers place vertices, and
//! where a surface is as deep as the edge; such pixels are counted, and are few.

mod common;

use common::{SNAPPING, box_of, context};
use impinge::interference::{Identify, RayCastOptions};
use impinge::stages::ScreenVertex;
use impinge::stages::interference::count::{self, Targets, Whose};
use impinge::stages::interference::edges::{self, Drawn, Line};
use impinge::{Direction, Mesh, Point, Projection, Scene};
use impinge_gpu::{CastInspection, GpuCollider};

/// Neither a power of two nor square.
const RESOLUTION: [u32; 2] = [300, 170];

/// Steps of a depth, and roundings of it.
const DEPTH_ERROR: f64 = 4.0 / 16_777_216.0;

/// What a comparison found.
#[derive(Debug, Default)]
struct Compared {
    casts: usize,
    pixels: usize,
    shown: usize,
    marked: usize,
    crossings: usize,
    /// Pixels where the edge, or the count, may differ; and where it does.
    doubtful_edges: usize,
    other_edges: usize,
    doubtful_counts: usize,
    other_counts: usize,
    other_crossings: usize,
    /// Largest difference of the end of a line, in pixels.
    ends: f32,
}

impl Compared {
    fn add(&mut self, other: &Self) {
        self.casts += 1;
        self.pixels += other.pixels;
        self.shown += other.shown;
        self.marked += other.marked;
        self.crossings += other.crossings;
        self.doubtful_edges += other.doubtful_edges;
        self.other_edges += other.other_edges;
        self.doubtful_counts += other.doubtful_counts;
        self.other_counts += other.other_counts;
        self.other_crossings += other.other_crossings;
        self.ends = self.ends.max(other.ends);
    }
}

type Flat = [f64; 2];

fn distance(q: Flat, a: Flat, b: Flat) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [q[0] - a[0], q[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let part =
        if square > 0.0 { ((to[0] * along[0] + to[1] * along[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (to[0] - part * along[0]).hypot(to[1] - part * along[1])
}

/// Calls `emit` for every pixel whose middle is in the box of some points, or nearly.
fn around(points: &[Flat], [width, height]: [u32; 2], mut emit: impl FnMut(usize, Flat)) {
    let span = |axis: usize, pixels: u32| {
        let low = points.iter().fold(f64::INFINITY, |low, p| low.min(p[axis])) - SNAPPING;
        let high = points.iter().fold(f64::NEG_INFINITY, |high, p| high.max(p[axis])) + SNAPPING;
        let [low, high] = [low - 0.5, high + 0.5].map(|c| c.clamp(0.0, f64::from(pixels)) as u32);
        low..(high + 1).min(pixels)
    };
    for y in span(1, height) {
        for x in span(0, width) {
            emit((y * width + x) as usize, [f64::from(x) + 0.5, f64::from(y) + 0.5]);
        }
    }
}

/// Pixels where some line's strip begins or ends.
fn doubtful_edges(seen: &CastInspection) -> Vec<bool> {
    let mut doubtful = vec![false; seen.shown[0].len()];
    for line in seen.lines.iter().filter(|line| **line != Line::NONE) {
        let [a, b] = line.ends.map(|end| [f64::from(end[0]), f64::from(end[1])]);
        let half = if line.is_level() { [0.0, 0.5] } else { [0.5, 0.0] };
        let moved = |p: Flat, sign: f64| [p[0] + sign * half[0], p[1] + sign * half[1]];
        let strip = [moved(a, -1.0), moved(a, 1.0), moved(b, 1.0), moved(b, -1.0)];
        around(&strip, seen.pixels, |pixel, q| {
            doubtful[pixel] |= (0..4).any(|k| distance(q, strip[k], strip[(k + 1) % 4]) <= SNAPPING);
        });
        // Where a line leaves the depth of the image, it is clipped.
        let ([low, high], slope) = (line.ends.map(|end| f64::from(end[2])), 0.01);
        let leaves =
            |depth: f64| (low - depth).min(high - depth) < slope && (low - depth).max(high - depth) > -slope;
        if leaves(0.0) || leaves(1.0) {
            around(&strip, seen.pixels, |pixel, _| doubtful[pixel] = true);
        }
    }
    doubtful
}

/// Pixels where the count before an edge may differ: triangles begin or end there, or are as deep as the edge.
fn doubtful_counts(seen: &CastInspection, targets: &Targets) -> Vec<bool> {
    let mut doubtful = vec![false; targets.lines.len()];
    let steep = |line: &Line| {
        let [a, b] = line.ends;
        let length = f64::from((b[0] - a[0]).abs().max((b[1] - a[1]).abs()));
        f64::from((b[2] - a[2]).abs()) / length.max(SNAPPING)
    };
    for corners in &seen.triangles {
        let t = corners.map(|vertex| seen.vertices[vertex as usize]);
        if !seen.members.get(t[0].body as usize).is_some_and(|member| member.active) {
            continue;
        }
        let p = t.map(|v: ScreenVertex| [f64::from(v.x), f64::from(v.y), f64::from(v.depth)]);
        let flat = p.map(|[x, y, _]| [x, y]);
        let [u, v]: [[f64; 3]; 2] = [1, 2].map(|k| [0, 1, 2].map(|i| p[k][i] - p[0][i]));
        let area = u[0] * v[1] - u[1] * v[0];
        let slope = [(u[2] * v[1] - u[1] * v[2]) / area, (u[0] * v[2] - u[2] * v[0]) / area];
        around(&flat, seen.pixels, |pixel, q| {
            let line = targets.lines[pixel];
            if line == 0 {
                return;
            }
            let depth = p[0][2] + (q[0] - p[0][0]) * slope[0] + (q[1] - p[0][1]) * slope[1];
            let error =
                (slope[0].abs() + slope[1].abs() + 4.0 * steep(&seen.lines[line as usize - 1])) * SNAPPING;
            let tied = (depth - f64::from(targets.depths[pixel])).abs() <= error + 2.0 * DEPTH_ERROR;
            let edge = (0..3).any(|k| distance(q, flat[k], flat[(k + 1) % 3]) <= SNAPPING);
            doubtful[pixel] |= edge || (tied && area != 0.0);
        });
    }
    doubtful
}

fn compare(seen: &CastInspection) -> Result<Compared, String> {
    let mut compared = Compared { pixels: seen.shown[0].len(), ..Compared::default() };
    let drawn = Drawn {
        pixels: seen.pixels,
        vertices: &seen.vertices,
        triangles: &seen.triangles,
        members: &seen.members,
        ranges: &seen.ranges,
    };
    // Lines, from the vertices that the GPU has.
    let outward = seen.metric.moves().then(|| edges::outward(&drawn, &seen.metric));
    let (lines, _) = edges::lines(&drawn, outward.as_deref(), &seen.sides, &seen.metric, seen.whose);
    if lines.len() != seen.lines.len() {
        return Err(format!("{} lines, {} expected", seen.lines.len(), lines.len()));
    }
    for (index, (mine, theirs)) in lines.iter().zip(&seen.lines).enumerate() {
        // At the very border of what is drawn, either may leave one out.
        if *theirs == Line::NONE || *mine == Line::NONE {
            let there = if *theirs == Line::NONE { mine } else { theirs };
            if *theirs != *mine && !is_at_a_border(there, seen) {
                return Err(format!("line {index} is {theirs:?}, {mine:?} expected"));
            }
            continue;
        }
        let off = (0..2).flat_map(|end| (0..2).map(move |axis| (end, axis)));
        let off = off.map(|(end, axis)| {
            let [p, q] = [mine.ends[end][axis], theirs.ends[end][axis]];
            (p - q).abs() / p.abs().max(1024.0) * 1024.0
        });
        let off = off.fold(0.0, f32::max);
        compared.ends = compared.ends.max(off);
        if off > 0.02 || mine.body != theirs.body {
            return Err(format!("line {index} is {theirs:?}, {mine:?} expected"));
        }
    }
    // Images, from the lines that the GPU has; layer after layer.
    let unsure = doubtful_edges(seen);
    compared.doubtful_edges = unsure.iter().filter(|&&unsure| unsure).count();
    let mut last: Option<Targets> = None;
    for (layer, (shown, counts)) in seen.shown.iter().zip(&seen.counts).enumerate() {
        let targets = count::targets(seen.pixels, &seen.lines, last.as_ref());
        let expected = count::count(&drawn, &targets, seen.whose);
        let unsure_count = doubtful_counts(seen, &targets);
        for pixel in 0..shown.len() {
            let [x, y] = [pixel as u32 % seen.pixels[0], pixel as u32 / seen.pixels[0]];
            if shown[pixel] != targets.lines[pixel] {
                compared.other_edges += 1;
                if !unsure[pixel] {
                    return Err(format!(
                        "layer {layer}, pixel {x} {y} shows {}, {} expected",
                        shown[pixel], targets.lines[pixel]
                    ));
                }
                continue;
            }
            compared.shown += usize::from(shown[pixel] != 0);
            compared.doubtful_counts += usize::from(unsure_count[pixel]);
            if counts[pixel] != expected.before[pixel] {
                compared.other_counts += 1;
                if !unsure_count[pixel] {
                    return Err(format!(
                        "layer {layer}, pixel {x} {y} has {}, {} expected",
                        counts[pixel], expected.before[pixel]
                    ));
                }
            }
        }
        if layer == 0 {
            compare_marked(seen, &targets, &mut compared)?;
            compare_crossings(seen, &drawn, &targets, [&unsure, &unsure_count], &mut compared)?;
        }
        last = Some(targets);
    }
    Ok(compared)
}

fn is_at_a_border(line: &Line, seen: &CastInspection) -> bool {
    let near =
        |axis: usize, at: f32, within: f32| line.ends.iter().any(|end| (end[axis] - at).abs() < within);
    let [width, height] = seen.pixels.map(|n| n as f32);
    let [low, high] = seen.metric.depths;
    near(0, -1.0, 0.01)
        || near(0, width + 1.0, 0.01)
        || near(1, -1.0, 0.01)
        || near(1, height + 1.0, 0.01)
        || near(2, low, 1e-5)
        || near(2, high, 1e-5)
}

/// The list of marked pixels is what the images say.
fn compare_marked(seen: &CastInspection, targets: &Targets, compared: &mut Compared) -> Result<(), String> {
    compared.marked = seen.marked.len();
    let expected = (0..seen.shown[0].len()).filter(|&k| seen.shown[0][k] != 0 && seen.counts[0][k] != 0);
    let expected: Vec<(u32, u32, i32)> =
        expected.map(|k| (k as u32, seen.shown[0][k] - 1, seen.counts[0][k])).collect();
    let marked: Vec<(u32, u32, i32)> = seen.marked.iter().map(|m| (m.pixel, m.line, m.count)).collect();
    if marked != expected {
        return Err(format!("{} marked pixels, {} expected", marked.len(), expected.len()));
    }
    for at in seen.marked.iter().filter(|at| targets.lines[at.pixel as usize] == at.line + 1) {
        let off = f64::from((at.depth - targets.depths[at.pixel as usize]).abs());
        let [a, b] = seen.lines[at.line as usize].ends;
        let slope = f64::from((b[2] - a[2]).abs()) / f64::from((b[0] - a[0]).abs().max((b[1] - a[1]).abs()));
        if off > 4.0 * slope * SNAPPING + 2.0 * DEPTH_ERROR {
            return Err(format!("pixel {} is {off} off in depth", at.pixel));
        }
    }
    Ok(())
}

/// Everything under marked pixels.
fn compare_crossings(
    seen: &CastInspection,
    drawn: &Drawn,
    targets: &Targets,
    [unsure, unsure_count]: [&[bool]; 2],
    compared: &mut Compared,
) -> Result<(), String> {
    // The CPU marks what the GPU marked, so that both list the same pixels.
    let mut counts = count::count(drawn, targets, seen.whose);
    counts.before.fill(0);
    seen.marked.iter().for_each(|at| counts.before[at.pixel as usize] = at.count);
    let mut expected = Vec::new();
    count::crossings(drawn, targets, &counts, seen.whose, |list| expected.append(list));
    let mut found = seen.crossings.clone();
    compared.crossings = found.len();
    found.sort_unstable();
    expected.sort_unstable();
    let of = |list: &[count::Crossing], pixel: u32| {
        let first = list.partition_point(|crossing| crossing.pixel < pixel);
        let end = list.partition_point(|crossing| crossing.pixel <= pixel);
        list[first..end].to_vec()
    };
    for at in &seen.marked {
        let pixel = at.pixel as usize;
        if of(&found, at.pixel) != of(&expected, at.pixel) {
            compared.other_crossings += 1;
            if !unsure[pixel] && !unsure_count[pixel] {
                return Err(format!(
                    "pixel {pixel} lists {:?}, {:?} expected",
                    of(&found, at.pixel),
                    of(&expected, at.pixel)
                ));
            }
        }
    }
    Ok(())
}

/// All of the method's casts: pairs, selves, the thesis'; along an axis, slanted, in perspective.
fn ways() -> Vec<RayCastOptions> {
    let one = RayCastOptions { resolution: RESOLUTION, ..RayCastOptions::default() };
    let slanted = Direction::Along([0.3, -0.5, 1.0]);
    let projection = Projection::Perspective { field_of_view: 50.0 };
    vec![
        one,
        RayCastOptions { direction: slanted, ..one },
        RayCastOptions { direction: slanted, projection, ..one },
        RayCastOptions { identify: Identify::Any, ..one },
        RayCastOptions { identify: Identify::Any, projection, ..one },
    ]
}

#[test]
fn every_pixel_agrees_with_the_definition_on_every_scene() {
    let Some(context) = context() else { return };
    let mut collider = GpuCollider::new(context).unwrap();
    let [mut all, mut coincident] = [(); 2].map(|()| Compared::default());
    for scene in impinge_lab::all() {
        let mut motion = scene.build(1500, 3);
        motion.set_frame(motion.frames / 2).unwrap();
        for way in ways() {
            collider.interference(&motion.scene, &way).unwrap();
            let Some(seen) = collider.inspect_cast(3).unwrap() else { continue };
            let place = format!("{} {:?} {way:?}", scene.name, seen.whose);
            let compared = compare(&seen).unwrap_or_else(|error| panic!("{place}: {error}"));
            // Surfaces that lie in each other are what some scenes are made of.
            let made_of_ties = ["pile", "soup", "shatter"].contains(&scene.name);
            if made_of_ties { &mut coincident } else { &mut all }.add(&compared);
        }
    }
    println!("{all:?}; of coincident surfaces {coincident:?}");
    assert!(all.casts > 50 && all.shown > 100_000 && all.marked > 10_000 && all.crossings > 10_000);
    // A strip a pixel wide has a border on either side: one pixel in sixty-four has one within the snapping distance.
    assert!(all.other_edges * 100 < all.shown, "few pixels show another edge: {all:?}");
    assert!(coincident.other_edges * 100 < coincident.shown, "few pixels show another edge: {coincident:?}");
    assert!(all.other_counts * 10_000 < all.shown, "hardly any pixel has another count: {all:?}");
    assert!(coincident.other_counts * 1000 < coincident.shown, "few have another count: {coincident:?}");
    assert!(all.doubtful_counts * 10 < all.shown, "few could have: {all:?}");
}

#[test]
fn a_comparison_with_one_side_broken_fails() {
    let Some(context) = context() else { return };
    let mut collider = GpuCollider::new(context).unwrap();
    let mut motion = impinge_lab::find("boxes").unwrap().build(600, 1);
    motion.set_frame(3).unwrap();
    collider.interference(&motion.scene, &ways()[3]).unwrap();
    let seen = collider.inspect_cast(2).unwrap().unwrap();
    assert!(compare(&seen).is_ok());
    let broken = |change: &dyn Fn(&mut CastInspection)| {
        let mut broken = seen.clone();
        change(&mut broken);
        compare(&broken).is_err()
    };
    let targets = count::targets(seen.pixels, &seen.lines, None);
    let (unsure, unsure_count) = (doubtful_edges(&seen), doubtful_counts(&seen, &targets));
    let sure = |&k: &usize| seen.shown[0][k] != 0 && !unsure[k] && !unsure_count[k];
    let pixel = (0..seen.shown[0].len()).find(sure).unwrap();
    let line = seen.shown[0][pixel] as usize - 1;
    assert!(broken(&|seen| seen.shown[0][pixel] += 1), "an edge");
    assert!(broken(&|seen| seen.counts[0][pixel] += 1), "a count");
    assert!(broken(&|seen| seen.lines[line].ends[0][0] += 0.5), "a line");
    assert!(broken(&|seen| seen.lines[line].body += 1), "whose it is");
    assert!(broken(&|seen| seen.marked.truncate(1)), "a marked pixel");
    assert!(broken(&|seen| seen.crossings.truncate(1)), "a crossing");
    assert!(broken(&|seen| seen.marked[0].depth += 0.01), "a depth");
    assert!(broken(&|seen| seen.whose = Whose::Others), "whose surfaces count");
}

/// Two cones base to base, their tips along z.
fn spindle([x, y, z]: Point, sides: u32) -> Mesh {
    let ring = (0..sides).map(|k| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(sides)).sin_cos();
        [x + cos, y + sin, z]
    });
    let positions: Vec<Point> = ring.chain([[x, y, z - 1.0], [x, y, z + 1.0]]).collect();
    let fan = |k: u32| [[(k + 1) % sides, k, sides], [k, (k + 1) % sides, sides + 1]];
    Mesh::new(positions, (0..sides).flat_map(fan).collect()).unwrap()
}

#[test]
fn degenerate_rays_leave_bodies_as_often_as_they_enter_them() {
    let Some(context) = context() else { return };
    let mut collider = GpuCollider::new(context).unwrap();
    // 4.5.7, as in the test of the definition: two frames make pixels 1/8 wide, with their middles at odd sixteenths.
    let m = 1.0 / 16.0;
    let sides = box_of([m - 1.0, m - 1.0, -1.0], [m + 1.0, m + 1.0, 1.0]);
    for (what, body) in [("1", spindle([m, m, 0.0], 4)), ("2", sides), ("3", spindle([m, m, 0.0], 8))] {
        let mut scene = Scene::new();
        scene.add("body", body);
        // Its edges are within the body, and pass through the middles of pixels too.
        scene.add("probe", box_of([m - 0.375, m - 0.375, -0.25], [m + 0.375, m + 0.375, 0.25]));
        let frame = || box_of([-63.5 / 16.0, -63.5 / 16.0, 3.5], [63.5 / 16.0, 63.5 / 16.0, 4.0]);
        scene.add("frame", frame());
        scene.add("frame", frame());
        for identify in [Identify::Everything, Identify::LastDrawn] {
            let direction = Direction::Along([0.0, 0.0, 1.0]);
            let options =
                RayCastOptions { resolution: [66; 2], direction, identify, ..RayCastOptions::default() };
            let found = collider.interference(&scene, &options).unwrap();
            assert_eq!(found.not_closed, [], "{what}");
            let inside = |pair: &impinge::interference::Penetration| {
                (pair.penetrating.index(), pair.penetrated.index()) == (1, 0)
            };
            assert!(found.pairs.iter().any(inside), "{what}: {:?}", found.pairs);
            let seen = collider.inspect_cast(1).unwrap().unwrap();
            let mut sums = std::collections::BTreeMap::new();
            for crossing in &seen.crossings {
                *sums.entry((crossing.pixel, crossing.body())).or_insert(0) += crossing.sign();
            }
            assert!(sums.len() > 10 && sums.values().all(|&sum| sum == 0), "{what}: {sums:?}");
            let counts = seen.counts[0].iter().zip(&seen.shown[0]).filter(|(_, shown)| **shown != 0);
            assert!(counts.clone().all(|(count, _)| (0..=2).contains(count)), "{what}");
        }
    }
}

#[test]
fn lines_on_borders_between_pixels_show_in_the_same_ones() {
    let Some(context) = context() else { return };
    // The region of two boxes is 63.5 pixels wide, and the edges of a third are sixteen pixels from its middle.
    let mut scene = Scene::new();
    let end = 1.0 + 63.5 / 64.0;
    let middle = f64::midpoint(1.0, end);
    scene.add("a", box_of([0.0; 3], [end; 3]));
    scene.add("b", box_of([1.0; 3], [3.0; 3]));
    scene.add("c", box_of([middle - 0.25; 3], [middle + 0.25; 3]));
    let mut collider = GpuCollider::new(context).unwrap();
    for direction in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Direction::Along) {
        let options = RayCastOptions { resolution: [66; 2], direction, ..RayCastOptions::default() };
        collider.interference(&scene, &options).unwrap();
        let seen = collider.inspect_cast(3).unwrap().unwrap();
        let compared = compare(&seen).unwrap();
        assert!(compared.doubtful_edges > 100 && compared.other_edges == 0, "{compared:?}");
    }
}

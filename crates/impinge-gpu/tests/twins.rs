//! Every stage on the GPU against its definition on the CPU, on every scene of the lab. Sampling may differ where a ray
//! passes an edge closer than rasterisers place vertices, and where two surfaces are nearer than depths can be told
//! apart; such rays are counted, and are few. Every later stage, given the same input, gives the same bits.

mod common;

use common::Fragments;
use impinge::Method;
use impinge::contacts::{AtLimit, PeelOptions, Sides};
use impinge::stages::depth_peel::peel::Rule;
use impinge::stages::depth_peel::ray_mipmap::{RayBox, RayMipmap};
use impinge::stages::depth_peel::{Rays, pack, separate};
use impinge_gpu::{GpuCollider, Inspection};

/// Neither a power of two nor square, and not a whole number of words.
const RESOLUTION: [u32; 2] = [300, 170];

/// What a comparison found.
#[derive(Debug, Default)]
struct Compared {
    rays: usize,
    on: usize,
    /// Where the answer may differ, and where it does.
    near_edges: usize,
    differ_at_edges: usize,
    tied: usize,
    differ_at_ties: usize,
    /// Largest difference of a depth, as a part of what is allowed.
    depth: f64,
}

impl Compared {
    fn add(&mut self, other: &Self) {
        self.rays += other.rays;
        self.on += other.on;
        self.near_edges += other.near_edges;
        self.differ_at_edges += other.differ_at_edges;
        self.tied += other.tied;
        self.differ_at_ties += other.differ_at_ties;
        self.depth = self.depth.max(other.depth);
    }
}

/// Sampling: counts, first and last depths after one pass, and the rays of the whole.
fn compare_sampling(seen: &Inspection, met: &Fragments, rule: &Rule) -> Result<Compared, String> {
    let mut compared = Compared { rays: seen.counts.len(), ..Compared::default() };
    let rays = Rays { width: seen.width, height: seen.height, words: seen.rays.clone() };
    for y in 0..seen.height {
        for x in 0..seen.width {
            let ray = (y * seen.width + x) as usize;
            let on = rays.is_on(x, y);
            compared.on += usize::from(on);
            if met.near_edge[ray] {
                compared.near_edges += 1;
                compared.differ_at_edges += usize::from(on != met.is_collision(ray, rule));
                continue;
            }
            let list = &met.lists[ray];
            if seen.counts[ray] as usize != list.len() {
                return Err(format!(
                    "ray {x} {y} has {} fragments, {} expected",
                    seen.counts[ray],
                    list.len()
                ));
            }
            if met.is_tied(ray, rule.near) {
                compared.tied += 1;
                compared.differ_at_ties += usize::from(on != met.is_collision(ray, rule));
                continue;
            }
            if on != met.is_collision(ray, rule) {
                return Err(format!("ray {x} {y} is on: {on}, but it meets {list:?}"));
            }
            if let Some([front, rear]) = common::first_layers(seen, ray) {
                let (first, last) = (&list[0], &list[list.len() - 1]);
                for (key, expected) in
                    [(front, first), (rear, last)].into_iter().filter(|(key, _)| key.0 != 0)
                {
                    let error = (key.depth() - expected.depth).abs() / expected.tolerance;
                    compared.depth = compared.depth.max(error);
                    if error > 1.0 || key.is_back() != expected.back || key.is_open() == expected.closed {
                        return Err(format!("ray {x} {y}: layer {key:?}, {expected:?} expected"));
                    }
                }
            }
        }
    }
    Ok(compared)
}

/// Merging, separation, packing: bit for bit.
fn compare_stages(seen: &Inspection, collider: &GpuCollider, options: &PeelOptions) -> Result<(), String> {
    let rays = Rays { width: seen.width, height: seen.height, words: seen.rays.clone() };
    let wide = rays.widened(options.widening());
    if wide.words != seen.wide {
        return Err("widened rays differ".into());
    }
    let mipmap = RayMipmap::new(&wide);
    let boxes: Vec<[u32; 2]> = mipmap.boxes.iter().map(|&RayBox { min, max }| [min, max]).collect();
    if let Some(at) = (0..boxes.len()).find(|&k| seen.boxes.get(k) != Some(&boxes[k])) {
        return Err(format!("box {at} is {:?}, {:?} expected", seen.boxes.get(at), boxes[at]));
    }
    let rectangles = separate::separate(&seen.vertices, &seen.triangles, collider.members(), &mipmap);
    if rectangles.len() != seen.rectangles.len() {
        return Err("another number of triangles".into());
    }
    let packed = pack::pack(&rectangles);
    if packed != seen.packed {
        return Err(format!("{} packed triangles, {} expected", seen.packed.len(), packed.len()));
    }
    let bits = |r: Option<[f32; 4]>| r.map(|r| r.map(f32::to_bits));
    match (0..rectangles.len()).find(|&k| bits(rectangles[k]) != bits(seen.rectangles[k])) {
        Some(k) => Err(format!("triangle {k} has {:?}, {:?} expected", seen.rectangles[k], rectangles[k])),
        None => Ok(()),
    }
}

fn options(sides: Sides, passes: Option<u32>, at_limit: AtLimit) -> PeelOptions {
    PeelOptions { resolution: RESOLUTION, sides, passes, at_limit, ..PeelOptions::default() }
}

/// Ways to peel: whole and cut short, from one end and from both.
fn ways() -> Vec<PeelOptions> {
    vec![
        options(Sides::Both, None, AtLimit::Mark),
        options(Sides::Both, Some(1), AtLimit::Stop),
        options(Sides::Both, Some(2), AtLimit::Mark),
        options(Sides::Front, None, AtLimit::Stop),
        options(Sides::Front, Some(3), AtLimit::Stop),
    ]
}

#[test]
fn every_stage_agrees_with_its_twin_on_every_scene() {
    let Some(context) = common::context() else { return };
    for atomics in [false, true] {
        let mut collider = GpuCollider::with_atomics(context.clone(), atomics).unwrap();
        // Surfaces that lie in each other are what some scenes are made of.
        let [mut all, mut coincident] = [(); 2].map(|()| Compared::default());
        let mut looked_at = 0;
        for scene in impinge_lab::all() {
            let mut motion = scene.build(1500, 3);
            for frame in [motion.frames / 2, motion.frames - 1] {
                motion.set_frame(frame).unwrap();
                for way in ways() {
                    collider.options.method = Method::DepthPeel(way);
                    let report = collider.collide(&motion.scene).unwrap();
                    let image = *report.rays().unwrap();
                    assert!(!report.complete, "sampled is sampled");
                    let seen = collider.inspect().unwrap();
                    if seen.counts.is_empty() {
                        continue;
                    }
                    looked_at += 1;
                    let met = Fragments::of(&seen, collider.members());
                    let rule = Rule {
                        sides: way.sides,
                        passes: seen.passes,
                        at_limit: way.at_limit,
                        near: seen.near,
                    };
                    let place = format!("{} frame {frame}, {way:?}, atomics {atomics}", scene.name);
                    let compared =
                        compare_sampling(&seen, &met, &rule).unwrap_or_else(|e| panic!("{place}: {e}"));
                    compare_stages(&seen, &collider, &way).unwrap_or_else(|e| panic!("{place}: {e}"));
                    // What is inspected is the last view.
                    if image.views == 1 {
                        assert_eq!(compared.on, image.rays, "{place}");
                        let there = seen.rectangles.iter().filter(|r| r.is_some()).count();
                        assert_eq!(there, image.read_back, "{place}");
                    }
                    let made_of_ties = ["pile", "soup", "shatter"].contains(&scene.name);
                    if made_of_ties { &mut coincident } else { &mut all }.add(&compared);
                }
            }
        }
        println!("atomics {atomics}: {looked_at} views, {all:?}; of coincident surfaces {coincident:?}");
        assert!(looked_at > 100 && all.on > 100_000 && all.depth > 0.0);
        assert!(all.near_edges * 100 < all.rays, "few rays pass an edge: {all:?}");
        assert!(all.differ_at_edges * 10_000 < all.rays, "few of those differ: {all:?}");
        assert!(all.tied * 100 < all.rays, "few rays have ties: {all:?}");
        assert!(all.differ_at_ties * 10_000 < all.rays, "few of those differ: {all:?}");
        assert!(
            coincident.near_edges * 50 < coincident.rays && coincident.differ_at_ties * 20 < coincident.rays
        );
    }
}

#[test]
fn blending_and_atomics_leave_the_same_bits() {
    let Some(context) = common::context() else { return };
    let mut colliders =
        [false, true].map(|atomics| GpuCollider::with_atomics(context.clone(), atomics).unwrap());
    let mut motion = impinge_lab::find("creatures").unwrap().build(3000, 1);
    for (frame, passes) in [(0, None), (1, Some(1)), (2, None), (3, Some(1)), (4, Some(2))] {
        motion.set_frame(frame).unwrap();
        let [blended, atomic] = colliders.each_mut().map(|collider| {
            collider.options.method = Method::DepthPeel(options(Sides::Both, passes, AtLimit::Mark));
            collider.collide(&motion.scene).unwrap();
            collider.inspect().unwrap()
        });
        assert_eq!(blended.counts, atomic.counts);
        assert_eq!(blended.layers, atomic.layers);
        assert_eq!(blended.rays, atomic.rays);
    }
}

#[test]
fn a_comparison_with_one_side_broken_fails() {
    let Some(context) = common::context() else { return };
    let mut collider = GpuCollider::new(context).unwrap();
    let mut motion = impinge_lab::find("knots").unwrap().build(2000, 1);
    motion.set_frame(1).unwrap();
    let way = options(Sides::Both, Some(1), AtLimit::Mark);
    collider.options.method = Method::DepthPeel(way);
    collider.collide(&motion.scene).unwrap();
    let seen = collider.inspect().unwrap();
    let met = Fragments::of(&seen, collider.members());
    let rule = Rule { sides: way.sides, passes: seen.passes, at_limit: way.at_limit, near: seen.near };
    let sampling = |seen: &Inspection| compare_sampling(seen, &met, &rule).is_ok();
    let stages = |seen: &Inspection| compare_stages(seen, &collider, &way).is_ok();
    assert!(sampling(&seen) && stages(&seen));

    let plain = (0..met.lists.len())
        .find(|&ray| !met.near_edge[ray] && !met.is_tied(ray, rule.near) && met.lists[ray].len() == 2);
    let ray = plain.unwrap();
    let broken = |break_it: &dyn Fn(&mut Inspection)| {
        let mut broken = seen.clone();
        break_it(&mut broken);
        broken
    };
    let word = ray / RESOLUTION[0] as usize * RESOLUTION[0].div_ceil(32) as usize
        + ray % RESOLUTION[0] as usize / 32;
    let bit = 1 << (ray % RESOLUTION[0] as usize % 32);
    assert!(!sampling(&broken(&|seen| seen.counts[ray] += 1)), "a count");
    assert!(!sampling(&broken(&|seen| seen.rays[word] ^= bit)), "a ray");
    assert!(!sampling(&broken(&|seen| seen.layers[ray][0] ^= 1 << 22)), "a depth");
    assert!(!sampling(&broken(&|seen| seen.layers[ray][1] ^= 1 << 2)), "a facing");
    assert!(!stages(&broken(&|seen| seen.wide[word] ^= bit)), "a widened ray");
    assert!(!stages(&broken(&|seen| seen.boxes[0][0] ^= 1)), "a box");
    let triangle = seen.rectangles.iter().position(Option::is_some).unwrap();
    assert!(!stages(&broken(&|seen| seen.rectangles[triangle] = None)), "a missing triangle");
    assert!(!stages(&broken(&|seen| seen.packed.swap(0, 1))), "the order of the packed");
    assert!(!stages(&broken(&|seen| seen.vertices[5].x += 10.0)), "a vertex");
}

#[test]
fn a_mirrored_body_is_still_a_solid() {
    let Some(context) = common::context() else { return };
    let ball = || impinge_lab::shapes::sphere(400).mesh_f32();
    let mut scene = impinge::Scene::new();
    scene.add("ball", ball());
    let mirrored = scene.add("mirrored", ball());
    let mut collider = GpuCollider::new(context).unwrap();
    collider.options.method =
        Method::DepthPeel(PeelOptions { resolution: RESOLUTION, ..PeelOptions::default() });
    collider.options.responses = true;
    // Boxes overlap, balls do not: inside out, every ray through one of them would be a collision ray.
    for (shift, collides) in [(1.2, false), (1.0, true)] {
        let rows = [[-1.0, 0.0, 0.0, shift], [0.0, 1.0, 0.0, shift], [0.0, 0.0, 1.0, shift]];
        scene.set_pose(mirrored, impinge::Pose::from_rows(rows).unwrap()).unwrap();
        let report = collider.collide(&scene).unwrap();
        assert_eq!(report.collides(), collides);
        assert!(collides || report.rays().unwrap().rays < 20, "{:?}", report.rays());
        // What meets goes apart: the first ball away from the second, against the shift.
        let away = |response: &&impinge::Response| response.direction.iter().sum::<f64>() < 0.0;
        let of_first = report.responses.iter().filter(|response| response.element.body != mirrored);
        let (right, wrong): (Vec<&impinge::Response>, Vec<_>) = of_first.partition(away);
        assert!(wrong.len() * 10 <= right.len(), "{} wrong of {}", wrong.len(), right.len());
    }
}

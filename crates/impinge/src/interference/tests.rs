//! The whole method on scenes whose answer is plain.

use super::count::{Targets, Whose};
use super::edges::Drawn;
use super::testing::{brick, cube};
use super::{Identify, Interference, RayCastOptions, RayCaster, count};
use crate::image::{Direction, Projection, View, gather};
use crate::scene::{BodyId, Bounds, Mesh, Point, Scene};

const Z: Direction = Direction::Along([0.0, 0.0, 1.0]);

fn small() -> RayCastOptions {
    RayCastOptions { resolution: [96, 80], ..RayCastOptions::default() }
}

fn cast(scene: &Scene, ray_cast: RayCastOptions) -> Interference {
    RayCaster::new(ray_cast).find(scene).unwrap().clone()
}

fn scene_of(meshes: impl IntoIterator<Item = Mesh>) -> (Scene, Vec<BodyId>) {
    let mut scene = Scene::new();
    let ids = meshes.into_iter().enumerate().map(|(k, mesh)| scene.add(format!("{k}"), mesh)).collect();
    (scene, ids)
}

fn ids_of(scene: &Scene) -> Vec<BodyId> {
    scene.bodies().map(|(id, _)| id).collect()
}

fn pairs(interference: &Interference) -> Vec<[usize; 2]> {
    let index = |id: BodyId| id.index();
    interference.pairs.iter().map(|pair| [index(pair.penetrating), index(pair.penetrated)]).collect()
}

/// A closed fan of triangles around two tips, like two cones base to base.
fn spindle(at: Point, sides: usize) -> Mesh {
    let ring = (0..sides).map(|k| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / sides as f64).sin_cos();
        [at[0] + cos, at[1] + sin, at[2]]
    });
    let tips = [[at[0], at[1], at[2] - 1.0], [at[0], at[1], at[2] + 1.0]];
    let positions: Vec<Point> = ring.chain(tips).collect();
    let n = sides as u32;
    let fan = |k: u32| [[(k + 1) % n, k, n], [k, (k + 1) % n, n + 1]];
    Mesh::new(positions, (0..n).flat_map(fan).collect()).unwrap()
}

#[test]
fn edges_inside_a_body_are_found_with_their_points() {
    // A thin bar goes through the front of a cube, beside its diagonals, and ends inside it.
    let bar = brick([0.3, -0.1, -3.0], [0.7, 0.1, 0.25]);
    let (scene, ids) = scene_of([cube([0.0; 3], 2.0), bar]);
    for direction in
        [Direction::Auto, Direction::TwoAxes, Direction::Axes, Direction::Along([1.0, 2.0, -0.7])]
    {
        for projection in [Projection::Orthographic, Projection::Perspective { field_of_view: 60.0 }] {
            let found = cast(&scene, RayCastOptions { direction, projection, ..small() });
            assert!(found.any && found.not_closed.is_empty() && found.self_interfering.is_empty());
            assert_eq!(found.bodies, ids);
            assert_eq!(pairs(&found), [[1, 0]], "{direction:?} {projection:?}");
            assert!(!found.edges.is_empty() && found.edges.iter().all(|edge| edge.body == ids[1]));
            for point in &found.points {
                let edge = found.edges[point.edge];
                let mesh = scene.body(edge.body).unwrap().mesh();
                let [a, b] = edge.vertices(mesh).unwrap().map(|vertex| mesh.positions().get(vertex as usize));
                let away = distance(point.position, a, b);
                assert!(away <= found.reach, "{away} from its edge, {} allowed", found.reach);
                let within = |c: f64| c.abs() < 1.0 + found.reach;
                assert!(point.inside == ids[0] && point.position.into_iter().all(within));
            }
        }
    }
}

fn distance(p: Point, a: Point, b: Point) -> f64 {
    let minus = |p: Point, q: Point| -> Point { std::array::from_fn(|k| p[k] - q[k]) };
    let dot = |p: Point, q: Point| (0..3).map(|k| p[k] * q[k]).sum::<f64>();
    let (along, to) = (minus(b, a), minus(p, a));
    let part = (dot(to, along) / dot(along, along)).clamp(0.0, 1.0);
    let off = minus(to, along.map(|c| c * part));
    dot(off, off).sqrt()
}

#[test]
fn bodies_apart_by_more_than_the_reach_are_no_pair_and_nearer_ones_may_be() {
    // Two cubes face to face, corner to corner, and one around the other; boxes overlap through a third, which is far out
    // and reaches over both.
    let mut near = 0;
    for axis in 0..3 {
        for steps in 1..40 {
            let gap = f64::from(steps) * 0.005;
            let mut at = [0.0; 3];
            at[axis] = 2.0 + gap;
            let bracket = bracket();
            let (scene, _) = scene_of([cube([0.0; 3], 2.0), cube(at, 2.0), bracket]);
            for direction in [Direction::Axes, Direction::Along([0.3, 0.5, 1.0])] {
                let found = cast(&scene, RayCastOptions { direction, resolution: [64; 2], ..small() });
                let pair = found
                    .pairs
                    .iter()
                    .any(|pair| pair.penetrating.index() < 2 && pair.penetrated.index() < 2);
                near += usize::from(pair);
                assert!(!pair || gap <= found.reach, "axis {axis}: {gap} apart, {} reach", found.reach);
            }
        }
    }
    assert!(near > 0, "within the reach some are pairs, or this test shows nothing");
}

/// An L of two bars whose box holds all of the other bodies, though it is beside them.
fn bracket() -> Mesh {
    let (a, b) = (brick([-4.0, -4.0, -4.0], [6.0, -3.5, -3.5]), brick([-4.0, -3.4, -4.0], [-3.5, 6.0, 6.0]));
    let shift = a.positions().len() as u32;
    let positions: Vec<Point> = a.positions().iter().chain(b.positions().iter()).collect();
    let other = b.triangles().iter().map(|t| t.map(|vertex| vertex + shift));
    Mesh::new(positions, a.triangles().iter().copied().chain(other).collect()).unwrap()
}

#[test]
fn a_body_within_another_is_inside_it_and_several_around_one_point_are_all_told() {
    let (scene, ids) =
        scene_of([cube([0.0; 3], 4.0), cube([0.1, 0.0, 0.0], 3.0), cube([0.0; 3], 1.0), cube([9.0; 3], 1.0)]);
    let found = cast(&scene, small());
    assert_eq!(pairs(&found), [[1, 0], [2, 0], [2, 1]]);
    assert_eq!(found.bodies, ids[..3]);
    // Algorithm 4 has room for one body a pixel: the last drawn.
    let one = cast(&scene, RayCastOptions { identify: Identify::LastDrawn, ..small() });
    assert_eq!(pairs(&one), [[1, 0], [2, 1]]);
}

#[test]
fn the_algorithms_of_the_thesis_find_what_they_are_said_to_find() {
    // The bar's edges are in the cube; the boxes of the bar and of the spindle overlap, but not more.
    let bar = brick([0.3, -0.1, -3.0], [0.7, 0.1, 0.25]);
    let (scene, ids) = scene_of([cube([0.0; 3], 2.0), bar, spindle([1.5, 1.0, -2.2], 8)]);
    let with = |identify| cast(&scene, RayCastOptions { identify, direction: Z, ..small() });
    let any = with(Identify::Any);
    assert!(any.any && any.bodies.is_empty() && any.pairs.is_empty());
    for identify in [Identify::Penetrating, Identify::PenetratingByColour] {
        let found = with(identify);
        assert!(found.any && found.bodies == [ids[1]] && found.pairs.is_empty() && !found.edges.is_empty());
        assert!(found.edges.iter().all(|edge| edge.body == ids[1]));
    }
    assert_eq!(pairs(&with(Identify::LastDrawn)), [[1, 0]]);
    let queries = with(Identify::Queries);
    assert!(queries.any && queries.bodies == ids[..2] && queries.pairs.is_empty());

    // Apart, though boxes overlap: all of them stop early, and say so without being told to stop as well.
    let (apart, _) = scene_of([spindle([0.0; 3], 7), spindle([1.5, 1.5, 0.5], 7)]);
    for early_answer in [true, false] {
        for identify in Identify::ALL {
            let found = cast(&apart, RayCastOptions { identify, early_answer, ..small() });
            assert!(!found.any && found.bodies.is_empty() && found.stages.pixels > 0, "{identify:?}");
        }
    }
}

#[test]
fn what_edges_hide_in_one_view_is_seen_from_another_or_in_further_layers() {
    // Figure 4.11: a bar inside a cube, and between it and the eye (and drawn after it) a grid of bars whose edges fill
    // every pixel.
    let mut bodies = vec![cube([0.0; 3], 1.0), brick([-0.2, -0.3, -0.3], [0.2, 0.3, 0.3])];
    let fine = |k: i32| f64::from(k) * 0.01 - 0.6;
    let across = (0..120).map(|k| brick([-0.6, fine(k), -2.0], [0.6, fine(k) + 0.005, -1.9]));
    bodies.extend(across);
    // A long needle makes all boxes overlap, so that everything is drawn.
    bodies.push(brick([-0.6, -0.6, -2.1], [-0.59, 0.61, 0.6]));
    let (scene, _) = scene_of(bodies);
    let inner = |found: &Interference| {
        found.pairs.iter().any(|p| (p.penetrating.index(), p.penetrated.index()) == (1, 0))
    };
    let resolution = [64; 2];
    let thesis = RayCastOptions { direction: Z, layers: 1, resolution, ..small() };
    assert!(!inner(&cast(&scene, thesis)), "undetectable, as the thesis says");
    assert!(inner(&cast(&scene, RayCastOptions { layers: 64, ..thesis })), "further layers");
    assert!(inner(&cast(&scene, RayCastOptions { direction: Direction::Axes, ..thesis })), "other views");
    let limited = cast(&scene, RayCastOptions { layers: 2, ..thesis }).stages;
    assert!(limited.limited && limited.layers == 2);
}

#[test]
fn a_body_that_is_not_closed_is_named_and_does_not_hold_anything() {
    let hollow = |skip: usize| {
        let whole = cube([0.0; 3], 2.0);
        let kept =
            whole.triangles().iter().copied().enumerate().filter(|(k, _)| k / 2 != skip).map(|(_, t)| t);
        Mesh::new(whole.positions().iter().collect::<Vec<_>>(), kept.collect()).unwrap()
    };
    for skip in 0..6 {
        // The second cube is behind the open one, seen along z, and beside it.
        let (scene, ids) = scene_of([hollow(skip), cube([0.5, 0.5, 1.9], 1.0), cube([0.0; 3], 0.5)]);
        let found = cast(&scene, RayCastOptions { direction: Z, ..small() });
        assert_eq!(found.not_closed, [ids[0]]);
        let through_the_hole = skip < 2;
        let inner = pairs(&found).contains(&[2, 0]);
        assert_eq!(inner, !through_the_hole, "rays that enter and leave still tell, {skip}");
    }
    // The thesis' diagnosis: a negative count. Nobody says beforehand that this one is not closed: it is closed, but turned
    // inside out.
    let whole = cube([0.0; 3], 2.0);
    let turned = whole.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let inside_out = Mesh::new(whole.positions().iter().collect::<Vec<_>>(), turned).unwrap();
    let (scene, ids) = scene_of([inside_out, cube([0.0; 3], 0.5)]);
    for identify in [Identify::Everything, Identify::Any, Identify::Penetrating, Identify::LastDrawn] {
        let found = cast(&scene, RayCastOptions { identify, ..small() });
        assert_eq!(found.not_closed, [ids[0]], "{identify:?}");
        assert!(!found.any, "{identify:?}");
    }
}

#[test]
fn a_body_with_edges_inside_itself_is_told_apart_from_pairs() {
    // Two cubes of one body overlap; a third body is inside one of them.
    let (a, b) = (cube([0.0; 3], 2.0), cube([1.0, 0.3, 0.2], 2.0));
    let positions: Vec<Point> = a.positions().iter().chain(b.positions().iter()).collect();
    let other = b.triangles().iter().map(|t| t.map(|vertex| vertex + 8));
    let double = Mesh::new(positions, a.triangles().iter().copied().chain(other).collect()).unwrap();
    let (scene, ids) = scene_of([double, cube([-0.7, -0.7, -0.7], 0.3)]);
    let found = cast(&scene, small());
    assert_eq!(pairs(&found), [[1, 0]]);
    let of_the_inner = cast(&scene, RayCastOptions { direction: Direction::Axes, ..small() });
    assert_eq!(of_the_inner.pairs.len(), 1);
    // The region is the inner cube's; looking at all of the body shows the rest.
    let mut scene = scene;
    scene.set_self_collision(ids[0], true).unwrap();
    assert_eq!(cast(&scene, small()).self_interfering, [ids[0]]);
    let (mut alone, _) = scene_of([cube([0.0; 3], 2.0), spindle([0.0, 0.0, 1.5], 9)]);
    for id in ids_of(&alone) {
        alone.set_self_collision(id, true).unwrap();
    }
    assert!(cast(&alone, small()).self_interfering.is_empty());
}

#[test]
fn rays_through_silhouettes_edges_and_vertices_count_right() {
    // 4.5.7, figure 4.12, with every ray that matters exactly on what is degenerate: two frames overlap, and their
    // image is 66 pixels wide with a border of 1.25, so pixels are 1/8 wide and their middles are odd sixteenths.
    let frame = brick([-63.5 / 16.0, -63.5 / 16.0, 3.5], [63.5 / 16.0, 63.5 / 16.0, 4.0]);
    let cast_with = |body: Mesh, probe: Mesh| {
        let (scene, _) = scene_of([body, probe, frame.clone(), frame.clone()]);
        let options = RayCastOptions { resolution: [66; 2], direction: Z, offset: Some(0.0), ..small() };
        cast(&scene, options)
    };
    let m = 1.0 / 16.0;
    // 1: rays through a vertex, and along edges, of the silhouette: neither in nor out, and the count stays even.
    let diamond = |at: Point| spindle(at, 4);
    let behind = brick([-3.0 + m, -3.0 + m, 1.5 + m], [3.0 + m, 3.0 + m, 3.6]);
    let found = cast_with(diamond([m, m, 0.0]), behind.clone());
    assert!(found.not_closed.is_empty(), "1: {:?}", found.not_closed);
    assert_eq!(
        pairs(&found).iter().filter(|pair| pair.contains(&0)).count(),
        0,
        "1: it is in front of all others"
    );
    // 2: rays along edges and faces: the sides of this brick are seen as lines through the middles of pixels.
    let sides = brick([-1.0 + m, -1.0 + m, -1.0], [1.0 + m, 1.0 + m, 1.0]);
    let found = cast_with(sides.clone(), behind);
    assert!(
        found.not_closed.is_empty() && !pairs(&found).iter().any(|pair| pair.contains(&0)),
        "2: {found:?}"
    );
    let inner = brick([-0.5 + m, -0.5 + m, -0.5], [0.5 + m, 0.5 + m, 0.5]);
    let found = cast_with(sides, inner.clone());
    assert!(found.not_closed.is_empty() && pairs(&found).contains(&[1, 0]), "2: {:?}", found.pairs);
    // 3: rays through vertices and edges that two faces share, both of them in front: one of them counts. The tip of this
    // spindle is over the middle of a pixel and its ridges pass through middles of pixels.
    let found = cast_with(
        spindle([m, m, 0.0], 8),
        brick([m - 0.125, m - 0.125, -0.25], [m + 0.125, m + 0.125, 0.25]),
    );
    assert!(found.not_closed.is_empty() && pairs(&found).contains(&[1, 0]), "3: {:?}", found.pairs);
    let points_on_ridges = found.points.iter().filter(|point| (point.position[1] - m).abs() < 1e-9).count();
    assert!(points_on_ridges > 0, "3: some rays do pass through a ridge");
}

/// What every pixel of a view along z counts before a depth, between 0 and 1.
fn counts_before(mesh: Mesh, depth: f32) -> Vec<(Point, i32)> {
    let bounds = Bounds { min: [-63.5 / 16.0; 3], max: [63.5 / 16.0; 3] };
    let view = View::new([0.0, 0.0, 1.0], [66; 2], Projection::Orthographic, &[bounds], &[bounds]).unwrap();
    let (scene, _) = scene_of([mesh]);
    let mut members = gather::members(&scene, &[]).unwrap();
    (members[0].closed, members[0].active) = (true, true);
    let (vertices, triangles) = gather::gather(&scene, &members, &view);
    let drawn = Drawn {
        pixels: [66; 2],
        vertices: &vertices,
        triangles: &triangles,
        members: &members,
        ranges: &[[0.0, 1.0]],
    };
    let all = 66 * 66;
    let targets = Targets { lines: vec![1; all], depths: vec![depth; all], bodies: vec![9; all] };
    let counts = count::count(&drawn, &targets, Whose::Others).before;
    let at = |k: usize| {
        let image = [(k % 66) as f64 + 0.5, (k / 66) as f64 + 0.5, f64::from(depth)];
        view.unproject(image)
    };
    counts.into_iter().enumerate().map(|(k, count)| (at(k), count)).collect()
}

#[test]
fn every_degenerate_ray_counts_once() {
    // 4.5.7, figure 4.12. Pixels are 1/8 wide, and their middles odd sixteenths.
    let m = 1.0 / 16.0;
    let far = |p: Point, by: f64| (p[0] - m).abs().max((p[1] - m).abs()) > by;
    let bodies = [
        // 1: vertices of the silhouette, at one pixel's middle each, and its edges through middles.
        ("silhouette", spindle([m, m, 0.0], 4), 1.0),
        // 2: faces and edges along the rays, through middles.
        ("along the rays", brick([m - 1.0, m - 1.0, -1.0], [m + 1.0, m + 1.0, 1.0]), 1.0),
        // 3: a vertex and edges that faces share, all of them in front, through middles.
        ("shared", spindle([m, m, 0.0], 8), 1.0),
    ];
    for (what, mesh, reach) in bodies {
        let mut on = 0;
        for (p, count) in counts_before(mesh.clone(), 1.0) {
            assert_eq!(count, 0, "{what}: entered as often as left, at {p:?}");
        }
        for (p, count) in counts_before(mesh, 0.5) {
            assert!(count == 0 || count == 1, "{what}: {count} at {p:?}");
            assert!(count == 0 || !far(p, reach + 1e-9), "{what}: outside, at {p:?}");
            // Well inside, the ray through the tip and those through ridges among them.
            let inside = (p[0] - m).abs() + (p[1] - m).abs() < 0.9 * reach;
            assert!(count == 1 || !inside, "{what}: inside, at {p:?}");
            on += usize::from((p[1] - m).abs() < 1e-9 && inside);
        }
        assert!(on > 10, "{what}: rays do pass through what is degenerate");
    }
}

#[test]
fn bodies_whose_faces_are_flush_are_found() {
    // Every edge of a box, but for the diagonals of its faces, is in a face of the other.
    let (scene, _) = scene_of([brick([0.0; 3], [1.0; 3]), brick([0.5, 0.0, 0.0], [1.5, 1.0, 1.0])]);
    // Corners of a cube, one beside the other: what they share touches two of its sides, and no edge is deeper.
    let tetrahedron = |x: f64| {
        let positions = vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
        Mesh::new(positions, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
    };
    let (corner, _) = scene_of([tetrahedron(0.0), tetrahedron(0.25)]);
    for k in 0..3 {
        let direction = Direction::Along(std::array::from_fn(|i| f64::from(u8::from(i == k))));
        assert!(cast(&scene, RayCastOptions { direction, ..small() }).any, "along {k}");
        for n in [64, 97, 256] {
            let options = RayCastOptions { direction, resolution: [n; 2], ..small() };
            assert!(cast(&corner, options).any, "a corner, along {k}, {n} pixels");
        }
    }
}

#[test]
fn nothing_and_hardly_anything_is_no_trouble() {
    let flat = Mesh::new(vec![[0.0f32; 3]; 3], vec![[0, 1, 2]]).unwrap();
    let empty = Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap();
    let repeated = |scale| Mesh::new(vec![[0.0; 3], [scale, 0.0, 0.0]], vec![[0, 0, 1]]).unwrap();
    for scale in [1e-300, 1e-30, 1.0, 1e30, 1e300] {
        let (scene, _) = scene_of([
            cube([0.0; 3], scale),
            cube([scale / 2.0; 3], scale),
            flat.clone(),
            empty.clone(),
            repeated(scale),
        ]);
        let found = cast(&scene, small());
        assert!(found.any && pairs(&found).contains(&[1, 0]), "{scale}: {:?}", found.pairs);
    }
    let found = cast(&Scene::new(), RayCastOptions { resolution: [0, u32::MAX], ..small() });
    assert!(!found.any && found.stages.views == 0);
    let odd = RayCastOptions { layers: 0, offset: Some(f64::NAN), ..small() };
    let (scene, _) = scene_of([cube([0.0; 3], 1.0), cube([0.5; 3], 1.0)]);
    assert!(cast(&scene, odd).any);
    assert!(!cast(&scene, RayCastOptions { offset: Some(f64::INFINITY), ..odd }).bodies.is_empty());
}

#[test]
fn the_reach_holds_in_views_much_deeper_than_wide() {
    // Two rods as long as a step of depth is coarse, their slanted ends apart; a bracket makes their boxes overlap.
    let cut = |low: f64, high: f64, at: f64, slope: f64| {
        let rod = brick([-0.5, -0.5, low], [0.5, 0.5, high]);
        let slanted = |p: Point| if p[2] == 0.0 { [p[0], p[1], at + slope * p[0]] } else { p };
        Mesh::new(rod.positions().iter().map(slanted).collect::<Vec<_>>(), rod.triangles().to_vec()).unwrap()
    };
    let mut reported = 0;
    for k in 0..60 {
        let (at, gap, slope) =
            (17.3 * f64::from(k), 0.02 + 0.005 * f64::from(k), 0.3 + 0.7 * f64::from(k * 7 % 60) / 60.0);
        let [a, b] = [cut(-1e6, 0.0, at, slope), cut(0.0, 1e6, at + gap, slope)];
        let bracket = brick([-1.0, -1.0, -1e6], [-0.9, 1.0, 1e6]);
        let over = brick([-0.95, -1.0, -1e6], [1.0, -0.9, 1e6]);
        let (scene, _) = scene_of([a, b, bracket, over]);
        let found = cast(&scene, RayCastOptions { resolution: [64; 2], direction: Z, ..small() });
        let pair = found.pairs.iter().any(|pair| pair.penetrating.index() < 2 && pair.penetrated.index() < 2);
        reported += usize::from(pair);
        let apart = gap / (1.0 + slope * slope).sqrt();
        assert!(!pair || apart <= found.reach, "{apart} apart, {} reach", found.reach);
    }
    assert!(reported > 0, "without any, this shows nothing");
}

#[test]
fn points_beyond_the_limit_are_counted() {
    let (scene, _) = scene_of([cube([0.0; 3], 2.0), cube([0.0; 3], 1.0)]);
    let all = cast(&scene, small());
    assert_eq!(all.points.len(), all.stages.points);
    let few = cast(&scene, RayCastOptions { most_points: 7, ..small() });
    assert_eq!((few.points.len(), few.stages.points), (7, all.stages.points));
    assert_eq!((&few.pairs, &few.edges), (&all.pairs, &all.edges));
}

#[test]
fn an_answer_has_its_counts_and_times() {
    let (scene, _) = scene_of([cube([0.0; 3], 1.0), cube([0.5; 3], 1.0)]);
    let found = cast(&scene, small());
    assert!(found.collides() && found.timing.total >= found.stages.render);
    assert_eq!((found.timing.bodies, found.timing.triangles, found.timing.body_pairs), (2, 24, 1));
}

//! Shapes are what they claim: closed where they should be, outward, and of about the size asked for.

use impinge_lab::shapes::{self, Shape};
use std::collections::HashMap;

fn closed_shapes(triangles: usize) -> Vec<(&'static str, Shape)> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mirrored = [corners[1], corners[0], corners[2], corners[3]];
    vec![
        ("sphere", shapes::sphere(triangles)),
        ("uv sphere", shapes::uv_sphere(triangles)),
        ("icosphere", shapes::icosphere(((triangles as f64 / 20.0).sqrt() as usize).max(1))),
        ("bumpy sphere", shapes::bumpy_sphere(triangles, 3)),
        ("torus", shapes::torus(triangles, 1.0, 0.2)),
        ("torus knot 2 3", shapes::torus_knot(triangles, [2, 3], [1.0, 0.45, 0.14])),
        ("torus knot 3 5", shapes::torus_knot(triangles, [3, 5], [1.0, 0.45, 0.05])),
        ("box", shapes::subdivided_box(triangles, [1.0, 2.0, 3.0])),
        ("lattice box", shapes::lattice_box([-3, 0, 7], shapes::box_cells(triangles))),
        ("creature", shapes::creature(triangles, 10, 5).shape),
        ("jet", shapes::jet(triangles)),
        ("tetrahedron", shapes::tetrahedron(triangles, corners)),
        ("tetrahedron, mirrored", shapes::tetrahedron(triangles, mirrored)),
        ("prism", shapes::prism(triangles, 6)),
        ("hollow shell", shapes::hollow_shell(triangles, 2.0, 1.0)),
    ]
}

fn open_shapes(triangles: usize) -> Vec<(&'static str, Shape)> {
    vec![
        ("cloth", shapes::cloth(triangles)),
        ("strip", shapes::strip(triangles, 12.0)),
        ("terrain", shapes::terrain(triangles, 3)),
        ("bowl", shapes::bowl(triangles)),
        ("pipe", shapes::pipe(triangles)),
    ]
}

/// How often each directed edge is used.
fn directed_edges(shape: &Shape) -> HashMap<(u32, u32), usize> {
    let mut edges = HashMap::new();
    for &[a, b, c] in &shape.triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
    }
    edges
}

const SIZES: [usize; 6] = [4, 20, 100, 777, 5000, 40_000];

#[test]
fn every_edge_of_a_closed_shape_is_used_once_in_each_direction() {
    for size in SIZES {
        for (name, shape) in closed_shapes(size) {
            let edges = directed_edges(&shape);
            for (&(a, b), &count) in &edges {
                assert!(a != b && count == 1, "{name} at {size}: edge {a}-{b} used {count} times");
                assert!(edges.contains_key(&(b, a)), "{name} at {size}: edge {a}-{b} has one side");
            }
        }
    }
}

#[test]
fn closed_shapes_are_closed_for_the_library_too_and_open_ones_are_not() {
    for size in SIZES {
        for (name, shape) in closed_shapes(size) {
            assert!(shape.mesh().topology().is_closed(), "{name} at {size}");
        }
        for (name, shape) in open_shapes(size) {
            assert!(!shape.mesh().topology().is_closed(), "{name} at {size}");
        }
    }
}

#[test]
fn closed_shapes_face_outward() {
    for size in SIZES {
        for (name, shape) in closed_shapes(size) {
            let volume = shape.signed_volume();
            // A limb, a knot or a polygon of three sides has little volume left, but never a negative one.
            assert!(volume > 0.0, "{name} at {size}: volume {volume}");
        }
    }
    let ball = shapes::sphere(40_000).signed_volume();
    assert!((ball - 4.0 / 3.0 * std::f64::consts::PI).abs() < 0.01, "{ball}");
    let ring = shapes::torus(40_000, 1.0, 0.2).signed_volume();
    assert!((ring - 2.0 * std::f64::consts::PI.powi(2) * 0.04).abs() < 0.01, "{ring}");
    let brick = shapes::subdivided_box(5000, [1.0, 2.0, 3.0]).signed_volume();
    assert!((brick - 48.0).abs() < 1e-9, "{brick}");
    let shell = shapes::hollow_shell(40_000, 2.0, 1.0).signed_volume();
    assert!((shell - 4.0 / 3.0 * std::f64::consts::PI * 7.0).abs() < 0.1, "{shell}");
}

#[test]
fn shapes_have_about_the_triangles_asked_for() {
    for size in [300, 777, 5000, 40_000] {
        for (name, shape) in closed_shapes(size).into_iter().chain(open_shapes(size)) {
            let off = shape.triangles.len().abs_diff(size) as f64 / size as f64;
            // The subdivided ones go by squares of whole numbers.
            let allowed = if name.starts_with("tetra") || name == "icosphere" { 0.45 } else { 0.1 };
            assert!(off <= allowed, "{name}: {} for {size}", shape.triangles.len());
        }
    }
}

#[test]
fn every_vertex_is_used_and_nothing_is_degenerate() {
    for (name, shape) in closed_shapes(777).into_iter().chain(open_shapes(777)) {
        let mut used = vec![false; shape.positions.len()];
        shape.triangles.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
        assert!(used.into_iter().all(|used| used), "{name} has a vertex that no triangle uses");
        for triangle in 0..shape.triangles.len() {
            let [a, b, c] = shape.corners(triangle);
            let area = impinge_lab::vector::norm(impinge_lab::vector::cross(
                impinge_lab::vector::sub(b, a),
                impinge_lab::vector::sub(c, a),
            ));
            assert!(area > 0.0, "{name}: triangle {triangle} has no area");
        }
    }
}

#[test]
fn creatures_stay_within_their_reach_and_keep_moving() {
    for seed in 0..20 {
        let animal = shapes::creature(2000, 10, seed);
        let mut before = Vec::new();
        for step in 0..10 {
            let now = animal.at(step as f64 / 10.0, |p| p);
            let reach = now.iter().map(|p| impinge_lab::vector::norm(p.map(f64::from))).fold(0.0, f64::max);
            assert!((1.0..shapes::Creature::REACH).contains(&reach), "seed {seed}: {reach}");
            assert_ne!(now, before);
            before = now;
        }
    }
}

#[test]
fn absurd_sizes_give_the_smallest_shape() {
    for (name, shape) in closed_shapes(0).into_iter().chain(open_shapes(0)) {
        assert!(
            !shape.triangles.is_empty() && shape.triangles.len() <= 200,
            "{name}: {}",
            shape.triangles.len()
        );
    }
}

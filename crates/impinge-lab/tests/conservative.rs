//! The conservative method against the oracle: the same contacts and containments, whatever its cells.

use impinge::contacts::GridOptions;
use impinge::{Collider, Method, Options, Scene};

/// Cells from far too fine to far too coarse, and triangles that are large much too early.
fn ways() -> Vec<GridOptions> {
    let way = |cell, most_cells| GridOptions { cell, most_cells };
    vec![GridOptions::default(), way(0.01, 27), way(0.3, 1000), way(50.0, 27), way(1.0, 0)]
}

fn check(scene: &Scene, place: &str) {
    let truth = Options { method: Method::BruteForce, ..Options::default() };
    let mut truth = Collider::new(truth);
    let truth = truth.collide(scene).unwrap();
    for grid in ways() {
        let options = Options { method: Method::Grid(grid), ..Options::default() };
        let mut collider = Collider::new(options);
        let report = collider.collide(scene).unwrap();
        assert!(report.complete, "{place}");
        assert_eq!(report.contacts, truth.contacts, "{place}, {grid:?}");
        assert_eq!(report.containments, truth.containments, "{place}, {grid:?}");
    }
}

#[test]
fn every_scene_of_the_lab() {
    for lab in impinge_lab::all() {
        let mut motion = lab.build(600, 5);
        for frame in [0, 2, 7] {
            motion.set_frame(frame).unwrap();
            check(&motion.scene, &format!("{}, frame {frame}", lab.name));
        }
    }
}

//! The oracle against hand-made answers, against the oracle's own oracle, and the narrow phase against both.

use std::sync::atomic::Ordering;

use impinge::exact;
use impinge_lab::families::{self, Answers, Family, Pair, Rng};
use impinge_lab::oracle::compare::{IN_LANES, Subject, compare};
use impinge_lab::oracle::relation;
use impinge_lab::oracle::{boxes_touch, naive, neighbours_touch, triangles_touch};

const FLOOR: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

#[test]
fn a_corner_on_a_face_touches_and_one_just_above_does_not() {
    let standing = |z: f64| [[1.0, 1.0, z], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]];
    assert!(triangles_touch(&FLOOR, &standing(0.0)));
    assert!(triangles_touch(&FLOOR, &standing(-f64::from_bits(1))));
    assert!(!triangles_touch(&FLOOR, &standing(f64::from_bits(1))));
}

#[test]
fn an_edge_through_a_face_touches_and_one_past_it_does_not() {
    let through = |x: f64, y: f64| [[x, y, -1.0], [x, y, 1.0], [x + 9.0, y + 9.0, 1.0]];
    assert!(triangles_touch(&FLOOR, &through(1.0, 1.0)));
    assert!(triangles_touch(&FLOOR, &through(2.0, 2.0)));
    assert!(!triangles_touch(&FLOOR, &through(2.0, 2.0f64.next_up())));
}

#[test]
fn coplanar_triangles_touch_inside_at_an_edge_and_at_a_corner() {
    let moved = |x: f64, y: f64| FLOOR.map(|p| [p[0] + x, p[1] + y, p[2]]);
    assert!(triangles_touch(&FLOOR, &FLOOR.map(|p| p.map(|x| x / 4.0))));
    assert!(triangles_touch(&FLOOR, &moved(2.0, 2.0)));
    assert!(triangles_touch(&FLOOR, &moved(4.0, 0.0)));
    assert!(triangles_touch(&FLOOR, &moved(1.0, 3.0)));
    assert!(!triangles_touch(&FLOOR, &moved(2.0, 2.5)));
}

#[test]
fn segments_and_points_touch_where_they_are() {
    let point = |x: f64, y: f64| [[x, y, 0.0]; 3];
    assert!(triangles_touch(&point(1.0, 1.0), &point(1.0, 1.0)));
    assert!(!triangles_touch(&point(1.0, 1.0), &point(1.0, 2.0)));
    assert!(triangles_touch(&FLOOR, &point(2.0, 2.0)));
    assert!(!triangles_touch(&FLOOR, &point(2.0, 2.0f64.next_up())));
    let segment = [[0.0, 0.0, 0.0], [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]];
    assert!(triangles_touch(&segment, &[[1.5; 3]; 3]));
    assert!(!triangles_touch(&segment, &[[2.5; 3]; 3]));
    let crossing = [[1.0, 1.0, 0.0], [1.0, 1.0, 3.0], [1.0, 1.0, 0.0]];
    assert!(triangles_touch(&segment, &crossing));
    assert!(!triangles_touch(&segment, &crossing.map(|[x, y, z]| [x, y.next_up(), z])));
}

#[test]
fn subnormal_and_huge_coordinates_are_taken_at_their_value() {
    // Half of the smallest normal number is subnormal, and the point is the middle of the segment.
    for end in [f64::MIN_POSITIVE, f64::from_bits(2), f64::MAX] {
        let segment = [[0.0; 3], [end, 2.0, 0.0], [0.0; 3]];
        assert!(triangles_touch(&segment, &[[end / 2.0, 1.0, 0.0]; 3]));
        assert!(!triangles_touch(&segment, &[[(end / 2.0).next_up(), 1.0, 0.0]; 3]));
    }
}

#[test]
fn neighbours_touch_only_beyond_what_they_share() {
    let up = |z: f64| [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, z], [1.0, 0.0, 5.0]];
    assert!(!neighbours_touch(&up(1.0), [0, 1, 2], [0, 1, 3])); // a hinge
    assert!(neighbours_touch(&up(0.0), [0, 1, 2], [0, 1, 3])); // folded shut
    assert!(!neighbours_touch(&up(1.0), [0, 1, 2], [0, 3, 4])); // tip to tip
    assert!(neighbours_touch(&up(-1.0), [0, 1, 2], [0, 3, 4])); // tip to tip, and through
    assert!(neighbours_touch(&up(0.0), [0, 1, 2], [2, 1, 0])); // one triangle twice
    assert!(!neighbours_touch(&up(0.0), [0, 1, 1], [1, 1, 0])); // one segment twice
    assert!(!neighbours_touch(&up(0.0), [0, 0, 0], [0, 1, 2])); // a shared point and nothing else
    // The same place under another index is not shared.
    let seam = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    assert!(neighbours_touch(&seam, [0, 1, 2], [0, 3, 4]));
    assert!(!neighbours_touch(&seam, [0, 1, 2], [0, 1, 4]));
}

/// The corners of a cube, by three bits.
fn cube(corner: usize) -> [f64; 3] {
    [0, 1, 2].map(|axis| (corner >> axis & 1) as f64)
}

#[test]
fn the_narrow_phase_and_both_oracles_agree_on_every_pair_of_a_cube() {
    let mut triangles = Vec::new();
    for i in 0..8 {
        for j in i..8 {
            triangles.extend((j..8).map(|k| [i, j, k].map(cube)));
        }
    }
    let mut touching = 0;
    for a in &triangles {
        for b in &triangles {
            let touch = triangles_touch(a, b);
            assert_eq!(touch, naive::triangles_touch(a, b), "{a:?} {b:?}");
            assert_eq!(touch, exact::triangles_touch(a, b), "{a:?} {b:?}");
            touching += u32::from(touch);
        }
    }
    assert!(touching > 1000 && touching < 14400 - 1000);
}

/// Two triangles over up to five vertices in every way that matters: vertex 0 stays at the origin (the cube looks
/// the same from all its corners), the others go everywhere.
#[test]
fn the_narrow_phase_and_both_oracles_agree_on_every_pair_of_neighbours_in_a_cube() {
    // How many vertices, who has which, and whether there can be anything beyond what they share.
    let patterns: [(u32, [u32; 3], [u32; 3], bool); 9] = [
        (5, [0, 1, 2], [0, 3, 4], true),
        (4, [0, 1, 2], [0, 1, 3], true),
        (4, [0, 1, 2], [1, 2, 3], true),
        (4, [0, 1, 2], [0, 3, 3], true),
        (3, [0, 1, 2], [1, 2, 0], true),
        (3, [0, 1, 2], [0, 1, 1], false),
        (3, [0, 1, 1], [0, 2, 2], true),
        (2, [0, 0, 1], [0, 1, 1], false),
        (2, [0, 0, 1], [0, 0, 0], false),
    ];
    for (vertices, a, b, can_touch) in patterns {
        let mut counts = [0; 2];
        for code in 0..8usize.pow(vertices - 1) {
            let vertex = |v: u32| if v == 0 { [0.0; 3] } else { cube(code >> (3 * (v - 1)) & 7) };
            let positions: Vec<[f64; 3]> = (0..vertices).map(vertex).collect();
            let touch = neighbours_touch(&positions, a, b);
            let corners = [a, b].map(|t| t.map(|v| positions[v as usize]));
            assert_eq!(touch, naive::neighbours_touch(&positions, a, b), "{positions:?} {a:?} {b:?}");
            assert_eq!(touch, exact::neighbours_touch(corners, [a, b]), "{positions:?} {a:?} {b:?}");
            counts[usize::from(touch)] += 1;
        }
        assert!(counts[0] > 0, "{a:?} {b:?}: some share everything");
        assert_eq!(counts[1] > 0, can_touch, "{a:?} {b:?}");
    }
}

#[test]
fn both_oracles_agree_on_every_family() {
    for family in families::all() {
        let rng = &mut Rng::new(11);
        for _ in 0..60 {
            let pair = family.pair(rng);
            let (fast, slow) = match &pair {
                Pair::Separate(a, b) => (triangles_touch(a, b), naive::triangles_touch(a, b)),
                Pair::Neighbours { positions, a, b } => {
                    (neighbours_touch(positions, *a, *b), naive::neighbours_touch(positions, *a, *b))
                }
            };
            assert_eq!(fast, slow, "{}: {pair}", family.name);
        }
    }
}

#[test]
fn the_narrow_phase_agrees_with_the_oracle_on_every_family() {
    let all: Vec<&Family> = families::all().iter().collect();
    let tallies = compare(Subject::LIBRARY, &all, 200_000, 1, |_| {});
    for (tally, family) in tallies.iter().zip(&all) {
        assert_eq!(tally.disagreements, 0, "{}:\n{}", tally.family, tally.examples.join("\n"));
        assert!(2 * tally.overlapping > tally.pairs, "{}: most boxes should overlap", tally.family);
        // A family whose answers are all the same has stopped testing what it is for.
        let few = tally.pairs / 100;
        match family.answers {
            Answers::Both => {
                assert!(
                    tally.touching > few && tally.touching < tally.pairs - few,
                    "{}: {tally:?}",
                    tally.family
                );
            }
            Answers::Touching => assert_eq!(tally.touching, tally.pairs, "{}", tally.family),
        }
    }
}

#[test]
fn exact_lanes_agree_with_the_oracle_on_every_family() {
    let all: Vec<&Family> = families::all().iter().collect();
    for tally in compare(Subject::LANES, &all, 60_000, 3, |_| {}) {
        assert_eq!(tally.disagreements, 0, "{}:\n{}", tally.family, tally.examples.join("\n"));
    }
    let [asked, decided] = IN_LANES.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert!(3 * decided > asked, "lanes decided {decided} of {asked}");
}

#[test]
fn a_wrong_narrow_phase_is_caught_by_every_family() {
    let all: Vec<&Family> = families::all().iter().collect();
    let boxes = Subject { triangles_touch: boxes_touch, neighbours_touch: |[a, b], _| boxes_touch(&a, &b) };
    let silent = Subject { triangles_touch: |_, _| false, neighbours_touch: |_, _| false };
    let order_matters = Subject {
        triangles_touch: |a, b| a[0][0] <= b[0][0] && triangles_touch(a, b),
        neighbours_touch: |t, i| t[0][0] <= t[1][0] && exact::neighbours_touch(t, i),
    };
    for (subject, misses_touching) in [(boxes, false), (silent, true), (order_matters, true)] {
        for (tally, family) in compare(subject, &all, 5_000, 2, |_| {}).iter().zip(&all) {
            if misses_touching || family.answers == Answers::Both {
                assert!(tally.disagreements > 0 && !tally.examples.is_empty(), "{}", tally.family);
            }
        }
    }
}

#[test]
fn a_panic_is_a_disagreement_and_the_pair_is_kept() {
    let grid: Vec<&Family> = families::all().iter().filter(|f| f.name == "grid-2").collect();
    let panics = Subject { triangles_touch: |_, _| panic!("on purpose"), neighbours_touch: |_, _| false };
    let tallies = compare(panics, &grid, 10, 3, |_| {});
    assert_eq!((tallies[0].pairs, tallies[0].disagreements), (10, 10));
    assert!(tallies[0].examples[0].contains("it panicked") && tallies[0].examples[0].contains("0x"));
}

#[test]
fn the_same_seed_gives_the_same_pairs() {
    for family in families::all() {
        let draw = |seed: u64| -> Vec<Pair> {
            let rng = &mut Rng::new(seed);
            (0..20).map(|_| family.pair(rng)).collect()
        };
        assert_eq!(draw(5), draw(5), "{}", family.name);
        assert_ne!(draw(5), draw(6), "{}", family.name);
    }
}

#[test]
fn what_bodies_are_to_each_other_is_what_their_tetrahedra_say() {
    let tally = relation::compare(400, 1, |_| {});
    assert_eq!(tally.wrong, 0, "{}", tally.examples.join("\n"));
    assert!(tally.answers.iter().all(|&count| count > 0), "{:?}", tally.answers);
}

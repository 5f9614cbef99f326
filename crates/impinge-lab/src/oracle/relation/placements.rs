//! Bodies made of tetrahedra, and random placements of two of them that are degenerate on purpose.

use crate::families::Rng;
use impinge::{Mesh, Pose};
use std::collections::BTreeMap;

/// Tetrahedra that share whole faces.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// Corners.
    pub positions: Vec<[f64; 3]>,
    /// By their corners, all turned the same way.
    pub tetrahedra: Vec<[u32; 4]>,
}

impl Cells {
    /// The triangles that one tetrahedron has alone, facing out.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut faces: BTreeMap<[u32; 3], Option<[u32; 3]>> = BTreeMap::new();
        for &[a, b, c, d] in &self.tetrahedra {
            for face in [[a, c, b], [a, b, d], [b, c, d], [a, d, c]] {
                let mut key = face;
                key.sort_unstable();
                faces.entry(key).and_modify(|face| *face = None).or_insert(Some(face));
            }
        }
        faces.into_values().flatten().collect()
    }

    /// Boxes of a grid, each cut into six tetrahedra around a diagonal. `diagonal` says which, for all.
    fn boxes(boxes: &[[usize; 3]], lines: [&[f64]; 3], diagonal: usize) -> Self {
        let mut cells = Self::default();
        let mut numbers: BTreeMap<[usize; 3], u32> = BTreeMap::new();
        let flips = [0, 1, 2].map(|i| diagonal >> i & 1);
        let turned = flips.iter().sum::<usize>() % 2 == 1;
        for lower in boxes {
            for [i, j, k] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let mut step = [0; 3];
                let mut corner = |axis: Option<usize>| {
                    if let Some(axis) = axis {
                        step[axis] = 1;
                    }
                    let at = [0, 1, 2].map(|axis| lower[axis] + (step[axis] ^ flips[axis]));
                    *numbers.entry(at).or_insert_with(|| {
                        cells.positions.push([0, 1, 2].map(|axis| lines[axis][at[axis]]));
                        cells.positions.len() as u32 - 1
                    })
                };
                let [a, b, c, d] = [corner(None), corner(Some(i)), corner(Some(j)), corner(Some(k))];
                let even = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].contains(&[i, j, k]);
                cells.tetrahedra.push(if even == turned { [a, b, d, c] } else { [a, b, c, d] });
            }
        }
        cells
    }

    /// Pyramids over every triangle of a surface around a point that sees all of it.
    fn fan(middle: [f64; 3], corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> Self {
        let mut positions = corners.to_vec();
        positions.push(middle);
        let apex = corners.len() as u32;
        let tetrahedra = triangles.iter().map(|&[a, b, c]| [a, b, c, apex]).collect();
        Self { positions, tetrahedra }
    }

    fn random(rng: &mut Rng) -> Self {
        match rng.below(8) {
            0 => {
                let corners = [
                    [1.0, 0.0, 0.0],
                    [-1.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0],
                    [0.0, -1.0, 0.0],
                    [0.0, 0.0, 1.0],
                    [0.0, 0.0, -1.0],
                ];
                let triangles: Vec<[u32; 3]> = (0..8u32)
                    .map(|i| {
                        let t = [i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2 & 1)];
                        if i.count_ones() % 2 == 0 { t } else { [t[0], t[2], t[1]] }
                    })
                    .collect();
                Self::fan([0.0; 3], &corners, &triangles)
            }
            1 => Self {
                positions: vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]],
                tetrahedra: vec![[0, 1, 2, 3]],
            },
            _ => {
                let grid: [&[f64]; 4] = [
                    &[0.0, 1.0, 2.0, 3.0],
                    &[0.0, 1.0, 1.5, 2.0],
                    &[0.0, 0.5, 1.0, 3.0],
                    &[0.0, 2.0, 3.0, 5.0],
                ];
                let mut line = || if rng.below(3) > 0 { grid[0] } else { grid[rng.below(4)] };
                let lines = [line(), line(), line()];
                let boxes = box_list(rng);
                Self::boxes(&boxes, lines, rng.below(8))
            }
        }
    }
}

/// Boxes that hang together somehow, or only in an edge or a corner.
fn box_list(rng: &mut Rng) -> Vec<[usize; 3]> {
    let all = || (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]);
    match rng.below(12) {
        // A block with a hollow, a ring, a plate.
        0 => all().filter(|&at| at != [1, 1, 1]).collect(),
        1 | 2 => all().filter(|at| at[2] == 0 && at[..2] != [1, 1]).collect(),
        3 => all().filter(|at| at[2] == 0).collect(),
        4 => all().filter(|at| at[2] == 1 && at[1] == 1).collect(),
        // Some that hang together, some that do not.
        5 | 6 => {
            let some: Vec<[usize; 3]> = all().filter(|_| rng.below(6) == 0).collect();
            if some.is_empty() { vec![[0, 1, 2], [2, 1, 0]] } else { some }
        }
        _ => {
            let mut boxes = vec![[1, 1, 1]];
            for _ in 0..rng.below(4) {
                let from = boxes[rng.below(boxes.len())];
                let to = from.map(|x: usize| (x + rng.below(3)).saturating_sub(1).min(2));
                let one = rng.below(3);
                let next = if rng.below(4) == 0 {
                    to
                } else {
                    [0, 1, 2].map(|i| if i == one { to[i] } else { from[i] })
                };
                boxes.push(next);
            }
            boxes.sort_unstable();
            boxes.dedup();
            boxes
        }
    }
}

/// Two bodies, somewhere.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Which kind of placement.
    pub name: &'static str,
    /// What the bodies are made of.
    pub cells: [Cells; 2],
    /// Their surfaces; triangles may be in any order, turned over, or some of them.
    pub meshes: [Mesh; 2],
    /// Where they stand.
    pub poses: [Pose; 2],
}

type Matrix = [[f64; 3]; 3];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Rotations, larger by a whole number, that take integers to integers: what is flush stays flush on oblique planes.
const OBLIQUE: [Matrix; 3] = [
    [[3.0, -4.0, 0.0], [4.0, 3.0, 0.0], [0.0, 0.0, 5.0]],
    [[1.0, 2.0, 2.0], [2.0, 1.0, -2.0], [2.0, -2.0, 1.0]],
    [[2.0, 3.0, 6.0], [3.0, -6.0, 2.0], [6.0, 2.0, -3.0]],
];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// One of 48: right angles, and mirrors.
fn right_angles(rng: &mut Rng) -> Matrix {
    let order = rng.shuffled([0, 1, 2]);
    order.map(|axis| {
        let mut row = [0.0; 3];
        row[axis] = if rng.below(2) == 0 { 1.0 } else { -1.0 };
        row
    })
}

fn any_rotation(rng: &mut Rng) -> Matrix {
    let axis = rng.direction();
    let pose = Pose::from_axis_angle(axis, rng.between(0.0, 6.3), [0.0; 3]);
    pose.map_or(IDENTITY, |pose| pose.rows().map(|row| [row[0], row[1], row[2]]))
}

/// What takes a random corner of the second body to one of the first, or to a whole step beside it.
fn onto_each_other(rng: &mut Rng, cells: [&Cells; 2], rows: [&Matrix; 2]) -> [f64; 3] {
    let corners = cells.map(|cells| cells.positions[rng.below(cells.positions.len())]);
    let beside = [0; 3].map(|_| [0.0, 0.0, 0.0, 0.5, 1.0, -1.0][rng.below(6)]);
    let first = [0, 1, 2].map(|i| corners[0][i] + beside[i]);
    let [to, from] = [applied(rows[0], first), applied(rows[1], corners[1])];
    [0, 1, 2].map(|i| to[i] - from[i])
}

fn applied(rows: &Matrix, p: [f64; 3]) -> [f64; 3] {
    rows.map(|row| (0..3).map(|i| row[i] * p[i]).sum())
}

/// One representable number further, in either direction.
fn nudge(rng: &mut Rng, x: f64) -> f64 {
    if rng.below(2) == 0 { x.next_up() } else { x.next_down() }
}

impl Placement {
    /// A random one.
    pub fn random(rng: &mut Rng) -> Self {
        let first = Cells::random(rng);
        let kind = rng.below(9);
        let second = if rng.below(6) == 0 { first.clone() } else { Cells::random(rng) };
        let mut rows = [IDENTITY; 2];
        let mut at = [[0.0; 3]; 2];
        let name = [
            "flush",
            "sliding",
            "ulp",
            "right angles",
            "rotated",
            "nested",
            "oblique",
            "rotated together",
            "the same",
        ][kind];
        let size = [1.0, 2.0, 0.5][rng.below(3)];
        let meet =
            |rng: &mut Rng, rows: &[Matrix; 2]| onto_each_other(rng, [&first, &second], rows.each_ref());
        match kind {
            0 => at[1] = meet(rng, &rows),
            1 => {
                at[1] = meet(rng, &rows);
                for _ in 0..=rng.below(2) {
                    at[1][rng.below(3)] += rng.between(-1.0, 1.0);
                }
            }
            2 => {
                at[1] = meet(rng, &rows);
                let axis = rng.below(3);
                at[1][axis] = nudge(rng, at[1][axis]);
            }
            3 => {
                rows = [right_angles(rng), right_angles(rng)];
                at[1] = meet(rng, &rows);
            }
            4 => {
                rows[1] = any_rotation(rng);
                at[1] = meet(rng, &rows);
            }
            5 => {
                rows[1] = right_angles(rng).map(|row| row.map(|x| x / 8.0));
                if rng.below(3) == 0 {
                    rows[1] = product(&any_rotation(rng), &rows[1]);
                }
                at[1] = meet(rng, &rows);
                if rng.below(4) > 0 {
                    // From a corner of a tetrahedron to its middle, or half of the way.
                    let corners = first.tetrahedra[rng.below(first.tetrahedra.len())]
                        .map(|v| first.positions[v as usize]);
                    let way = [0.125, 0.25][rng.below(2)];
                    let middle = [0, 1, 2].map(|i| {
                        let [a, b, c, d] = corners.map(|p| p[i]);
                        a + way * (b - a + c - a + d - a)
                    });
                    let from = applied(&rows[1], second.positions[rng.below(second.positions.len())]);
                    at[1] = [0, 1, 2].map(|i| middle[i] - from[i]);
                }
            }
            6 => {
                let turn = OBLIQUE[rng.below(3)];
                rows = [right_angles(rng), right_angles(rng)].map(|rows| product(&turn, &rows));
                at[1] = meet(rng, &rows);
                if rng.below(4) == 0 {
                    let axis = rng.below(3);
                    at[1][axis] = nudge(rng, at[1][axis]);
                }
            }
            7 => {
                let turn = any_rotation(rng);
                rows = [turn, product(&turn, &right_angles(rng))];
                at[1] = meet(rng, &rows);
            }
            _ => {
                // One solid, cut in other ways.
                let (boxes, other) = (box_list(rng), rng.below(8));
                let [coarse, fine] = [&[0.0, 1.0, 2.0, 3.0][..], &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]];
                let second = if rng.below(3) == 0 {
                    let halves = |at: &[usize; 3]| {
                        let at = *at;
                        (0..8usize).map(move |i| [0, 1, 2].map(|axis| 2 * at[axis] + (i >> axis & 1)))
                    };
                    Cells::boxes(&boxes.iter().flat_map(halves).collect::<Vec<_>>(), [fine; 3], other)
                } else {
                    Cells::boxes(&boxes, [coarse; 3], other)
                };
                let first = Cells::boxes(&boxes, [coarse; 3], rng.below(8));
                let mut same = Self::of(rng, name, [first, second], [IDENTITY; 2], at);
                if rng.below(3) == 0 {
                    let turn = OBLIQUE[rng.below(3)];
                    same.poses = [pose(&turn, [0.0; 3]), pose(&turn, [0.0; 3])];
                }
                return same;
            }
        }
        // Powers of two move no point across another.
        let scaled = [1.0, 1.0, 2f64.powi(300), 2f64.powi(-300), 2f64.powi(-1000)]
            [if rng.below(4) == 0 { rng.below(5) } else { 0 }];
        let scaled = if kind == 2 { 1.0 } else { scaled * size };
        let mut rows = rows.map(|rows| rows.map(|row| row.map(|x| x * scaled)));
        let mut at = at.map(|at| at.map(|x| x * scaled));
        if rng.below(2) == 0 {
            rows.reverse();
            at.reverse();
            return Self::of(rng, name, [second, first], rows, at);
        }
        Self::of(rng, name, [first, second], rows, at)
    }

    fn of(
        rng: &mut Rng,
        name: &'static str,
        cells: [Cells; 2],
        rows: [Matrix; 2],
        at: [[f64; 3]; 2],
    ) -> Self {
        let meshes = cells.each_ref().map(|cells| {
            let mut triangles = cells.triangles();
            match rng.below(8) {
                0 => triangles.iter_mut().for_each(|t| t.swap(1, 2)),
                1 => {
                    let some = rng.below(triangles.len());
                    triangles[some].swap(0, 1);
                }
                2 => triangles.reverse(),
                _ => {}
            }
            // Corners inside the body belong to no triangle.
            Mesh::new(cells.positions.clone(), triangles)
        });
        let meshes = meshes.map(|mesh| mesh.unwrap_or_else(|_| unreachable!("the corners are finite")));
        let poses = [0, 1].map(|k| pose(&rows[k], at[k]));
        Self { name, cells, meshes, poses }
    }
}

fn pose(rows: &Matrix, at: [f64; 3]) -> Pose {
    let rows = [0, 1, 2].map(|i| [rows[i][0], rows[i][1], rows[i][2], at[i]]);
    Pose::from_rows(rows).unwrap_or(Pose::IDENTITY)
}

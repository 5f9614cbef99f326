//! parry3d: its trees over the triangles of every body, refitted where a body deforms, and traversed in pairs. The
//! triangles that meet in a leaf are tested with its own test (GJK in single precision) or with ours.

use crate::run::Measured;
use anyhow::{Result, bail};
use impinge::exact::{neighbours_touch, triangles_touch};
use impinge::{Point, Positions};
use impinge_io::{FramePositions, SceneBody, SceneFile};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::glamx::Mat3;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use parry3d::query::details::intersection_test_support_map_support_map as gjk;
use parry3d::shape::Triangle;
use rayon::prelude::*;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Test {
    Own,
    Exact,
}

struct Body<'a> {
    file: &'a SceneBody,
    points: Vec<Vector>,
    /// `world_from_body`, as parry and as we have it.
    pose: Pose,
    exact_pose: impinge::Pose,
    tree: Bvh,
    updates: Vec<(Aabb, u32, f32)>,
    workspace: BvhWorkspace,
}

/// The first frame with everything that is built for it, then every frame once; no frame is started once `limit` is over.
pub(crate) fn time(scene: &SceneFile, test: Test, threads: usize, limit: Duration) -> Result<Measured> {
    let start = Instant::now();
    let mut bodies = scene.bodies().iter().map(Body::new).collect::<Result<Vec<_>>>()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let built = start.elapsed();
    let mut measured = Measured { version: "0.31".into(), first: 0.0, ms: Vec::new(), pairs: Vec::new() };
    let begin = Instant::now();
    for (count, frame) in std::iter::once(0).chain(0..scene.frames()).enumerate() {
        let start = Instant::now();
        let many = threads > 1;
        let mut work = || {
            for body in &mut bodies {
                body.set_frame(frame, many);
            }
            pairs(&bodies, test, many)
        };
        // With one thread nothing is handed to a pool.
        let found = if many { pool.install(work) } else { work() };
        let ms = 1e3 * start.elapsed().as_secs_f64();
        if count == 0 {
            measured.first = ms + 1e3 * built.as_secs_f64();
        } else {
            measured.ms.push(ms);
            measured.pairs.push(found.len());
            if begin.elapsed() > limit {
                break;
            }
        }
    }
    Ok(measured)
}

/// Bodies and triangles of every pair.
type Pair = [(u32, u32); 2];

fn pairs(bodies: &[Body], test: Test, many: bool) -> Vec<Pair> {
    let boxes: Vec<Aabb> = bodies.iter().map(|body| body.tree.root_aabb().transform_by(&body.pose)).collect();
    let mut meeting = Vec::new();
    for a in 0..bodies.len() {
        meeting.extend((a + 1..bodies.len()).filter(|&b| boxes[a].intersects(&boxes[b])).map(|b| [a, b]));
    }
    let number = |[a, b]: [usize; 2], (i, j)| [(a as u32, i), (b as u32, j)];
    let between = |&[a, b]: &[usize; 2]| {
        let found = bodies[a].against(&bodies[b], test);
        found.into_iter().map(move |pair| number([a, b], pair)).collect::<Vec<_>>()
    };
    let mut found: Vec<Pair> = if many {
        meeting.par_iter().flat_map_iter(between).collect()
    } else {
        meeting.iter().flat_map(between).collect()
    };
    for (a, body) in bodies.iter().enumerate().filter(|(_, body)| body.file.self_collision) {
        found.extend(body.against_itself(test, many).into_iter().map(|pair| number([a, a], pair)));
    }
    found
}

impl<'a> Body<'a> {
    fn new(file: &'a SceneBody) -> Result<Self> {
        let Positions::F32(points) = file.mesh.positions() else {
            bail!("'{}' is in double precision, which this crate of parry's is not for", file.name)
        };
        let mut body = Self {
            file,
            points: points.iter().map(|&p| p.into()).collect(),
            pose: Pose::IDENTITY,
            exact_pose: impinge::Pose::IDENTITY,
            tree: Bvh::new(),
            updates: Vec::new(),
            workspace: BvhWorkspace::default(),
        };
        if let Some(FramePositions::F32(points)) = file.positions.as_ref().and_then(|track| track.frame(0)) {
            body.points = points.iter().map(|&p| p.into()).collect();
        }
        let leaves: Vec<Aabb> =
            (0..file.mesh.triangles().len()).map(|t| body.corners(t as u32).local_aabb()).collect();
        body.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Ok(body)
    }

    fn set_frame(&mut self, frame: usize, many: bool) {
        if let Some(poses) = &self.file.poses {
            self.exact_pose = poses[frame.min(poses.len() - 1)];
            self.pose = rigid(&self.exact_pose);
        }
        let track = self.file.positions.as_ref();
        let Some(FramePositions::F32(points)) =
            track.and_then(|track| track.frame(frame.min(track.frames() - 1)))
        else {
            return;
        };
        self.points.iter_mut().zip(points).for_each(|(point, &given)| *point = given.into());
        let count = self.file.mesh.triangles().len() as u32;
        if many {
            let mut updates = std::mem::take(&mut self.updates);
            let update = |triangle| (self.corners(triangle).local_aabb(), triangle, 0.0);
            (0..count).into_par_iter().map(update).collect_into_vec(&mut updates);
            self.tree.insert_or_update_batch_partially_parallel(&updates, &mut Vec::new());
            self.updates = updates;
            self.tree.refit_parallel(&mut self.workspace);
        } else {
            for triangle in 0..count {
                let leaf = self.corners(triangle).local_aabb();
                let _ = self.tree.insert_or_update_partially(leaf, triangle, 0.0);
            }
            self.tree.refit_without_opt();
        }
    }

    fn corners(&self, triangle: u32) -> Triangle {
        let [a, b, c] = self.file.mesh.triangles()[triangle as usize].map(|v| self.points[v as usize]);
        Triangle::new(a, b, c)
    }

    fn world_corners(&self, triangle: u32) -> [Point; 3] {
        let corners = self.file.mesh.triangles()[triangle as usize];
        corners.map(|v| self.exact_pose.apply(self.points[v as usize].to_array().map(f64::from)))
    }

    fn against(&self, other: &Self, test: Test) -> Vec<(u32, u32)> {
        let this_from_other = self.pose.inv_mul(&other.pose);
        let touch = |&(i, j): &(u32, u32)| match test {
            Test::Own => gjk(&this_from_other, &self.corners(i), &other.corners(j)),
            Test::Exact => triangles_touch(&self.world_corners(i), &other.world_corners(j)),
        };
        if self.file.poses.is_none() && other.file.poses.is_none() {
            return self.tree.leaf_pairs(&other.tree, BvhNode::intersects).filter(touch).collect();
        }
        let meet = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(&this_from_other));
        self.tree.leaf_pairs(&other.tree, meet).filter(touch).collect()
    }

    fn against_itself(&self, test: Test, many: bool) -> Vec<(u32, u32)> {
        let triangles = self.file.mesh.triangles();
        let touch = |&(i, j): &(u32, u32)| {
            let indices = [triangles[i as usize], triangles[j as usize]];
            match test {
                // Its test knows nothing of shared vertices and would find every neighbour.
                Test::Own if indices[0].iter().any(|vertex| indices[1].contains(vertex)) => false,
                Test::Own => gjk(&Pose::IDENTITY, &self.corners(i), &self.corners(j)),
                Test::Exact => neighbours_touch([self.world_corners(i), self.world_corners(j)], indices),
            }
        };
        if many {
            let candidates = self.tree.traverse_bvtt_single_tree_parallel::<false>();
            return candidates.into_par_iter().filter(touch).collect();
        }
        let mut found = Vec::new();
        self.tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |i, j| {
            if touch(&(i, j)) {
                found.push((i, j));
            }
        });
        found
    }
}

/// The lab turns bodies and does not stretch them.
fn rigid(pose: &impinge::Pose) -> Pose {
    let [x, y, z] = pose.rows().map(|row| row.map(|entry| entry as f32));
    let column = |k: usize| Vector::new(x[k], y[k], z[k]);
    Pose::from_parts(column(3), Rotation::from_mat3(&Mat3::from_cols(column(0), column(1), column(2))))
}

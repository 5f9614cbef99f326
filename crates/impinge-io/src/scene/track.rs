//! Motion over frames: new positions for every vertex, or poses, from `.npy` arrays.

use crate::error::{Place, Problem, ReadError};
use crate::npy::{Array, Values, parse_npy, shape_text};
use impinge::Pose;

/// Positions of every vertex in every frame, frame after frame without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionsTrack {
    vertices: usize,
    frames: usize,
    points: Points,
}

#[derive(Clone, Debug, PartialEq)]
enum Points {
    F32(Vec<[f32; 3]>),
    F64(Vec<[f64; 3]>),
}

/// The positions of one frame, as wide as the file has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FramePositions<'a> {
    /// Single precision.
    F32(&'a [[f32; 3]]),
    /// Double precision.
    F64(&'a [[f64; 3]]),
}

impl PositionsTrack {
    /// From `frames * vertices` points in single precision, frame after frame. Fails, and gives the points back,
    /// when they are not a whole positive number of frames.
    pub fn from_f32(vertices: usize, points: Vec<[f32; 3]>) -> Result<Self, Vec<[f32; 3]>> {
        match frames_of(vertices, points.len()) {
            Some(frames) => Ok(Self { vertices, frames, points: Points::F32(points) }),
            None => Err(points),
        }
    }

    /// From `frames * vertices` points in double precision, as [`PositionsTrack::from_f32`].
    pub fn from_f64(vertices: usize, points: Vec<[f64; 3]>) -> Result<Self, Vec<[f64; 3]>> {
        match frames_of(vertices, points.len()) {
            Some(frames) => Ok(Self { vertices, frames, points: Points::F64(points) }),
            None => Err(points),
        }
    }

    /// Number of frames, at least one.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Number of vertices in every frame.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The positions of a frame, as they lie in memory; `None` past the last.
    pub fn frame(&self, frame: usize) -> Option<FramePositions<'_>> {
        let range = frame * self.vertices..(frame + 1) * self.vertices;
        (frame < self.frames).then(|| match &self.points {
            Points::F32(points) => FramePositions::F32(&points[range]),
            Points::F64(points) => FramePositions::F64(&points[range]),
        })
    }
}

fn frames_of(vertices: usize, points: usize) -> Option<usize> {
    (points > 0 && points.checked_rem(vertices) == Some(0)).then(|| points / vertices)
}

/// Reads a track of positions: an array `[frames, vertices, 3]`.
pub fn parse_positions(bytes: &[u8]) -> Result<PositionsTrack, ReadError> {
    let Array { shape, values } = parse_npy(bytes)?;
    let &[frames @ (1..), vertices @ (1..), 3] = shape.as_slice() else {
        let problem =
            format!("positions have the shape {}, expected [frames, vertices, 3]", shape_text(&shape));
        return Err(Problem::Malformed(problem).at(Place::File));
    };
    let points = match values {
        Values::F32(values) => Points::F32(values.as_chunks().0.to_vec()),
        Values::F64(values) => Points::F64(values.as_chunks().0.to_vec()),
    };
    let bad = match &points {
        Points::F32(points) => first_not_finite(points),
        Points::F64(points) => first_not_finite(points),
    };
    if let Some((point, axis, value)) = bad {
        let place = Place::Nested("frame", point / vertices, "vertex", point % vertices);
        return Err(Problem::NotFinite { axis, value }.at(place));
    }
    Ok(PositionsTrack { vertices, frames, points })
}

fn first_not_finite<T: Copy + Into<f64>>(points: &[[T; 3]]) -> Option<(usize, usize, f64)> {
    let coordinates = points.as_flattened().iter().map(|&c| c.into());
    coordinates
        .enumerate()
        .find(|(_, value): &(usize, f64)| !value.is_finite())
        .map(|(i, value)| (i / 3, i % 3, value))
}

/// Reads a track of poses: an array `[frames, 4, 4]`, row-major `world_from_body`.
pub fn parse_poses(bytes: &[u8]) -> Result<Vec<Pose>, ReadError> {
    let Array { shape, values } = parse_npy(bytes)?;
    let &[(1..), 4, 4] = shape.as_slice() else {
        let problem = format!("poses have the shape {}, expected [frames, 4, 4]", shape_text(&shape));
        return Err(Problem::Malformed(problem).at(Place::File));
    };
    let values: Vec<f64> = match values {
        Values::F32(values) => values.into_iter().map(f64::from).collect(),
        Values::F64(values) => values,
    };
    let (rows, _) = values.as_chunks::<4>();
    let (matrices, _) = rows.as_chunks::<4>();
    let pose = |(frame, &matrix)| {
        Pose::from_matrix(matrix).map_err(|error| Problem::from(error).at(Place::Element("frame", frame)))
    };
    matrices.iter().enumerate().map(pose).collect()
}

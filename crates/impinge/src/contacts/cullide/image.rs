//! A view along an axis of the world, its depth, and the size of the boxes of triangles in it.

use super::offsets::Offset;
use super::options::CullideOptions;
use crate::image::gather::Member;
use crate::image::{Projection, View};
use crate::scene::{Body, Bounds, Point};
use crate::util::tolerance::{
    MIN_SCENE_MAGNITUDE, MIN_VIEW_OF_COORDINATES, OFFSET_ERRORS, OFFSET_ROUNDING, SCREEN_SLACK,
};

/// Pixels of depth, at most: the rounding of depth is then at most a tenth of a pixel.
pub(crate) const MAX_PIXELS_DEEP: f64 = 8192.0;

/// Initial room before and behind the bodies, in pixels.
const ROOM: f64 = 64.0;

/// Largest rounding of doubles, in pixels.
const MAX_ROUNDING: f64 = 0.25;

/// Scenes with larger coordinates are not supported: their squares would overflow.
const MAX_SCENE_MAGNITUDE: f64 = 1e150;

/// A view and what is drawn in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The view.
    pub view: View,
    /// Every body of the scene; those that are drawn are active.
    pub members: Vec<Member>,
    /// Pixels from depth 0 to depth 1, so that lengths are alike in all directions.
    pub deep: f32,
    /// The growth of boxes; `None` if triangles are drawn as they are.
    pub offset: Option<Offset>,
}

/// A body in the image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) body: &'a Body,
    /// In its own coordinates.
    pub(crate) local: Bounds,
    /// In the world.
    pub(crate) bounds: Bounds,
}

impl Image {
    /// Along an axis, tight around some regions. `None` if nothing could be concluded from the numbers.
    pub(crate) fn new(
        axis: usize,
        options: &CullideOptions,
        regions: &[Bounds],
        shown: &[Shown],
        members: Vec<Member>,
    ) -> Option<Self> {
        let magnitude = shown.iter().map(|shown| shown.body.world_magnitude()).fold(0.0, f64::max);
        let apart = options.apart();
        if !(MIN_SCENE_MAGNITUDE..=MAX_SCENE_MAGNITUDE).contains(&magnitude) || apart > MAX_SCENE_MAGNITUDE {
            return None;
        }
        let region = regions.iter().fold(Bounds::EMPTY, |all, region| all.union(*region));
        if region.is_empty() {
            return None;
        }
        let direction: Point = std::array::from_fn(|k| f64::from(u8::from(k == axis)));
        let size = |k: usize| region.max[k % 3] - region.min[k % 3];
        let sizes = [size(axis + 1), size(axis + 2)];
        let most = options.pixels();
        // Pixels as square as possible; two of them on either side are the view's border.
        let part = |k: usize| sizes[k] / f64::from(most[k] - 4);
        let pixel = part(0).max(part(1)).max(magnitude * MIN_VIEW_OF_COORDINATES);
        let pixels = [0, 1].map(|k| ((sizes[k] / pixel).ceil() as u32 + 4).clamp(16, most[k]));
        let mut room = ROOM * pixel + apart;
        // More room changes the depth of a pixel, and so the room that boxes need.
        for _ in 0..4 {
            let around: Vec<Bounds> = shown.iter().map(|shown| shown.bounds.grown(room)).collect();
            let view = View::new(direction, pixels, Projection::Orthographic, regions, &around)?;
            let [across, down] = view.pixel_size();
            let (small, large) = (across.min(down), across.max(down));
            let deep = (1.0 / view.depth_of(large)).min(MAX_PIXELS_DEEP);
            let reach = shown.iter().map(|shown| reach(&view, shown));
            let reach = reach.fold(f64::from(view.width.max(view.height)), f64::max);
            let rounding = OFFSET_ROUNDING * magnitude / small;
            // What is in a region must be in the image too, whose border is little more than a pixel.
            if rounding > MAX_ROUNDING {
                return None;
            }
            let offset = options.offsets().then(|| {
                let errors = 2.0 * f64::from(SCREEN_SLACK) * reach + rounding;
                let half = if options.reliable { 0.5 + OFFSET_ERRORS * errors } else { 0.0 };
                // Rounded up.
                let apart = apart / small * 0.500_001;
                Offset { half: half as f32, apart: apart as f32 }
            });
            let step = 1.0 / view.depth_of(1.0) / deep;
            let longest = shown.iter().map(|shown| diagonal(&shown.bounds, [across, down, step], axis));
            let longest = longest.fold(0.0, f64::max);
            // Bounds the distance of a corner of a box from its triangle: the other corner of a rectangle,
            // and a diagonal.
            let radius = offset.map_or(0.0, |offset| f64::from(offset.radius(longest as f32)));
            let needed = step * (longest + 2.0 * radius) * 1.01;
            if !needed.is_finite() || !deep.is_finite() {
                return None;
            }
            if offset.is_none() || needed <= room {
                return Some(Self { view, members, deep: deep as f32, offset });
            }
            room = 1.5 * needed;
        }
        None
    }
}

/// Diagonal of a box whose sides are measured in a unit each: across, down, along.
fn diagonal(bounds: &Bounds, units: [f64; 3], axis: usize) -> f64 {
    let side = |k: usize| {
        let at = (axis + 1 + k) % 3;
        (bounds.max[at] - bounds.min[at]).max(0.0) / units[k]
    };
    side(0).hypot(side(1)).hypot(side(2))
}

/// The largest sum of the terms of an image coordinate of a body, in pixels, when its own coordinates,
/// relative to their centre, are normalised by anything between half their size and all of it.
fn reach(view: &View, shown: &Shown) -> f64 {
    let Bounds { min, max } = shown.local;
    if shown.local.is_empty() {
        return 0.0;
    }
    let middle = view.project(shown.body.pose().apply(std::array::from_fn(|k| min[k] / 2.0 + max[k] / 2.0)));
    let size = (0..3).map(|k| max[k] - min[k]).fold(0.0, f64::max);
    let columns = |row: [f64; 4]| {
        let column = |k: usize| {
            let pose = shown.body.pose().rows();
            (0..3).map(|i| row[i] * (pose[i][k] * (size / view.unit))).sum::<f64>().abs()
        };
        (0..3).map(column).sum::<f64>()
    };
    let terms = |axis: usize| middle[axis].abs() + columns(view.rows[axis]);
    terms(0).max(terms(1)) * 1.001
}

//! A view along an axis of the world, how deep it is, and how large boxes of triangles must be in it.

use super::offsets::Offset;
use super::options::CullideOptions;
use crate::image::gather::Member;
use crate::image::{Projection, View};
use crate::scene::Body;
use crate::scene::Bounds;
use crate::scene::Point;
use crate::util::tolerance::{FLATTEST_VIEW, OFFSET_ERRORS, OFFSET_ROUNDING, SCREEN_SLACK, SMALLEST_SCENE};

/// Most pixels that depth is taken to have: what floats lose of it is then a tenth of a pixel at most.
pub(crate) const MOST_DEEP: f64 = 8192.0;

/// Pixels before and behind the bodies, for a start.
const ROOM: f64 = 64.0;

/// Most pixels by which doubles may be off.
const MOST_ROUNDING: f64 = 0.25;

/// Scenes with larger coordinates are not looked at: their squares would overflow.
const LARGEST_SCENE: f64 = 1e150;

/// What is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The view.
    pub view: View,
    /// Every body of the scene; those are active that are looked at.
    pub members: Vec<Member>,
    /// Pixels from depth 0 to depth 1, so that lengths are alike in all directions.
    pub deep: f32,
    /// How large boxes are; `None` where triangles are drawn as they are.
    pub offset: Option<Offset>,
}

/// A body that is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) body: &'a Body,
    /// In its own coordinates.
    pub(crate) local: Bounds,
    /// In the world.
    pub(crate) bounds: Bounds,
}

impl Image {
    /// Along an axis, tight around some regions. `None` when numbers are such that nothing could be concluded.
    pub(crate) fn new(
        axis: usize,
        options: &CullideOptions,
        regions: &[Bounds],
        shown: &[Shown],
        members: Vec<Member>,
    ) -> Option<Self> {
        let magnitude = shown.iter().map(|shown| shown.body.world_magnitude()).fold(0.0, f64::max);
        let apart = options.apart();
        if !(SMALLEST_SCENE..=LARGEST_SCENE).contains(&magnitude) || apart > LARGEST_SCENE {
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
        let pixel = part(0).max(part(1)).max(magnitude * FLATTEST_VIEW);
        let pixels = [0, 1].map(|k| ((sizes[k] / pixel).ceil() as u32 + 4).clamp(16, most[k]));
        let mut room = ROOM * pixel + apart;
        // More room changes how deep a pixel is, and so how much room boxes take.
        for _ in 0..4 {
            let around: Vec<Bounds> = shown.iter().map(|shown| grown(&shown.bounds, room)).collect();
            let view = View::new(direction, pixels, Projection::Orthographic, regions, &around)?;
            let [across, down] = view.pixel_size();
            let (small, large) = (across.min(down), across.max(down));
            let deep = (1.0 / view.depth_of(large)).min(MOST_DEEP);
            let reach = shown.iter().map(|shown| reach(&view, shown));
            let reach = reach.fold(f64::from(view.width.max(view.height)), f64::max);
            let rounding = OFFSET_ROUNDING * magnitude / small;
            // What is in a region must be in the image too, whose border is little more than a pixel.
            if rounding > MOST_ROUNDING {
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
            // A corner of a box is at most so far from its triangle: the other corner of a rectangle, and a diagonal.
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

/// A box larger by so much on every side.
pub(crate) fn grown(bounds: &Bounds, by: f64) -> Bounds {
    if by == 0.0 {
        return *bounds;
    }
    Bounds { min: bounds.min.map(|c| (c - by).next_down()), max: bounds.max.map(|c| (c + by).next_up()) }
}

/// Diagonal of a box whose sides are measured in a unit each: across, down, along.
fn diagonal(bounds: &Bounds, units: [f64; 3], axis: usize) -> f64 {
    let side = |k: usize| {
        let at = (axis + 1 + k) % 3;
        (bounds.max[at] - bounds.min[at]).max(0.0) / units[k]
    };
    side(0).hypot(side(1)).hypot(side(2))
}

/// Most pixels that the terms of an image coordinate of a body add up to, when its own coordinates, taken from their middle, are
/// stored as parts of anything between half their size and all of it.
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

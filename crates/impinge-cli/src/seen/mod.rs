//! What a method saw in one frame, as pictures and as things to draw in the scene.
//!
//! Every method is run on the CPU, where its stages are defined, and looked at between them; nothing here decides anything.
//! The picture is the same whether there is a GPU or not.
//!
//! Memory and time are bounded: pictures by [`MAX_PIXELS_A_SIDE`] and [`MAX_VIEWS`], overlays by [`MAX_ITEMS`], resolution by
//! [`MAX_RAYS_A_SIDE`]; the text says what was left out.

mod a_buffer;
mod bvh;
mod chart;
mod cullide;
mod depth_peel;
mod depth_slices;
mod field;
mod glyphs;
mod grid;
mod items;
mod ray_cast;
mod views;
mod write;

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::question::Question;
use impinge::contacts::{ABufferOptions, CullideOptions, PeelOptions};
use impinge::interference::RayCastOptions;
use impinge::{Method, Scene};
use serde::Serialize;
pub(crate) use write::write;

/// Maximum width and height of a picture, in pixels.
const MAX_PIXELS_A_SIDE: u32 = 512;

/// Maximum number of views shown.
const MAX_VIEWS: usize = 6;

/// Maximum number of boxes or segments of an overlay.
const MAX_ITEMS: usize = 20_000;

/// Maximum resolution of a view, in rays per side: the CPU traces them.
const MAX_RAYS_A_SIDE: u32 = 2048;

/// What one method saw in one frame. The first picture and the first overlay are the ones to show first.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) images: Vec<SeenImage>,
    pub(crate) overlays: Vec<Overlay>,
}

/// A picture for the side panel and, where `corners` is given, a rectangle in the 3D view.
#[derive(Debug, Default, Serialize)]
pub(crate) struct SeenImage {
    /// Short, of lower-case letters, digits and dashes; no two of one [`Seen`] share it.
    pub(crate) id: String,
    pub(crate) title: String,
    /// One or two sentences: what one sees, and in what unit.
    pub(crate) about: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Rows from the top, four bytes a pixel.
    #[serde(skip)]
    pub(crate) rgba: Vec<u8>,
    /// World corners: lower left, lower right, upper right, upper left of the image.
    pub(crate) corners: Option<[[f32; 3]; 4]>,
}

/// Something drawn in the 3D view.
#[derive(Debug, Serialize)]
pub(crate) struct Overlay {
    /// As that of an image.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) kind: OverlayKind,
    /// Two for each item.
    #[serde(skip)]
    pub(crate) points: Vec<[f32; 3]>,
    /// How many items were left out, where there were too many: those that are shown are spread evenly over all.
    pub(crate) truncated: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OverlayKind {
    /// Pairs of points.
    Segments,
    /// Boxes along the axes: low corner, high corner.
    Boxes,
}

/// What the method of a question sees; of `auto`, what `bvh` sees. An error where the method cannot take the scene, and `bvh`
/// answers instead of it.
pub(crate) fn of(scene: &Scene, question: &Question) -> Result<Seen, Error> {
    let mut fewer = false;
    let mut coarsely = |resolution: [u32; 2]| {
        fewer |= resolution.iter().any(|&rays| rays > MAX_RAYS_A_SIDE);
        resolution.map(|rays| rays.min(MAX_RAYS_A_SIDE))
    };
    let seen = match question {
        Question::Contacts(options) => match options.method {
            Method::DepthPeel(choices) => {
                let resolution = coarsely(choices.resolution);
                depth_peel::see(scene, &PeelOptions { resolution, ..choices })
            }
            Method::ABuffer(choices) => {
                let resolution = coarsely(choices.resolution);
                a_buffer::see(scene, &ABufferOptions { resolution, ..choices })
            }
            Method::Cullide(choices) => {
                let resolution = coarsely(choices.resolution);
                cullide::see(scene, &CullideOptions { resolution, ..choices })
            }
            Method::Grid(choices) => grid::see(scene, choices),
            Method::Auto | Method::Bvh => Some(bvh::see(scene, options)),
            // Every triangle is held against every other: there is nothing to see.
            _ => Some(Seen::default()),
        },
        Question::Interference(choices) => {
            let resolution = coarsely(choices.resolution);
            ray_cast::see(scene, &RayCastOptions { resolution, ..*choices })
        }
        Question::Overlap(choices) => Some(depth_slices::see(scene, choices)),
    };
    let mut seen = seen.ok_or(Error::NotSeen { method: question.method() })?;
    let note = format!(
        " Looked at in at most {MAX_RAYS_A_SIDE} x {MAX_RAYS_A_SIDE} rays, fewer than were asked for."
    );
    for image in seen.images.iter_mut().filter(|_| fewer) {
        image.about.push_str(&note);
    }
    Ok(seen)
}

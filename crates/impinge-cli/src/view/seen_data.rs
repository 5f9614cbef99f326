//! What the method saw in one frame, for the page: pictures as PNG, overlays as points.

use super::container::Container;
use super::space::Space;
use crate::error::Error;
use crate::seen::{OverlayKind, Seen, SeenImage};
use serde::Serialize;

#[derive(Serialize)]
struct SeenHead<'a> {
    frame: usize,
    images: Vec<ImageHead<'a>>,
    overlays: Vec<OverlayHead<'a>>,
    /// Why nothing is shown, where something went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
struct ImageHead<'a> {
    id: &'a str,
    title: &'a str,
    about: &'a str,
    width: u32,
    height: u32,
    /// Lower left, lower right, upper right, upper left, in page coordinates.
    corners: Option<[[f32; 3]; 4]>,
}

#[derive(Serialize)]
struct OverlayHead<'a> {
    id: &'a str,
    title: &'a str,
    about: &'a str,
    kind: &'static str,
    truncated: Option<usize>,
}

/// A frame of which there is nothing to show, and why.
pub(crate) fn nothing(frame: usize, problem: Option<String>) -> Result<Vec<u8>, Error> {
    Ok(Container::default().finish(&SeenHead { frame, images: vec![], overlays: vec![], problem })?)
}

/// What was seen; arrays have the names of the images and overlays.
pub(crate) fn encode(frame: usize, seen: &Seen, space: &Space) -> Result<Vec<u8>, Error> {
    let page = |p: &[f32; 3]| space.point(p.map(f64::from));
    let mut container = Container::default();
    for image in &seen.images {
        let picture = png(image).map_err(|error| Error::Output(error.into()))?;
        container.bytes(format!("image:{}", image.id), &picture);
    }
    for overlay in &seen.overlays {
        container.floats(&format!("overlay:{}", overlay.id), overlay.points.iter().flat_map(page));
    }
    let images = seen.images.iter().map(|image| ImageHead {
        id: &image.id,
        title: &image.title,
        about: &image.about,
        width: image.width,
        height: image.height,
        corners: image.corners.as_ref().map(|corners| corners.each_ref().map(page)),
    });
    let overlays = seen.overlays.iter().map(|overlay| OverlayHead {
        id: &overlay.id,
        title: &overlay.title,
        about: &overlay.about,
        kind: match overlay.kind {
            OverlayKind::Segments => "segments",
            OverlayKind::Boxes => "boxes",
        },
        truncated: overlay.truncated,
    });
    let head = SeenHead { frame, images: images.collect(), overlays: overlays.collect(), problem: None };
    Ok(container.finish(&head)?)
}

fn png(image: &SeenImage) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgba)?;
    writer.finish()?;
    Ok(bytes)
}

//! What the method saw in one frame, for the page: pictures as PNG, overlays as points.

use super::container::Container;
use super::space::Space;
use crate::error::Error;
use crate::seen::{Overlay, Seen, SeenImage};
use serde::Serialize;

#[derive(Default, Serialize)]
struct SeenHead {
    frame: usize,
    /// With corners in page coordinates.
    images: Vec<SeenImage>,
    overlays: Vec<Overlay>,
    /// The error that left the panel empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Images and overlays of one frame, or the error; arrays are named after the images and overlays.
pub(crate) fn encode(frame: usize, seen: Result<Seen, Error>, space: &Space) -> Result<Vec<u8>, Error> {
    let page = |p: &[f32; 3]| space.point(p.map(f64::from));
    let mut container = Container::default();
    let Seen { mut images, overlays } = match seen {
        Ok(seen) => seen,
        Err(error) => {
            let problem = Some(error.to_string());
            return Ok(container.finish(&SeenHead { frame, problem, ..SeenHead::default() })?);
        }
    };
    for image in &mut images {
        let picture = png(image).map_err(|error| Error::Output(error.into()))?;
        container.bytes(format!("image:{}", image.id), &picture);
        image.corners = image.corners.as_ref().map(|corners| corners.each_ref().map(page));
    }
    for overlay in &overlays {
        container.floats(&format!("overlay:{}", overlay.id), overlay.points.iter().flat_map(page));
    }
    Ok(container.finish(&SeenHead { frame, images, overlays, problem: None })?)
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

//! A picture of bodies and their contacts, drawn without a GPU.
//!
//! Bodies are projected into a buffer of depths, normals and body numbers (`raster`), then every sample is lit
//! once (`shade`), contacts are laid over it, and 2 x 2 samples become a pixel. Nothing here decides anything:
//! it is single precision, and only has to look right.

mod painted;
mod raster;
mod shade;
mod vector;
mod view;

use crate::question::Findings;
use impinge::stages::interference::{Interference, InterferingEdge};
use impinge::{BodyId, Point, Scene};
use impinge_io::IoError;
use raster::Samples;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

pub(crate) use painted::Painted;
pub(crate) use shade::{BODIES, CONTACT};
pub(crate) use view::Up;
use view::View;

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// Samples a side of a pixel.
const SUPERSAMPLING: usize = 2;

/// An image, rows from the top, three bytes a pixel.
pub(crate) struct Picture {
    rgb: Vec<u8>,
}

/// One body as it is drawn.
struct Body<'a> {
    positions: Vec<vector::V>,
    triangles: &'a [[u32; 3]],
    coat: Coat,
}

/// Lines where edges are inside bodies: what pixels saw of them, or all of them where it was not asked where.
fn inside(scene: &Scene, found: &Interference) -> Vec<[Point; 2]> {
    let whole = |edge: &InterferingEdge| {
        let body = scene.body(edge.body)?;
        Some(edge.vertices(body.mesh())?.map(|vertex| body.world_position(vertex as usize)))
    };
    if found.points.is_empty() {
        return found.edges.iter().filter_map(whole).collect();
    }
    // Points stand so near to each other that they look like lines.
    found.points.iter().map(|point| [point.position; 2]).collect()
}

/// How much of what is behind a body is seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coat {
    Solid,
    /// Something lies inside it. Glass fills one sample of the 2 x 2 of a pixel, so it comes out evenly
    /// translucent; which of the first three says the number, so that shells in shells do not hide each other.
    Glass(usize),
}

impl Coat {
    fn covers(self, x: usize, y: usize) -> bool {
        match self {
            Self::Solid => true,
            Self::Glass(which) => x % 2 + 2 * (y % 2) == which % 3,
        }
    }
}

impl Picture {
    /// Draws the scene as it stands, with the contacts of its report (which must have been asked for its shapes), or
    /// with what is inside bodies.
    pub(crate) fn of(scene: &Scene, report: Findings<'_>, up: Up) -> Self {
        let world: Vec<Vec<Point>> = scene
            .bodies()
            .map(|(_, body)| (0..body.mesh().positions().len()).map(|v| body.world_position(v)).collect())
            .collect();
        let view = View::new(world.iter().flatten().copied(), up);
        // Sorted by outer body.
        let mut around: Vec<BodyId> = report.containments.iter().map(|c| c.outer).collect();
        around.dedup();
        let bodies: Vec<Body> = scene
            .bodies()
            .zip(&world)
            .map(|((id, body), positions)| Body {
                positions: positions.iter().map(|&p| view.normalised(p)).collect(),
                triangles: body.mesh().triangles(),
                coat: around.binary_search(&id).map_or(Coat::Solid, Coat::Glass),
            })
            .collect();

        let mut samples = Samples::of(&view, &bodies);
        for shape in report.shapes {
            let points: Vec<_> = shape.points().iter().map(|&p| view.normalised(p)).collect();
            samples.trace(&view, &points);
        }
        for points in report.interference().into_iter().flat_map(|found| inside(scene, found)) {
            samples.trace(&view, &points.map(|p| view.normalised(p)));
        }
        let shadow = shade::Shadow::new(&bodies);
        Self { rgb: shade::pixels(&samples, &view, &shadow, &shade::calm) }
    }

    /// Writes a PNG file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), IoError> {
        write_rgb(path, [WIDTH as u32, HEIGHT as u32], &self.rgb)
    }
}

/// Writes a PNG file: rows from the top, three bytes a pixel, sRGB.
pub(crate) fn write_rgb(path: &Path, [width, height]: [u32; 2], rgb: &[u8]) -> Result<(), IoError> {
    write_png(path, |out| {
        let mut encoder = png::Encoder::new(out, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(rgb)?;
        writer.finish()
    })
}

/// Writes a PNG file; of what the system says, its kind is kept.
pub(crate) fn write_png(
    path: &Path,
    encode: impl FnOnce(&mut BufWriter<File>) -> Result<(), png::EncodingError>,
) -> Result<(), IoError> {
    impinge_io::write_file(path, |out| {
        encode(out).map_err(|error| match error {
            png::EncodingError::IoError(error) => error,
            other => other.into(),
        })
    })
}

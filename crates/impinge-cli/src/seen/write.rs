//! What a method saw, as files: pictures as PNG, overlays as lines in OBJ, named by method and id.

use super::{Overlay, OverlayKind, Seen, SeenImage};
use crate::error::Error;
use crate::picture::write_png;
use std::io::{self, Write};
use std::path::Path;

/// Writes everything into a folder, which is made if it is not there.
pub(crate) fn write(seen: &Seen, method: &str, folder: &Path) -> Result<(), Error> {
    impinge_io::make_folder(folder)?;
    for image in &seen.images {
        let path = folder.join(format!("{method}-{}.png", image.id));
        write_png(&path, |out| png(image, out))?;
    }
    for overlay in &seen.overlays {
        let path = folder.join(format!("{method}-{}.obj", overlay.id));
        impinge_io::write_file(&path, |out| obj(overlay, out))?;
    }
    Ok(())
}

/// The title and what one sees go into the file too, where viewers of pictures show them.
fn png(image: &SeenImage, out: &mut impl Write) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(out, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.add_itxt_chunk("Title".into(), image.title.clone())?;
    encoder.add_itxt_chunk("Description".into(), image.about.clone())?;
    if let Some(corners) = image.corners {
        let corners = corners.map(|[x, y, z]| format!("{x} {y} {z}")).join(", ");
        encoder.add_itxt_chunk("Corners".into(), format!("from the lower left, in the world: {corners}"))?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgba)?;
    writer.finish()
}

fn obj(overlay: &Overlay, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# {}\n# {}", overlay.title, overlay.about)?;
    if let Some(left) = overlay.truncated {
        writeln!(out, "# {left} more are left out.")?;
    }
    let mut vertex = |p: [f32; 3]| writeln!(out, "v {} {} {}", p[0], p[1], p[2]);
    match overlay.kind {
        OverlayKind::Segments => overlay.points.iter().try_for_each(|&p| vertex(p))?,
        OverlayKind::Boxes => overlay.points.chunks_exact(2).try_for_each(|ends| {
            let corner = |k: usize| std::array::from_fn(|axis| ends[k >> axis & 1][axis]);
            (0..8).try_for_each(|k| vertex(corner(k)))
        })?,
    }
    // Corner numbers, less the one that OBJ counts from, have bit 0 for x, bit 1 for y, bit 2 for z.
    let edges = (0..8).flat_map(|low| [1, 2, 4].map(|bit| [low, low | bit])).filter(|[a, b]| a != b);
    let (each, lines): (usize, Vec<[usize; 2]>) = match overlay.kind {
        OverlayKind::Segments => (2, vec![[0, 1]]),
        OverlayKind::Boxes => (8, edges.collect()),
    };
    for item in 0..overlay.points.len() / 2 {
        for [a, b] in &lines {
            writeln!(out, "l {} {}", each * item + a + 1, each * item + b + 1)?;
        }
    }
    Ok(())
}

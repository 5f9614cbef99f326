//! A picture of bodies with colours of their own, that may change from place to place.

use super::raster::Samples;
use super::shade::{self, Shadow};
use super::view::{Up, View};
use super::{Body, Coat, Picture};
use impinge::Point;

/// Something to be drawn.
pub(crate) struct Painted<'a> {
    pub(crate) positions: Vec<Point>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Its colour at a point, sRGB.
    pub(crate) paint: Box<dyn Fn(Point) -> [u8; 3] + Sync + 'a>,
}

impl Picture {
    /// Draws bodies, z up, so that the first `framed` of them fill the picture; the others may be cut off.
    pub(crate) fn painted(all: &[Painted], framed: usize) -> Self {
        let view = View::new(all.iter().take(framed).flat_map(|body| body.positions.iter().copied()), Up::Z);
        let bodies: Vec<Body> = all
            .iter()
            .map(|body| Body {
                positions: body.positions.iter().map(|&p| view.normalised(p)).collect(),
                triangles: &body.triangles,
                coat: Coat::Solid,
            })
            .collect();
        let samples = Samples::of(&view, &bodies);
        let shadow = Shadow::new(&bodies);
        let paint = |body: u32, q: [f32; 3]| (all[body as usize].paint)(view.scene(q));
        Self { rgb: shade::pixels(&samples, &view, &shadow, &paint) }
    }
}

//! Which items are fully visible: the query, and the CPU's answer with a depth buffer of its own (3.1, 4).

use super::culler::Item;
use super::image::Image;
use super::offsets::{BACK, Boxed, FRONT};
use crate::image::ScreenVertex;
use crate::image::gather::gather;
use crate::image::raster::cover;
use crate::scene::Scene;
use std::ops::ControlFlow;

/// The order in which bodies are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the first to the last.
    Forward,
    /// From the last to the first.
    Backward,
}

impl Order {
    /// The ranges of items of each body, in this order. Items must be sorted by body.
    pub fn bodies(self, items: &[Item]) -> Vec<std::ops::Range<usize>> {
        let mut first = 0;
        let range = |run: &[Item]| {
            let range = first..first + run.len();
            first = range.end;
            range
        };
        let mut bodies: Vec<_> = items.chunk_by(|p, q| p.member == q.member).map(range).collect();
        if self == Self::Backward {
            bodies.reverse();
        }
        bodies
    }
}

/// Answers which items are fully visible.
pub trait Visibility {
    /// Errors of the backend.
    type Error;

    /// Sets the image and its items.
    fn look(&mut self, scene: &Scene, image: &Image, items: &[Item]) -> Result<(), Self::Error>;

    /// Clears the depth; then, body after body, queries for all its items in `asked` whether any fragment is
    /// as deep as, or deeper than, what was drawn before, and draws them all. `true` for those of which none
    /// is, and for those not queried.
    fn pass(
        &mut self,
        image: &Image,
        items: &[Item],
        asked: &[bool],
        order: Order,
    ) -> Result<Vec<bool>, Self::Error>;
}

/// The geometry drawn for a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Back,
    Front,
}

/// A depth buffer on the CPU: the definition.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    vertices: Vec<ScreenVertex>,
    triangles: Vec<[u32; 3]>,
    boxes: Vec<Boxed>,
    depths: Vec<f32>,
}

impl Canvas {
    /// Calls `emit` for every pixel that shows the front of an item of the current image, with the pixel, row
    /// times width plus column, and the depth: what the depth buffer gets.
    pub fn each_pixel(&self, image: &Image, item: &Item, mut emit: impl FnMut(usize, f32)) {
        self.draw(image, item, Half::Front, |pixel, depth| {
            emit(pixel, depth);
            ControlFlow::Continue(())
        });
    }

    /// Calls `emit` for every fragment, until it breaks.
    fn draw(
        &self,
        image: &Image,
        item: &Item,
        half: Half,
        mut emit: impl FnMut(usize, f32) -> ControlFlow<()>,
    ) {
        let first = image.members[item.member as usize].first_triangle;
        let [columns, rows] = [0..image.view.width, 0..image.view.height];
        let mut flow = ControlFlow::Continue(());
        let mut triangle = |corners: [ScreenVertex; 3]| {
            cover(corners, &columns, &rows, |x, y, depth| {
                if flow.is_continue() {
                    flow = emit((y * columns.end + x) as usize, depth);
                }
            });
            flow
        };
        for number in item.numbers().map(|triangle| triangle + first) {
            let drawn = if image.offset.is_some() {
                let boxed = &self.boxes[number as usize];
                let corners: [ScreenVertex; 8] = std::array::from_fn(|k| {
                    let [x, y, z] = boxed.corner(k);
                    ScreenVertex { x, y, depth: z / image.deep, body: item.member }
                });
                let faces = if half == Half::Back { BACK } else { FRONT };
                faces.into_iter().try_for_each(|face| triangle(face.map(|k| corners[k])))
            } else {
                triangle(self.triangles[number as usize].map(|vertex| self.vertices[vertex as usize]))
            };
            if drawn.is_break() {
                return;
            }
        }
    }
}

impl Visibility for Canvas {
    type Error = std::convert::Infallible;

    fn look(&mut self, scene: &Scene, image: &Image, items: &[Item]) -> Result<(), Self::Error> {
        (self.vertices, self.triangles) = gather(scene, &image.members, &image.view);
        self.boxes.clear();
        if let Some(offset) = &image.offset {
            self.boxes.resize(self.triangles.len(), Boxed::default());
            let place = |vertex: u32| {
                let v = &self.vertices[vertex as usize];
                [v.x, v.y, v.depth * image.deep]
            };
            for item in items {
                let first = image.members[item.member as usize].first_triangle;
                for number in item.numbers().map(|triangle| triangle + first) {
                    let corners = self.triangles[number as usize].map(place);
                    self.boxes[number as usize] = Boxed::around(corners, offset);
                }
            }
        }
        Ok(())
    }

    fn pass(
        &mut self,
        image: &Image,
        items: &[Item],
        asked: &[bool],
        order: Order,
    ) -> Result<Vec<bool>, Self::Error> {
        let mut depths = std::mem::take(&mut self.depths);
        depths.clear();
        depths.resize(image.view.width as usize * image.view.height as usize, 1.0);
        let mut visible = vec![true; items.len()];
        for body in order.bodies(items) {
            for k in body.clone().filter(|&k| asked[k]) {
                self.draw(image, &items[k], Half::Back, |pixel, depth| {
                    visible[k] = depth < depths[pixel];
                    if visible[k] { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
            }
            for item in &items[body] {
                self.draw(image, item, Half::Front, |pixel, depth| {
                    depths[pixel] = depths[pixel].min(depth);
                    ControlFlow::Continue(())
                });
            }
        }
        self.depths = depths;
        Ok(visible)
    }
}

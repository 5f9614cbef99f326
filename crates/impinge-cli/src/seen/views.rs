//! Where images stand in the world, and how views are called.

use super::SeenImage;
use super::items::{self, Words};
use crate::names;
use impinge::stages::View;

/// One of several views, and what it is called.
pub(super) struct Named<'a> {
    pub(super) view: &'a View,
    number: usize,
    count: usize,
}

impl<'a> Named<'a> {
    /// The views that are shown.
    pub(super) fn all<T>(looks: &'a [T], view: impl Fn(&'a T) -> &'a View) -> Vec<(&'a T, Self)> {
        let named = |(number, look)| (look, Self { view: view(look), number, count: looks.len() });
        looks.iter().enumerate().map(named).take(super::MAX_VIEWS).collect()
    }

    /// The only one.
    pub(super) fn one(view: &'a View) -> Self {
        Self::of(view, 0, 1)
    }

    /// One of several.
    pub(super) fn of(view: &'a View, number: usize, count: usize) -> Self {
        Self { view, number, count }
    }

    /// An id that only this view has.
    pub(super) fn id(&self, what: &str) -> String {
        format!("view-{}-{what}", self.number + 1)
    }

    /// A title that only this view has.
    pub(super) fn title(&self, what: &str) -> String {
        if self.count == 1 {
            what.into()
        } else {
            format!("{what}, view {} of {}", self.number + 1, self.count)
        }
    }

    /// A picture of this view, with what is said about it.
    pub(super) fn image(&self, id: &str, title: &str, about: String, picture: SeenImage) -> SeenImage {
        let corners = self.corners();
        SeenImage { id: self.id(id), title: self.title(title), about, corners, ..picture }
    }

    /// What is said about an overlay of this view.
    pub(super) fn words(&self, id: &str, title: &str, about: String) -> Words {
        Words::new(self.id(id), self.title(title), about)
    }

    /// From where it looks, as the end of a sentence.
    pub(super) fn from(&self) -> String {
        if let Some(axis) = (0..3).find(|&k| self.view.direction[k].abs() == 1.0) {
            return format!("seen along the {} axis", ["x", "y", "z"][axis]);
        }
        let [x, y, z] = self.view.direction.map(names::coordinate);
        format!("seen along ({x}, {y}, {z})")
    }

    /// World size of the image, across and down.
    pub(super) fn size(&self) -> [f64; 2] {
        let [across, down] = self.view.pixel_size();
        [across * f64::from(self.view.width), down * f64::from(self.view.height)]
    }

    /// Corners of the image in the world, where rays start; `None` where floats do not reach.
    pub(super) fn corners(&self) -> Option<[[f32; 3]; 4]> {
        let (right, bottom) = (f64::from(self.view.width), f64::from(self.view.height));
        let corners = [[0.0, bottom], [right, bottom], [right, 0.0], [0.0, 0.0]];
        let corners = corners.map(|[x, y]| self.view.unproject([x, y, 0.0]));
        corners.as_flattened().iter().all(|c| c.is_finite()).then(|| corners.map(items::point))
    }

    /// Whether boxes of the image are boxes along the axes of the world.
    pub(super) fn is_along_axis(&self) -> bool {
        self.view.away.is_none() && self.view.direction.iter().any(|c| c.abs() == 1.0)
    }

    /// World corners of a box in the image: from one place to another.
    pub(super) fn corners_of(&self, low: [f64; 3], high: [f64; 3]) -> [impinge::Point; 8] {
        std::array::from_fn(|corner| {
            let at = std::array::from_fn(|k| if corner >> k & 1 == 0 { low[k] } else { high[k] });
            self.view.unproject(at)
        })
    }
}

//! Boxes and segments for the 3D view: no more than can be shown, spread evenly over all there are.

use super::{MAX_ITEMS, Overlay, OverlayKind};
use impinge::{Bounds, Point};

/// Every so many-th of a list, so that no more are held than may be.
#[derive(Debug)]
pub(super) struct Spread<T> {
    most: usize,
    every: usize,
    given: usize,
    kept: Vec<T>,
}

impl<T> Spread<T> {
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), every: 1, given: 0, kept: Vec::new() }
    }

    /// Takes one, or leaves it out.
    pub(super) fn push(&mut self, item: T) {
        if self.given.is_multiple_of(self.every) {
            if self.kept.len() == self.most {
                let mut keep = false;
                self.kept.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.every *= 2;
            }
            if self.given.is_multiple_of(self.every) {
                self.kept.push(item);
            }
        }
        self.given += 1;
    }

    /// Takes some, or leaves them out.
    pub(super) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.push(item));
    }

    /// How many were given.
    pub(super) fn given(&self) -> usize {
        self.given
    }

    fn left_out(&self) -> Option<usize> {
        Some(self.given - self.kept.len()).filter(|&left| left > 0)
    }
}

/// A coordinate for drawing: the nearest float there is.
fn float(x: f64) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 }
}

/// A point for drawing.
pub(super) fn point(p: Point) -> [f32; 3] {
    p.map(float)
}

/// A box for drawing, rounded outward: what is in the one is in the other.
fn rounded(bounds: &Bounds) -> [[f32; 3]; 2] {
    let finite = |x: f32| x.clamp(f32::MIN, f32::MAX);
    let low = |x: f64| if f64::from(float(x)) > x { finite(float(x).next_down()) } else { float(x) };
    let high = |x: f64| if f64::from(float(x)) < x { finite(float(x).next_up()) } else { float(x) };
    [bounds.min.map(low), bounds.max.map(high)]
}

/// Segments, no more than can be shown.
pub(super) fn segments() -> Spread<[Point; 2]> {
    Spread::new(MAX_ITEMS)
}

/// Boxes along the axes, no more than can be shown.
pub(super) fn boxes() -> Spread<Bounds> {
    Spread::new(MAX_ITEMS)
}

/// Boxes along any axes, by their corners, whose bits are across, down, along. Those that are not along the axes of the world are
/// drawn by their edges, so fewer are shown.
pub(super) fn turned_boxes(along_axes: bool) -> Spread<[Point; 8]> {
    Spread::new(if along_axes { MAX_ITEMS } else { MAX_ITEMS / 4 })
}

/// What is said about an overlay.
pub(super) struct Words {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) about: String,
}

impl Words {
    pub(super) fn new(id: impl Into<String>, title: impl Into<String>, about: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), about: about.into() }
    }

    fn overlay(self, kind: OverlayKind, points: Vec<[f32; 3]>, truncated: Option<usize>) -> Overlay {
        Overlay { id: self.id, title: self.title, about: self.about, kind, points, truncated }
    }
}

impl Spread<[Point; 2]> {
    pub(super) fn overlay(&self, words: Words) -> Overlay {
        let points = self.kept.iter().flatten().map(|&p| point(p)).collect();
        words.overlay(OverlayKind::Segments, points, self.left_out())
    }
}

impl Spread<Bounds> {
    pub(super) fn overlay(&self, words: Words) -> Overlay {
        let points = self.kept.iter().flat_map(rounded).collect();
        words.overlay(OverlayKind::Boxes, points, self.left_out())
    }
}

impl Spread<[Point; 8]> {
    /// As boxes where they are along the axes of the world, else by their twelve edges.
    pub(super) fn overlay(&self, words: Words, along_axes: bool) -> Overlay {
        if along_axes {
            let bounds = self.kept.iter().map(|corners| Bounds::of(corners.iter().copied()));
            let points = bounds.flat_map(|bounds| rounded(&bounds)).collect();
            return words.overlay(OverlayKind::Boxes, points, self.left_out());
        }
        let edges = |corners: &[Point; 8]| {
            let ends = (0..8).flat_map(|low| [1, 2, 4].map(|bit| [low, low | bit]));
            let edges = ends.filter(|[low, high]| low != high);
            edges.flatten().map(|k| point(corners[k])).collect::<Vec<_>>()
        };
        let points = self.kept.iter().flat_map(edges).collect();
        words.overlay(OverlayKind::Segments, points, self.left_out())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_spread_over_everything_and_the_rest_is_counted() {
        for (most, given) in [(10, 7), (10, 10), (10, 11), (10, 1000), (3, 17), (1, 5)] {
            let mut spread = Spread::new(most);
            (0..given).for_each(|k| spread.push(k));
            let steps: Vec<usize> = spread.kept.windows(2).map(|two| two[1] - two[0]).collect();
            assert!(steps.windows(2).all(|two| two[0] == two[1]), "{:?}", spread.kept);
            assert!(spread.kept.len() <= most && 2 * spread.kept.len() >= given.min(most));
            assert_eq!(spread.left_out().unwrap_or(0) + spread.kept.len(), given);
        }
    }

    #[test]
    fn boxes_are_rounded_outward() {
        let bounds = Bounds { min: [0.1, -1e300, 1.0], max: [0.1, 1e300, 1.0] };
        let [low, high] = rounded(&bounds);
        assert!(f64::from(low[0]) < 0.1 && 0.1 < f64::from(high[0]));
        assert!((low[1], high[1]) == (f32::MIN, f32::MAX), "as far as floats reach");
        assert!((low[2], high[2]) == (1.0, 1.0), "exact ones stay");
    }

    #[test]
    fn a_turned_box_has_twelve_edges() {
        let mut boxes = turned_boxes(false);
        let corner = |k: usize| std::array::from_fn(|axis| (k >> axis & 1) as f64);
        boxes.push(std::array::from_fn(corner));
        let overlay = boxes.overlay(Words::new("a", "", ""), false);
        assert_eq!((overlay.kind, overlay.points.len()), (OverlayKind::Segments, 24));
        let long = |ends: &[[f32; 3]]| (0..3).map(|k| (ends[0][k] - ends[1][k]).abs()).sum::<f32>() == 1.0;
        assert!(overlay.points.chunks(2).all(long));
        assert_eq!(boxes.overlay(Words::new("a", "", ""), true).points, [[0.0; 3], [1.0; 3]]);
    }
}

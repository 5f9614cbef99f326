//! What the answer of a sampled method is worth: how densely it looked, and what it may have missed.

use crate::names::{coordinate, counted};
use crate::question::Findings;
use impinge::BodyId;
use std::collections::BTreeSet;

/// How densely a method looked: of several frames, the most.
#[derive(Default)]
pub(super) struct Sampling {
    adapter: Option<String>,
    resolution: [u32; 2],
    views: usize,
    /// Surfaces or edges looked at along one ray, and whether there were more.
    layers: u32,
    limited: bool,
    /// Of depth peeling: collision rays, and surfaces along one ray.
    rays: usize,
    deepest: u32,
    /// Surfaces kept, by a method that keeps them all.
    fragments: Option<usize>,
    /// Of rays cast at edges: pixels that show some, and how far apart bodies may be that are reported.
    pixels: usize,
    reach: Option<f64>,
    not_closed: BTreeSet<BodyId>,
}

impl Sampling {
    pub(super) fn add(&mut self, report: Findings<'_>) {
        self.adapter = report.adapter.map(str::to_owned);
        if let Some(image) = report.rays() {
            self.looked(image.resolution, image.views, image.layers, image.limited);
            self.rays = self.rays.max(image.rays);
            self.deepest = self.deepest.max(image.deepest);
            if report.method == "a_buffer" {
                self.fragments = self.fragments.max(Some(image.fragments));
            }
        }
        if let Some(found) = report.interference() {
            let stages = &found.stages;
            self.looked(stages.resolution, stages.views, stages.layers, stages.limited);
            self.pixels = self.pixels.max(stages.pixels);
            self.reach = Some(self.reach.unwrap_or(0.0).max(found.reach));
            self.not_closed.extend(&found.not_closed);
        }
    }

    fn looked(&mut self, resolution: [u32; 2], views: usize, layers: u32, limited: bool) {
        self.resolution = resolution;
        self.views = self.views.max(views);
        self.layers = self.layers.max(layers);
        self.limited |= limited;
    }

    /// Bodies that were not closed in some frame, for a method to which that matters.
    pub(super) fn not_closed(&self) -> impl ExactSizeIterator<Item = BodyId> {
        self.not_closed.iter().copied()
    }

    /// Lines for the end of the answer about so many frames.
    pub(super) fn remarks(&self, frames: usize) -> Vec<String> {
        let place = self.adapter.as_deref().unwrap_or("the CPU");
        if self.views == 0 {
            return vec![format!("sampled, on {place}: no boxes overlap, so no ray was needed")];
        }
        let views = counted(self.views, "view", "views");
        let [across, down] = self.resolution;
        let (each, most) = if frames == 1 { ("", "") } else { (" a frame", "at most ") };
        let looked = format!("{views} of {across} x {down} rays{each}, ");
        let Some(reach) = self.reach else {
            let rays = match self.fragments {
                None => counted(self.rays, "collision ray", "collision rays"),
                Some(fragments) => format!(
                    "{} kept, {} two near each other",
                    counted(fragments, "surface", "surfaces"),
                    counted(self.rays, "ray meets", "rays meet"),
                ),
            };
            let mut lines =
                vec![format!("sampled, contacts may be missed: {looked}{most}{rays}, on {place}")];
            if self.fragments.is_some() {
                let advice = "another --views, such as axes or a slanted 1,2,3, may find more";
                lines.push(format!("surfaces that lie along the rays are not met: {advice}"));
            }
            return lines;
        };
        // The thesis' algorithms do not tell.
        let pixels = match self.pixels {
            0 => "one edge a pixel".to_owned(),
            pixels => most.to_owned() + &counted(pixels, "pixel of edges", "pixels of edges"),
        };
        let mut lines = vec![format!("sampled, interference may be missed: {looked}{pixels}, on {place}")];
        if self.limited {
            let edges = counted(self.layers as usize, "edge", "edges");
            lines.push(format!("some pixels show more than {edges}: --layers N looks at more of them"));
        }
        lines.push(format!("closed bodies farther apart than {} are never reported", coordinate(reach)));
        lines
    }

    /// What should have been chosen otherwise.
    pub(super) fn warning(&self) -> Option<String> {
        if !self.limited || self.reach.is_some() {
            return None;
        }
        let passes = self.deepest.div_ceil(2);
        Some(format!(
            "--passes was too low: there are rays through {} surfaces, of which {} were peeled; --passes {passes} peels all",
            self.deepest, self.layers
        ))
    }
}

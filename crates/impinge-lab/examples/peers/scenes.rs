//! Which scenes of the lab, how large, and as files.

use crate::common::{record, triangles};
use crate::flush;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Not a scene of the lab, but of [`flush`].
const FLUSH: &str = "flush";

pub(crate) struct Plan {
    pub(crate) name: &'static str,
    lab: &'static str,
    about: &'static str,
    triangles: usize,
    frames: usize,
    /// Whether bodies look at themselves where the lab lets them.
    self_collision: bool,
}

/// A scene on disk.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) file: PathBuf,
    pub(crate) triangles: usize,
    pub(crate) self_collision: bool,
}

pub(crate) fn plans(quick: bool) -> Vec<Plan> {
    let plan = |name, lab, about, triangles, self_collision| {
        let (triangles, frames) = if quick { (triangles / 20, 3) } else { (triangles, 10) };
        Plan { name, lab, about, triangles, frames, self_collision }
    };
    vec![
        plan("spheres", "spheres", "rigid", 200_000, false),
        plan("blobs", "blobs", "rigid", 500_000, false),
        plan("creatures", "creatures", "deforming and rigid", 320_000, false),
        plan("knots", "knots", "deforming", 800_000, false),
        plan("knots-self", "knots", "deforming, self", 200_000, true),
        plan("cloth", "cloth", "deforming, self", 100_000, true),
        plan("flush", FLUSH, "deforming, face on face", 194_400, false),
        plan("flat-self", FLUSH, "deforming, flat, self", 194_400, true),
        plan("stack", "pile", "rigid and deforming, stacked", 61_000, false),
    ]
}

impl Plan {
    pub(crate) fn write(&self, folder: &Path) -> Result<Written> {
        let motion = if self.lab == FLUSH {
            flush::make(self.triangles, self.frames)?
        } else {
            let lab = impinge_lab::find(self.lab);
            lab.with_context(|| format!("no scene '{}' in the lab", self.lab))?.build(self.triangles, 1)
        };
        // A cloth lies flat at first: the last frames of a motion are where something happens.
        let mut scene = record(self.name, &motion, motion.frames.saturating_sub(self.frames), self.frames)?;
        if !self.self_collision {
            scene.set_self_collision(false);
        }
        let file = impinge_io::write_scene(&folder.join("scenes").join(self.name), &scene)?;
        let self_collision = scene.bodies().iter().any(|body| body.self_collision);
        Ok(Written { name: self.name, about: self.about, file, triangles: triangles(&scene), self_collision })
    }
}

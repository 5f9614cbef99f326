//! `impinge demo`: a scene of the lab -> its answer, the page that shows it, a picture, and files that `check` reads again.

use crate::error::Error;
use crate::names::{count, counted, duration, median, milliseconds, program};
use crate::options::DemoOptions;
use crate::outcome::Outcome;
use crate::picture::{Picture, Up};
use crate::progress::Progress;
use crate::question::Question;
use crate::view::ReportFile;
use crate::{demo_hail, record};
use impinge::{Collider, Options, SceneError};
use impinge_lab::Motion;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Each takes up to 125 bytes of a `scene.toml`, of which `check` reads the first 2^20.
const MAX_BODIES: usize = impinge_io::MAX_SCENE_BYTES as usize / 128;

pub(crate) fn list(out: &mut impl Write) -> Result<Outcome, Error> {
    let scenes = impinge_lab::all();
    let width = scenes.iter().map(|scene| scene.name.len()).max().unwrap_or(0);
    for scene in scenes {
        writeln!(out, "{:width$}  {}", scene.name, scene.about)?;
    }
    writeln!(out, "{:width$}  {}", "hail", demo_hail::ABOUT)?;
    Ok(Outcome::Clear)
}

pub(crate) fn run(options: &DemoOptions, out: &mut impl Write) -> Result<Outcome, Error> {
    let DemoOptions { name, triangles, seed, out: folder, .. } = options;
    if name == "hail" {
        return demo_hail::run(options, out);
    }
    let scene = impinge_lab::find(name).ok_or_else(|| Error::NoSuchScene { name: name.clone() })?;
    let failed = |error: SceneError| Error::scene(name, error);
    impinge_io::make_folder(folder)?;

    let making = Progress::new("making the scene", 1);
    let mut motion = scene.build(*triangles, *seed);
    drop(making);
    let bodies = motion.bodies.len();
    if bodies > MAX_BODIES {
        return Err(Error::TooManyBodies { name: name.clone(), bodies, triangles: *triangles });
    }
    let mut collider = Collider::default();
    let found = check(name, &mut motion, &mut collider)?;
    let report_file = folder.join("report.html");
    write_page(name, &mut motion, &mut collider, &found, &report_file)?;

    let writing = Progress::new("writing", 1);
    let best = found.best.frame;
    motion.set_frame(best).map_err(failed)?;
    let whole = motion.is_recordable();
    let recorded = if whole { record::motion(name, &motion) } else { record::still(name, &motion) };
    let scene_file = impinge_io::write_scene(folder, &recorded.map_err(|error| Error::scene(name, error))?)?;
    collider.options = Options { shapes: true, ..Options::default() };
    let picture_file = folder.join("picture.png");
    let picture = Picture::of(&motion.scene, collider.collide(&motion.scene)?.into(), Up::Z);
    picture.write(&picture_file)?;
    drop(writing);

    let bodies = counted(motion.bodies.len(), "body", "bodies");
    let frames = counted(motion.frames, "frame", "frames");
    let triangles = counted(motion.triangles(), "triangle", "triangles");
    writeln!(out, "{name}: {bodies}, {triangles}, {frames}, {} a frame", duration(found.median))?;
    writeln!(out, "{}", found.summary(motion.frames))?;
    writeln!(out)?;
    writeln!(out, "page     {}  (open it in a browser)", report_file.display())?;
    writeln!(out, "picture  {}  (frame {best}, contacts in red)", picture_file.display())?;
    let note = if whole {
        ""
    } else {
        "  (that frame only: bodies come, go or break, which a scene.toml cannot tell)"
    };
    writeln!(out, "scene    {}{note}", scene_file.display())?;
    let frame = if whole && motion.frames > 1 { format!(" --frames {best}") } else { String::new() };
    writeln!(out, "next     {} check {}{frame}", program(), scene_file.display())?;
    writeln!(out, "or       {} view {}", program(), scene_file.display())?;
    Ok(Outcome::Clear)
}

/// The page with all frames, or with the one that the scene file will have.
fn write_page(
    name: &str,
    motion: &mut Motion,
    collider: &mut Collider,
    found: &Found,
    path: &Path,
) -> Result<(), Error> {
    let failed = |error: SceneError| Error::scene(name, error);
    let best = found.best.frame;
    let frames = if motion.is_recordable() { 0..motion.frames } else { best..best + 1 };
    motion.set_frame(frames.start).map_err(failed)?;
    let mut file = ReportFile::begin(path, name, &motion.scene, &frames, Up::Z)?;
    collider.options = Options { shapes: true, ..Options::default() };
    let progress = Progress::new("writing the page", frames.len());
    for frame in frames {
        motion.set_frame(frame).map_err(failed)?;
        let question = Question::Contacts(collider.options.clone());
        file.add(frame, &motion.scene, collider.collide(&motion.scene)?.into(), &question)?;
        progress.step();
    }
    motion.set_frame(file.begin_with()).map_err(failed)?;
    let method = collider.collide(&motion.scene)?.method;
    file.see(&motion.scene, &Question::Contacts(Options { method, ..collider.options.clone() }))?;
    file.write()
}

/// One frame's numbers.
#[derive(Clone, Copy, Default)]
struct Seen {
    contacts: usize,
    containments: usize,
    frame: usize,
    pairs: usize,
}

struct Found {
    best: Seen,
    colliding: usize,
    median: Duration,
}

fn check(name: &str, motion: &mut Motion, collider: &mut Collider) -> Result<Found, Error> {
    let progress = Progress::new("checking", motion.frames);
    let mut seen = Vec::with_capacity(motion.frames);
    let mut times = Vec::with_capacity(motion.frames);
    for frame in 0..motion.frames {
        motion.set_frame(frame).map_err(|error| Error::scene(name, error))?;
        let report = collider.collide(&motion.scene)?;
        seen.push(Seen {
            contacts: report.contacts.len(),
            containments: report.containments.len(),
            frame,
            pairs: report.pairs.len(),
        });
        times.push(milliseconds(report.stages.total));
        progress.step();
    }
    let colliding = seen.iter().filter(|s| s.contacts + s.containments > 0).count();
    // The frame worth a picture; of equals the earliest, which is the last one seen from behind.
    let best = seen.into_iter().rev().max_by_key(|s| (s.contacts, s.containments)).unwrap_or_default();
    Ok(Found { best, colliding, median: Duration::from_secs_f64(median(times.into_iter()) / 1e3) })
}

impl Found {
    fn summary(&self, frames: usize) -> String {
        let Seen { contacts, containments, frame, pairs } = self.best;
        if self.colliding == 0 {
            return "no collision in any frame".into();
        }
        let mut parts = Vec::new();
        if contacts > 0 {
            let contacts = counted(contacts, "contact", "contacts");
            parts.push(format!("{contacts} in {}", counted(pairs, "pair of bodies", "pairs of bodies")));
        }
        if containments > 0 {
            parts.push(counted(containments, "containment", "containments"));
        }
        let parts = parts.join(", ");
        if frames == 1 {
            return parts;
        }
        let colliding = count(self.colliding);
        format!(
            "{colliding} of {} frames have collisions; frame {frame} has the most: {parts}",
            count(frames)
        )
    }
}

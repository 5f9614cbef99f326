//! `impinge check`: every frame through one collider, into a printer.

use crate::Outcome;
use crate::error::Error;
use crate::found::Found;
use crate::machinery::Workshop;
use crate::names;
use crate::options::CheckOptions;
use crate::picture::Picture;
use crate::printer::{BodyFacts, Printer};
use crate::progress::Progress;
use crate::seen;
use crate::source::Source;
use impinge::Options;
use impinge::image_space::depth_slices::SliceOptions;
use std::io::Write;

/// Checks, prints, and says what it found, even when nobody reads on.
pub(crate) fn run(options: &CheckOptions, out: &mut impl Write) -> Result<Outcome, Error> {
    let mut collides = false;
    match frames(options, out, &mut collides) {
        Err(error) if !error.is_closed_pipe() => Err(error),
        _ => Ok(if collides { Outcome::Collides } else { Outcome::Clear }),
    }
}

fn frames(options: &CheckOptions, out: &mut impl Write, collides: &mut bool) -> Result<(), Error> {
    let reading = Progress::new("reading", 1);
    let mut source = Source::load(&options.files, options.weld)?;
    drop(reading);
    let frames = options.frames.within(source.frames())?;
    if options.self_collision {
        let ids: Vec<_> = source.scene.bodies().map(|(id, _)| id).collect();
        for id in ids {
            let set = source.scene.set_self_collision(id, true);
            set.map_err(|error| Error::scene(&source.name, error))?;
        }
    }

    let shapes = options.format.shows_points(frames.len());
    // Before anything is printed: a GPU may not be there.
    let workshop = Workshop::open(&options.place, &source.scene)?;
    let mut collider = workshop.collider(&Options { shapes, ..options.collider.clone() })?;
    let bodies = BodyFacts::of(&source.scene);
    let mut printer = Printer::begin(options.format, bodies, frames.len(), &options.collider, out)?;
    let progress = Progress::new("checking", frames.len());
    let (mut most, mut method) = (None, options.collider.method);
    let first = frames.start;
    for frame in frames {
        source.set_frame(frame)?;
        let report = collider.collide(&source.scene)?;
        *collides |= report.collides();
        method = report.method;
        most = most.max(Some((Found::of(report), frame)));
        printer.frame(frame, &source.scene, report)?;
        progress.step();
    }
    drop(progress);
    printer.finish()?;
    let most = most.map_or(first, |(_, frame)| frame);
    if let Some(path) = &options.png {
        source.set_frame(most)?;
        // Contacts are what can be seen, asked for or not.
        let slices = SliceOptions { triangles: true, ..options.collider.slices };
        collider.set_options(Options { shapes: true, slices, ..options.collider.clone() });
        let picture = Picture::of(&source.scene, collider.collide(&source.scene)?, options.up);
        picture.write(path).map_err(|error| Error::Write { path: path.clone(), error })?;
    }
    if let Some(folder) = &options.seen {
        source.set_frame(most)?;
        let looking = Progress::new("looking", 1);
        let seen = seen::of(&source.scene, &Options { method, ..options.collider.clone() })?;
        drop(looking);
        seen::write(&seen, names::method(method), folder)?;
    }
    Ok(())
}

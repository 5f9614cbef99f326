//! `impinge check`: every frame through one collider, into a printer.

use crate::backend::Backend;
use crate::error::Error;
use crate::found::Found;
use crate::options::{CheckOptions, Format};
use crate::outcome::Outcome;
use crate::picture::Picture;
use crate::printer::{BodyFacts, Printer};
use crate::progress::Progress;
use crate::seen;
use crate::view::ReportFile;
use std::io::Write;
use std::path::Path;

/// Checks, prints, and says what it found, even when nobody reads on.
pub(crate) fn run(options: &CheckOptions, out: &mut impl Write) -> Result<Outcome, Error> {
    let mut collides = false;
    match frames(options, out, &mut collides) {
        Err(error) if !error.is_closed_pipe() => Err(error),
        _ => Ok(if collides { Outcome::Collides } else { Outcome::Clear }),
    }
}

fn frames(options: &CheckOptions, out: &mut impl Write, collides: &mut bool) -> Result<(), Error> {
    let CheckOptions { subject, format, .. } = options;
    let reading = Progress::new("reading", 1);
    let mut source = subject.load()?;
    drop(reading);
    let frames = subject.frames.within(source.frames())?;

    let shapes = format.shows_points(frames.len()) || options.html.is_some();
    // Before anything is printed: a GPU may not be there.
    let backend = Backend::open(&subject.place, &source.scene)?;
    let mut engine = backend.ask(subject.question.with_shapes(shapes))?;
    source.set_frame(frames.start)?;
    let (name, up) = (source.name.clone(), subject.up);
    let html = options.html.as_deref();
    let mut html = html.map(|path| ReportFile::begin(path, &name, &source.scene, &frames, up)).transpose()?;
    let bodies = BodyFacts::of(&source.scene);
    let mut printer = Printer::begin(*format, bodies, frames.len(), &subject.question, out)?;
    let progress = Progress::new("checking", frames.len());
    let (mut most, mut looked) = (None, subject.question.clone());
    let first = frames.start;
    for frame in frames {
        source.set_frame(frame)?;
        let findings = engine.answer(&source.scene)?;
        *collides |= findings.collides();
        looked = subject.question.answered_by(&findings);
        let found = Found::of(findings);
        // Of equals the earliest, as the report begins with.
        if most.is_none_or(|(before, _)| found > before) {
            most = Some((found, frame));
        }
        printer.frame(frame, &source.scene, findings)?;
        if let Some(html) = &mut html {
            html.add(frame, &source.scene, findings, &subject.question)?;
        }
        progress.step();
    }
    drop(progress);
    printer.finish()?;
    // What a program reads is one JSON object and nothing else.
    let mut wrote = |what: &str, path: &Path| {
        if matches!(format, Format::Text { .. }) {
            // Files are written even when nobody reads on.
            let _ = writeln!(out, "{what:<8} {}", path.display());
        }
    };
    let most = most.map_or(first, |(_, frame)| frame);
    if let (Some(mut html), Some(path)) = (html, &options.html) {
        source.set_frame(html.begin_with())?;
        let looking = Progress::new("looking", 1);
        html.see(&source.scene, &looked)?;
        html.write()?;
        drop(looking);
        wrote("page", path);
    }
    if let Some(path) = &options.png {
        source.set_frame(most)?;
        // Contacts are what can be seen, asked for or not.
        engine.ask(subject.question.to_be_seen());
        let picture = Picture::of(&source.scene, engine.answer(&source.scene)?, up);
        picture.write(path)?;
        wrote("picture", path);
    }
    if let Some(folder) = &options.seen {
        source.set_frame(most)?;
        let looking = Progress::new("looking", 1);
        let seen = seen::of(&source.scene, &looked)?;
        drop(looking);
        seen::write(&seen, looked.method(), folder)?;
        wrote("seen", folder);
    }
    Ok(())
}

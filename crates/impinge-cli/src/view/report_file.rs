//! `check --html`: the page with its data inside, as one file that opens from disk.
//!
//! The data are the same bytes that the server sends, as text. A file must stay small enough for a browser to open: when
//! frames are more than [`MAX_FRAME_BYTES`] together, every second one is left out, again and again, and the page says so.

use super::container::Container;
use super::frame_data::Encoded;
use super::scene_data::Told;
use super::{frame_data, page, seen_data};
use crate::error::Error;
use crate::found::Found;
use crate::picture::Up;
use crate::question::{Findings, Question};
use crate::seen;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use impinge::Scene;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Limit of all frames together, before base64, which adds a third.
const MAX_FRAME_BYTES: usize = 96 << 20;

/// Limit of the meshes: browsers do not open much larger files.
const MAX_SCENE_BYTES: usize = 256 << 20;

/// Collects frames and writes the report.
pub(crate) struct ReportFile {
    path: PathBuf,
    most_bytes: usize,
    told: Told,
    scene: Vec<u8>,
    first: usize,
    /// Of the frames, every `stride`-th is kept.
    stride: usize,
    kept: BTreeMap<usize, Vec<u8>>,
    bytes: usize,
    /// The frame with the most, which is kept in any case.
    most: Option<(Found, usize, Vec<u8>)>,
    counts: Counts,
    seen: Option<Vec<u8>>,
}

/// Counts of every frame, for the timeline.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Counts {
    /// The unit of the counts.
    pub(crate) unit: &'static str,
    #[serde(rename = "counts")]
    pub(crate) found: Vec<Option<usize>>,
    /// Whether anything collides; one body inside another has no contacts.
    pub(crate) collides: Vec<Option<bool>>,
    /// How deep the deepest pair is, in world units.
    pub(crate) depths: Vec<Option<f64>>,
}

impl Counts {
    pub(crate) fn unknown(frames: usize) -> Self {
        Self {
            unit: "contacts",
            found: vec![None; frames],
            collides: vec![None; frames],
            depths: vec![None; frames],
        }
    }

    /// `place` counts from the first frame that is looked at.
    pub(crate) fn put(&mut self, place: usize, report: Findings<'_>) {
        let found = Found::of(report);
        self.unit = match found {
            Found::Contacts(_) => "contacts",
            Found::Bodies(_) => "bodies",
            Found::Interference(_) | Found::Pairs { .. } | Found::Meeting { .. } => "pairs",
        };
        if let Some(count) = self.found.get_mut(place) {
            *count = Some(found.number());
        }
        if let Some(collides) = self.collides.get_mut(place) {
            *collides = Some(report.collides());
        }
    }

    pub(crate) fn put_depth(&mut self, place: usize, deepest: Option<f64>) {
        if let Some(depth) = self.depths.get_mut(place) {
            *depth = deepest;
        }
    }
}

#[derive(Serialize)]
struct ReportHead<'a> {
    #[serde(flatten)]
    counts: &'a Counts,
    /// The frames that are in the file, and the one to begin with.
    frames: Vec<usize>,
    begin: usize,
    stride: usize,
}

impl ReportFile {
    /// The scene must stand at the first frame.
    pub(crate) fn begin(
        path: &Path,
        name: &str,
        scene: &Scene,
        frames: &Range<usize>,
        up: Up,
    ) -> Result<Self, Error> {
        let told = Told::new(scene);
        let block = told.encode(name, scene, frames, up)?;
        if block.len() > MAX_SCENE_BYTES {
            return Err(Error::TooLargeForAFile { path: path.to_owned(), megabytes: block.len() >> 20 });
        }
        Ok(Self {
            path: path.to_owned(),
            most_bytes: MAX_FRAME_BYTES,
            told,
            scene: block,
            first: frames.start,
            stride: 1,
            kept: BTreeMap::new(),
            bytes: 0,
            most: None,
            counts: Counts::unknown(frames.len()),
            seen: None,
        })
    }

    /// Frames come in order; shapes must have been asked for.
    pub(crate) fn add(
        &mut self,
        frame: usize,
        scene: &Scene,
        report: Findings<'_>,
        question: &Question,
    ) -> Result<(), Error> {
        let place = frame - self.first;
        self.counts.put(place, report);
        let found = Found::of(report);
        let is_most = self.most.as_ref().is_none_or(|(most, ..)| found > *most);
        let is_kept = place.is_multiple_of(self.stride);
        if !is_most && !is_kept {
            return Ok(());
        }
        let Encoded { bytes: block, deepest } =
            frame_data::encode(frame, scene, report, &self.told, question)?;
        self.counts.put_depth(place, deepest);
        if is_most {
            self.most = Some((found, frame, block.clone()));
        }
        if is_kept {
            self.bytes += block.len();
            self.kept.insert(place, block);
        }
        while self.bytes > self.most_bytes && self.kept.len() > 1 {
            self.stride *= 2;
            self.kept.retain(|place, _| place.is_multiple_of(self.stride));
            self.bytes = self.kept.values().map(Vec::len).sum();
        }
        Ok(())
    }

    /// What the method saw in the frame with the most, in which the scene must stand.
    pub(crate) fn see(&mut self, scene: &Scene, question: &Question) -> Result<(), Error> {
        let frame = self.begin_with();
        self.seen = Some(seen_data::encode(frame, seen::of(scene, question), &self.told.space)?);
        Ok(())
    }

    /// The frame with the most, which the page shows first.
    pub(crate) fn begin_with(&self) -> usize {
        self.most.as_ref().map_or(self.first, |(_, frame, _)| *frame)
    }

    pub(crate) fn write(self) -> Result<(), Error> {
        let path = self.path.clone();
        Ok(impinge_io::write_file(&path, |out| self.put(out))?)
    }

    fn put(mut self, out: &mut impl Write) -> io::Result<()> {
        let begin = self.begin_with();
        if let Some((_, frame, block)) = self.most.take() {
            self.kept.entry(frame - self.first).or_insert(block);
        }
        let head = ReportHead {
            counts: &self.counts,
            frames: self.kept.keys().map(|place| self.first + place).collect(),
            begin,
            stride: self.stride,
        };
        let head = Container::default().finish(&head)?;
        let (before, after) = page::around_data();
        out.write_all(before.as_bytes())?;
        block(out, "report", &head)?;
        block(out, "scene", &self.scene)?;
        for (place, bytes) in &self.kept {
            block(out, &format!("frame-{}", self.first + place), bytes)?;
        }
        if let Some(seen) = &self.seen {
            block(out, &format!("seen-{begin}"), seen)?;
        }
        out.write_all(after.as_bytes())
    }
}

/// Browsers do not run scripts of a type that they do not know, and keep them as text.
fn block(out: &mut impl Write, id: &str, bytes: &[u8]) -> io::Result<()> {
    write!(out, "<script type=\"application/vnd.impinge\" id=\"data-{id}\">")?;
    let mut text = EncoderWriter::new(&mut *out, &STANDARD);
    text.write_all(bytes)?;
    text.finish()?;
    drop(text);
    writeln!(out, "</script>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use impinge::{Collider, Mesh, Options, Pose};

    /// The frames of a file that may have so many bytes of them, and the one to begin with.
    fn frames(most_bytes: usize) -> (Vec<usize>, usize) {
        let mut scene = Scene::new();
        let leaf = |z: f32| Mesh::new(vec![[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, -z]], vec![[0, 1, 2]]);
        scene.add("a", leaf(0.5).unwrap());
        let b = scene.add("b", leaf(-0.5).unwrap());
        let options = Options { shapes: true, ..Options::default() };
        let (mut collider, question) = (Collider::new(options.clone()), Question::Contacts(options));
        let mut file = ReportFile::begin(Path::new("r.html"), "r", &scene, &(10..42), Up::Y).unwrap();
        file.most_bytes = most_bytes;
        for frame in 10..42 {
            let away = if frame == 27 { 0.0 } else { 9.0 };
            scene.set_pose(b, Pose::from_translation([0.0, 0.0, away]).unwrap()).unwrap();
            let report = collider.collide(&scene).unwrap();
            file.add(frame, &scene, report.into(), &question).unwrap();
        }
        assert_eq!(file.counts.found.iter().flatten().sum::<usize>(), 1);
        let mut text = Vec::new();
        file.put(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let has = |frame: &usize| text.contains(&format!("id=\"data-frame-{frame}\""));
        let head = text.split("id=\"data-report\">").nth(1).unwrap().split('<').next().unwrap();
        let head = STANDARD.decode(head).unwrap();
        let head: serde_json::Value = serde_json::from_slice(&head[12..]).unwrap();
        let listed: Vec<usize> =
            head["frames"].as_array().unwrap().iter().map(|f| f.as_u64().unwrap() as usize).collect();
        assert_eq!(listed, (0..50).filter(has).collect::<Vec<_>>());
        (listed, head["begin"].as_u64().unwrap() as usize)
    }

    #[test]
    fn frames_are_left_out_evenly_but_never_the_one_with_the_most() {
        assert_eq!(frames(MAX_FRAME_BYTES), ((10..42).collect(), 27));
        let (few, begin) = frames(20_000);
        assert_eq!(begin, 27);
        assert!(few.contains(&27) && few.contains(&10), "{few:?}");
        assert!(few.len() > 4 && few.len() < 32, "{few:?}");
        let even: Vec<usize> = few.iter().copied().filter(|&frame| frame != 27).collect();
        assert!(even.windows(3).all(|w| w[1] - w[0] == w[2] - w[1]), "{few:?}");
    }
}

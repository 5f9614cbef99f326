//! What `check` prints. Two peers, text and JSON, hear the same three calls.

/// A JSON object made from something of the library: every field once, with its type and where it comes from.
macro_rules! json_of {
    ($(#[$doc:meta])* $json:ident of |$from:ident: $of:ty| {
        $($(#[$attribute:meta])* $field:ident: $kind:ty = $value:expr,)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
        pub(crate) struct $json {
            $($(#[$attribute])* pub(crate) $field: $kind,)+
        }

        impl From<&$of> for $json {
            fn from($from: &$of) -> Self {
                Self { $($field: $value,)+ }
            }
        }
    };
}
pub(crate) use json_of;

mod culled_json;
mod culled_text;
mod grid;
mod interference_json;
mod interference_text;
mod json;
mod paint;
mod sampling;
mod sliced_json;
mod sliced_text;
mod text;

use crate::error::Error;
use crate::options::Format;
use crate::question::{Findings, Question};
use impinge::{BodyId, Scene};
use std::io::Write;

pub(crate) use culled_json::CullideJson;
pub(crate) use grid::{GridJson, grid_counts};
pub(crate) use interference_json::CastJson;
pub(crate) use json::{FrameJson, ImageJson, StagesJson};
pub(crate) use sliced_json::SlicesJson;

/// What is told about a body, whatever the frame.
#[derive(Debug, serde::Serialize)]
pub(crate) struct BodyFacts {
    name: String,
    vertices: usize,
    triangles: usize,
    closed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_reason: Option<String>,
}

impl BodyFacts {
    /// In the order of the scene's bodies, which is that of their indices: nothing was ever removed.
    pub(crate) fn of(scene: &Scene) -> Vec<Self> {
        scene
            .bodies()
            .map(|(_, body)| {
                let topology = body.mesh().topology();
                let open = topology.open();
                Self {
                    name: body.name().to_owned(),
                    vertices: body.mesh().positions().len(),
                    triangles: body.mesh().triangles().len(),
                    closed: open.is_none(),
                    open_reason: open.map(ToString::to_string),
                }
            })
            .collect()
    }
}

/// Version of all JSON that the program prints (docs/json.md, docs/particles.md).
pub(crate) const SCHEMA: u32 = 2;

/// A body, or a collider of a scene of particles, as JSON refers to it. Names may repeat; indices do not.
#[derive(Debug, serde::Serialize)]
pub(crate) struct NamedIndex<'a> {
    pub(crate) index: usize,
    pub(crate) name: &'a str,
}

impl<'a> NamedIndex<'a> {
    fn of(bodies: &'a [BodyFacts], id: BodyId) -> Self {
        Self { index: id.index(), name: bodies.get(id.index()).map_or("", |body| body.name.as_str()) }
    }

    fn all(bodies: &'a [BodyFacts], ids: &[BodyId]) -> Vec<Self> {
        ids.iter().map(|&id| Self::of(bodies, id)).collect()
    }
}

/// What the answer about one frame is worth, in words; nothing where the method misses nothing.
pub(crate) fn remarks(report: Findings<'_>) -> Vec<String> {
    if report.complete {
        return Vec::new();
    }
    let not_looked_at = report.overlaps().into_iter().flat_map(|sliced| &sliced.not_looked_at);
    let not_looked_at = not_looked_at.count();
    if not_looked_at > 0 {
        return vec![format!(
            "not complete: self-collision of {} was not looked for; --method bvh looks",
            crate::names::counted(not_looked_at, "body", "bodies")
        )];
    }
    if report.overlaps().is_some() {
        return vec!["not all answers are proven: see the column of pairs that may meet".to_owned()];
    }
    if report.culled().is_some() {
        return vec!["sampled: contacts between pixels may be missed".to_owned()];
    }
    let mut sampling = sampling::Sampling::default();
    sampling.add(report);
    sampling.remarks(1).into_iter().chain(sampling.warning()).collect()
}

pub(crate) enum Printer<'a, W: Write> {
    Text(Box<text::TextPrinter<'a, W>>),
    Json(json::JsonPrinter<'a, W>),
}

impl<'a, W: Write> Printer<'a, W> {
    /// `frames` is how many will be printed.
    pub(crate) fn begin(
        format: Format,
        bodies: Vec<BodyFacts>,
        frames: usize,
        question: &Question,
        out: &'a mut W,
    ) -> Result<Self, Error> {
        Ok(match format {
            Format::Text { rows } => {
                Self::Text(Box::new(text::TextPrinter::begin(bodies, frames, rows, question, out)))
            }
            Format::Json { limit } => {
                Self::Json(json::JsonPrinter::begin(bodies, limit, question.distance(), out)?)
            }
        })
    }

    pub(crate) fn frame(&mut self, frame: usize, scene: &Scene, report: Findings<'_>) -> Result<(), Error> {
        match self {
            Self::Text(text) => text.frame(frame, scene, report),
            Self::Json(json) => json.frame(frame, scene, report),
        }
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        match self {
            Self::Text(text) => text.finish(),
            Self::Json(json) => json.finish(),
        }
    }
}

//! `scene.toml`: the bodies of a scene, their files, and which of them may collide with themselves.

use crate::error::{Place, Problem, ReadError};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The content of a `scene.toml`. Paths are relative to its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneDescription {
    /// The scene's name; the name of its folder or file where it has none.
    pub name: Option<String>,
    /// At least one.
    #[serde(rename = "body", default)]
    pub bodies: Vec<BodyDescription>,
}

/// One `[[body]]` of a `scene.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyDescription {
    /// Different from every other body's.
    pub name: String,
    /// A mesh file. Several objects in it are parts of this one body.
    pub mesh: String,
    /// A track of positions, `.npy`.
    pub positions: Option<String>,
    /// A track of poses, `.npy`.
    pub poses: Option<String>,
    /// Whether the body may collide with itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub self_collision: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Largest `scene.toml` that is read: ten thousand bodies. While it is parsed, TOML takes up to 200 times its size.
pub const MAX_SCENE_BYTES: u64 = 1 << 20;

/// The text of a TOML file; no larger than a scene may be.
pub(crate) fn from_toml<T: serde::de::DeserializeOwned>(text: &[u8]) -> Result<T, ReadError> {
    if text.len() as u64 > MAX_SCENE_BYTES {
        let problem = format!("a scene has at most {MAX_SCENE_BYTES} bytes");
        return Err(Problem::Malformed(problem).at(Place::File));
    }
    let line_of = |byte: usize| {
        let head = &text[..byte.min(text.len())];
        Place::Line(head.split(|&b| b == b'\n').count())
    };
    let utf8 = std::str::from_utf8(text)
        .map_err(|error| Problem::Malformed("is not UTF-8".into()).at(line_of(error.valid_up_to())))?;
    toml::from_str(utf8).map_err(|error| {
        let place = error.span().map_or(Place::File, |span| line_of(span.start));
        let message: Vec<&str> = error.message().lines().map(str::trim).collect();
        let message: String = message.join("; ").chars().filter(|c| !c.is_control()).take(200).collect();
        Problem::Malformed(message).at(place)
    })
}

/// Reads the text of a `scene.toml`; no other file is opened.
pub fn parse_scene(text: &[u8]) -> Result<SceneDescription, ReadError> {
    let scene: SceneDescription = from_toml(text)?;
    if scene.bodies.is_empty() {
        return Err(Problem::Malformed("the scene has no [[body]]".into()).at(Place::File));
    }
    let mut names = HashSet::new();
    for (index, body) in scene.bodies.iter().enumerate() {
        let place = Place::Element("body", index);
        if body.name.trim().is_empty() || body.name.contains(char::is_control) {
            return Err(Problem::Malformed("the name is empty or has control characters".into()).at(place));
        }
        if !names.insert(&body.name) {
            return Err(
                Problem::Malformed(format!("the name '{}' is taken by another body", body.name)).at(place)
            );
        }
    }
    Ok(scene)
}

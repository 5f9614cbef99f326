//! Geomview OFF to a mesh, with the relatives whose vertices carry colours, normals or texture coordinates.
//!
//! One vertex or face per line, as every writer does it, because only the end of the line says how many
//! colours follow.

use crate::error::{Place, Problem, ReadError};
use crate::format::is_off_header;
use crate::named_mesh::NamedMesh;
use crate::polygon::triangulate;
use crate::text::{Lines, Words};
use impinge::Mesh;

/// `0 0 0` and the end of the line.
const MIN_VERTEX_BYTES: usize = 6;
/// `3 0 0 0` and the end of the line.
const MIN_FACE_BYTES: usize = 8;

pub(crate) fn parse(bytes: &[u8], name_hint: &str) -> Result<Vec<NamedMesh>, ReadError> {
    let mut lines = Lines::new(bytes, 1);
    let (vertices, faces) = counts(&mut lines)?;
    // The last line may lack its end.
    let room = lines.bytes_left() + 1;
    check_count("vertices", vertices, room / MIN_VERTEX_BYTES, lines.line())?;
    check_count("faces", faces, (room - vertices * MIN_VERTEX_BYTES) / MIN_FACE_BYTES, lines.line())?;

    let mut positions = Vec::with_capacity(vertices);
    for _ in 0..vertices {
        let mut words = next_line(&mut lines, "the vertices")?;
        let mut position = [0.0; 3];
        for (axis, coordinate) in position.iter_mut().enumerate() {
            *coordinate = words.expect("a vertex")?.coordinate(axis)?;
        }
        positions.push(position);
    }
    let mut triangles = Vec::with_capacity(faces);
    let mut corners = Vec::new();
    for _ in 0..faces {
        let mut words = next_line(&mut lines, "the faces")?;
        let count: usize = words.expect("a face")?.parse("a number of corners")?;
        check_count("corners", count, words.bytes_left() / 2, lines.line())?;
        corners.clear();
        for _ in 0..count {
            let word = words.expect("a face")?;
            let index: i64 = word.parse("a vertex number")?;
            if !(0..positions.len() as i64).contains(&index) {
                let problem = Problem::Index { what: "vertex", index, count: positions.len() };
                return Err(problem.at(word.place()));
            }
            corners.push(index as u32);
        }
        triangulate(&corners, |corner| positions[corner as usize], |triangle| triangles.push(triangle))
            .map_err(|problem| problem.at(Place::Line(lines.line())))?;
    }
    if triangles.is_empty() {
        return Err(Problem::NoTriangles { hint: None }.at(Place::File));
    }
    let mesh = Mesh::new(positions, triangles).map_err(|error| Problem::from(error).at(Place::File))?;
    Ok(vec![NamedMesh { name: name_hint.into(), mesh }])
}

fn next_line<'a>(lines: &mut Lines<'a>, inside: &'static str) -> Result<Words<'a>, ReadError> {
    let (line, content) = lines.next().ok_or(Problem::Truncated { inside }.at(Place::Line(lines.line())))?;
    Ok(Words::new(content, line))
}

fn check_count(what: &'static str, claimed: usize, room: usize, line: usize) -> Result<(), ReadError> {
    if claimed <= room {
        return Ok(());
    }
    Err(Problem::Count { what, claimed: claimed as u64, room: room as u64 }.at(Place::Line(line)))
}

/// Numbers of vertices and faces: after the keyword or on the line below it; the keyword may be missing.
fn counts(lines: &mut Lines) -> Result<(usize, usize), ReadError> {
    let mut words = next_line(lines, "the header")?;
    let mut after_keyword = words.clone();
    let keyword = after_keyword.expect("the header")?;
    if is_off_header(keyword.bytes) {
        let prefix = &keyword.bytes[..keyword.bytes.len() - 3];
        if prefix.iter().any(|b| matches!(b, b'4' | b'n')) {
            return Err(Problem::Unsupported("OFF with a number of dimensions other than 3".into())
                .at(keyword.place()));
        }
        words = after_keyword.clone();
        match after_keyword.next() {
            Some(word) if word.is("BINARY") => {
                return Err(Problem::Unsupported("binary OFF".into()).at(word.place()));
            }
            Some(_) => {}
            None => words = next_line(lines, "the header")?,
        }
    } else if !keyword.bytes.iter().all(u8::is_ascii_digit) {
        return Err(Problem::expected("'OFF'", keyword.bytes).at(keyword.place()));
    }
    let vertices = words.expect("the header")?.parse("a number of vertices")?;
    let faces = words.expect("the header")?.parse("a number of faces")?;
    Ok((vertices, faces)) // the number of edges is not used by anybody
}

//! STL, ascii and binary, to meshes. STL has no topology: corners at exactly the same place become one vertex.
//!
//! By hand, because `stl_io` takes coordinates that are not finite, gives no place for what is wrong, and
//! drops whatever follows the first solid of an ascii file. Binary coordinates stay `f32`; the decimal
//! numbers of an ascii file become the nearest `f64`, which loses nothing that was written.

use crate::bytes::{Bytes, Endian};
use crate::error::{Place, Problem, ReadError, clean_name};
use crate::format::is_binary_stl;
use crate::named_mesh::NamedMesh;
use crate::text::Words;
use crate::weld::Welder;
use impinge::Mesh;

const HEADER_BYTES: usize = 80;
const TRIANGLE_BYTES: usize = 50;

pub(crate) fn parse(bytes: &[u8], name_hint: &str) -> Result<Vec<NamedMesh>, ReadError> {
    if is_ascii(bytes) { parse_ascii(bytes, name_hint) } else { parse_binary(bytes, name_hint) }
}

/// Binary files may open with "solid" too, but then their size fits their count, or zeros follow soon.
fn is_ascii(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    let opens = head.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    opens && !is_binary_stl(bytes) && !head.contains(&0)
}

fn parse_binary(bytes: &[u8], name_hint: &str) -> Result<Vec<NamedMesh>, ReadError> {
    let mut data = Bytes::new(bytes, HEADER_BYTES, Endian::Little);
    let claimed = data.u32("the header of a binary STL")? as usize;
    let room = data.left() / TRIANGLE_BYTES;
    let count_place = Place::Byte(HEADER_BYTES);
    if claimed > room {
        let problem = Problem::Count { what: "triangles", claimed: claimed as u64, room: room as u64 };
        return Err(problem.at(count_place));
    }
    if claimed < room {
        // Writers that do not know the count leave a zero; reading less than there is would miss contacts.
        let problem = format!("claims {claimed} triangles, but {room} follow; the count is wrong");
        return Err(Problem::Malformed(problem).at(count_place));
    }
    let mut welder = Welder::<f32>::default();
    let mut triangles = Vec::with_capacity(claimed);
    for _ in 0..claimed {
        data.take(12, "a normal")?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            let place = data.place();
            let mut point = [0.0; 3];
            for (axis, coordinate) in point.iter_mut().enumerate() {
                *coordinate = data.f32("a triangle")?;
                if !coordinate.is_finite() {
                    return Err(Problem::NotFinite { axis, value: f64::from(*coordinate) }.at(place));
                }
            }
            *corner = welder.add(point);
        }
        triangles.push(corners);
        data.take(2, "an attribute")?;
    }
    if triangles.is_empty() {
        return Err(Problem::NoTriangles { hint: None }.at(count_place));
    }
    let mesh =
        Mesh::new(welder.into_points(), triangles).map_err(|error| Problem::from(error).at(Place::File))?;
    Ok(vec![NamedMesh { name: name_hint.into(), mesh }])
}

fn parse_ascii(bytes: &[u8], name_hint: &str) -> Result<Vec<NamedMesh>, ReadError> {
    let mut words = Words::new(bytes, 1);
    let mut bodies = Vec::new();
    while let Some(word) = words.next() {
        if !word.is("solid") {
            return Err(Problem::expected("'solid'", word.bytes).at(word.place()));
        }
        let name = clean_name(words.rest_of_line());
        let name = if name.is_empty() { name_hint.into() } else { name };
        if let Some(mesh) = solid(&mut words)? {
            bodies.push(NamedMesh { name, mesh });
        }
    }
    if bodies.is_empty() {
        return Err(Problem::NoTriangles { hint: None }.at(Place::File));
    }
    Ok(bodies)
}

/// The facets up to `endsolid`; `None` when there are none.
fn solid(words: &mut Words) -> Result<Option<Mesh>, ReadError> {
    const INSIDE: &str = "a solid (no 'endsolid')";
    let mut welder = Welder::<f64>::default();
    let mut triangles = Vec::new();
    loop {
        let word = words.expect(INSIDE)?;
        if word.is("endsolid") {
            words.rest_of_line();
            break;
        }
        if !word.is("facet") {
            return Err(Problem::expected("'facet' or 'endsolid'", word.bytes).at(word.place()));
        }
        // The word "normal" and three numbers, which may even be "nan": what counts is the order of the corners.
        let mut word = words.expect(INSIDE)?;
        for _ in 0..4 {
            if !word.is("outer") {
                word = words.expect(INSIDE)?;
            }
        }
        if !word.is("outer") {
            return Err(Problem::expected("'outer loop'", word.bytes).at(word.place()));
        }
        keyword(words, "loop", "'outer loop'")?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            keyword(words, "vertex", "'vertex'; a facet has three")?;
            let mut point = [0.0; 3];
            for (axis, coordinate) in point.iter_mut().enumerate() {
                *coordinate = words.expect(INSIDE)?.coordinate(axis)?;
            }
            *corner = welder.add(point);
        }
        keyword(words, "endloop", "'endloop'; a facet has three vertices")?;
        keyword(words, "endfacet", "'endfacet'")?;
        triangles.push(corners);
    }
    if triangles.is_empty() {
        return Ok(None);
    }
    let mesh = Mesh::new(welder.into_points(), triangles);
    mesh.map(Some).map_err(|error| Problem::from(error).at(Place::Line(words.line())))
}

fn keyword(words: &mut Words, keyword: &str, expected: &'static str) -> Result<(), ReadError> {
    let word = words.expect("a facet")?;
    if word.is(keyword) { Ok(()) } else { Err(Problem::expected(expected, word.bytes).at(word.place())) }
}

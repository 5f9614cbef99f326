//! Wavefront OBJ to meshes: the statements `v`, `f` and `o`; every other one is about looks.
//!
//! By hand, because `tobj` gives no line for what is wrong, splits bodies at every group, renumbers vertices
//! (a track of positions would no longer fit) and takes coordinates that are not finite. Two passes: faces may
//! refer to vertices further down.

use crate::error::{Place, Problem, ReadError, clean_name, shown};
use crate::named_mesh::{NamedMesh, ParseOptions};
use crate::polygon::triangulate;
use crate::text::{Word, Words};
use impinge::Mesh;

struct Object {
    name: String,
    /// Where its triangles start in the file's list.
    first: usize,
}

pub(crate) fn parse(
    bytes: &[u8],
    name_hint: &str,
    options: &ParseOptions,
) -> Result<Vec<NamedMesh>, ReadError> {
    let mut positions = Vec::new();
    for statement in statements(bytes).filter(|statement| statement.keyword == b"v") {
        positions.push(statement.vertex()?);
    }
    let mut triangles = Vec::new();
    let mut objects = vec![Object { name: name_hint.into(), first: 0 }];
    let (mut vertices_above, mut corners, mut unknown) = (0, Vec::new(), None);
    for statement in statements(bytes) {
        match statement.keyword {
            b"v" => vertices_above += 1,
            b"f" => {
                corners.clear();
                for word in statement.words() {
                    corners.push(vertex_index(word, vertices_above, positions.len())?);
                }
                triangulate(
                    &corners,
                    |corner| positions[corner as usize],
                    |triangle| triangles.push(triangle),
                )
                .map_err(|problem| problem.at(Place::Line(statement.line)))?;
            }
            b"o" => {
                drop_if_empty(&mut objects, triangles.len());
                let name = clean_name(statement.rest);
                let name = if name.is_empty() { name_hint.into() } else { name };
                objects.push(Object { name, first: triangles.len() });
            }
            keyword if unknown.is_none() && !is_known(keyword) => unknown = Some((statement.line, keyword)),
            _ => {}
        }
    }
    drop_if_empty(&mut objects, triangles.len());
    if objects.is_empty() {
        let hint = unknown
            .map(|(line, keyword)| format!("; line {line} is no statement of OBJ: {}", shown(keyword)));
        return Err(Problem::NoTriangles { hint }.at(Place::File));
    }
    if objects.len() == 1 || options.one_body {
        let name = if options.one_body { name_hint.into() } else { objects.remove(0).name };
        return Ok(vec![NamedMesh { name, mesh: mesh(positions, triangles)? }]);
    }
    split(&objects, &positions, &mut triangles)
}

fn mesh(positions: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Mesh, ReadError> {
    Mesh::new(positions, triangles).map_err(|error| Problem::from(error).at(Place::File))
}

fn drop_if_empty(objects: &mut Vec<Object>, triangles: usize) {
    if objects.last().is_some_and(|object| object.first == triangles) {
        objects.pop();
    }
}

/// A body for each object, with the vertices its triangles use, in the file's order.
fn split(
    objects: &[Object],
    positions: &[[f64; 3]],
    triangles: &mut [[u32; 3]],
) -> Result<Vec<NamedMesh>, ReadError> {
    let ends = objects.iter().skip(1).map(|object| object.first).chain([triangles.len()]).collect::<Vec<_>>();
    let mut bodies = Vec::with_capacity(objects.len());
    let mut used = Vec::new();
    let mut number_of = vec![0; positions.len()];
    for (object, end) in objects.iter().zip(ends) {
        let triangles = &mut triangles[object.first..end];
        used.clear();
        used.extend(triangles.iter().flatten().copied());
        used.sort_unstable();
        used.dedup();
        for (number, &vertex) in used.iter().enumerate() {
            number_of[vertex as usize] = number as u32;
        }
        let triangles =
            triangles.iter().map(|corners| corners.map(|corner| number_of[corner as usize])).collect();
        let positions = used.iter().map(|&vertex| positions[vertex as usize]).collect();
        bodies.push(NamedMesh { name: object.name.clone(), mesh: mesh(positions, triangles)? });
    }
    Ok(bodies)
}

/// `12`, `12/3`, `12//4`, `12/3/4`: from 1, or negative from the vertices above backwards.
fn vertex_index(word: Word, vertices_above: usize, vertices: usize) -> Result<u32, ReadError> {
    let number = word.bytes.split(|&b| b == b'/').next().unwrap_or_default();
    let index: i64 = Word { bytes: number, ..word }
        .parse("a vertex number such as 7, 7/2, 7//3 or 7/2/3")
        .map_err(|error| ReadError { problem: Problem::expected(VERTEX_NUMBER, word.bytes), ..error })?;
    let from_zero = if index < 0 { index.checked_add(vertices_above as i64) } else { index.checked_sub(1) };
    match from_zero {
        Some(vertex) if (0..vertices as i64).contains(&vertex) && vertex < i64::from(u32::MAX) => {
            Ok(vertex as u32)
        }
        _ if index < 0 => {
            Err(Problem::Index { what: "vertex", index, count: vertices_above }.at(word.place()))
        }
        _ => Err(Problem::Index { what: "vertex", index, count: vertices }.at(word.place())),
    }
}

const VERTEX_NUMBER: &str = "a vertex number such as 7, 7/2, 7//3 or 7/2/3";

/// Statements that say nothing about where triangles are.
fn is_known(keyword: &[u8]) -> bool {
    const KNOWN: [&str; 20] = [
        "g",
        "s",
        "l",
        "p",
        "vt",
        "vn",
        "vp",
        "usemtl",
        "mtllib",
        "usemap",
        "maplib",
        "mg",
        "lod",
        "bevel",
        "c_interp",
        "d_interp",
        "shadow_obj",
        "trace_obj",
        "deg",
        "cstype",
    ];
    KNOWN.iter().any(|known| known.as_bytes() == keyword)
}

struct Statement<'a> {
    keyword: &'a [u8],
    rest: &'a [u8],
    line: usize,
}

impl<'a> Statement<'a> {
    /// The words after the keyword, up to a comment; a line that continues another is part of it.
    fn words(&self) -> impl Iterator<Item = Word<'a>> + use<'a> {
        let words = Words::new(self.rest, self.line);
        words.take_while(|word| !word.bytes.starts_with(b"#")).filter(|word| word.bytes != b"\\")
    }

    fn vertex(&self) -> Result<[f64; 3], ReadError> {
        let mut words = self.words();
        let mut position = [0.0; 3];
        for (axis, coordinate) in position.iter_mut().enumerate() {
            let word =
                words.next().ok_or(Problem::Truncated { inside: "a vertex" }.at(Place::Line(self.line)));
            *coordinate = word?.coordinate(axis)?;
        }
        Ok(position) // a weight or a colour may follow
    }
}

/// The statements of a file. A backslash before the end of a line joins it to the next, but not in a comment,
/// where it is more likely the end of a Windows path.
fn statements(bytes: &[u8]) -> impl Iterator<Item = Statement<'_>> {
    let (mut rest, mut next_line) = (bytes, 1);
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let line = next_line;
            let mut is_comment = false;
            let mut end = 0;
            loop {
                let length = rest[end..].iter().position(|&b| b == b'\n');
                let stop = length.map_or(rest.len(), |length| end + length);
                is_comment |= end == 0 && rest[..stop].trim_ascii_start().starts_with(b"#");
                let continues = !is_comment && rest[end..stop].trim_ascii_end().ends_with(b"\\");
                end = (stop + 1).min(rest.len());
                next_line += 1;
                if !continues || end == rest.len() {
                    break;
                }
            }
            let statement = rest[..end].trim_ascii();
            rest = &rest[end..];
            let length = statement.iter().position(u8::is_ascii_whitespace).unwrap_or(statement.len());
            let (keyword, rest) = statement.split_at(length);
            if !keyword.is_empty() && !keyword.starts_with(b"#") {
                return Some(Statement { keyword, rest, line });
            }
        }
    })
}

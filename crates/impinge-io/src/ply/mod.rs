//! PLY, ascii and both binary orders, to a mesh: coordinates of any type, polygons and strips, the rest skipped.
//!
//! By hand, because `ply-rs-bw` keeps every element as a map of names to values, 27 times the size of the
//! file, and takes an element without properties as often as the header claims it.

mod header;

use crate::bytes::{Bytes, Number, Scalar};
use crate::error::{Place, Problem, ReadError};
use crate::named_mesh::NamedMesh;
use crate::polygon::triangulate;
use crate::strip::strip_triangles;
use crate::text::Words;
use header::{Element, Encoding, Header, Kind};
use impinge::{Mesh, Positions};

pub(crate) fn parse(bytes: &[u8], name_hint: &str) -> Result<Vec<NamedMesh>, ReadError> {
    let header = Header::parse(bytes)?;
    let mut data = match header.encoding {
        Encoding::Ascii => Data::Ascii(Words::new(&bytes[header.end..], header.lines)),
        Encoding::Binary(endian) => Data::Binary(Bytes::new(bytes, header.end, endian)),
    };
    let mut vertices = None;
    let mut lists: Vec<(Shape, Lists)> = Vec::new();
    let vertex_count =
        header.elements.iter().find(|element| element.name == b"vertex").map_or(0, |e| e.count);
    for element in &header.elements {
        data.check_room(element, header.encoding)?;
        let shape = match element.name {
            b"vertex" if vertices.is_none() => {
                vertices = Some(read_vertices(&mut data, element)?);
                continue;
            }
            b"face" => Shape::Polygons,
            b"tristrips" => Shape::Strips,
            _ => {
                skip(&mut data, element)?;
                continue;
            }
        };
        lists.push((shape, read_lists(&mut data, element, shape, vertex_count)?));
    }
    let missing =
        |what: &str| Problem::Malformed(format!("the header has no element '{what}'")).at(Place::Byte(0));
    let vertices = vertices.ok_or_else(|| missing("vertex"))?;
    if lists.is_empty() {
        let hint = Some("; the header has no element 'face'".into());
        return Err(Problem::NoTriangles { hint }.at(Place::File));
    }
    let mut triangles = Vec::new();
    for (shape, lists) in &lists {
        shape.triangles(lists, &vertices, &mut triangles)?;
    }
    if triangles.is_empty() {
        return Err(Problem::NoTriangles { hint: None }.at(Place::File));
    }
    let mesh = Mesh::new(vertices, triangles).map_err(|error| Problem::from(error).at(Place::File))?;
    Ok(vec![NamedMesh { name: name_hint.into(), mesh }])
}

/// Numbers in order, whichever way they are written.
enum Data<'a> {
    Ascii(Words<'a>),
    Binary(Bytes<'a>),
}

impl Data<'_> {
    #[inline]
    fn number(&mut self, scalar: Scalar, inside: &'static str) -> Result<Number, ReadError> {
        match self {
            Self::Binary(bytes) => bytes.number(scalar, inside),
            Self::Ascii(words) => {
                let word = words.expect(inside)?;
                Ok(match scalar {
                    Scalar::F64 => Number::Real(word.parse("a number")?),
                    // Rounded once, straight to what the header says it is.
                    Scalar::F32 => Number::Real(f64::from(word.parse::<f32>("a number")?)),
                    _ => Number::Integer(word.parse("an integer")?),
                })
            }
        }
    }

    /// The length of a list, if the file has room for it.
    fn length(&mut self, count: Scalar, item: Scalar) -> Result<usize, ReadError> {
        let before = self.place();
        let Number::Integer(claimed) = self.number(count, "a list")? else {
            return Err(Problem::Malformed("a list has a fraction as its length".into()).at(before));
        };
        // In text, the number may stand on a later line than what came before it.
        let place = if matches!(self, Self::Ascii(_)) { self.place() } else { before };
        let room = match self {
            Self::Ascii(words) => words.bytes_left() / 2,
            Self::Binary(bytes) => bytes.left() / item.size(),
        };
        match usize::try_from(claimed) {
            Ok(length) if length <= room => Ok(length),
            Ok(_) => {
                Err(Problem::Count { what: "list items", claimed: claimed as u64, room: room as u64 }
                    .at(place))
            }
            Err(_) => Err(Problem::Malformed(format!("a list has the length {claimed}")).at(place)),
        }
    }

    fn place(&self) -> Place {
        match self {
            Self::Ascii(words) => Place::Line(words.line()),
            Self::Binary(bytes) => bytes.place(),
        }
    }

    fn check_room(&self, element: &Element, encoding: Encoding) -> Result<(), ReadError> {
        let left = match self {
            Self::Ascii(words) => words.bytes_left() + 1,
            Self::Binary(bytes) => bytes.left(),
        };
        let room = left.checked_div(element.min_bytes(encoding)).unwrap_or(usize::MAX);
        if element.count <= room {
            return Ok(());
        }
        let what = match element.name {
            b"vertex" => "vertices",
            b"face" => "faces",
            _ => "elements",
        };
        Err(Problem::Count { what, claimed: element.count as u64, room: room as u64 }
            .at(Place::Line(element.line)))
    }
}

fn skip_property(data: &mut Data, kind: &Kind) -> Result<(), ReadError> {
    const INSIDE: &str = "an element";
    match (kind, data) {
        (Kind::Scalar(scalar), data) => data.number(*scalar, INSIDE).map(|_| ()),
        (Kind::List { count, item }, data) => {
            let length = data.length(*count, *item)?;
            match data {
                Data::Binary(bytes) => bytes.take(length * item.size(), INSIDE).map(|_| ()),
                Data::Ascii(words) => (0..length).try_for_each(|_| words.expect(INSIDE).map(|_| ())),
            }
        }
    }
}

fn skip(data: &mut Data, element: &Element) -> Result<(), ReadError> {
    if element.properties.is_empty() {
        return Ok(()); // takes no bytes, whatever count it claims
    }
    for _ in 0..element.count {
        for property in &element.properties {
            skip_property(data, &property.kind)?;
        }
    }
    Ok(())
}

fn read_vertices(data: &mut Data, element: &Element) -> Result<Positions, ReadError> {
    let mut axes = [0; 3];
    let mut fits_f32 = true;
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        let property = element.property(&[name]);
        let Some((index, Kind::Scalar(scalar))) =
            property.map(|index| (index, &element.properties[index].kind))
        else {
            let problem = format!("the element 'vertex' has no number '{name}'");
            return Err(Problem::Malformed(problem).at(Place::Line(element.line)));
        };
        axes[axis] = index;
        fits_f32 &= scalar.fits_f32();
    }
    let mut narrow = Vec::with_capacity(if fits_f32 { element.count } else { 0 });
    let mut wide = Vec::with_capacity(if fits_f32 { 0 } else { element.count });
    for vertex in 0..element.count {
        let mut position = [0.0; 3];
        for (index, property) in element.properties.iter().enumerate() {
            let (Some(axis), Kind::Scalar(scalar)) =
                (axes.iter().position(|&axis| axis == index), &property.kind)
            else {
                skip_property(data, &property.kind)?;
                continue;
            };
            let value = data.number(*scalar, "the vertices")?.real();
            if !value.is_finite() {
                return Err(Problem::NotFinite { axis, value }.at(Place::Element("vertex", vertex)));
            }
            position[axis] = value;
        }
        if fits_f32 {
            narrow.push(position.map(|c| c as f32)); // exact, by fits_f32
        } else {
            wide.push(position);
        }
    }
    Ok(if fits_f32 { Positions::F32(narrow) } else { Positions::F64(wide) })
}

/// What a list of vertex numbers means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Polygons,
    Strips,
}

/// Lists of vertex numbers, one after the other. Triangles are made of them when the positions are known too:
/// an element may precede the vertices.
struct Lists {
    name: &'static str,
    items: Vec<u32>,
    ends: Vec<usize>,
}

/// Written as -1, ends a strip and starts another within the same list.
const RESTART: u32 = u32::MAX;

fn read_lists(data: &mut Data, element: &Element, shape: Shape, vertices: usize) -> Result<Lists, ReadError> {
    let name = if shape == Shape::Polygons { "face" } else { "tristrips" };
    let wanted = element.property(&["vertex_indices", "vertex_index"]);
    let is_list = |index: &usize| matches!(element.properties[*index].kind, Kind::List { item, .. } if item.is_integer());
    let Some(wanted) = wanted.filter(is_list) else {
        let problem = format!("the element '{name}' has no integer list 'vertex_indices'");
        return Err(Problem::Malformed(problem).at(Place::Line(element.line)));
    };
    let mut lists = Lists { name, items: Vec::new(), ends: Vec::with_capacity(element.count) };
    for list in 0..element.count {
        for (index, property) in element.properties.iter().enumerate() {
            let (true, Kind::List { count, item }) = (index == wanted, &property.kind) else {
                skip_property(data, &property.kind)?;
                continue;
            };
            for _ in 0..data.length(*count, *item)? {
                lists.items.push(match data.number(*item, "the faces")? {
                    Number::Integer(-1) if shape == Shape::Strips => RESTART,
                    Number::Integer(index)
                        if (0..vertices as i64).contains(&index) && index < i64::from(RESTART) =>
                    {
                        index as u32
                    }
                    Number::Integer(index) => {
                        let problem = Problem::Index { what: "vertex", index, count: vertices };
                        return Err(problem.at(Place::Element(name, list)));
                    }
                    Number::Real(value) => {
                        let found = value.to_string();
                        let problem = Problem::Expected { expected: "an integer", found };
                        return Err(problem.at(Place::Element(name, list)));
                    }
                });
            }
        }
        lists.ends.push(lists.items.len());
    }
    Ok(lists)
}

impl Shape {
    fn triangles(
        self,
        lists: &Lists,
        vertices: &Positions,
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), ReadError> {
        let mut start = 0;
        for (index, &end) in lists.ends.iter().enumerate() {
            let list = &lists.items[start..end];
            start = end;
            let position = |vertex: u32| vertices.get(vertex as usize);
            match self {
                Self::Polygons => triangulate(list, position, |triangle| triangles.push(triangle))
                    .map_err(|problem| problem.at(Place::Element(lists.name, index)))?,
                Self::Strips => {
                    for strip in list.split(|&item| item == RESTART) {
                        triangles.extend(strip_triangles(strip));
                    }
                }
            }
        }
        Ok(())
    }
}

//! The header of a PLY file: which elements follow, and how their numbers are written.

use crate::bytes::{Endian, Scalar};
use crate::error::{Place, Problem, ReadError};
use crate::text::{Word, Words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    Binary(Endian),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property<'a> {
    pub(super) name: &'a [u8],
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element<'a> {
    pub(super) name: &'a [u8],
    pub(super) count: usize,
    pub(super) properties: Vec<Property<'a>>,
    pub(super) line: usize,
}

impl Element<'_> {
    /// The fewest bytes that one element can take: lists may be empty. In text, a digit and what parts it from
    /// the next for every number.
    pub(super) fn min_bytes(&self, encoding: Encoding) -> usize {
        let size = |property: &Property| match (encoding, &property.kind) {
            (Encoding::Ascii, _) => 2,
            (Encoding::Binary(_), Kind::Scalar(scalar) | Kind::List { count: scalar, .. }) => scalar.size(),
        };
        self.properties.iter().map(size).sum()
    }

    pub(super) fn property(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|property| names.iter().any(|name| name.as_bytes() == property.name))
    }
}

pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element<'a>>,
    /// Where the data starts, and the line it starts on.
    pub(super) end: usize,
    pub(super) lines: usize,
}

/// A file without an end of header would otherwise be searched as a whole, line by line.
const MAX_HEADER_BYTES: usize = 1 << 20;

impl<'a> Header<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let head = &bytes[..bytes.len().min(MAX_HEADER_BYTES)];
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let (mut at, mut line) = (0, 0);
        loop {
            line += 1;
            let place = Place::Line(line);
            let Some(length) = head[at..].iter().position(|&b| b == b'\n') else {
                return Err(Problem::Truncated { inside: "the header (no 'end_header')" }.at(place));
            };
            let mut words = Words::new(&head[at..at + length], line);
            at += length + 1;
            let Some(keyword) = words.next() else { continue };
            match keyword.bytes {
                b"ply" if line == 1 => {}
                _ if line == 1 => return Err(Problem::expected("'ply'", keyword.bytes).at(place)),
                b"comment" | b"obj_info" => {}
                b"format" => encoding = Some(parse_encoding(&mut words)?),
                b"element" => {
                    let name = words.expect("an element")?.bytes;
                    let count = words.expect("an element")?.parse("a number of elements")?;
                    elements.push(Element { name, count, properties: Vec::new(), line });
                }
                b"property" => {
                    let element = elements.last_mut().ok_or_else(|| {
                        Problem::Malformed("a property before the first element".into()).at(place.clone())
                    })?;
                    element.properties.push(parse_property(&mut words)?);
                }
                b"end_header" => {
                    let encoding = encoding.ok_or_else(|| {
                        Problem::Malformed("the header has no 'format' line".into()).at(place)
                    })?;
                    return Ok(Self { encoding, elements, end: at, lines: line + 1 });
                }
                other => return Err(Problem::expected("a line of a PLY header", other).at(place)),
            }
        }
    }
}

fn parse_encoding(words: &mut Words) -> Result<Encoding, ReadError> {
    let word = words.expect("the format")?;
    let encoding = match word.bytes {
        b"ascii" => Encoding::Ascii,
        b"binary_little_endian" => Encoding::Binary(Endian::Little),
        b"binary_big_endian" => Encoding::Binary(Endian::Big),
        other => {
            let expected = "'ascii', 'binary_little_endian' or 'binary_big_endian'";
            return Err(Problem::expected(expected, other).at(word.place()));
        }
    };
    let version = words.expect("the format")?;
    if version.bytes == b"1.0" {
        return Ok(encoding);
    }
    Err(Problem::expected("version '1.0'", version.bytes).at(version.place()))
}

fn parse_property<'a>(words: &mut Words<'a>) -> Result<Property<'a>, ReadError> {
    const INSIDE: &str = "a property";
    let word = words.expect(INSIDE)?;
    let kind = if word.bytes == b"list" {
        let word = words.expect(INSIDE)?;
        let count = scalar(word)?;
        if !count.is_integer() {
            return Err(
                Problem::expected("an integer type for the length of a list", word.bytes).at(word.place())
            );
        }
        Kind::List { count, item: scalar(words.expect(INSIDE)?)? }
    } else {
        Kind::Scalar(scalar(word)?)
    };
    Ok(Property { name: words.expect(INSIDE)?.bytes, kind })
}

fn scalar(word: Word) -> Result<Scalar, ReadError> {
    Ok(match word.bytes {
        b"char" | b"int8" => Scalar::I8,
        b"uchar" | b"uint8" => Scalar::U8,
        b"short" | b"int16" => Scalar::I16,
        b"ushort" | b"uint16" => Scalar::U16,
        b"int" | b"int32" => Scalar::I32,
        b"uint" | b"uint32" => Scalar::U32,
        b"float" | b"float32" => Scalar::F32,
        b"double" | b"float64" => Scalar::F64,
        other => return Err(Problem::expected("a type such as 'float' or 'int'", other).at(word.place())),
    })
}

//! Where the bytes of a glTF file are: in the GLB container, in `data:` URIs, in files beside it. Read when an
//! accessor first needs them, once for each URI.

use super::document::Document;
use super::element;
use crate::error::{Place, Problem, ReadError, shown};
use crate::named_mesh::Resolve;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Bytes of one buffer, shared by the accessors that read them.
#[derive(Clone)]
pub(super) enum Data<'a> {
    Borrowed(&'a [u8]),
    Owned(Rc<Vec<u8>>),
}

impl Data<'_> {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

pub(super) struct Buffers<'a> {
    pub(super) document: &'a Document,
    blob: Option<&'a [u8]>,
    resolve: Resolve<'a>,
    /// By buffer: a document may name the same one in every few bytes.
    known: RefCell<HashMap<usize, Data<'a>>>,
    /// By URI: two buffers of the same file share its bytes.
    fetched: RefCell<HashMap<&'a str, Rc<Vec<u8>>>>,
    /// Accessors whose replacements are known to be in order.
    pub(super) in_order: RefCell<HashSet<usize>>,
}

/// A part of a buffer: the whole buffer, where the view starts and ends in it, and its stride.
pub(super) struct View<'a> {
    pub(super) data: Data<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) stride: Option<usize>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(document: &'a Document, blob: Option<&'a [u8]>, resolve: Resolve<'a>) -> Self {
        let (known, fetched, in_order) = Default::default();
        Self { document, blob, resolve, known, fetched, in_order }
    }

    pub(super) fn view(&self, index: usize) -> Result<View<'a>, ReadError> {
        let view =
            element(&self.document.buffer_views, "bufferView", index, Place::Element("bufferView", index))?;
        let place = Place::Element("bufferView", index);
        let data = self.buffer(view.buffer, &place)?;
        let end = view.byte_offset.checked_add(view.byte_length).filter(|&end| end <= data.bytes().len());
        let end = end.ok_or_else(|| {
            let have = data.bytes().len();
            let (offset, length) = (view.byte_offset, view.byte_length);
            let problem =
                format!("{length} bytes from {offset} on lie outside buffer {} of {have} bytes", view.buffer);
            Problem::Malformed(problem).at(place.clone())
        })?;
        Ok(View { data, start: view.byte_offset, end, stride: view.byte_stride })
    }

    fn buffer(&self, index: usize, from: &Place) -> Result<Data<'a>, ReadError> {
        if let Some(data) = self.known.borrow().get(&index) {
            return Ok(data.clone());
        }
        let buffer = element(&self.document.buffers, "buffer", index, from.clone())?;
        let place = Place::Element("buffer", index);
        let data = match (&buffer.uri, self.blob) {
            (Some(uri), _) => Data::Owned(self.fetch(uri).map_err(|problem| problem.at(place.clone()))?),
            (None, Some(blob)) if index == 0 => Data::Borrowed(blob),
            _ => return Err(Problem::Malformed("has no uri, and there is no binary chunk".into()).at(place)),
        };
        let have = data.bytes().len();
        if buffer.byte_length <= have {
            self.known.borrow_mut().insert(index, data.clone());
            return Ok(data);
        }
        Err(Problem::Count { what: "bytes", claimed: buffer.byte_length as u64, room: have as u64 }.at(place))
    }

    fn fetch(&self, uri: &'a str) -> Result<Rc<Vec<u8>>, Problem> {
        if let Some(bytes) = self.fetched.borrow().get(uri) {
            return Ok(Rc::clone(bytes));
        }
        let bytes = match uri.strip_prefix("data:") {
            Some(data) => decode_data_uri(data)?,
            None => (self.resolve)(uri)
                .map_err(|reason| Problem::Malformed(format!("{}: {reason}", shown(uri.as_bytes()))))?,
        };
        let bytes = Rc::new(bytes);
        self.fetched.borrow_mut().insert(uri, Rc::clone(&bytes));
        Ok(bytes)
    }
}

fn decode_data_uri(data: &str) -> Result<Vec<u8>, Problem> {
    let bad = |problem: &str| Problem::Malformed(format!("data URI {problem}"));
    let (media, payload) = data.split_once(',').ok_or_else(|| bad("has no comma"))?;
    if !media.ends_with(";base64") {
        return Err(bad("is not base64"));
    }
    decode_base64(payload.as_bytes()).ok_or_else(|| bad("is not valid base64"))
}

fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0u32;
        for &symbol in group {
            let value = match symbol {
                b'A'..=b'Z' => symbol - b'A',
                b'a'..=b'z' => symbol - b'a' + 26,
                b'0'..=b'9' => symbol - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        let [_, a, b, c] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        match group.len() {
            4 => bytes.extend([a, b, c]),
            3 => bytes.extend([a, b]),
            2 => bytes.push(a),
            _ => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        let decode = |text: &str| decode_base64(text.as_bytes());
        assert_eq!(decode("").unwrap(), b"");
        assert_eq!(decode("TQ==").unwrap(), b"M");
        assert_eq!(decode("TWE=").unwrap(), b"Ma");
        assert_eq!(decode("TWFu").unwrap(), b"Man");
        assert_eq!(decode("AAD/+w").unwrap(), [0, 0, 255, 251]);
        assert!(decode("A").is_none() && decode("AA A").is_none() && decode("A===").is_none());
    }
}

//! JSON and arrays of numbers in one run of bytes: what the page is given, over HTTP or inside a file.
//!
//! ```text
//! impinge1   8 bytes
//! length     of the JSON, u32
//! JSON       an object, filled up with spaces to a multiple of four bytes; its `arrays` names what follows
//! arrays     one after the other, little-endian, each filled up to a multiple of four bytes
//! ```
//!
//! Everything is where typed arrays of a browser can look at it without a copy.

use serde::Serialize;

const MAGIC: &[u8; 8] = b"impinge1";

/// Arrays and what they are called, in the making.
#[derive(Default)]
pub(crate) struct Container {
    arrays: Vec<ArrayHead>,
    bytes: Vec<u8>,
}

#[derive(Serialize)]
struct ArrayHead {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    count: usize,
}

#[derive(Serialize)]
struct Head<'a, T: Serialize> {
    #[serde(flatten)]
    rest: &'a T,
    arrays: &'a [ArrayHead],
}

impl Container {
    pub(crate) fn floats(&mut self, name: &str, values: impl Iterator<Item = f32>) {
        self.numbers(name, "f32", values.map(f32::to_le_bytes));
    }

    pub(crate) fn integers(&mut self, name: &str, values: impl Iterator<Item = u32>) {
        self.numbers(name, "u32", values.map(u32::to_le_bytes));
    }

    pub(crate) fn bytes(&mut self, name: String, bytes: &[u8]) {
        self.arrays.push(ArrayHead { name, kind: "u8", count: bytes.len() });
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn numbers(&mut self, name: &str, kind: &'static str, values: impl Iterator<Item = [u8; 4]>) {
        let before = self.bytes.len();
        self.bytes.reserve(4 * values.size_hint().0);
        values.for_each(|value| self.bytes.extend_from_slice(&value));
        let count = (self.bytes.len() - before) / 4;
        self.arrays.push(ArrayHead { name: name.to_owned(), kind, count });
    }

    /// The whole, with the fields of `head` beside the names of the arrays.
    pub(crate) fn finish(self, head: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
        let mut json = serde_json::to_vec(&Head { rest: head, arrays: &self.arrays })?;
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut whole = Vec::with_capacity(MAGIC.len() + 4 + json.len() + self.bytes.len());
        whole.extend_from_slice(MAGIC);
        whole.extend_from_slice(&(json.len() as u32).to_le_bytes());
        whole.append(&mut json);
        whole.extend_from_slice(&self.bytes);
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_begin_at_multiples_of_four_bytes() {
        #[derive(Serialize)]
        struct Name {
            name: &'static str,
        }
        for name in ["", "a", "ab", "abc", "abcd"] {
            let mut container = Container::default();
            container.bytes("odd".into(), &[7; 5]);
            container.floats("halves", [0.5f32, 1.5].into_iter());
            container.integers("ones", [1, u32::MAX].into_iter());
            let whole = container.finish(&Name { name }).unwrap();
            assert_eq!(&whole[..8], MAGIC);
            let length = u32::from_le_bytes(whole[8..12].try_into().unwrap()) as usize;
            assert_eq!(length % 4, 0);
            let head: serde_json::Value = serde_json::from_slice(&whole[12..12 + length]).unwrap();
            assert_eq!(head["name"], name);
            assert_eq!(head["arrays"][0]["count"], 5);
            let arrays = &whole[12 + length..];
            assert_eq!(arrays[..8], [7, 7, 7, 7, 7, 0, 0, 0]);
            assert_eq!(arrays[8..12], 0.5f32.to_le_bytes());
            assert_eq!(arrays[20..24], u32::MAX.to_le_bytes());
            assert_eq!(arrays.len(), 24);
        }
    }
}

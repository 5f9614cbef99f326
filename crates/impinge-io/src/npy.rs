//! The `.npy` of `NumPy`, floats only, to numbers in C order.
//!
//! By hand, because `npyz` allocates whatever length the header claims (a gigabyte for a file of 12 bytes).

use crate::error::{Place, Problem, ReadError, shown};

/// An array of floats, as wide as the file has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Length along each dimension, the slowest first.
    pub shape: Vec<usize>,
    /// The numbers, the last dimension running fastest.
    pub values: Values,
}

/// The numbers of an [`Array`].
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
}

struct Header {
    width: usize,
    big_endian: bool,
    fortran_order: bool,
    shape: Vec<usize>,
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array of `float32` or `float64`, either byte order, C or Fortran order.
pub fn parse_npy(bytes: &[u8]) -> Result<Array, ReadError> {
    let (text, start) = split(bytes)?;
    let header = parse_header(text)?;
    let place = Place::Byte(start);
    let data = &bytes[start..];
    let items = header.shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
    let claimed = items.and_then(|items| items.checked_mul(header.width));
    if claimed != Some(data.len()) {
        let problem = format!(
            "an array of shape {} needs {} bytes, but {} follow the header",
            shape_text(&header.shape),
            claimed.map_or("too many".into(), |bytes| bytes.to_string()),
            data.len()
        );
        return Err(Problem::Malformed(problem).at(place));
    }
    let mut values = if header.width == 4 {
        Values::F32(numbers::<4, f32>(data, header.big_endian, f32::from_le_bytes))
    } else {
        Values::F64(numbers::<8, f64>(data, header.big_endian, f64::from_le_bytes))
    };
    if header.fortran_order {
        values = match values {
            Values::F32(values) => Values::F32(transpose(&values, &header.shape)),
            Values::F64(values) => Values::F64(transpose(&values, &header.shape)),
        };
    }
    Ok(Array { shape: header.shape, values })
}

pub(crate) fn shape_text(shape: &[usize]) -> String {
    let numbers: Vec<String> = shape.iter().take(8).map(ToString::to_string).collect();
    format!("[{}{}]", numbers.join(", "), if shape.len() > 8 { ", ..." } else { "" })
}

fn numbers<const N: usize, T>(data: &[u8], big_endian: bool, from_le_bytes: fn([u8; N]) -> T) -> Vec<T> {
    let number = |chunk: &[u8]| {
        let mut bytes = [0; N];
        bytes.copy_from_slice(chunk);
        if big_endian {
            bytes.reverse();
        }
        from_le_bytes(bytes)
    };
    data.chunks_exact(N).map(number).collect()
}

/// From the first index running fastest to the last index running fastest.
fn transpose<T: Copy>(values: &[T], shape: &[usize]) -> Vec<T> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1;
    for &n in shape {
        strides.push(stride);
        stride *= n;
    }
    let mut index = vec![0; shape.len()];
    let mut at = 0;
    let mut transposed = Vec::with_capacity(values.len());
    for _ in 0..values.len() {
        transposed.push(values[at]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            at += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            at -= index[axis] * strides[axis];
            index[axis] = 0;
        }
    }
    transposed
}

/// The header's text, and where the data starts.
fn split(bytes: &[u8]) -> Result<(&[u8], usize), ReadError> {
    if !bytes.starts_with(MAGIC) {
        let head = &bytes[..bytes.len().min(MAGIC.len())];
        return Err(Problem::expected("the mark of a .npy file", head).at(Place::Byte(0)));
    }
    let truncated = |at| Problem::Truncated { inside: "the header" }.at(Place::Byte(at));
    let (length, start) = match *bytes.get(6..).unwrap_or_default() {
        [1, _, a, b, ..] => (u16::from_le_bytes([a, b]) as usize, 10),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, 12),
        [0 | 4.., ..] => {
            return Err(Problem::Unsupported(format!(".npy version {}", bytes[6])).at(Place::Byte(6)));
        }
        _ => return Err(truncated(bytes.len())),
    };
    let text = bytes[start..].get(..length).ok_or_else(|| truncated(start))?;
    Ok((text, start + length))
}

/// `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 3), }`, as `NumPy` writes it: keys in any order.
fn parse_header(text: &[u8]) -> Result<Header, ReadError> {
    let place = Place::Byte(MAGIC.len());
    let bad = |what: &str| Problem::Malformed(format!("the header has no valid '{what}': {}", shown(text)));
    let text_of = |key: &str| -> Option<&str> {
        let text = std::str::from_utf8(text).ok()?;
        let after = [format!("'{key}'"), format!("\"{key}\"")]
            .iter()
            .find_map(|quoted| text.find(quoted).map(|at| &text[at + quoted.len()..]))?;
        Some(after.trim_start().strip_prefix(':')?.trim_start())
    };
    let descr = text_of("descr").and_then(|rest| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        rest[1..].split_once(quote).map(|(descr, _)| descr)
    });
    let descr = descr.ok_or_else(|| bad("descr").at(place.clone()))?;
    let (big_endian, width) = match descr {
        "<f4" | "=f4" | "f4" => (false, 4),
        "<f8" | "=f8" | "f8" => (false, 8),
        ">f4" => (true, 4),
        ">f8" => (true, 8),
        other => {
            let expected = "float32 or float64 ('<f4', '>f4', '<f8', '>f8')";
            return Err(Problem::expected(expected, other.as_bytes()).at(place));
        }
    };
    let fortran_order = match text_of("fortran_order") {
        Some(rest) if rest.starts_with("True") => true,
        Some(rest) if rest.starts_with("False") => false,
        _ => return Err(bad("fortran_order").at(place)),
    };
    let shape = text_of("shape").and_then(|rest| {
        let (numbers, _) = rest.strip_prefix('(')?.split_once(')')?;
        let numbers = numbers.split(',').map(str::trim).filter(|number| !number.is_empty());
        numbers.map(|number| number.parse::<usize>().ok()).collect::<Option<Vec<_>>>()
    });
    let shape = shape.ok_or_else(|| bad("shape").at(place))?;
    Ok(Header { width, big_endian, fortran_order, shape })
}

/// The header of an array in C order, padded as `NumPy` pads it so that the data is aligned.
pub(crate) fn npy_header(descr: &str, shape: &[usize]) -> Vec<u8> {
    const ALIGNMENT: usize = 64;
    let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let mut text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}), }}", shape.join(", "));
    let unpadded = MAGIC.len() + 4 + text.len() + 1;
    text.push_str(&" ".repeat(unpadded.next_multiple_of(ALIGNMENT) - unpadded));
    text.push('\n');
    // Three numbers of at most 20 digits: far below the 65535 that version 1 allows.
    let length = (text.len() as u16).to_le_bytes();
    [MAGIC, &[1, 0], &length, text.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes(), data].concat()
    }

    #[test]
    fn fortran_order_is_turned_into_c_order() {
        let data: Vec<u8> = [1.0f32, 4.0, 2.0, 5.0, 3.0, 6.0].iter().flat_map(|v| v.to_be_bytes()).collect();
        let array =
            parse_npy(&file("{'shape': (2, 3), 'fortran_order': True, 'descr': '>f4'}", &data)).unwrap();
        assert_eq!(array.shape, [2, 3]);
        assert_eq!(array.values, Values::F32(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    }

    #[test]
    fn what_is_written_is_aligned_and_read_back() {
        let mut bytes = npy_header("<f8", &[1, 2, 3]);
        assert_eq!(bytes.len() % 64, 0);
        bytes.extend((0..6).flat_map(|v| f64::from(v).to_le_bytes()));
        let array = parse_npy(&bytes).unwrap();
        assert_eq!(array.values, Values::F64(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    }

    #[test]
    fn a_shape_that_overflows_is_refused() {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 3)}";
        let error = parse_npy(&file(header, &[0; 12])).unwrap_err().to_string();
        assert!(error.contains("needs too many bytes, but 12 follow"), "{error}");
    }
}

//! Binary data read in order, every read checked against the end.

use crate::error::{Place, Problem, ReadError};

/// Byte order of a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endian {
    Little,
    Big,
}

/// A place in binary data.
pub(crate) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
    endian: Endian,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(all: &'a [u8], at: usize, endian: Endian) -> Self {
        Self { all, at: at.min(all.len()), endian }
    }

    pub(crate) fn place(&self) -> Place {
        Place::Byte(self.at)
    }

    pub(crate) fn left(&self) -> usize {
        self.all.len() - self.at
    }

    pub(crate) fn take(&mut self, length: usize, inside: &'static str) -> Result<&'a [u8], ReadError> {
        if length > self.left() {
            return Err(Problem::Truncated { inside }.at(self.place()));
        }
        let taken = &self.all[self.at..self.at + length];
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, inside: &'static str) -> Result<[u8; N], ReadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, inside)?);
        if self.endian == Endian::Big {
            array.reverse();
        }
        Ok(array)
    }

    /// One number of the type `scalar`.
    #[inline]
    pub(crate) fn number(&mut self, scalar: Scalar, inside: &'static str) -> Result<Number, ReadError> {
        Ok(match scalar {
            Scalar::I8 => Number::Integer(i64::from(i8::from_le_bytes(self.array(inside)?))),
            Scalar::U8 => Number::Integer(i64::from(u8::from_le_bytes(self.array(inside)?))),
            Scalar::I16 => Number::Integer(i64::from(i16::from_le_bytes(self.array(inside)?))),
            Scalar::U16 => Number::Integer(i64::from(u16::from_le_bytes(self.array(inside)?))),
            Scalar::I32 => Number::Integer(i64::from(i32::from_le_bytes(self.array(inside)?))),
            Scalar::U32 => Number::Integer(i64::from(u32::from_le_bytes(self.array(inside)?))),
            Scalar::F32 => Number::Real(f64::from(f32::from_le_bytes(self.array(inside)?))),
            Scalar::F64 => Number::Real(f64::from_le_bytes(self.array(inside)?)),
        })
    }

    pub(crate) fn u32(&mut self, inside: &'static str) -> Result<u32, ReadError> {
        Ok(u32::from_le_bytes(self.array(inside)?))
    }

    pub(crate) fn f32(&mut self, inside: &'static str) -> Result<f32, ReadError> {
        Ok(f32::from_le_bytes(self.array(inside)?))
    }
}

/// A number as a file holds it, without loss.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Integer(i64),
    Real(f64),
}

impl Number {
    pub(crate) fn real(self) -> f64 {
        match self {
            // At most 32 bits are ever read.
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}

/// The types of number that PLY knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    /// Bytes of one number.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// Whether every value is exactly an `f32`.
    pub(crate) fn fits_f32(self) -> bool {
        !matches!(self, Self::I32 | Self::U32 | Self::F64)
    }
}

//! One element of an accessor at a time, straight from the buffer: an accessor that claims billions of elements
//! costs nothing until they are asked for, and one that many primitives share is never copied.

use super::buffers::{Buffers, View};
use super::document::Accessor;
use super::element;
use crate::error::{Place, Problem, ReadError};

/// Component types by their numbers in glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn new(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Reads from the front of `bytes`, which has at least [`Self::size`].
    fn read(self, bytes: &[u8]) -> f64 {
        match self {
            Self::I8 => f64::from(bytes[0] as i8),
            Self::U8 => f64::from(bytes[0]),
            Self::I16 => f64::from(i16::from_le_bytes([bytes[0], bytes[1]])),
            Self::U16 => f64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            Self::U32 => f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            Self::F32 => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        }
    }

    /// Integers that stand for fractions of their range.
    fn normalize(self, value: f64) -> f64 {
        match self {
            Self::I8 => (value / 127.0).max(-1.0),
            Self::U8 => value / 255.0,
            Self::I16 => (value / 32767.0).max(-1.0),
            Self::U16 => value / 65535.0,
            Self::U32 | Self::F32 => value,
        }
    }
}

/// Elements at equal distances in a view.
struct Elements<'a> {
    view: View<'a>,
    first: usize,
    stride: usize,
}

impl<'a> Elements<'a> {
    /// Checks that all `count` elements of `size` bytes lie in the view.
    fn new(
        view: View<'a>,
        offset: usize,
        count: usize,
        size: usize,
        place: &Place,
    ) -> Result<Self, ReadError> {
        let stride = view.stride.unwrap_or(size);
        if stride < size {
            let problem =
                format!("has elements of {size} bytes, but the stride of its bufferView is {stride}");
            return Err(Problem::Malformed(problem).at(place.clone()));
        }
        let room =
            (view.end - view.start).checked_sub(offset).map_or(0, |bytes| match bytes.checked_sub(size) {
                Some(rest) => rest / stride + 1,
                None => 0,
            });
        if count > room {
            let problem = Problem::Count { what: "elements", claimed: count as u64, room: room as u64 };
            return Err(problem.at(place.clone()));
        }
        Ok(Self { first: view.start + offset, stride, view })
    }

    fn get(&self, index: usize) -> &[u8] {
        &self.view.data.bytes()[self.first + index * self.stride..self.view.end]
    }
}

/// Values that replace some elements: sorted numbers of those, and the values.
struct Replacements<'a> {
    component: Component,
    count: usize,
    indices: Elements<'a>,
    values: Elements<'a>,
}

impl Replacements<'_> {
    fn index(&self, i: usize) -> usize {
        self.component.read(self.indices.get(i)) as usize
    }

    /// Whether one of the elements is replaced, and by which value.
    fn find(&self, element: usize) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            if self.index(middle) < element { low = middle + 1 } else { high = middle }
        }
        (low < self.count && self.index(low) == element).then(|| self.values.get(low))
    }
}

pub(super) struct Reader<'a> {
    pub(super) count: usize,
    pub(super) component: Component,
    pub(super) normalized: bool,
    elements: Option<Elements<'a>>,
    replacements: Option<Replacements<'a>>,
}

impl<'a> Reader<'a> {
    /// An accessor of `width` components per element, of one of the `allowed` types.
    pub(super) fn new(
        buffers: &Buffers<'a>,
        index: usize,
        (shape, width): (&'static str, usize),
        allowed: &[Component],
        from: Place,
    ) -> Result<Self, ReadError> {
        let accessor: &Accessor = element(&buffers.document.accessors, "accessor", index, from)?;
        let place = Place::Element("accessor", index);
        if *accessor.shape != *shape {
            return Err(Problem::expected(shape, accessor.shape.as_bytes()).at(place));
        }
        let component =
            Component::new(accessor.component_type).filter(|component| allowed.contains(component));
        let component = component.ok_or_else(|| {
            let found = accessor.component_type.to_string();
            Problem::Expected { expected: "a component type that fits its use", found }.at(place.clone())
        })?;
        let size = width * component.size();
        let elements = match accessor.buffer_view {
            None => None, // zeros
            Some(view) => {
                Some(Elements::new(buffers.view(view)?, accessor.byte_offset, accessor.count, size, &place)?)
            }
        };
        let mut replacements = None;
        if let Some(sparse) = &accessor.sparse {
            let index_type = Component::new(sparse.indices.component_type)
                .filter(|component| matches!(component, Component::U8 | Component::U16 | Component::U32))
                .ok_or_else(|| {
                    Problem::Malformed("sparse indices are not unsigned integers".into()).at(place.clone())
                })?;
            let (indices, values) = (&sparse.indices, &sparse.values);
            let new =
                |view, offset, size| Elements::new(buffers.view(view)?, offset, sparse.count, size, &place);
            let replaced = Replacements {
                component: index_type,
                count: sparse.count,
                indices: new(indices.buffer_view, indices.byte_offset, index_type.size())?,
                values: new(values.buffer_view, values.byte_offset, size)?,
            };
            // Once: any number of primitives may use this accessor.
            if buffers.in_order.borrow_mut().insert(index) {
                check_order(&replaced, accessor.count, &place)?;
            }
            replacements = Some(replaced);
        }
        Ok(Self { count: accessor.count, component, normalized: accessor.normalized, elements, replacements })
    }

    /// The first `N` components of element `index`, which is below `count`.
    pub(super) fn get<const N: usize>(&self, index: usize) -> [f64; N] {
        let replaced = self.replacements.as_ref().and_then(|replacements| replacements.find(index));
        let bytes = replaced.or_else(|| self.elements.as_ref().map(|elements| elements.get(index)));
        let Some(bytes) = bytes else { return [0.0; N] };
        std::array::from_fn(|i| {
            let value = self.component.read(&bytes[i * self.component.size()..]);
            if self.normalized { self.component.normalize(value) } else { value }
        })
    }
}

/// Replacements must be sorted, or some would be overlooked.
fn check_order(replacements: &Replacements, count: usize, place: &Place) -> Result<(), ReadError> {
    let mut next = 0;
    for i in 0..replacements.count {
        let index = replacements.index(i);
        if index < next || index >= count {
            let problem =
                format!("sparse index {index} is out of order or range (item {i}, {count} elements)");
            return Err(Problem::Malformed(problem).at(place.clone()));
        }
        next = index + 1;
    }
    Ok(())
}

//! From contacts to a direction for every triangle in one (Georgii, Krüger, Westermann 2007, section 7): out of its
//! partners, along their normals, and back, against its own.

use super::Contact;
use super::shape::unit_normal;
use crate::scene::vector::unit;
use crate::scene::{Element, Point};

/// Which way a triangle in contact should go to come free.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Response {
    /// The triangle.
    pub element: Element,
    /// Of length 1; zero where normals cancel or there are none. A plain `f64` construction.
    pub direction: Point,
}

/// The direction of every triangle in contact, sorted by triangle. `corners` are those of the contacts' triangles.
pub(crate) fn responses(contacts: &[Contact], corners: &[[[Point; 3]; 2]], list: &mut Vec<Response>) {
    for (contact, &[a, b]) in contacts.iter().zip(corners) {
        let [m, n] = [unit_normal(&a), unit_normal(&b)];
        let away: Point = std::array::from_fn(|k| n[k] - m[k]);
        list.push(Response { element: contact.a, direction: away });
        list.push(Response { element: contact.b, direction: away.map(|c| -c) });
    }
    list.sort_by_key(|response| response.element);
    list.dedup_by(|next, first| {
        let same = next.element == first.element;
        if same {
            first.direction = std::array::from_fn(|k| first.direction[k] + next.direction[k]);
        }
        same
    });
    for response in list {
        response.direction = unit(response.direction).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BodyId;
    use crate::scene::Element;

    #[test]
    fn a_triangle_goes_out_of_the_floor_it_dips_into_and_the_floor_goes_down() {
        let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        // The underside of something that sinks into the floor.
        let under = [[0.1, 0.1, -0.1], [0.1, 1.0, 0.2], [1.0, 0.1, 0.2]];
        let element = |triangle| Element { body: BodyId::default(), triangle };
        let contacts = [Contact { a: element(0), b: element(1) }, Contact { a: element(0), b: element(2) }];
        let mut list = Vec::new();
        responses(&contacts, &[[floor, under], [floor, under]], &mut list);
        assert_eq!(list.iter().map(|r| r.element.triangle).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(list[0].direction[2] < -0.9, "{list:?}");
        assert!(list[1].direction[2] > 0.9 && list[1].direction == list[2].direction, "{list:?}");
        assert!((list[0].direction.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn triangles_without_a_normal_have_no_direction() {
        let point = [[1.0; 3]; 3];
        let element = |triangle| Element { body: BodyId::default(), triangle };
        let mut list = Vec::new();
        responses(&[Contact { a: element(0), b: element(1) }], &[[point, point]], &mut list);
        assert!(list.iter().all(|r| r.direction == [0.0; 3]));
    }
}

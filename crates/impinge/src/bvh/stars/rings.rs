//! Rings: the vertices around a vertex, in order.

use std::collections::HashMap;

/// Triangles around the vertex of an ordinary star.
pub(crate) const MAX_RING_TRIANGLES: usize = 24;

/// The other two vertices of a triangle, in its orientation; `None` if two of the three are equal.
#[inline]
fn spoke_of(vertex: u32, [a, b, c]: [u32; 3]) -> Option<[u32; 2]> {
    let others = if a == vertex {
        [b, c]
    } else if b == vertex {
        [c, a]
    } else {
        [a, b]
    };
    (others[0] != others[1] && !others.contains(&vertex)).then_some(others)
}

/// The ring of `vertex`, if its triangles form one fan: as many vertices as triangles when the fan is closed, one more
/// when it is open. A fan that passes a vertex twice fails the certificate: its ring turns by more than a full circle.
pub(crate) fn ring(
    vertex: u32,
    around: &[u32],
    corners: &[[u32; 3]],
) -> Option<([u32; MAX_RING_TRIANGLES + 1], usize)> {
    let mut spokes = [[0u32; 2]; MAX_RING_TRIANGLES];
    let count = around.len();
    for (spoke, &t) in spokes.iter_mut().zip(around) {
        *spoke = spoke_of(vertex, corners[t as usize])?;
    }
    // Forward from the first triangle as far as it goes; if that does not close the ring, backward from its start.
    let spokes = &mut spokes[..count];
    let mut walked = [0u32; 2 * MAX_RING_TRIANGLES + 1];
    let (mut low, mut high) = (MAX_RING_TRIANGLES, MAX_RING_TRIANGLES + 1);
    [walked[low], walked[high]] = spokes[0];
    let mut used = 1;
    while used < count {
        let end = walked[high];
        let Some(next) = (used..count).find(|&j| spokes[j].contains(&end)) else { break };
        spokes.swap(used, next);
        high += 1;
        walked[high] = spokes[used][0] ^ spokes[used][1] ^ end;
        used += 1;
    }
    while used < count {
        let end = walked[low];
        let next = (used..count).find(|&j| spokes[j].contains(&end))?;
        spokes.swap(used, next);
        low -= 1;
        walked[low] = spokes[used][0] ^ spokes[used][1] ^ end;
        used += 1;
    }
    let closed = walked[low] == walked[high];
    let len = count + usize::from(!closed);
    let mut ring = [0u32; MAX_RING_TRIANGLES + 1];
    ring[..len].copy_from_slice(&walked[low..low + len]);
    Some((ring, len))
}

/// The same for any number of triangles.
pub(crate) fn large_ring(vertex: u32, around: &[u32], corners: &[[u32; 3]]) -> Option<Vec<u32>> {
    let mut spokes = Vec::with_capacity(around.len());
    for &t in around {
        spokes.push(spoke_of(vertex, corners[t as usize])?);
    }
    // The triangles of each ring vertex; one or two in a single fan.
    let mut of_vertex: HashMap<u32, [Option<usize>; 2]> = HashMap::with_capacity(spokes.len() + 1);
    for (i, spoke) in spokes.iter().enumerate() {
        for end in spoke {
            let places = of_vertex.entry(*end).or_default();
            *places.iter_mut().find(|place| place.is_none())? = Some(i);
        }
    }
    // From an end of the fan if it has one, else from anywhere; the lowest, so that the result is deterministic.
    let ends = of_vertex.iter().filter(|(_, places)| places[1].is_none()).map(|(&end, _)| end);
    let start = ends.min().unwrap_or(spokes[0][0]);
    let mut ring = vec![start];
    let (mut end, mut last) = (start, None);
    for _ in 0..spokes.len() {
        let next = of_vertex.get(&end)?.iter().flatten().copied().find(|&i| Some(i) != last)?;
        end ^= spokes[next][0] ^ spokes[next][1];
        last = Some(next);
        if end == start {
            break;
        }
        ring.push(end);
    }
    let closed = end == start;
    // Otherwise there was more than one fan.
    (ring.len() == spokes.len() + usize::from(!closed)).then_some(ring)
}

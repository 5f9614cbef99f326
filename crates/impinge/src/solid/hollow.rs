//! Whether a hollow of one body lies in the solid of another whose surface keeps out of it.
//!
//! The border of a hollow is made of cells of `outer`'s triangles, as they cut each other: nothing lies in the
//! hollow's side of such a cell, up to and beyond its middle, so a germ on that side tells for the whole hollow.

use super::cells::for_each_cell;
use super::germ::Scale;
use super::locate::Place;
use super::surface::Surface;
use crate::exact::{coplanar as flat, neighbours_touch};
use crate::scene::{Bounds, Topology};
use std::ops::ControlFlow;

/// Whether a bounded component of the outside of `outer` lies in the solid of `inner`. No point of the surface of
/// `inner` is outside `outer`; `touching` are the triangles of `inner` and `outer` in contact.
pub(crate) fn holds_hollow(inner: &Surface, outer: &Surface, touching: &[[u32; 2]]) -> bool {
    let mut pending = border_triangles(inner, outer, touching);
    if !pending.contains(&true) {
        return false;
    }
    outer.by_x();
    let scale = Scale::of(inner.world().iter().chain(outer.world()));
    let topology = Topology::new(outer.body().mesh());
    let mut patch = Vec::new();
    for triangle in 0..pending.len() as u32 {
        if !std::mem::take(&mut pending[triangle as usize]) {
            continue;
        }
        if collinear(outer, triangle) {
            continue; // no border has area there
        }
        let cutters = cutters(outer, triangle);
        let corners: Vec<_> = cutters.iter().map(|&cutter| outer.corners(cutter)).collect();
        let search = for_each_cell(outer.corners(triangle), &corners, scale, |germ, across| {
            for side in [across.clone(), across.clone().map(|x| -x)] {
                let beside = germ.then(side);
                if outer.locate(&beside) == Place::Outside && inner.locate(&beside) == Place::Inside {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if search.is_break() {
            return true;
        }
        // Across an edge of just two triangles to a neighbour that nothing cuts, the same stays to either side: the
        // answer holds for that neighbour, and so on.
        patch.push(triangle);
        while let Some(triangle) = patch.pop() {
            for edge in topology.triangle_edges(triangle as usize).into_iter().flatten() {
                let &[a, b] = topology.edge_triangles(edge) else { continue };
                let neighbour = if a == triangle { b } else { a };
                if pending[neighbour as usize]
                    && !collinear(outer, neighbour)
                    && self::cutters(outer, neighbour).is_empty()
                {
                    pending[neighbour as usize] = false;
                    patch.push(neighbour);
                }
            }
        }
    }
    false
}

/// Which triangles of `outer` may border on a hollow in `inner`: those that touch `inner` or lie in its solid.
fn border_triangles(inner: &Surface, outer: &Surface, touching: &[[u32; 2]]) -> Vec<bool> {
    let is_inside = |&vertex: &u32| inner.locate(&outer.world()[vertex as usize]) == Place::Inside;
    if touching.is_empty() {
        inner.expect_queries(outer.parts().len());
        if !outer.parts().iter().any(is_inside) {
            return Vec::new();
        }
    }
    let mut is_border = vec![false; outer.triangles().len()];
    for pair in touching {
        is_border[pair[1] as usize] = true;
    }
    // Without the triangles in contact, what hangs together is in the solid as a whole or not at all.
    let mut pieces = outer.pieces(touching.iter().map(|pair| pair[1]));
    inner.expect_queries(pieces.with_triangles);
    let mut inside = vec![false; outer.world().len()];
    for vertex in &pieces.representatives[..pieces.with_triangles] {
        inside[*vertex as usize] = is_inside(vertex);
    }
    for (is_border, corners) in is_border.iter_mut().zip(outer.triangles()) {
        *is_border |= inside[pieces.sets.root(corners[0] as usize)];
    }
    is_border
}

/// The triangles of a surface that meet one of its triangles beyond what neighbours share.
pub(super) fn cutters(surface: &Surface, triangle: u32) -> Vec<u32> {
    let corners = surface.corners(triangle);
    let bounds = Bounds::of(corners);
    let nearby = surface.by_x().overlapping(bounds.min[0], bounds.max[0]).iter().copied();
    let touches = |&other: &u32| {
        let other_corners = surface.corners(other);
        let indices = [triangle, other].map(|t| surface.triangles()[t as usize]);
        other != triangle
            && bounds.overlaps(&Bounds::of(other_corners))
            && neighbours_touch([corners, other_corners], indices)
    };
    nearby.filter(touches).collect()
}

fn collinear(surface: &Surface, triangle: u32) -> bool {
    let [a, b, c] = surface.corners(triangle);
    flat::collinear(a, b, c)
}

//! The part of each triangle's rectangle that collision rays may pass, from the ray bundles (6).

use super::ray_mipmap::{RayBox, RayMipmap};
use crate::image::ScreenVertex;
use crate::image::gather::Member;

/// A rectangle in pixels: left, top, right, bottom; both ends inclusive.
pub type Rectangle = [f32; 4];

/// The part of a triangle's rectangle within the boxes of the collision rays around it; `None` if there are
/// none.
pub fn rectangle(corners: [ScreenVertex; 3], mipmap: &RayMipmap) -> Option<Rectangle> {
    let [a, b, c] = corners;
    let own = [a.x.min(b.x).min(c.x), a.y.min(b.y).min(c.y), a.x.max(b.x).max(c.x), a.y.max(b.y).max(c.y)];
    let (width, height) = (mipmap.rays.width as f32, mipmap.rays.height as f32);
    // Written so that NaN fails it.
    if !(own[2] >= 0.0 && own[3] >= 0.0 && own[0] <= width && own[1] <= height) {
        return None;
    }
    // The pixels its rectangle touches. Floats of at most 16,384 become integers without loss.
    let x0 = own[0].max(0.0).min(width - 1.0) as u32;
    let y0 = own[1].max(0.0).min(height - 1.0) as u32;
    let x1 = own[2].min(width - 1.0) as u32;
    let y1 = own[3].min(height - 1.0) as u32;

    // The finest level whose texels are larger than the rectangle: it touches at most two of them, across and down.
    // Where it touches no more than two of the next finer level, that one is used.
    let extent = (x1 - x0).max(y1 - y0);
    let mut level = 32 - extent.leading_zeros();
    if level > 0 {
        let finer = level - 1;
        let neighbours = |low: u32, high: u32| (high >> finer) - (low >> finer) <= 1;
        if neighbours(x0, x1) && neighbours(y0, y1) {
            level = finer;
        }
    }
    let corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)];
    let bundle = corners
        .into_iter()
        .map(|(x, y)| mipmap.get(level, x >> level, y >> level))
        .fold(RayBox::EMPTY, RayBox::union);
    if bundle.is_empty() {
        return None;
    }
    let part = [
        own[0].max((bundle.min & 0xffff) as f32),
        own[1].max((bundle.min >> 16) as f32),
        own[2].min(((bundle.max & 0xffff) + 1) as f32),
        own[3].min(((bundle.max >> 16) + 1) as f32),
    ];
    (part[0] <= part[2] && part[1] <= part[3]).then_some(part)
}

/// The sparse list (6): a rectangle, or none, for every triangle.
pub fn separate(
    vertices: &[ScreenVertex],
    triangles: &[[u32; 3]],
    members: &[Member],
    mipmap: &RayMipmap,
) -> Vec<Option<Rectangle>> {
    let part = |&corners: &[u32; 3]| {
        let corners = corners.map(|vertex| vertices[vertex as usize]);
        members.get(corners[0].body as usize)?.active.then(|| rectangle(corners, mipmap))?
    };
    triangles.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::depth_peel::rays::Rays;

    fn vertex(x: f32, y: f32) -> ScreenVertex {
        ScreenVertex { x, y, depth: 0.5, body: 0 }
    }

    #[test]
    fn a_triangle_keeps_every_ray_of_its_rectangle() {
        let mut rays = Rays::new(100, 70);
        let mut state = 5u32;
        let mut random = move |below: f32| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 8) as f32 / (1 << 24) as f32 * below
        };
        for _ in 0..40 {
            rays.set(random(100.0) as u32, random(70.0) as u32);
        }
        let mipmap = RayMipmap::new(&rays);
        let mut dropped = 0;
        for _ in 0..20_000 {
            let size = random(30.0);
            let middle = [random(120.0) - 10.0, random(90.0) - 10.0];
            let mut corner = || vertex(middle[0] + random(size), middle[1] + random(size));
            let t = [corner(), corner(), corner()];
            let found = rectangle(t, &mipmap);
            let low = |f: fn(&ScreenVertex) -> f32| t.iter().map(f).fold(f32::INFINITY, f32::min);
            let high = |f: fn(&ScreenVertex) -> f32| t.iter().map(f).fold(f32::NEG_INFINITY, f32::max);
            let own = [low(|v| v.x), low(|v| v.y), high(|v| v.x), high(|v| v.y)];
            let mut any = false;
            for y in 0..70 {
                for x in 0..100 {
                    let pixel = [x as f32, y as f32, x as f32 + 1.0, y as f32 + 1.0];
                    let common = [
                        own[0].max(pixel[0]),
                        own[1].max(pixel[1]),
                        own[2].min(pixel[2]),
                        own[3].min(pixel[3]),
                    ];
                    // Closed pixels meet in their borders; a rectangle of one pixel is compared with the rays
                    // it really covers.
                    if rays.is_on(x, y) && common[0] < common[2] && common[1] < common[3] {
                        any = true;
                        let part = found.expect("a ray passes");
                        assert!(part[0] <= common[0] && part[1] <= common[1]);
                        assert!(part[2] >= common[2] && part[3] >= common[3]);
                    }
                }
            }
            if let Some(part) = found {
                assert!(part[0] >= own[0] && part[1] >= own[1] && part[2] <= own[2] && part[3] <= own[3]);
            }
            dropped += usize::from(!any && found.is_none());
        }
        assert!(dropped > 1000, "some triangles must be dropped, {dropped} were");
    }

    #[test]
    fn numbers_that_are_none_are_dropped() {
        let mut rays = Rays::new(8, 8);
        rays.set(3, 3);
        let mipmap = RayMipmap::new(&rays);
        assert_eq!(rectangle([vertex(f32::NAN, f32::NAN); 3], &mipmap), None);
        let whole = rectangle([vertex(-1e30, -1e30), vertex(1e30, -1e30), vertex(0.0, 1e30)], &mipmap);
        assert_eq!(whole, Some([3.0, 3.0, 4.0, 4.0]));
    }
}

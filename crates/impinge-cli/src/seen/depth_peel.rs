//! Depth peeling: the layers, the collision rays, and the boxes of bundles of them.

use super::field::{BODY, Colour, Field, mix};
use super::views::Named;
use super::{Seen, SeenImage, items};
use crate::names::counted;
use crate::picture::{BODIES, CONTACT};
use impinge::Scene;
use impinge::contacts::PeelOptions;
use impinge::stages::depth_peel::Rays;
use impinge::stages::depth_peel::peel::{self, DEPTH_BITS, Fragment, Rule};
use impinge::stages::depth_peel::ray_mipmap::{RayBox, RayMipmap};
use impinge::stages::{Looking, ViewTask, gather, plan_views};

/// Layers that are shown, counted from where rays start.
const MAX_LAYERS: usize = 8;

/// Front faces, back faces, and surfaces of bodies that are not closed.
const FACINGS: [Colour; 3] = [BODIES[0], BODIES[1], BODIES[2]];

pub(super) fn see(scene: &Scene, options: &PeelOptions) -> Option<Seen> {
    let mut seen = Seen::default();
    let looks = plan_views(scene, &Looking::from(options))?;
    for (look, named) in Named::all(&looks, |look| &look.view) {
        see_view(scene, look, &named, options, &mut seen);
    }
    Some(seen)
}

/// How deep a fragment is in the image, from 0 to 1.
fn depth(fragment: Fragment) -> f64 {
    (f64::from(fragment.depth()) + 0.5) / f64::from(1u32 << DEPTH_BITS)
}

fn see_view(scene: &Scene, look: &ViewTask, named: &Named, options: &PeelOptions, seen: &mut Seen) {
    let pixels = [look.view.width, look.view.height];
    let (vertices, triangles) = gather::gather(scene, &look.members, &look.view);
    let counts = peel::counts(pixels, &vertices, &triangles, &look.members);
    let deepest = counts.iter().copied().max().unwrap_or(0);
    let rule = Rule::new(options, &look.view, deepest);
    let new_layer = || Field::<Fragment>::new(pixels, named.size());
    let mut layers: Vec<Field<Fragment>> =
        (0..(deepest as usize).min(MAX_LAYERS)).map(|_| new_layer()).collect();
    let mut rays = Rays::new(pixels[0], pixels[1]);
    let mut overlaps = items::segments();
    peel::each_ray(pixels, &counts, &vertices, &triangles, &look.members, |x, y, met| {
        for (layer, &fragment) in layers.iter_mut().zip(met) {
            let there = layer.at(x, y);
            *there = Some(there.map_or(fragment, |other: Fragment| other.min(fragment)));
        }
        if !peel::is_collision(met, &rule) {
            return;
        }
        rays.set(x, y);
        if let Some(ends) = peel::overlap(met, &rule) {
            let at = |end| look.view.unproject([f64::from(x) + 0.5, f64::from(y) + 0.5, depth(end)]);
            overlaps.push(ends.map(at));
        }
    });
    seen.images.push(rays_image(&rays, &counts, named));
    let shown = layers.len();
    for (k, layer) in layers.iter().enumerate() {
        seen.images.push(layer_image(layer, k, [shown, deepest as usize], named));
    }
    let about = format!(
        "{} on which solids overlap, {}: each from where it comes into the overlap to where it leaves it.",
        counted(rays.count(), "ray", "rays"),
        named.from()
    );
    seen.overlays.push(overlaps.overlay(named.words("rays", "Collision rays", about)));
    see_mipmap(&rays.widened(options.widening()), look, named, seen);
}

fn rays_image(rays: &Rays, counts: &[u32], named: &Named) -> SeenImage {
    // Whether a ray is on, where rays meet anything.
    let mut field = Field::new([rays.width, rays.height], named.size());
    for (ray, _) in (0u32..).zip(counts).filter(|(_, count)| **count > 0) {
        let (x, y) = (ray % rays.width, ray / rays.width);
        *field.at(x, y).get_or_insert(false) |= rays.is_on(x, y);
    }
    let about = format!(
        "Red where a ray meets surfaces in an order that solids apart from each other cannot have: {} of {}, {}.",
        counted(rays.count(), "ray", "rays"),
        crate::names::count(rays.width as usize * rays.height as usize),
        named.from()
    );
    named.image("rays", "Collision rays", about, field.paint(|on| if on { CONTACT } else { BODY }))
}

fn layer_image(layer: &Field<Fragment>, k: usize, [shown, deepest]: [usize; 2], named: &Named) -> SeenImage {
    let depths = layer.values().map(depth);
    let [near, far] =
        depths.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], d| [low.min(d), high.max(d)]);
    let colour = |fragment: Fragment| {
        let facing = if fragment.is_closed() { usize::from(fragment.is_back()) } else { 2 };
        let part = (depth(fragment) - near) / (far - near).max(f64::MIN_POSITIVE);
        mix(FACINGS[facing], [0x10, 0x10, 0x18], 0.75 * part as f32)
    };
    let more = if deepest > shown {
        format!(" The first {shown} of {deepest} layers are shown.")
    } else {
        String::new()
    };
    let number = k + 1;
    let about = format!(
        "The surface that each ray meets as number {number}, {}: blue front faces, ochre back faces, green surfaces of bodies \
         that are not closed; the darker, the deeper.{more}",
        named.from()
    );
    named.image(&format!("layer-{number}"), &format!("Layer {number}"), about, layer.paint(colour))
}

/// The levels that are coarse enough to be told apart, as pictures, and as boxes in the world.
fn see_mipmap(rays: &Rays, look: &ViewTask, named: &Named, seen: &mut Seen) {
    let mipmap = RayMipmap::new(rays);
    let top = mipmap.levels.len();
    // Bundles of four rays look like the rays themselves.
    for number in (2..top).rev().take(6).rev() {
        let level = mipmap.levels[number - 1];
        let mut field = Field::new([rays.width, rays.height], named.size());
        let mut boxes = items::turned_boxes(named.is_along_axis());
        let mut count = 0;
        for y in 0..level.height {
            for x in 0..level.width {
                let bundle = mipmap.get(number as u32, x, y);
                if bundle.is_empty() {
                    continue;
                }
                count += 1;
                let [left, top, right, bottom] = ends(bundle);
                for row in top..=bottom {
                    for column in left..=right {
                        *field.at(column, row) = Some((x + y) % 2);
                    }
                }
                boxes.push(named.corners_of(
                    [f64::from(left), f64::from(top), look.depths[0]],
                    [f64::from(right + 1), f64::from(bottom + 1), look.depths[1]],
                ));
            }
        }
        let rays_each = 1u32 << number;
        let (id, title) = (format!("bundles-{number}"), format!("Boxes of {rays_each} x {rays_each} rays"));
        let what = format!(
            "Level {number} of the mipmap, {}: the smallest box around the collision rays (widened) of every bundle \
             of {rays_each} x {rays_each}; {}",
            named.from(),
            counted(count, "bundle has one", "bundles have one")
        );
        let picture = field.paint(|odd| [BODIES[0], BODIES[1]][odd as usize]);
        seen.images.push(named.image(&id, &title, format!("{what}."), picture));
        let about = format!("{what}. Along the rays they reach as far as boxes of bodies overlap.");
        seen.overlays.push(boxes.overlay(named.words(&id, &title, about), named.is_along_axis()));
    }
}

/// Left, top, right, bottom; all inside.
fn ends(bundle: RayBox) -> [u32; 4] {
    [bundle.min & 0xffff, bundle.min >> 16, bundle.max & 0xffff, bundle.max >> 16]
}

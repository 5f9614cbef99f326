//! Everything that rays meet: how many surfaces, and where two of them are near each other.

use super::field::{BODY, BRIGHT, Field, heat, mix};
use super::views::Named;
use super::{Seen, items};
use crate::names::{coordinate, counted};
use crate::picture::CONTACT;
use impinge::Scene;
use impinge::contacts::ABufferOptions;
use impinge::stages::a_buffer::fragments::{Fragment, MAX_TRIANGLES, Sheet};
use impinge::stages::a_buffer::{RegionOfInterest, pairs};
use impinge::stages::{Looking, ViewTask, gather, plan_views};

pub(super) fn see(scene: &Scene, options: &ABufferOptions) -> Option<Seen> {
    let mut seen = Seen::default();
    if gather::totals(&gather::members(scene, &[])?)[1] >= MAX_TRIANGLES {
        return None;
    }
    let looks = plan_views(scene, &Looking::from(options))?;
    for (look, named) in Named::all(&looks, |look| &look.view) {
        see_view(scene, look, &named, options, &mut seen);
    }
    Some(seen)
}

fn see_view(scene: &Scene, look: &ViewTask, named: &Named, options: &ABufferOptions, seen: &mut Seen) {
    let (view, members) = (&look.view, &look.members[..]);
    let pixels = [view.width, view.height];
    let near = options.near(view);
    let (vertices, triangles) = gather::gather(scene, members, view);
    let regions = RegionOfInterest::of_all(scene, look, near);
    let sheet =
        Sheet { width: view.width, vertices: &vertices, triangles: &triangles, members, regions: &regions };
    let counts = sheet.counts(&(0..view.height));
    let mut depth = Field::new(pixels, named.size());
    // Pairs of near surfaces, 0 where a ray only meets something.
    let mut pairs_of = Field::new(pixels, named.size());
    for (ray, &count) in (0u32..).zip(&counts).filter(|(_, count)| **count > 0) {
        let (x, y) = (ray % view.width, ray / view.width);
        depth.most(x, y, count as f32);
        pairs_of.most(x, y, 0.0);
    }
    let mut stretches = items::segments();
    let mut rays = 0;
    sheet.each_strip(view.height, &counts, |rows, fragments| {
        for ray in 0..fragments.rays() as u32 {
            let (x, y) = (ray % view.width, rows.start + ray / view.width);
            let (mut here, mut ends) = (0, None::<[Fragment; 2]>);
            pairs::each_near(&sheet, fragments.of(ray as usize), near, |p, q| {
                here += 1;
                let last = ends.map_or(q, |[_, last]| if last.depth > q.depth { last } else { q });
                ends = Some([ends.map_or(p, |[first, _]| first), last]);
            });
            if let Some(ends) = ends {
                rays += 1;
                pairs_of.most(x, y, here as f32);
                let at = |end: Fragment| {
                    view.unproject([f64::from(x) + 0.5, f64::from(y) + 0.5, f64::from(end.depth)])
                };
                stretches.push(ends.map(at));
            }
        }
    });

    let [across, down] = view.pixel_size();
    let epsilon =
        options.epsilon.unwrap_or(impinge::stages::a_buffer::ABufferOptions::EPSILON * across.max(down));
    let near = format!("nearer to each other than {} (world units)", coordinate(epsilon.max(0.0)));
    let rays = counted(rays, "ray meets", "rays meet");
    let most = pairs_of.largest();
    let about = format!(
        "Red where a ray meets surfaces of two bodies, or of one that looks at itself, {near}; the brighter, the more pairs of \
         them, up to {most}. {rays} such surfaces, {}.",
        named.from()
    );
    let picture = pairs_of.paint(|pairs| {
        let part = (pairs - 1.0) / (most - 1.0).max(1.0);
        if pairs > 0.0 { mix(CONTACT, BRIGHT, part) } else { BODY }
    });
    seen.images.push(named.image("near", "Rays with near surfaces", about, picture));
    let most = depth.largest();
    let about = format!(
        "How many surfaces each ray meets where boxes of bodies overlap, {}: from violet for 1 to nearly white for {most}.",
        named.from()
    );
    let picture = depth.paint(|count| heat((count - 1.0) / (most - 1.0).max(1.0)));
    seen.images.push(named.image("surfaces", "Surfaces that a ray meets", about, picture));
    let about = format!(
        "Each ray from the first to the last of the surfaces on it that are {near}. {rays} such surfaces."
    );
    seen.overlays.push(stretches.overlay(named.words("near", "Near surfaces", about)));
}

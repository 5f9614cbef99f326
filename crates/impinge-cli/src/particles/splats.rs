//! Impact maps as pictures: where something hit, the brighter the faster, on a dark ground (figures 3.5 and 3.6).

use super::engine::Drawn;
use crate::error::Error;
use crate::picture::write_rgb;
use impinge::particles::Texel;
use impinge_io::ParticleScene;
use std::path::{Path, PathBuf};

/// Nothing hit there, slow, and as fast as the fastest of the map; sRGB.
const GROUND: [u8; 3] = [0x16, 0x1b, 0x26];
const SLOW: [u8; 3] = [0x3d, 0x6f, 0xb6];
const FAST: [u8; 3] = [0xff, 0xf3, 0xc4];

/// Texels around an impact that its splat covers, so that one can be seen.
const REACH: i32 = 1;

/// The colour of a texel whose speed is that part of the fastest.
pub(crate) fn colour(part: f64) -> [u8; 3] {
    let part = part.clamp(0.0, 1.0).sqrt();
    std::array::from_fn(|k| (f64::from(SLOW[k]) + (f64::from(FAST[k]) - f64::from(SLOW[k])) * part) as u8)
}

/// One file a map: the name itself when there is one, else with the collider's name behind it.
pub(crate) fn write_maps(path: &Path, scene: &ParticleScene, maps: &[Drawn]) -> Result<Vec<PathBuf>, Error> {
    let mut written = Vec::new();
    for map in maps {
        let request = &scene.maps[map.request];
        let name = scene.colliders[request.collider as usize].name();
        let file = if maps.len() == 1 { path.to_owned() } else { beside(path, name) };
        let rgb = pixels(&map.texels, request.size);
        write_rgb(&file, request.size, &rgb)?;
        written.push(file);
    }
    Ok(written)
}

/// `out.png` as `out-the-roof.png`.
fn beside(path: &Path, name: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().take(60).map(plain).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{}.png", parts.join("-")))
}

/// Rows from the top: the far side of the surface first.
fn pixels(texels: &[Texel], [width, height]: [u32; 2]) -> Vec<u8> {
    let fastest = texels.iter().fold(0.0, |most: f64, texel| most.max(texel.speed));
    let [w, h] = [width as i32, height as i32];
    let mut rgb = Vec::with_capacity(texels.len() * 3);
    for y in (0..h).rev() {
        for x in 0..w {
            let mut best: f64 = -1.0;
            for (dx, dy) in (-REACH..=REACH).flat_map(|dx| (-REACH..=REACH).map(move |dy| (dx, dy))) {
                let (i, j) = (x + dx, y + dy);
                if (0..w).contains(&i) && (0..h).contains(&j) {
                    let texel = &texels[(j * w + i) as usize];
                    let is_middle = dx == 0 && dy == 0;
                    let weight = if is_middle { 1.0 } else { 0.35 };
                    if texel.hits > 0 && fastest > 0.0 {
                        best = best.max(weight * texel.speed / fastest);
                    }
                }
            }
            rgb.extend(if best < 0.0 { GROUND } else { colour(best) });
        }
    }
    rgb
}

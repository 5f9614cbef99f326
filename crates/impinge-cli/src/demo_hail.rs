//! `impinge demo hail`: hail on roofs, a table and a can (Knott 2003, section 3.6.2): pictures, splat textures, a sound, and the
//! scene as a file that `impinge particles` reads again.

use crate::error::Error;
use crate::names::{count, counted};
use crate::options::DemoOptions;
use crate::outcome::Outcome;
use crate::particles::{Engine, Whole, colour, empty_map, write_sound};
use crate::picture::{Painted, Picture, write_rgb};
use crate::progress::Progress;
use impinge::Point;
use impinge::particles::{Collider, ImpactMap, Status};
use impinge_io::ParticleScene;
use impinge_lab::hail::{self, HailOptions, Material};
use impinge_lab::shapes::icosphere;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `--list` says of it.
pub(crate) const ABOUT: &str = "hail on roofs, a table and a can: a picture, splat textures and a sound";

/// Times of the pictures, as parts of the whole; the last is `picture.png`.
const FRAMES: [f64; 3] = [0.2, 0.6, 1.0];

/// Half the size of a stone as it is drawn, larger than life, and how much longer it looks by a metre a second.
const STONE: f64 = 0.042;
const BLUR: f64 = 0.0014;

const ICE: [u8; 3] = [0xf4, 0xf9, 0xff];
const SPLAT: [u8; 3] = [0xfb, 0xfd, 0xff];

pub(crate) fn run(options: &DemoOptions, out: &mut impl Write) -> Result<Outcome, Error> {
    let folder = &options.out;
    impinge_io::make_folder(folder)?;
    let hail = HailOptions { stones: options.stones, seed: options.seed as u32, ..HailOptions::default() };
    let description = hail::description(&hail);
    let scene_file = folder.join("hail.toml");
    impinge_io::write_particles(&scene_file, &description)?;
    // Read again, so that what is shown is what the file says.
    let scene = impinge_io::load_particles(&scene_file)?;

    let mut frames = Vec::new();
    let mut number = 0;
    let whole = crate::particles::whole(&scene, |engine| {
        number += 1;
        if FRAMES.iter().any(|part| number == (part * f64::from(scene.steps)).round() as u32) {
            frames.push((f64::from(number) * scene.duration, stones(engine, &scene)));
        }
        Ok(())
    })?;

    let writing = Progress::new("drawing", frames.len());
    let mut pictures = Vec::new();
    for (k, (time, stones)) in frames.iter().enumerate() {
        let last = k + 1 == frames.len();
        let file = if last { "picture.png".to_owned() } else { format!("frame-{k}.png") };
        pictures.push(draw(folder.join(file), &scene, &whole, stones, *time)?);
        writing.step();
    }
    drop(writing);
    let splats = folder.join("splats.png");
    table_top(&splats, &scene, &whole)?;

    let materials: Vec<Option<Material>> =
        scene.materials.iter().map(|name| name.as_deref().and_then(Material::named)).collect();
    let strikes = hail::strikes(&whole.impacts, &materials);
    let sound = folder.join("hail.wav");
    let heard = write_sound(&sound, &strikes, f64::from(scene.steps) * scene.duration)?;

    let stones = counted(scene.particles.len(), "stone", "stones");
    let impacts = counted(whole.impacts.len(), "impact", "impacts");
    writeln!(out, "hail: {stones} at a time, {impacts} in {} s", f64::from(scene.steps) * scene.duration)?;
    for material in Material::ALL {
        let on = strikes.iter().filter(|strike| strike.material == material).count();
        writeln!(out, "  {:>7} on {}", count(on), material.name())?;
    }
    writeln!(out)?;
    for (picture, (time, _)) in pictures.iter().zip(&frames).rev() {
        writeln!(out, "picture  {}  (after {time:.1} s)", picture.display())?;
    }
    writeln!(out, "splats   {}  (the impact map of the table)", splats.display())?;
    writeln!(out, "sound    {}  ({} impacts, each at its own time)", sound.display(), count(heard))?;
    writeln!(out, "scene    {}", scene_file.display())?;
    writeln!(out, "next     {} particles {}", crate::names::program(), scene_file.display())?;
    Ok(Outcome::Clear)
}

/// Where stones are, and how fast they go: those that are in the air or at rest.
fn stones(engine: &Engine, scene: &ParticleScene) -> Vec<[Point; 2]> {
    (0..scene.particles.len())
        .filter_map(|k| engine.whereabouts(k))
        .filter(|stone| !matches!(stone.status, Status::Unborn | Status::Gone | Status::Ended))
        .map(|stone| [stone.position, stone.velocity])
        .collect()
}

/// Draws everything as it is at a time.
fn draw(
    file: PathBuf,
    scene: &ParticleScene,
    whole: &Whole,
    stones: &[[Point; 2]],
    until: f64,
) -> Result<PathBuf, Error> {
    let props = hail::props();
    // Maps of what has happened by then.
    let mut maps: Vec<(&Collider, ImpactMap)> = Vec::new();
    for request in &scene.maps {
        let collider = &scene.colliders[request.collider as usize];
        let mut map = empty_map(scene, request)?;
        map.add(collider, whole.impacts.iter().filter(|impact| impact.time <= until));
        maps.push((collider, map));
    }
    let mut bodies: Vec<Painted> = Vec::new();
    for prop in props {
        let colour = prop.colour;
        let map = prop.collider.and_then(|name| maps.iter().find(|(collider, _)| collider.name() == name));
        let paint: Box<dyn Fn(Point) -> [u8; 3] + Sync> = match map {
            None => Box::new(move |_| colour),
            Some((collider, map)) => Box::new(move |p| splatted(colour, collider, map, p)),
        };
        bodies.push(Painted { positions: prop.shape.positions, triangles: prop.shape.triangles, paint });
    }
    let framed = bodies.len();
    let ball = icosphere(2);
    for &[place, velocity] in stones.iter().filter(|[place, _]| place[2] > -0.1 && place[2] < 5.6) {
        let speed = velocity.iter().map(|c| c * c).sum::<f64>().sqrt();
        let along = velocity.map(|c| c / speed.max(1e-9));
        let stretched = |p: &Point| -> Point {
            let part: f64 = (0..3).map(|k| p[k] * along[k]).sum();
            std::array::from_fn(|k| {
                place[k] + STONE * p[k] + BLUR * speed * part * 8.0 * along[k] + [0.0, 0.0, STONE][k]
            })
        };
        bodies.push(Painted {
            positions: ball.positions.iter().map(stretched).collect(),
            triangles: ball.triangles.clone(),
            paint: Box::new(|_| ICE),
        });
    }
    let picture = Picture::painted(&bodies, framed);
    picture.write(&file)?;
    Ok(file)
}

/// The colour of a surface where impacts have left their mark.
fn splatted(colour: [u8; 3], collider: &Collider, map: &ImpactMap, p: Point) -> [u8; 3] {
    // Sides of things are not on the map.
    let local = collider.from_world().map_or(p, |from_world| from_world.point(p));
    let is_flat = matches!(collider.shape(), impinge::particles::Shape::Plane(_));
    if is_flat && local[2].abs() > 0.03 {
        return colour;
    }
    let [u, v] = map.place(collider, p, 0);
    let [w, h] = map.size().map(i64::from);
    let (x, y) = ((u * w as f64) as i64, (v * h as f64) as i64);
    let mut mark: f64 = 0.0;
    for (dx, dy) in (-3..=3).flat_map(|dx| (-3..=3).map(move |dy| (dx, dy))) {
        let (i, j) = (x + dx, y + dy);
        if (0..w).contains(&i) && (0..h).contains(&j) && map.texels()[(j * w + i) as usize].hits > 0 {
            let far = ((dx * dx + dy * dy) as f64).sqrt();
            mark = mark.max(1.0 - (far - 1.2).max(0.0) / 2.2);
        }
    }
    let mark = 0.85 * mark.clamp(0.0, 1.0);
    std::array::from_fn(|k| {
        (f64::from(colour[k]) + (f64::from(SPLAT[k]) - f64::from(colour[k])) * mark) as u8
    })
}

/// The table's splat texture, four pixels a texel, round marks as large as their stones were fast.
fn table_top(file: &Path, scene: &ParticleScene, whole: &Whole) -> Result<(), Error> {
    const PIXELS: usize = 3;
    let Some(which) =
        scene.maps.iter().position(|map| scene.colliders[map.collider as usize].name() == "table")
    else {
        return Ok(());
    };
    let map = &whole.maps[which];
    let [w, h] = map.size().map(|side| side as usize);
    let fastest = map.texels().iter().fold(0.0, |most: f64, texel| most.max(texel.speed));
    let (width, height) = (w * PIXELS, h * PIXELS);
    let mut rgb: Vec<u8> = (0..width * height)
        .flat_map(|at| {
            // Planks, with a dark gap between them.
            let y = at / width;
            let plank = y * 5 / height;
            let gap = y * 5 % height < 16;
            let shade = if gap { 0.45 } else { 0.92 + 0.05 * (plank % 2) as f64 };
            [0xb9, 0x8a, 0x58].map(|c| (f64::from(c) * shade) as u8)
        })
        .collect();
    for (at, texel) in map.texels().iter().enumerate().filter(|(_, texel)| texel.hits > 0) {
        let part = texel.speed / fastest.max(1e-9);
        let radius = 3.0 + 9.0 * part;
        let middle = [(at % w * PIXELS + 1) as f64, ((h - 1 - at / w) * PIXELS + 1) as f64];
        let reach = radius.ceil() as i64 + 1;
        for (dx, dy) in (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy))) {
            let (x, y) = (middle[0] as i64 + dx, middle[1] as i64 + dy);
            if x < 0 || y < 0 || x >= width as i64 || y >= height as i64 {
                continue;
            }
            let cover = (radius + 0.5 - ((dx * dx + dy * dy) as f64).sqrt()).clamp(0.0, 1.0) * 0.8;
            let tint = colour(part);
            for k in 0..3 {
                let byte = &mut rgb[3 * (y as usize * width + x as usize) + k];
                *byte = (f64::from(*byte) * (1.0 - cover) + f64::from(tint[k]) * cover) as u8;
            }
        }
    }
    Ok(write_rgb(file, [width as u32, height as u32], &rgb)?)
}

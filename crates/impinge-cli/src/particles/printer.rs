//! What was hit, for people and for programs (docs/particles.md has the schema).

use super::engine::{Drawn, Engine, empty_map};
use crate::error::Error;
use crate::names::{coordinate, count, counted, duration, milliseconds};
use crate::options::Format;
use crate::printer::{NamedIndex, SCHEMA, json_of};
use impinge::Point;
use impinge::particles::{Blend, Impact, Shape, Step};
use impinge_io::ParticleScene;
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

/// What is known about a collider when all is over.
#[derive(Clone, Copy, Default)]
struct Struck {
    impacts: usize,
    first: Option<f64>,
    last: f64,
    fastest: f64,
}

pub(crate) struct Printer<'a, W: Write> {
    scene: &'a ParticleScene,
    format: Format,
    place: String,
    struck: Vec<Struck>,
    steps: usize,
    impacts: usize,
    solved: usize,
    exhausted: usize,
    flight: Duration,
    out: &'a mut W,
}

impl<'a, W: Write> Printer<'a, W> {
    pub(crate) fn begin(
        scene: &'a ParticleScene,
        engine: &Engine,
        format: Format,
        out: &'a mut W,
    ) -> Result<Self, Error> {
        if let Format::Json { .. } = format {
            let head = Head {
                scene: &scene.name,
                adapter: engine.adapter(),
                particles: scene.particles.len(),
                colliders: scene.colliders.iter().zip(&scene.materials).map(ColliderJson::from).collect(),
                duration: scene.duration,
                latency: scene.options.latency,
            };
            let text = serde_json::to_string(&head)?;
            // Steps are written into the same object as they come.
            write!(out, "{{\"schema\":{SCHEMA},{},\n\"steps\":[", &text[1..text.len() - 1])?;
        }
        let place = engine.adapter().map_or_else(|| "CPU".to_owned(), str::to_owned);
        let struck = vec![Struck::default(); scene.colliders.len()];
        Ok(Self {
            scene,
            format,
            place,
            struck,
            steps: 0,
            impacts: 0,
            solved: 0,
            exhausted: 0,
            flight: Duration::ZERO,
            out,
        })
    }

    pub(crate) fn step(&mut self, step: &Step) -> Result<(), Error> {
        for impact in &step.impacts {
            let struck = &mut self.struck[impact.collider as usize];
            struck.impacts += 1;
            struck.first = Some(struck.first.map_or(impact.time, |first| first.min(impact.time)));
            struck.last = if struck.impacts == 1 { impact.time } else { struck.last.max(impact.time) };
            struck.fastest = struck.fastest.max(impact.speed);
        }
        self.impacts += step.impacts.len();
        self.solved += step.counts.solved;
        self.exhausted += step.exhausted.len();
        self.flight += step.flight + step.sort;
        if let Format::Json { .. } = self.format {
            let listed = self.format.most_listed().min(step.impacts.len());
            let json = StepJson {
                // There is nothing before the first step.
                from: Some(step.from).filter(|from| from.is_finite()),
                to: step.to,
                impact_count: step.impacts.len(),
                impacts: step.impacts[..listed].iter().map(ImpactJson::from).collect(),
                exhausted: &step.exhausted,
                births: step.counts.births,
                touches: step.counts.touches,
                solved: step.counts.solved,
                flight_ms: milliseconds(step.flight),
                sort_ms: milliseconds(step.sort),
            };
            write!(self.out, "{}", if self.steps == 0 { "\n" } else { ",\n" })?;
            serde_json::to_writer(&mut *self.out, &json)?;
        }
        self.steps += 1;
        Ok(())
    }

    pub(crate) fn finish(self, maps: &[Drawn]) -> Result<(), Error> {
        match self.format {
            Format::Text { rows } => self.text(rows, maps),
            Format::Json { .. } => {
                let maps: Vec<MapJson> =
                    maps.iter().map(|map| MapJson::new(self.scene, map)).collect::<Result<_, _>>()?;
                write!(self.out, "\n],\n\"maps\":")?;
                serde_json::to_writer(&mut *self.out, &maps)?;
                let struck: Vec<usize> = self.struck.iter().map(|struck| struck.impacts).collect();
                write!(self.out, ",\n\"impacts_by_collider\":{struck:?}")?;
                Ok(writeln!(self.out, ",\n\"impact_count\":{}}}", self.impacts)?)
            }
        }
    }

    fn text(self, rows: usize, maps: &[Drawn]) -> Result<(), Error> {
        let Self { scene, out, .. } = self;
        let end = self.steps as f64 * scene.duration + scene.options.latency;
        let [particles, impacts] = [
            counted(scene.particles.len(), "particle", "particles"),
            counted(self.impacts, "impact", "impacts"),
        ];
        let on = counted(scene.colliders.len(), "collider", "colliders");
        writeln!(out, "{}: {impacts} of {particles} on {on} until {}", scene.name, coordinate(end))?;
        let mut order: Vec<usize> = (0..self.struck.len()).filter(|&k| self.struck[k].impacts > 0).collect();
        order.sort_by_key(|&k| (std::cmp::Reverse(self.struck[k].impacts), k));
        if !order.is_empty() && rows > 0 {
            let name = |k: usize| scene.colliders[k].name();
            let widest = order.iter().take(rows).map(|&k| name(k).chars().count()).max().unwrap_or(0).max(8);
            writeln!(
                out,
                "\n impacts  {:widest$}  {:>9}  {:>9}  {:>9}",
                "collider", "first", "last", "fastest"
            )?;
            for &k in order.iter().take(rows) {
                let struck = &self.struck[k];
                let [first, last, fastest] =
                    [struck.first.unwrap_or(0.0), struck.last, struck.fastest].map(coordinate);
                let impacts = count(struck.impacts);
                writeln!(out, "{impacts:>8}  {:widest$}  {first:>9}  {last:>9}  {fastest:>9}", name(k))?;
            }
            if order.len() > rows {
                writeln!(out, "{} more colliders (--limit {} lists all)", order.len() - rows, order.len())?;
            }
        }
        for map in maps {
            let json = MapJson::new(scene, map)?;
            let [across, down] = [json.resolution.across, json.resolution.down].map(|[fine, coarse]| {
                if fine == coarse { size(fine) } else { format!("{} to {}", size(fine), size(coarse)) }
            });
            let (name, [w, h], hit) = (json.collider.name, json.size, count(json.texels_hit));
            writeln!(out, "\nmap of {name}: {w} x {h} texels, each {across} by {down}; {hit} were hit")?;
        }
        writeln!(out)?;
        let (steps, solved) = (counted(self.steps, "step", "steps"), count(self.solved));
        writeln!(out, "{}: {steps}, {solved} pairs solved, {}", self.place, duration(self.flight))?;
        if self.exhausted > 0 {
            let exhausted = counted(self.exhausted, "particle", "particles");
            writeln!(
                out,
                "{exhausted} had more than {} events in a step and stopped",
                scene.options.most_events
            )?;
        }
        Ok(())
    }
}

/// A length of a texel; infinite where the surface goes along the line of sight.
fn size(length: f64) -> String {
    if length.is_finite() { coordinate(length) } else { "any size".into() }
}

#[derive(Serialize)]
struct Head<'a> {
    scene: &'a str,
    adapter: Option<&'a str>,
    particles: usize,
    colliders: Vec<ColliderJson<'a>>,
    duration: f64,
    latency: f64,
}

#[derive(Serialize)]
struct ColliderJson<'a> {
    name: &'a str,
    shape: &'static str,
    material: Option<&'a str>,
}

impl<'a> From<(&'a impinge::particles::Collider, &'a Option<String>)> for ColliderJson<'a> {
    fn from((collider, material): (&'a impinge::particles::Collider, &'a Option<String>)) -> Self {
        let shape = match collider.shape() {
            Shape::Plane(_) => "plane",
            Shape::Quadric { .. } => "quadric",
            Shape::Box { .. } => "box",
            Shape::Mesh(_) => "mesh",
        };
        Self { name: collider.name(), shape, material: material.as_deref() }
    }
}

#[derive(Serialize)]
struct StepJson<'a> {
    from: Option<f64>,
    to: f64,
    impact_count: usize,
    impacts: Vec<ImpactJson>,
    exhausted: &'a [u32],
    births: usize,
    touches: usize,
    solved: usize,
    flight_ms: f64,
    sort_ms: f64,
}

json_of! {
    /// An impact, with its strength.
    ImpactJson of |impact: Impact| {
        time: f64 = impact.time,
        particle: u32 = impact.particle,
        generation: u32 = impact.generation,
        bounce: u32 = impact.bounce,
        collider: u32 = impact.collider,
        element: u32 = impact.element,
        position: Point = impact.position,
        normal: Point = impact.normal,
        velocity: Point = impact.velocity,
        speed: f64 = impact.speed,
        strength: f64 = impact.strength(),
    }
}

#[derive(Serialize)]
struct MapJson<'a> {
    collider: NamedIndex<'a>,
    size: [u32; 2],
    blend: &'static str,
    resolution: ResolutionJson,
    texels_hit: usize,
    hits: usize,
}

/// How large a texel is on the surface, where it is smallest and where it is largest.
#[derive(Serialize)]
struct ResolutionJson {
    across: [f64; 2],
    down: [f64; 2],
}

impl<'a> MapJson<'a> {
    fn new(scene: &'a ParticleScene, map: &Drawn) -> Result<Self, Error> {
        let request = &scene.maps[map.request];
        let collider = &scene.colliders[request.collider as usize];
        let resolution = empty_map(scene, request)?.resolution();
        Ok(Self {
            collider: NamedIndex { index: request.collider as usize, name: collider.name() },
            size: request.size,
            blend: match request.blend {
                Blend::Latest => "latest",
                Blend::Additive => "additive",
            },
            resolution: ResolutionJson { across: resolution.across, down: resolution.down },
            texels_hit: map.texels.iter().filter(|texel| texel.hits > 0).count(),
            hits: map.texels.iter().map(|texel| texel.hits as usize).sum(),
        })
    }
}

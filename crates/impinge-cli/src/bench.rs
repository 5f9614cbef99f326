//! `impinge bench`: the time from new positions in memory to the finished sorted list, frame by frame.

use crate::backend::{Backend, Engine};
use crate::error::Error;
use crate::found::Found;
use crate::memory::ALLOCATOR;
use crate::names::{count, counted, median, milliseconds};
use crate::options::BenchOptions;
use crate::outcome::Outcome;
use crate::printer::{
    CastJson, CullideJson, GridJson, ImageJson, SCHEMA, SlicesJson, StagesJson, grid_counts,
};
use crate::progress::Progress;
use crate::question::Findings;
use crate::source::Source;
use impinge::Query;
use peakmem_alloc::PeakMemAllocTrait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Write;
use std::time::{Duration, Instant};

/// What is printed with `--json` (docs/json.md).
#[derive(Serialize)]
struct Measured {
    schema: u32,
    scene: String,
    threads: usize,
    mode: &'static str,
    query: &'static str,
    method: &'static str,
    frames: Vec<Frame>,
    median_ms: f64,
    mean_ms: f64,
    /// Most bytes the collider, its report and its threads held at once, beyond the loaded scene.
    peak_bytes: usize,
    peak_bytes_per_triangle: f64,
    #[serde(flatten)]
    counts: Counts,
    /// Whether something may have been missed, by a method that can prove its answers.
    #[serde(skip)]
    sampled: bool,
}

/// Statistics of one frame, or their medians over several frames.
#[derive(Serialize, Deserialize)]
struct Counts {
    stages: StagesJson,
    adapter: Option<String>,
    image: Option<ImageJson>,
    cast: Option<CastJson>,
    slices: Option<SlicesJson>,
    #[serde(rename = "sifted")]
    grid: Option<GridJson>,
    cullide: Option<CullideJson>,
}

impl Counts {
    fn of(report: Findings<'_>) -> Self {
        Self {
            stages: report.stages.into(),
            adapter: report.adapter.map(str::to_owned),
            image: report.rays().map(ImageJson::from),
            cast: report.interference().map(|found| (&found.stages).into()),
            slices: report.overlaps().map(|sliced| (&sliced.stages).into()),
            grid: report.grid().map(GridJson::from),
            cullide: report.culled().map(|culled| (&culled.stages).into()),
        }
    }
}

#[derive(Serialize)]
struct Frame {
    ms: f64,
    update_ms: f64,
    inter: usize,
    #[serde(rename = "self")]
    within: usize,
}

pub(crate) fn run(options: &BenchOptions, out: &mut impl Write) -> Result<Outcome, Error> {
    let reading = Progress::new("reading", 1);
    let mut source = Source::find(&options.scene, options.triangles, options.seed)?;
    drop(reading);
    // One thread asks for all frames and is one of those that answer, as in a program that simulates in a pool: handing
    // every frame over to a thread that has to wake up first would be measured as well.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.question.threads()).build();
    let measured = match pool {
        Ok(pool) if options.question.threads() != 1 => pool.install(|| measure(options, &mut source))?,
        _ => measure(options, &mut source)?,
    };
    if options.json {
        serde_json::to_writer(&mut *out, &measured)?;
        writeln!(out)?;
    } else {
        print(&measured, out)?;
    }
    Ok(Outcome::Clear)
}

fn measure(options: &BenchOptions, source: &mut Source) -> Result<Measured, Error> {
    let count = source.frames();
    let progress = Progress::new("timing", count + 1);
    let mut frames = Vec::with_capacity(count);
    let mut counts = Vec::with_capacity(count);
    let mut sampled = false;
    let mut ran = options.question.method();
    let backend = Backend::open(&options.place, &source.scene)?;
    ALLOCATOR.reset_peak_memory();
    let mut kept: Option<Engine> = None;
    // The frame that is dropped is frame 0, and so is the first one that counts: a body whose track does not
    // change between them costs nothing then, as it costs nothing between any two frames.
    for frame in std::iter::once(0).chain(0..count) {
        if options.cold {
            kept = None;
        }
        let start = Instant::now();
        source.set_frame(frame)?;
        let set = start.elapsed();
        let collider = match &mut kept {
            Some(collider) => collider,
            none => none.insert(backend.ask(options.question.clone())?),
        };
        let report = collider.answer(&source.scene)?;
        let time = start.elapsed();
        ran = report.method;
        frames.push(Frame::new(time, set, options.question.query(), report));
        counts.push(Counts::of(report));
        sampled |= report.culled().is_some() && !report.complete;
        sampled |= report.overlaps().into_iter().flat_map(|sliced| &sliced.pairs).any(|pair| !pair.certain);
        progress.step();
    }
    let peak_bytes = ALLOCATOR.get_peak_memory();
    drop(progress);
    frames.remove(0);
    counts.remove(0);

    let threads = match options.question.threads() {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let counts = counts.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>()?;
    let counts: Counts = serde_json::from_value(medians(&counts.iter().collect::<Vec<_>>()))?;
    Ok(Measured {
        schema: SCHEMA,
        scene: source.name.clone(),
        threads,
        mode: if options.cold { "cold" } else { "warm" },
        query: if options.question.query() == Query::Any { "boolean" } else { "all" },
        method: ran,
        median_ms: median(frames.iter().map(|frame| frame.ms)),
        mean_ms: frames.iter().map(|frame| frame.ms).sum::<f64>() / frames.len().max(1) as f64,
        peak_bytes,
        peak_bytes_per_triangle: peak_bytes as f64 / counts.stages.triangles.max(1) as f64,
        frames,
        counts,
        sampled,
    })
}

impl Frame {
    fn new(time: Duration, set: Duration, query: Query, report: Findings<'_>) -> Self {
        let within: usize =
            report.pairs.iter().filter(|pair| pair.a == pair.b).map(|pair| pair.contacts.len()).sum();
        let (inter, within) = match (report.interference(), report.overlaps()) {
            (Some(found), _) => (Found::of(report).number(), found.self_interfering.len()),
            // There may be a maybe before the first yes, and a containment beside a maybe.
            (_, Some(sliced)) if query == Query::Any => {
                (usize::from(sliced.collides() || !report.containments.is_empty()), 0)
            }
            (_, Some(_)) => (Found::of(report).number() + report.containments.len(), 0),
            // A containment is the only proof of a collision that is not a contact.
            _ => (report.contacts.len() - within + report.containments.len(), within),
        };
        Self { ms: milliseconds(time), update_ms: milliseconds(set + report.stages.update), inter, within }
    }
}

/// Medians of JSON objects, field by field: times need not add up to the median of the total. A flag is set if it is set in
/// any frame; other values are those of the last frame.
fn medians(frames: &[&Value]) -> Value {
    match frames.last() {
        Some(Value::Object(last)) => {
            let field = |name| frames.iter().filter_map(|frame| frame.get(name)).collect::<Vec<_>>();
            last.keys().map(|name| (name.clone(), medians(&field(name)))).collect()
        }
        Some(Value::Number(last)) => {
            let median = median(frames.iter().filter_map(|number| number.as_f64()));
            if last.is_f64() { median.into() } else { (median as usize).into() }
        }
        Some(Value::Bool(_)) => frames.iter().any(|reached| **reached == true).into(),
        last => last.map_or(Value::Null, |last| (*last).clone()),
    }
}

/// Frames shown in the table; JSON has all.
const ROWS: usize = 20;

fn print(measured: &Measured, out: &mut impl Write) -> Result<(), Error> {
    let Measured { scene, threads, mode, query, method, frames, median_ms, mean_ms, counts, .. } = measured;
    let Counts { stages, .. } = counts;
    let threads = counted(*threads, "thread", "threads");
    writeln!(
        out,
        "{scene}: median {median_ms:.3} ms, mean {mean_ms:.3} ms a frame ({method}, {mode}, {query}, {threads})"
    )?;
    writeln!(out, "\n{:>5}  {:>10}  {:>10}  {:>10}  {:>10}", "frame", "ms", "update ms", "inter", "self")?;
    for (number, frame) in frames.iter().take(ROWS).enumerate() {
        let (inter, within) = (count(frame.inter), count(frame.within));
        writeln!(
            out,
            "{number:>5}  {:>10.3}  {:>10.3}  {inter:>10}  {within:>10}",
            frame.ms, frame.update_ms
        )?;
    }
    if frames.len() > ROWS {
        writeln!(out, "{} more frames (--json lists all)", count(frames.len() - ROWS))?;
    }
    let StagesJson {
        update_ms, broad_phase_ms, culling_ms, narrow_phase_ms, containment_ms, triangles, ..
    } = stages;
    writeln!(
        out,
        "\nmedian of each stage: update {update_ms:.3}, broad phase {broad_phase_ms:.3}, culling {culling_ms:.3}, \
         narrow phase {narrow_phase_ms:.3}, containment {containment_ms:.3} ms"
    )?;
    let adapter = counts.adapter.as_deref().unwrap_or("the CPU");
    let keeps = *method == "a_buffer";
    if let Some(image) = &counts.image {
        print_image(image, keeps, adapter, out)?;
    }
    let looked_at = match (&counts.cast, &counts.slices, &counts.grid, &counts.cullide) {
        (Some(cast), ..) => {
            print_cast(cast, adapter, out)?;
            counted(cast.edges, "edge", "edges")
        }
        (_, _, Some(grid), _) => grid_counts(grid, Some(adapter)),
        (_, _, _, Some(cullide)) => {
            print_cullide(cullide, measured.sampled, adapter, out)?;
            format!(
                "{} tested exactly",
                counted(stages.candidates, "pair of triangles", "pairs of triangles")
            )
        }
        (_, Some(slices), ..) => {
            print_slices(slices, measured.sampled, adapter, out)?;
            format!("{} of them in collision volumes", count(slices.handed_over))
        }
        _ if keeps => format!(
            "{} near each other along rays, all decided exactly",
            counted(stages.candidates, "pair", "pairs")
        ),
        _ => format!(
            "boxes of {} meet, {} decided exactly",
            counted(stages.candidates, "pair", "pairs"),
            count(stages.exact)
        ),
    };
    writeln!(
        out,
        "{}, {looked_at}; peak {} bytes beyond the scene, {:.1} a triangle",
        counted(*triangles, "triangle", "triangles"),
        count(measured.peak_bytes),
        measured.peak_bytes_per_triangle
    )?;
    Ok(())
}

fn print_cast(cast: &CastJson, adapter: &str, out: &mut impl Write) -> Result<(), Error> {
    let CastJson { resolution: [across, down], prepare_ms, render_ms, read_ms, parse_ms, .. } = cast;
    writeln!(
        out,
        "median of each stage of casting: prepare {prepare_ms:.3}, render {render_ms:.3}, read {read_ms:.3}, \
         parse {parse_ms:.3} ms"
    )?;
    writeln!(
        out,
        "sampled, interference may be missed: {} of {across} x {down} rays, {}, {} looked at closely, on {adapter}",
        counted(cast.views, "view", "views"),
        counted(cast.pixels, "pixel of edges", "pixels of edges"),
        count(cast.marked),
    )?;
    Ok(())
}

fn print_slices(
    slices: &SlicesJson,
    sampled: bool,
    adapter: &str,
    out: &mut impl Write,
) -> Result<(), Error> {
    let SlicesJson { cells: [across, down, deep], draw_ms, exact_ms, .. } = slices;
    writeln!(out, "median of each stage of slicing: draw {draw_ms:.3}, exact tests {exact_ms:.3} ms")?;
    writeln!(
        out,
        "{}: {} drawn, {} of {across} x {down} x {deep} cells, on {adapter}",
        if sampled { "sampled, answers may be wrong" } else { "no answer is sampled" },
        counted(slices.drawn, "pair of bodies", "pairs of bodies"),
        counted(slices.renderings, "rendering", "renderings"),
    )?;
    Ok(())
}

fn print_cullide(
    cullide: &CullideJson,
    sampled: bool,
    adapter: &str,
    out: &mut impl Write,
) -> Result<(), Error> {
    let CullideJson { resolution: [across, down], box_pairs, draw_ms, exact_ms, .. } = cullide;
    writeln!(out, "median of each stage of culling: draw {draw_ms:.3}, exact tests {exact_ms:.3} ms")?;
    writeln!(
        out,
        "{}: boxes leave {}, {} of at most {across} x {down} pixels, {} asked, on {adapter}",
        if sampled { "not complete, contacts may be missed" } else { "complete" },
        counted(*box_pairs, "pair of bodies", "pairs of bodies"),
        counted(cullide.images, "image", "images"),
        counted(cullide.queries, "question", "questions"),
    )?;
    Ok(())
}

fn print_image(image: &ImageJson, keeps: bool, adapter: &str, out: &mut impl Write) -> Result<(), Error> {
    let ImageJson {
        resolution: [across, down], project_ms, sample_ms, merge_ms, separate_ms, pack_ms, ..
    } = image;
    writeln!(
        out,
        "median of each image stage: project {project_ms:.3}, sample {sample_ms:.3}, merge {merge_ms:.3}, separate {separate_ms:.3}, \
         pack {pack_ms:.3} ms"
    )?;
    let seen = if keeps {
        let surfaces = counted(image.fragments, "surface", "surfaces");
        format!("{surfaces} kept, {} two near each other", counted(image.rays, "ray meets", "rays meet"))
    } else {
        let triangles = counted(image.read_back, "triangle", "triangles");
        format!("{}, {triangles} near them", counted(image.rays, "collision ray", "collision rays"))
    };
    writeln!(
        out,
        "sampled, contacts may be missed: {} of {across} x {down} rays, {seen}, on {adapter}",
        counted(image.views, "view", "views"),
    )?;
    if image.limited {
        writeln!(out, "--passes was too low: in some frames rays meet more surfaces than were peeled")?;
    }
    Ok(())
}

//! `impinge bench`: the time from new positions in memory to the finished sorted list, frame by frame.

use crate::error::Error;
use crate::found::Found;
use crate::machinery::{Machinery, Workshop};
use crate::names::{count, counted, median, milliseconds};
use crate::options::BenchOptions;
use crate::printer::{
    CastJson, CullideJson, ImageJson, SCHEMA, SiftedJson, SlicesJson, StagesJson, sifted_counts,
};
use crate::progress::Progress;
use crate::question::Findings;
use crate::source::Source;
use crate::{ALLOCATOR, Outcome};
use impinge::contacts::RayStats;
use impinge::stages::cullide::CullideStages;
use impinge::stages::grid::GridStats;
use impinge::stages::interference::CastStages;
use impinge::stages::overlap_cells::SliceStages;
use impinge::{Query, Stages};
use peakmem_alloc::PeakMemAllocTrait;
use serde::Serialize;
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
    stages: StagesJson,
    adapter: Option<String>,
    image: Option<ImageJson>,
    cast: Option<CastJson>,
    slices: Option<SlicesJson>,
    sifted: Option<SiftedJson>,
    cullide: Option<CullideJson>,
    /// Whether something may have been missed, by a method that can prove its answers.
    #[serde(skip)]
    sampled: bool,
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
    let mut stages: Vec<Stages> = Vec::with_capacity(count);
    let mut images: Vec<RayStats> = Vec::new();
    let mut casts: Vec<CastStages> = Vec::new();
    let mut slices: Vec<SliceStages> = Vec::new();
    let mut sifted: Vec<GridStats> = Vec::new();
    let mut culled: Vec<CullideStages> = Vec::new();
    let mut sampled = false;
    let mut ran = options.question.method();
    let mut adapter = None;
    let workshop = Workshop::open(&options.place, &source.scene)?;
    ALLOCATOR.reset_peak_memory();
    let mut kept: Option<Machinery> = None;
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
            none => none.insert(workshop.ask(options.question.clone())?),
        };
        let report = collider.answer(&source.scene)?;
        let time = start.elapsed();
        ran = report.method;
        adapter = report.adapter.map(str::to_owned);
        frames.push(Frame::new(time, set, options.question.query(), report));
        stages.push(*report.stages);
        images.extend(report.rays().copied());
        casts.extend(report.interference().map(|found| found.stages));
        slices.extend(report.overlaps().map(|sliced| sliced.stages));
        sifted.extend(report.grid().copied());
        culled.extend(report.culled().map(|culled| culled.stages));
        sampled |= report.culled().is_some() && !report.complete;
        sampled |= report.overlaps().into_iter().flat_map(|sliced| &sliced.pairs).any(|pair| !pair.certain);
        progress.step();
    }
    let peak_bytes = ALLOCATOR.get_peak_memory();
    drop(progress);
    frames.remove(0);
    stages.remove(0);
    // One a frame, or none at all.
    images.drain(..images.len().min(1));
    casts.drain(..casts.len().min(1));
    slices.drain(..slices.len().min(1));
    sifted.drain(..sifted.len().min(1));
    culled.drain(..culled.len().min(1));

    let threads = match options.question.threads() {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let stages = medians(&stages);
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
        peak_bytes_per_triangle: peak_bytes as f64 / stages.triangles.max(1) as f64,
        stages,
        frames,
        adapter,
        image: image_medians(&images),
        cast: cast_medians(&casts),
        slices: slice_medians(&slices),
        sifted: sifted_medians(&sifted),
        cullide: cullide_medians(&culled),
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

/// Each stage by itself, so the times need not add up to the median of the total.
fn medians(stages: &[Stages]) -> StagesJson {
    let time = |of: fn(&Stages) -> Duration| median(stages.iter().map(|stage| milliseconds(of(stage))));
    let number = |of: fn(&Stages) -> usize| median(stages.iter().map(|stage| of(stage) as f64)) as usize;
    StagesJson {
        update_ms: time(|s| s.update),
        broad_phase_ms: time(|s| s.broad_phase),
        culling_ms: time(|s| s.culling),
        narrow_phase_ms: time(|s| s.narrow_phase),
        containment_ms: time(|s| s.containment),
        shapes_ms: time(|s| s.shapes),
        total_ms: time(|s| s.total),
        bodies: number(|s| s.bodies),
        triangles: number(|s| s.triangles),
        body_pairs: number(|s| s.body_pairs),
        candidates: number(|s| s.candidates),
        exact: number(|s| s.exact),
        contacts: number(|s| s.contacts),
    }
}

/// The same of what rays saw; a limit that any frame has reached was reached.
fn image_medians(images: &[RayStats]) -> Option<ImageJson> {
    let time = |of: fn(&RayStats) -> Duration| median(images.iter().map(|image| milliseconds(of(image))));
    let number = |of: fn(&RayStats) -> usize| median(images.iter().map(|image| of(image) as f64)) as usize;
    let last = images.last()?;
    Some(ImageJson {
        resolution: last.resolution,
        views: number(|i| i.views),
        deepest: number(|i| i.deepest as usize),
        layers: number(|i| i.layers as usize),
        limited: images.iter().any(|image| image.limited),
        fragments: number(|i| i.fragments),
        rays: number(|i| i.rays),
        read_back: number(|i| i.read_back),
        bytes_read_back: number(|i| i.bytes_read_back),
        involved: number(|i| i.involved),
        tests: number(|i| i.tests),
        project_ms: time(|i| i.project),
        sample_ms: time(|i| i.sample),
        merge_ms: time(|i| i.merge),
        separate_ms: time(|i| i.separate),
        pack_ms: time(|i| i.pack),
    })
}

/// The same of rays cast at edges.
fn cast_medians(casts: &[CastStages]) -> Option<CastJson> {
    let time = |of: fn(&CastStages) -> Duration| median(casts.iter().map(|cast| milliseconds(of(cast))));
    let number = |of: fn(&CastStages) -> usize| median(casts.iter().map(|cast| of(cast) as f64)) as usize;
    let last = casts.last()?;
    Some(CastJson {
        resolution: last.resolution,
        views: number(|c| c.views),
        edges: number(|c| c.edges),
        layers: number(|c| c.layers as usize),
        limited: casts.iter().any(|cast| cast.limited),
        pixels: number(|c| c.pixels),
        marked: number(|c| c.marked),
        crossings: number(|c| c.crossings),
        bytes_read_back: number(|c| c.bytes_read_back),
        prepare_ms: time(|c| c.prepare),
        render_ms: time(|c| c.render),
        read_ms: time(|c| c.read),
        parse_ms: time(|c| c.parse),
    })
}

/// The same of cells.
fn slice_medians(slices: &[SliceStages]) -> Option<SlicesJson> {
    let time = |of: fn(&SliceStages) -> Duration| median(slices.iter().map(|s| milliseconds(of(s))));
    let number = |of: fn(&SliceStages) -> usize| median(slices.iter().map(|s| of(s) as f64)) as usize;
    Some(SlicesJson {
        cells: slices.last()?.cells,
        drawn: number(|s| s.drawn),
        renderings: number(|s| s.renderings),
        bytes_read_back: number(|s| s.bytes_read_back),
        handed_over: number(|s| s.handed_over),
        draw_ms: time(|s| s.draw),
        exact_ms: time(|s| s.exact),
    })
}

/// The same of boxes in a grid.
fn sifted_medians(sifted: &[GridStats]) -> Option<SiftedJson> {
    let number = |of: fn(&GridStats) -> usize| median(sifted.iter().map(|s| of(s) as f64)) as usize;
    sifted.last()?;
    Some(SiftedJson {
        kept: number(|s| s.kept),
        candidates: number(|s| s.candidates),
        tested: number(|s| s.tested),
        doubtful: number(|s| s.doubtful),
        settled: number(|s| s.settled),
        large: number(|s| s.large),
        reruns: number(|s| s.reruns),
        bytes_read_back: number(|s| s.bytes_read_back),
    })
}

/// The same of what hides what.
fn cullide_medians(culled: &[CullideStages]) -> Option<CullideJson> {
    let time = |of: fn(&CullideStages) -> Duration| median(culled.iter().map(|c| milliseconds(of(c))));
    let number = |of: fn(&CullideStages) -> usize| median(culled.iter().map(|c| of(c) as f64)) as usize;
    Some(CullideJson {
        resolution: culled.last()?.resolution,
        box_pairs: number(|c| c.box_pairs),
        first_pairs: number(|c| c.first_pairs),
        images: number(|c| c.looks),
        passes: number(|c| c.passes),
        queries: number(|c| c.queries),
        bytes_read_back: number(|c| c.bytes_read_back),
        draw_ms: time(|c| c.draw),
        exact_ms: time(|c| c.exact),
    })
}

/// Frames shown in the table; JSON has all.
const ROWS: usize = 20;

fn print(measured: &Measured, out: &mut impl Write) -> Result<(), Error> {
    let Measured { scene, threads, mode, query, method, frames, median_ms, mean_ms, stages, .. } = measured;
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
    let adapter = measured.adapter.as_deref().unwrap_or("the CPU");
    let keeps = *method == "a_buffer";
    if let Some(image) = &measured.image {
        print_image(image, keeps, adapter, out)?;
    }
    let looked_at = match (&measured.cast, &measured.slices, &measured.sifted, &measured.cullide) {
        (Some(cast), ..) => {
            print_cast(cast, adapter, out)?;
            counted(cast.edges, "edge", "edges")
        }
        (_, _, Some(sifted), _) => sifted_counts(sifted, Some(adapter)),
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

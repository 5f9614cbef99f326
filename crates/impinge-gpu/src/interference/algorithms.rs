//! Algorithms 1 to 5 of the thesis, pass by pass (4.4.1, 4.5.1, 4.5.2). Passes 2 and 3, and 5 and 6, are
//! merged: a two-sided stencil counts front faces up and back faces down at once. One edge per pixel, the
//! last drawn.

use super::draw::{DepthStencil, begin, group, set_surfaces};
use super::pipelines::{Pair, ZERO_COUNT};
use super::queries::{ask, queries, read};
use super::{CastInput, RayCast};
use crate::device::{QUERIES_PER_SET, Queries, Recorder, Stage};
use crate::error::GpuError;
use impinge::stages::gather::{Member, owner};
use impinge::stages::interference::{Casting, Findings, Identify};
use std::ops::Range;
use std::time::Instant;
use wgpu::{Color, LoadOp, RenderPipeline};

/// Whether the stencil of an edge is above zero.
fn is_inside(stencil: u8) -> bool {
    u32::from(stencil) > ZERO_COUNT
}

impl RayCast {
    /// The selected algorithm.
    pub(super) fn algorithm(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
    ) -> Result<(), GpuError> {
        let lines = casting.sides(input.options.identify).0.len() as u32;
        recorder.stage(Stage::Sample)?;
        self.show(recorder, input, lines, 0);
        self.count(recorder, input);
        casting.findings.stages.layers = 1;
        let open = match input.options.identify {
            Identify::Any | Identify::Penetrating => self.by_stencil(recorder, input, casting)?,
            Identify::Queries => self.by_queries(recorder, input, casting, lines)?,
            _ => self.by_colour(recorder, input, casting, lines)?,
        };
        recorder.stage(Stage::Pack)?;
        let counters = self.read_counters(recorder)?;
        recorder.stage(Stage::Sample)?;
        casting.findings.reaches(input.cast.whose, input.cast.metric.reach(counters.farthest));
        if open {
            self.explain_negative(recorder, input, casting, lines)?;
        }
        Ok(())
    }

    /// A pixel with a negative count: some body is open (4.4.1), and its crossings tell which; or more solids
    /// are around its edge than a stencil can count.
    fn explain_negative(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
        lines: u32,
    ) -> Result<(), GpuError> {
        self.show(recorder, input, lines, 0);
        self.count_some(recorder, input);
        let (_, marked) = self.marked(recorder, input, casting, true)?;
        self.judge(recorder, input, casting, &marked)?;
        let members = &input.cast.members;
        let (sides, findings) = casting.parts(input.options.identify);
        for at in marked.iter().filter(|at| at.count >= ZERO_COUNT as i32) {
            let side = sides[at.line as usize];
            match input.options.identify {
                Identify::Any => findings.saw_any(true),
                Identify::Queries => findings.saw_body(members[owner(members, side / 3)].id),
                _ => findings.saw_edge(members, side),
            }
        }
        Ok(())
    }

    /// Algorithms 1 and 2: reads the stencil; and the colours, if it shows any interference. Returns whether
    /// some count is negative.
    fn by_stencil(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
    ) -> Result<bool, GpuError> {
        recorder.stage(Stage::Pack)?;
        let stencil = self.depth_stencil.read(recorder, 1)?;
        let mut lines = Vec::new();
        let early = input.options.early_answer && !stencil.iter().any(|&count| is_inside(count));
        if input.options.identify == Identify::Penetrating && !early {
            lines = self.lines.read(recorder, 4)?;
        }
        recorder.stage(Stage::Sample)?;
        let start = Instant::now();
        let (sides, findings) = casting.parts(input.options.identify);
        findings.stages.bytes_read_back += stencil.len() + lines.len();
        findings.stages.marked += stencil.iter().filter(|&&count| u32::from(count) != ZERO_COUNT).count();
        findings.saw_any(stencil.iter().any(|&count| is_inside(count)));
        let numbers = lines.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>);
        let inside = stencil.iter().zip(numbers).filter(|(count, _)| is_inside(**count));
        saw_lines(findings, input, sides, inside.map(|(_, line)| line));
        let open = stencil.iter().any(|&count| u32::from(count) < ZERO_COUNT);
        findings.stages.parse += start.elapsed();
        recorder.restart(Stage::Sample);
        Ok(open)
    }

    /// Algorithms 3 and 4: edges that are inside something write their numbers, and so do the bodies they are
    /// in.
    fn by_colour(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
        lines: u32,
    ) -> Result<bool, GpuError> {
        let both = input.options.identify == Identify::LastDrawn;
        self.named.reserve(&recorder.context, self.pixels);
        // The first query counts negative pixels, the others edges inside something, one per batch.
        let count = 1 + self.batches(lines).count();
        let queries = queries(recorder, count)?;
        self.find_negative(recorder, &queries);
        self.identify_edges(recorder, input, lines, &queries);
        let mut found = None;
        if input.options.early_answer {
            recorder.stage(Stage::Pack)?;
            found = Some(read(&queries, count, recorder, casting)?);
            recorder.stage(Stage::Sample)?;
        }
        if let Some(counts) = found.as_ref().filter(|counts| counts[1..].iter().all(|&count| count == 0)) {
            return Ok(counts[0] > 0);
        }
        if both {
            self.identify_bodies(recorder, input);
        }
        recorder.stage(Stage::Pack)?;
        let counts = match found {
            Some(counts) => counts,
            None => read(&queries, count, recorder, casting)?,
        };
        let edges = self.named.read_layer(recorder, 0, 4)?;
        let bodies = if both { self.named.read_layer(recorder, 1, 4)? } else { Vec::new() };
        recorder.stage(Stage::Sample)?;

        let start = Instant::now();
        let (sides, findings) = casting.parts(input.options.identify);
        findings.stages.bytes_read_back += edges.len() + bodies.len();
        let edges = edges.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>);
        let bodies = bodies.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>);
        if both {
            for (line, body) in edges.zip(bodies).filter(|(line, body)| *line != 0 && *body != 0) {
                findings.saw_pair(&input.cast.members, sides[line as usize - 1], body - 1);
            }
        } else {
            saw_lines(findings, input, sides, edges);
        }
        findings.stages.parse += start.elapsed();
        recorder.restart(Stage::Sample);
        Ok(counts[0] > 0)
    }

    /// Pass 4: draws the edges inside something into an image, and counts them.
    fn identify_edges(&self, recorder: &mut Recorder, input: &CastInput, lines: u32, queries: &Queries) {
        let (Some(named), Some(depth_stencil)) = (self.named.layer(0), self.depth_stencil.view()) else {
            return;
        };
        let pipeline = &self.pipelines.identify_edge;
        self.for_each_batch(recorder, input, lines, true, |recorder, index, batch| {
            let group = group(recorder, pipeline, &[(0, input.frame), (1, &self.uniforms[index])], &[]);
            let load = if index == 0 { LoadOp::Clear(Color::TRANSPARENT) } else { LoadOp::Load };
            let kept = DepthStencil::kept(depth_stencil);
            let mut pass = begin(recorder, &[(named, load)], kept, queries.set(1 + index));
            pass.begin_occlusion_query((1 + index) as u32);
            self.draw_edges(&mut pass, (pipeline, &group), 0..batch.len() as u32);
            pass.end_occlusion_query();
        });
    }

    /// Counts pixels with a negative count, in the first query.
    fn find_negative(&self, recorder: &mut Recorder, queries: &Queries) {
        let Some(depth_stencil) = self.depth_stencil.view() else { return };
        let mut pass = begin(recorder, &[], DepthStencil::kept(depth_stencil), queries.set(0));
        pass.set_pipeline(&self.pipelines.negative);
        pass.set_stencil_reference(ZERO_COUNT);
        pass.begin_occlusion_query(0);
        pass.draw(0..3, 0..1);
        pass.end_occlusion_query();
    }

    /// Passes 5 to 7 of algorithm 4: every body is counted alone, and writes its number where edges are
    /// inside it.
    fn identify_bodies(&self, recorder: &mut Recorder, input: &CastInput) {
        let (Some(named), Some(depth_stencil)) = (self.named.layer(1), self.depth_stencil.view()) else {
            return;
        };
        let alone = Alone::new(
            recorder,
            input,
            &self.pipelines.count_beside,
            &self.pipelines.identify_body,
            &self.pipelines.restore_beside,
        );
        let colors = [(named, LoadOp::Clear(Color::TRANSPARENT))];
        let anew = DepthStencil::With(depth_stencil, LoadOp::Load, LoadOp::Clear(ZERO_COUNT));
        let mut pass = begin(recorder, &colors, anew, None);
        set_surfaces(&mut pass, input);
        pass.set_stencil_reference(ZERO_COUNT);
        for member in input.cast.members.iter().filter(|member| member.active) {
            alone.draw(&mut pass, member, None);
        }
    }

    /// Algorithm 5: no image is read. Bodies with edges inside something, and bodies with something inside,
    /// by the number of pixels drawn of each.
    fn by_queries(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
        lines: u32,
    ) -> Result<bool, GpuError> {
        let Some(depth_stencil) = self.depth_stencil.view() else { return Ok(false) };
        let members = &input.cast.members;

        // Pass 4: the edges of every body, and before them the query for negative counts.
        let mut asked: Vec<(usize, EdgesOf)> = Vec::new();
        for (batch, lines) in self.batches(lines).enumerate() {
            for (body, range) in casting.ranges().iter().enumerate().filter(|(k, _)| members[*k].active) {
                let common = range.start.max(lines.start)..range.end.min(lines.end);
                if !common.is_empty() {
                    let lines = common.start - lines.start..common.end - lines.start;
                    asked.push((asked.len() + 1, EdgesOf { body, batch, lines }));
                }
            }
        }
        let asked_for = queries(recorder, asked.len() + 1)?;
        self.find_negative(recorder, &asked_for);
        let pipeline = &self.pipelines.query_edge;
        self.for_each_batch(recorder, input, lines, true, |recorder, index, _| {
            let group = group(recorder, pipeline, &[(0, input.frame), (1, &self.uniforms[index])], &[]);
            let first = asked.partition_point(|(_, edges)| edges.batch < index);
            let end = asked.partition_point(|(_, edges)| edges.batch <= index);
            ask(&asked_for, &asked[first..end], |set, asked| {
                let mut pass = begin(recorder, &[], DepthStencil::kept(depth_stencil), set);
                for (query, edges) in asked {
                    pass.begin_occlusion_query((query % QUERIES_PER_SET) as u32);
                    self.draw_edges(&mut pass, (pipeline, &group), edges.lines.clone());
                    pass.end_occlusion_query();
                }
            });
        });
        let mut counts = Vec::new();
        if input.options.early_answer {
            recorder.stage(Stage::Pack)?;
            counts = read(&asked_for, asked.len() + 1, recorder, casting)?;
            recorder.stage(Stage::Sample)?;
        }
        let interferes = !input.options.early_answer || counts[1..].iter().any(|&count| count > 0);
        if interferes {
            // Passes 5 to 7: every body alone.
            let active = members.iter().filter(|member| member.active).enumerate();
            let bodies: Vec<(usize, &Member)> = active.collect();
            let around = queries(recorder, bodies.len())?;
            let alone = Alone::new(
                recorder,
                input,
                &self.pipelines.count,
                &self.pipelines.query_body,
                &self.pipelines.restore,
            );
            ask(&around, &bodies, |set, asked| {
                let first = asked[0].0 == 0;
                let stencil = if first { LoadOp::Clear(ZERO_COUNT) } else { LoadOp::Load };
                let depth_stencil = DepthStencil::With(depth_stencil, LoadOp::Load, stencil);
                let mut pass = begin(recorder, &[], depth_stencil, set);
                set_surfaces(&mut pass, input);
                pass.set_stencil_reference(ZERO_COUNT);
                for (query, member) in asked {
                    alone.draw(&mut pass, member, Some((query % QUERIES_PER_SET) as u32));
                }
            });
            recorder.stage(Stage::Pack)?;
            if counts.is_empty() {
                counts = read(&asked_for, asked.len() + 1, recorder, casting)?;
            }
            let inside = read(&around, bodies.len(), recorder, casting)?;
            recorder.stage(Stage::Sample)?;
            for (_, (_, member)) in inside.iter().zip(&bodies).filter(|(count, _)| **count > 0) {
                casting.findings.saw_body(member.id);
            }
        }
        for (_, (_, edges)) in counts[1..].iter().zip(&asked).filter(|(count, _)| **count > 0) {
            casting.findings.saw_body(members[edges.body].id);
        }
        Ok(counts[0] > 0)
    }
}

/// The edges of one body in one batch.
struct EdgesOf {
    body: usize,
    batch: usize,
    lines: Range<u32>,
}

/// Reports edges inside something, by their numbers from 1; 0 for none.
fn saw_lines(findings: &mut Findings, input: &CastInput, sides: &[u32], lines: impl Iterator<Item = u32>) {
    let mut last = 0;
    for line in lines.filter(|&line| line != 0) {
        // Neighbouring pixels mostly show the same edge.
        if line != last {
            findings.saw_edge(&input.cast.members, sides[line as usize - 1]);
        }
        last = line;
    }
}

/// Counts one body, names it where edges are inside it, and restores the stencil.
struct Alone<'a> {
    count: [(&'a RenderPipeline, wgpu::BindGroup); 2],
    name: (&'a RenderPipeline, wgpu::BindGroup),
    /// Where an open or inverted body leaves negative counts: alone it may, though the sum of all does not.
    restore: (&'a RenderPipeline, wgpu::BindGroup),
}

impl<'a> Alone<'a> {
    fn new(
        recorder: &Recorder,
        input: &CastInput,
        count: &'a Pair,
        name: &'a RenderPipeline,
        restore: &'a RenderPipeline,
    ) -> Self {
        let bound =
            |pipeline: &'a RenderPipeline| (pipeline, group(recorder, pipeline, &[(0, input.frame)], &[]));
        Self { count: count.each_ref().map(bound), name: bound(name), restore: bound(restore) }
    }

    /// One body; named under a query, if there is one.
    fn draw(&self, pass: &mut wgpu::RenderPass, member: &Member, query: Option<u32>) {
        let range = 3 * member.first_triangle..3 * (member.first_triangle + member.triangles);
        let draw = |pass: &mut wgpu::RenderPass, (pipeline, group): &(&RenderPipeline, wgpu::BindGroup)| {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw_indexed(range.clone(), 0, 0..1);
        };
        draw(pass, &self.count[usize::from(member.mirrored)]);
        if let Some(query) = query {
            pass.begin_occlusion_query(query);
        }
        draw(pass, &self.name);
        if query.is_some() {
            pass.end_occlusion_query();
        }
        draw(pass, &self.restore);
    }
}

//! One frame by each method, once bodies are taken in.

use super::{GpuCollider, GpuTriangle};
use crate::a_buffer::{ABuffer, Given as Kept};
use crate::conservative::{self, Conservative};
use crate::cullide::Eye;
use crate::depth_slices::Pen;
use crate::error::GpuError;
use crate::layout::Details;
use crate::ray_cast::{Given, RayCast};
use crate::recorder::StageTimes;
use crate::stages::Seen;
use impinge::stages::a_buffer::fragments::MOST_TRIANGLES;
use impinge::stages::a_buffer::{Part, Piece};
use impinge::stages::depth_peel::pack::PackedTriangle;
use impinge::stages::depth_peel::peel::Rule;
use impinge::stages::depth_peel::sweep::Tested;
use impinge::stages::depth_peel::tested;
use impinge::stages::gather::{Member, owner, totals};
use impinge::stages::grid::Elsewhere;
use impinge::stages::interference::Cast;
use impinge::stages::{External, Look};
use impinge::{Element, Query, Scene};

impl GpuCollider {
    /// Every body, by what hides what.
    pub(super) fn cull(&mut self, scene: &Scene) -> Result<(), GpuError> {
        let held = self.attached.iter().find_map(|(id, _)| scene.body(*id));
        if let Some(body) = held {
            return Err(GpuError::NotInScene { body: body.name().to_owned() });
        }
        self.culler.start();
        self.take_in(scene)?;
        let most = self.options.cullide.pixels();
        let mut eye = Eye::new(&mut self.cullide, &mut self.recorder, &self.bodies, &mut self.stages, most)?;
        if !self.culler.cull(scene, &self.options, &mut eye, &mut self.report)? {
            return Err(GpuError::TooMany);
        }
        let bytes_read_back = eye.cullide.bytes_read_back;
        self.report.adapter = Some(self.context.adapter.clone());
        if let Some(culled) = &mut self.report.culled {
            culled.stages.bytes_read_back = bytes_read_back;
        }
        Ok(())
    }

    /// Every pair of triangles, with a grid.
    pub(super) fn sift(&mut self, scene: &Scene) -> Result<(), GpuError> {
        self.sifter.start();
        let external = self.take_in(scene)?;
        let nears = self.bodies.nears();
        let plan =
            self.sifter.begin(scene, &external, &nears, &mut self.report).ok_or(GpuError::BeyondFloats)?;
        self.report.adapter = Some(self.context.adapter.clone());
        let context = self.context.clone();
        let stages_of = self.conservative.get_or_insert_with(|| Box::new(Conservative::new(&context)));
        self.found.clear();
        stages_of.follow(&self.recorder, scene, &plan.members, external.len())?;
        for run in &plan.runs {
            let given = conservative::Given {
                scene,
                bodies: &self.bodies,
                members: &plan.members,
                external: external.len(),
                run,
                options: self.options.conservative,
            };
            let stages = stages_of.sift(&mut self.recorder, &given, &mut self.found)?;
            self.report.sifted.get_or_insert_default().add(&stages);
        }
        self.fetch_found(scene, &plan.members, external.len())?;
        let triangles = &self.triangles;
        let elsewhere = |element: Element| {
            let at = triangles.binary_search_by_key(&element, |triangle| triangle.element).ok()?;
            let GpuTriangle { corners, vertices, .. } = triangles[at];
            Some(Elsewhere { corners, vertices })
        };
        self.sifter.finish(scene, &plan.members, &self.found, &elsewhere, &self.options, &mut self.report);
        // Whether anything is inside a body that lives on the GPU was not looked for.
        self.report.complete &= external.is_empty() || !self.options.containment;
        Ok(())
    }

    /// Triangles of attached bodies among the pairs found.
    fn fetch_found(&mut self, scene: &Scene, members: &[Member], external: usize) -> Result<(), GpuError> {
        let Some(first) = members[members.len() - external..].first().map(|member| member.first_triangle)
        else {
            return Ok(());
        };
        let named = self.found.iter().flat_map(|pair| [pair.a, pair.b]);
        let mut theirs: Vec<u32> = named.filter(|triangle| *triangle >= first).collect();
        theirs.sort_unstable();
        theirs.dedup();
        if theirs.is_empty() {
            return Ok(());
        }
        self.bodies.number(&self.context, members);
        let details = self.stages.details_of(&mut self.recorder, &self.bodies, first, &theirs)?;
        let came_back = theirs.iter().zip(&details).filter_map(|(t, d)| came_back(scene, members, *t, d));
        self.triangles.extend(came_back);
        self.triangles.sort_unstable_by_key(|triangle| triangle.element);
        let sifted = self.report.sifted.get_or_insert_default();
        sifted.bytes_read_back += theirs.len() * size_of::<Details>();
        Ok(())
    }

    /// Every pair of bodies, with cells.
    pub(super) fn slice(&mut self, scene: &Scene, external: &[External]) -> Result<(), GpuError> {
        let pairs = self.slicer.begin(scene, external, &self.options, &mut self.report);
        self.report.adapter = Some(self.context.adapter.clone());
        let mut pen = Pen::new(&mut self.depth_slices, &mut self.recorder, &self.bodies, &self.members);
        for pair in pairs {
            self.slicer.pair(scene, pair, &self.options, &mut pen, &mut self.report)?;
        }
        let bytes_read_back = pen.slices.bytes_read_back;
        self.slicer.finish(scene, &self.options, &mut self.report);
        if let Some(sliced) = &mut self.report.sliced {
            sliced.stages.bytes_read_back = bytes_read_back;
        }
        Ok(())
    }

    /// Every view, with rays cast at edges.
    pub(super) fn cast(&mut self, scene: &Scene, external: &[External]) -> Result<(), GpuError> {
        let options = self.options.ray_cast;
        let looks =
            self.caster.begin(scene, external, &options, &mut self.report).ok_or(GpuError::TooMany)?;
        self.report.adapter = Some(self.context.adapter.clone());
        let context = self.context.clone();
        let ray_cast = self.ray_cast.get_or_insert_with(|| Box::new(RayCast::new(&context)));
        let one = self.options.query == Query::Any;
        for look in &looks {
            for cast in Cast::all(scene, look, &options) {
                if one && self.caster.findings().any() {
                    break;
                }
                let placed = (&cast.members[..], &look.ranges[..]);
                self.bodies.place(&self.context, scene, placed, &look.view);
                let recorder = &mut self.recorder;
                let (frame, vertices) =
                    self.stages.show(recorder, &self.bodies, &cast.members, &look.view)?;
                let given = Given {
                    bodies: &self.bodies,
                    frame,
                    vertices,
                    view: &look.view,
                    cast: &cast,
                    options: &options,
                    one,
                };
                ray_cast.cast(recorder, &given, &mut self.caster)?;
                self.last_cast = Some((look.view, look.ranges.clone(), cast, options));
            }
        }
        let times = match self.context.has_timestamps().then_some(self.recorder.measured) {
            Some(told) if !self.wait_for_stages => {
                let rest = self.recorder.waited.total().saturating_sub(told.project + told.sample);
                StageTimes { pack: rest, ..told }
            }
            _ => self.recorder.waited,
        };
        let stages = &mut self.caster.findings().stages;
        (stages.prepare, stages.render, stages.read) = (times.project, times.sample, times.pack);
        self.caster.finish(scene, &self.options, &mut self.report);
        Ok(())
    }

    pub(super) fn look(
        &mut self,
        scene: &Scene,
        Look { view, members, ranges, .. }: &Look,
        external: usize,
    ) -> Result<(), GpuError> {
        let options = self.options.peel;
        let pixels = self.bodies.place(&self.context, scene, (members, ranges), view);
        let seen = self.stages.look(&mut self.recorder, &self.bodies, members, external, view, &options)?;
        self.tell_times();
        let stages = self.report.image.get_or_insert_default();
        stages.saw(&Rule::new(&options, view, seen.deepest), seen.deepest, seen.rays as usize);
        stages.bytes_read_back += seen.bytes_read_back as usize;
        let tested = self.tested(scene, members, &seen);
        self.flow.test(view, &tested, pixels, self.options.threads, &mut self.report);
        Ok(())
    }

    /// The time of every stage so far, into the report.
    fn tell_times(&mut self) {
        // What the CPU waited tells the stages apart only if it waited for each.
        let waited = match self.gpu_times() {
            Some(measured) if !self.wait_for_stages => {
                let told = measured.project + measured.sample + measured.merge + measured.separate;
                StageTimes { pack: self.recorder.waited.total().saturating_sub(told), ..measured }
            }
            _ => self.recorder.waited,
        };
        let stages = self.report.image.get_or_insert_default();
        (stages.project, stages.sample, stages.merge) = (waited.project, waited.sample, waited.merge);
        (stages.separate, stages.pack) = (waited.separate, waited.pack);
    }

    /// One view with everything that rays meet.
    pub(super) fn keep(&mut self, scene: &Scene, look: &Look, external: usize) -> Result<(), GpuError> {
        let (view, members) = (&look.view, &look.members[..]);
        let options = self.options.a_buffer;
        let [_, triangles] = totals(members);
        if triangles >= MOST_TRIANGLES {
            return Err(GpuError::TooMany);
        }
        let context = self.context.clone();
        let a_buffer = self.a_buffer.get_or_insert_with(|| Box::new(ABuffer::new(&context)));
        let near = options.near(view);
        let parts = Part::of_all(scene, look, near);
        self.bodies.place(&context, scene, (members, &look.ranges), view);
        let (_, screen) = self.stages.show(&mut self.recorder, &self.bodies, members, view)?;
        let (bodies, parts, keeping) = (&self.bodies, &parts[..], options.keeping);
        let given = Kept { bodies, screen, view, parts, triangles, near, keeping };
        let mut kept = a_buffer.look(&mut self.recorder, &given)?;

        let first_external =
            members[members.len() - external..].first().map_or(u32::MAX, |member| member.first_triangle);
        let theirs = kept.pairs.iter().flatten().copied().filter(|triangle| *triangle >= first_external);
        let mut theirs: Vec<u32> = theirs.collect();
        theirs.sort_unstable();
        theirs.dedup();
        let mut pieces: Vec<Option<Piece>> = Vec::new();
        if !theirs.is_empty() {
            let details =
                self.stages.details_of(&mut self.recorder, &self.bodies, first_external, &theirs)?;
            kept.bytes_read_back += (theirs.len() * size_of::<Details>()) as u64;
            for (triangle, details) in theirs.iter().zip(&details) {
                let came_back = came_back(scene, members, *triangle, details);
                self.triangles.extend(came_back);
                pieces.push(came_back.map(|GpuTriangle { element, corners, vertices, .. }| Piece {
                    element,
                    corners,
                    vertices,
                }));
            }
        }
        self.tell_times();
        let stages = self.report.image.get_or_insert_default();
        stages.deepest = stages.deepest.max(kept.deepest);
        stages.layers = stages.deepest;
        stages.fragments += kept.fragments as usize;
        stages.rays += kept.rays as usize;
        stages.bytes_read_back += kept.bytes_read_back as usize;
        let piece = |triangle: u32| match theirs.binary_search(&triangle) {
            Ok(at) => pieces[at],
            Err(_) => Piece::of(scene, members, triangle),
        };
        self.flow.test_pairs(&kept.pairs, &piece, self.options.threads, &mut self.report);
        Ok(())
    }

    /// What the exact test asks about the packed triangles; keeps those of attached bodies for the caller.
    fn tested(&mut self, scene: &Scene, members: &[Member], seen: &Seen) -> Vec<Tested> {
        let ours = seen.packed.len() - seen.details.len();
        self.packed.clear();
        self.packed.extend(
            seen.packed.iter().map(|p| PackedTriangle { triangle: p.triangle, rectangle: p.rectangle }),
        );
        let mut list = Vec::with_capacity(seen.packed.len());
        list.extend(self.packed[..ours].iter().filter_map(|packed| tested(scene, members, packed)));
        for (packed, details) in self.packed[ours..].iter().zip(&seen.details) {
            let Some(triangle) = came_back(scene, members, packed.triangle, details) else { continue };
            self.triangles.push(triangle);
            let GpuTriangle { element, corners, vertices, .. } = triangle;
            let self_collision = scene.body(element.body).is_some_and(impinge::Body::self_collision);
            list.push(Tested { element, rectangle: packed.rectangle, corners, vertices, self_collision });
        }
        list
    }
}

/// A triangle of a body that lives on the GPU, by its number among all.
fn came_back(scene: &Scene, members: &[Member], triangle: u32, details: &Details) -> Option<GpuTriangle> {
    let member = members.get(owner(members, triangle))?;
    let body = scene.body(member.id)?;
    let element = Element { body: member.id, triangle: triangle - member.first_triangle };
    let Details { corners, normal, vertices, tag } = *details;
    let corners = corners.map(|corner| body.pose().apply(corner.map(f64::from)));
    Some(GpuTriangle { element, corners, normal, vertices, tag })
}

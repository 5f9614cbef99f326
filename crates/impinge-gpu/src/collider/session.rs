//! What every question shares on the device: the bodies of a scene, uploaded or attached, and what came back of them.

use crate::bodies::{Bodies, GpuBody};
use crate::device::{Context, Recorder, StageTimes};
use crate::error::GpuError;
use crate::image::Projector;
use crate::layout::Details;
use impinge::stages::gather::{self, Member, owner};
use impinge::stages::{BodyBoxes, CandidateSink, FrameBodies, ViewPlanner};
use impinge::{BodyId, Bounds, Element, ExternalBody, Point, Scene, WorldTriangle};

/// A triangle of a body that lives on the GPU, as it came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuTriangle {
    /// The body and the triangle.
    pub element: Element,
    /// World positions of its corners: the pose applied to what the buffer holds.
    pub corners: [Point; 3],
    /// Of length 1, in body coordinates; zero for a triangle without area.
    pub normal: [f32; 3],
    /// Its vertices.
    pub vertices: [u32; 3],
    /// What the caller's buffer of tags says; 0 without one.
    pub tag: u32,
}

impl GpuTriangle {
    /// As the exact test takes it.
    pub(crate) fn in_world(&self) -> WorldTriangle {
        WorldTriangle { element: self.element, vertices: self.vertices, corners: self.corners }
    }
}

/// The device's side of a collider, between its calls.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) context: Context,
    pub(crate) wait_for_stages: bool,
    pub(crate) attached: Vec<(BodyId, GpuBody)>,
    pub(crate) bodies: Bodies,
    pub(crate) projector: Projector,
    pub(crate) recorder: Recorder,
    pub(crate) planner: ViewPlanner,
    boxes: BodyBoxes,
    /// Triangles of attached bodies that came back.
    pub(crate) triangles: Vec<GpuTriangle>,
    /// The bodies of the last call, as the stages number them.
    pub(crate) members: Vec<Member>,
}

impl Session {
    /// For a context that has been tried out.
    pub(crate) fn new(context: Context, recorder: Recorder) -> Self {
        let (bodies, projector) = (Bodies::new(&context), Projector::new(&context));
        Self {
            context,
            wait_for_stages: false,
            attached: Vec::new(),
            bodies,
            projector,
            recorder,
            planner: ViewPlanner::default(),
            boxes: BodyBoxes::default(),
            triangles: Vec::new(),
            members: Vec::new(),
        }
    }

    /// After an error: what was uploaded or drawn may not have arrived, and what was made may not be there.
    pub(crate) fn forget(&mut self) {
        self.triangles.clear();
        self.bodies.forget();
        self.projector.forget();
    }

    /// The first attached body that is in the scene.
    pub(crate) fn first_attached<'a>(&self, scene: &'a Scene) -> Option<&'a impinge::Body> {
        self.attached.iter().find_map(|(id, _)| scene.body(*id))
    }

    /// Starts a call: uploads what changed, and takes in the bodies that live on the GPU.
    pub(crate) fn upload_bodies(&mut self, scene: &Scene) -> Result<Vec<ExternalBody>, GpuError> {
        self.triangles.clear();
        self.recorder.fence = self.wait_for_stages;
        self.recorder.begin();
        let attached: Vec<(BodyId, GpuBody)> =
            self.attached.iter().filter(|(id, _)| scene.body(*id).is_some()).cloned().collect();
        let mut external: Vec<ExternalBody> = attached
            .iter()
            .map(|(id, body)| ExternalBody {
                id: *id,
                vertices: body.vertices as usize,
                triangles: body.triangle_count as usize,
                bounds: Bounds::EMPTY,
                local: Bounds::EMPTY,
                closed: body.closed,
            })
            .collect();
        let members = gather::members(scene, &external).ok_or(GpuError::TooMany)?;
        let boxes = self.bodies.update(&mut self.recorder, scene, &members, &attached)?;
        for (external, (local, bounds)) in external.iter_mut().zip(boxes) {
            (external.local, external.bounds) = (local, bounds);
        }
        self.members = members;
        Ok(external)
    }

    /// The same, as a method of contacts asks for it.
    pub(crate) fn follow(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), GpuError> {
        bodies.external = self.upload_bodies(scene)?;
        self.boxes.update(scene, &bodies.external, &mut bodies.boxes);
        Ok(())
    }

    /// Reads triangles of attached bodies back, the last `external` of the members, by their numbers among all; sorted numbers.
    /// Returns how many bytes that took.
    pub(crate) fn fetch(
        &mut self,
        scene: &Scene,
        members: &[Member],
        external: usize,
        named: impl Iterator<Item = u32>,
    ) -> Result<usize, GpuError> {
        let Some(first) = members[members.len() - external..].first().map(|member| member.first_triangle)
        else {
            return Ok(0);
        };
        let mut theirs: Vec<u32> = named.filter(|triangle| *triangle >= first).collect();
        theirs.sort_unstable();
        theirs.dedup();
        if theirs.is_empty() {
            return Ok(0);
        }
        self.bodies.number(&self.context, members);
        let details = self.bodies.details_of(&mut self.recorder, first, &theirs)?;
        let came_back = theirs.iter().zip(&details).filter_map(|(t, d)| came_back(scene, members, *t, d));
        self.triangles.extend(came_back);
        self.sort_triangles();
        Ok(theirs.len() * size_of::<Details>())
    }

    /// After triangles were added: each once, in order.
    pub(crate) fn sort_triangles(&mut self) {
        self.triangles.sort_unstable_by_key(|triangle| triangle.element);
        self.triangles.dedup_by_key(|triangle| triangle.element);
    }

    /// Gives what came back to the sink, for the shapes of its contacts.
    pub(crate) fn hand_over(&self, sink: &mut CandidateSink) {
        sink.external.extend(self.triangles.iter().map(GpuTriangle::in_world));
    }

    /// A triangle by its number among all, from the scene or from what came back.
    pub(crate) fn triangle(&self, scene: &Scene, members: &[Member], number: u32) -> Option<WorldTriangle> {
        let element = gather::element(members, number)?;
        match self.came_back(element) {
            Some(triangle) => Some(triangle.in_world()),
            None if self.attached.iter().any(|(id, _)| *id == element.body) => None,
            None => WorldTriangle::of(scene, element),
        }
    }

    /// A triangle of an attached body, if it came back; after they were sorted.
    pub(crate) fn came_back(&self, element: Element) -> Option<&GpuTriangle> {
        let at = self.triangles.binary_search_by_key(&element, |triangle| triangle.element);
        at.ok().map(|at| &self.triangles[at])
    }

    /// The time of every stage of the call so far. Without a clock of the GPU's own, and where the CPU waits for every stage, that
    /// by the wall; else the rest of what the CPU waited counts as reading back.
    pub(crate) fn times(&self) -> StageTimes {
        let measured = self.context.has_timestamps().then_some(self.recorder.measured);
        match measured {
            Some(measured) if !self.wait_for_stages => {
                let told = measured.project + measured.sample + measured.merge + measured.separate;
                StageTimes { pack: self.recorder.waited.total().saturating_sub(told), ..measured }
            }
            _ => self.recorder.waited,
        }
    }
}

/// A triangle of a body that lives on the GPU, by its number among all.
pub(crate) fn came_back(
    scene: &Scene,
    members: &[Member],
    triangle: u32,
    details: &Details,
) -> Option<GpuTriangle> {
    let member = members.get(owner(members, triangle))?;
    let body = scene.body(member.id)?;
    let element = Element { body: member.id, triangle: triangle - member.first_triangle };
    let Details { corners, normal, vertices, tag } = *details;
    let corners = corners.map(|corner| body.pose().apply(corner.map(f64::from)));
    Some(GpuTriangle { element, corners, normal, vertices, tag })
}

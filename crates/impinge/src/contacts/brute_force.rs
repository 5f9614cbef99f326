//! Every triangle against every other: slow, and obviously complete. The oracle of every other culler.

use super::culler::{Completeness, Culler};
use super::sink::CandidateSink;
use crate::broad_phase::{Frame, FrameBodies};
use crate::exact::WorldTriangle;
use crate::scene::{Bounds, Scene};
use std::convert::Infallible;

/// Asks no boxes, and keeps nothing.
pub(crate) struct BruteForce;

impl Culler for BruteForce {
    type Error = Infallible;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), Infallible> {
        // The broad phase leaves out none of these.
        bodies.boxes.clear();
        bodies.boxes.resize(scene.slots(), Bounds::EMPTY);
        for (id, _) in scene.bodies() {
            bodies.boxes[id.index()] = Bounds::EVERYTHING;
        }
        Ok(())
    }

    fn candidates(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut CandidateSink,
    ) -> Result<Completeness, Infallible> {
        for (index, pair) in (0..).zip(frame.pairs) {
            let (Some((id_a, a)), Some((id_b, b))) =
                (frame.scene.at(pair.a as usize), frame.scene.at(pair.b as usize))
            else {
                continue;
            };
            let [rows, columns] = [a, b].map(|body| body.mesh().triangles().len());
            sink.run(rows, rows * columns, |row, sink| {
                let p = WorldTriangle::of_body(id_a, a, row as u32);
                let first = if pair.a == pair.b { row + 1 } else { 0 };
                for column in first..columns {
                    sink.candidates += 1;
                    sink.doubtful(index, &p, &WorldTriangle::of_body(id_b, b, column as u32));
                }
            });
        }
        Ok(Completeness::Complete)
    }
}

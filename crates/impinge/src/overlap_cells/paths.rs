//! When two bodies meet on their ways (3.3).

use super::answer::{Answer, Crossing, Paths};
use super::options::SliceOptions;
use super::slicer::{Draw, Slicing};
use crate::scene::{BodyId, Pose, Scene};
use crate::util::clock::Clock;

/// Two paths, and how they are looked at.
#[derive(Clone, Copy)]
struct Search<'a> {
    ids: [BodyId; 2],
    steps: &'a [[Pose; 2]],
    between: bool,
    options: &'a SliceOptions,
}

impl Slicing {
    /// When two bodies meet on their way, of which `steps` has where both stand (3.3). Those of the scene do not count.
    ///
    /// All steps are drawn without clearing anything between them: where the paths share no cell, they never cross. Else halves
    /// of the path are drawn, until the first step is found at which they meet. With `between`, everything that triangles pass
    /// through on straight lines from step to step is drawn too.
    pub fn paths<D: Draw>(
        &mut self,
        scene: &Scene,
        ids: [BodyId; 2],
        steps: &[[Pose; 2]],
        between: bool,
        options: &SliceOptions,
        drawing: &mut D,
    ) -> Result<Paths, D::Error> {
        let mut paths = Paths::default();
        paths.stages.cells = options.cells(0);
        if !steps.is_empty() {
            let search = Search { ids, steps, between, options };
            paths.crossing = self.search(scene, &search, [0, steps.len() - 1], drawing, &mut paths)?;
        }
        Ok(paths)
    }

    /// The first time that two bodies meet in a part of their paths.
    fn search<D: Draw>(
        &mut self,
        scene: &Scene,
        search: &Search,
        [first, last]: [usize; 2],
        drawing: &mut D,
        paths: &mut Paths,
    ) -> Result<Crossing, D::Error> {
        let Search { ids, steps, between, options } = *search;
        if first == last {
            let (pair, _) = self.ask(scene, ids, steps[first], options, true, drawing, &mut paths.stages)?;
            paths.certain &= pair.certain;
            let meet = pair.answer != Answer::No;
            return Ok(if meet {
                Crossing::At { step: first, answer: pair.answer }
            } else {
                Crossing::Never
            });
        }
        let poses = [0, 1].map(|k: usize| steps[first..=last].iter().map(|step| step[k]).collect());
        // Whatever is drawn, only a no counts.
        let whether = SliceOptions { most_points: 0, ..*options };
        let task = self.task(scene, ids, poses, &whether, between);
        let mut clock = Clock::start();
        let crossed = if self.are_apart(&task, options.boxes) {
            false
        } else {
            let found = self.look(scene, &task, &whether, drawing)?;
            paths.stages.drawn += 1;
            paths.stages.renderings += found.renderings as usize;
            paths.certain &= found.certain;
            found.answer != Answer::No
        };
        clock.lap(&mut paths.stages.draw);
        if !crossed {
            return Ok(Crossing::Never);
        }
        let middle = usize::midpoint(first, last);
        if last - first == 1 {
            let mut meeting = self.search(scene, search, [first, first], drawing, paths)?;
            if meeting == Crossing::Never {
                meeting = self.search(scene, search, [last, last], drawing, paths)?;
            }
            let unknown = if between { Crossing::Between { step: first } } else { Crossing::Never };
            return Ok(if meeting == Crossing::Never { unknown } else { meeting });
        }
        let early = self.search(scene, search, [first, middle], drawing, paths)?;
        let late = if between { middle } else { middle + 1 };
        if early == Crossing::Never {
            self.search(scene, search, [late, last], drawing, paths)
        } else {
            Ok(early)
        }
    }
}

//! The times of stages.

use std::time::{Duration, Instant};

/// Reads the time once at every border between stages.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    last: Instant,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        let now = Instant::now();
        Self { start: now, last: now }
    }

    /// Adds the time since the last lap to a stage.
    pub(crate) fn lap(&mut self, stage: &mut Duration) {
        let now = Instant::now();
        *stage += now - self.last;
        self.last = now;
    }

    /// Adds the time since the last lap to a stage, but for the last part of it, which the next lap has.
    pub(crate) fn lap_without(&mut self, stage: &mut Duration, part: Duration) {
        let now = Instant::now();
        let before = (now - self.last).saturating_sub(part);
        *stage += before;
        self.last += before;
    }

    /// From the start to the last lap.
    pub(crate) fn total(&self) -> Duration {
        self.last - self.start
    }
}

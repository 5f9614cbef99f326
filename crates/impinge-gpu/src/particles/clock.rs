//! Times as integer ticks: exact where floats would lose precision an hour after the beginning.

/// log2 of the ticks of the first step: the resolution of a float over a path that is a millionth as long.
const TICKS_OF_FIRST: i32 = 44;

/// Bound of the absolute time: sums of two fit in 64 bits.
const MAX_TICKS: f64 = (1u64 << 62) as f64;

/// How long a tick is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// A power of two.
    tick: f64,
}

impl Clock {
    /// For a simulation whose first step is about `scale` long; a hundred thousand times as long can be
    /// represented.
    pub(super) fn new(scale: f64) -> Self {
        let exponent = (scale.log2().ceil() as i32 - TICKS_OF_FIRST).clamp(-120, 100);
        Self { tick: 2.0f64.powi(exponent) }
    }

    /// As words, low first. Times out of range are clamped.
    pub(super) fn ticks(self, time: f64) -> [u32; 2] {
        let ticks = (time / self.tick).round().clamp(-MAX_TICKS, MAX_TICKS) as i64 as u64;
        [ticks as u32, (ticks >> 32) as u32]
    }

    /// The inverse.
    pub(super) fn time(self, [low, high]: [u32; 2]) -> f64 {
        (u64::from(high) << 32 | u64::from(low)) as i64 as f64 * self.tick
    }

    pub(super) fn holds(self, time: f64) -> bool {
        (time / self.tick).abs() < MAX_TICKS / 2.0
    }

    pub(super) fn units_per_tick(self) -> f64 {
        self.tick
    }
}

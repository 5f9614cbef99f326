//! Times as whole ticks: exact where floats would forget what happened an hour after the beginning.

/// Ticks of the first step, as a power of two: what a float can tell apart since the start of a path that is a millionth as long.
const TICKS_OF_FIRST: i32 = 44;

/// Latest time, and earliest with a minus: sums of two stay within 64 bits.
const LATEST: f64 = (1u64 << 62) as f64;

/// How long a tick is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// A power of two.
    tick: f64,
}

impl Clock {
    /// For a simulation whose first step is about so long; a hundred thousand times as long can be told.
    pub(super) fn new(scale: f64) -> Self {
        let exponent = (scale.log2().ceil() as i32 - TICKS_OF_FIRST).clamp(-120, 100);
        Self { tick: 2.0f64.powi(exponent) }
    }

    /// In words, low first. A time that is too far away counts as the last there is.
    pub(super) fn ticks(self, time: f64) -> [u32; 2] {
        let ticks = (time / self.tick).round().clamp(-LATEST, LATEST) as i64 as u64;
        [ticks as u32, (ticks >> 32) as u32]
    }

    /// Back again.
    pub(super) fn time(self, [low, high]: [u32; 2]) -> f64 {
        (u64::from(high) << 32 | u64::from(low)) as i64 as f64 * self.tick
    }

    pub(super) fn holds(self, time: f64) -> bool {
        (time / self.tick).abs() < LATEST / 2.0
    }

    pub(super) fn units_per_tick(self) -> f64 {
        self.tick
    }
}

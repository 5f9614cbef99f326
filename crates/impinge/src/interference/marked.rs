//! The pixels whose edge may be inside something: those with a count that is not zero.

use super::count::{Counts, Targets};

/// A pixel whose edge may be inside something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marked {
    /// Row times width, plus column.
    pub pixel: u32,
    /// Number of the edge's line, from 0.
    pub line: u32,
    /// Depth of the edge.
    pub depth: f32,
    /// Front faces minus back faces before it; zero only where open bodies may cancel others.
    pub count: i32,
}

/// All marked pixels, in order.
pub fn marked(targets: &Targets, counts: &Counts) -> Vec<Marked> {
    let pixels = 0..targets.lines.len();
    let mark = |pixel: usize| {
        let count = counts.before[pixel];
        counts.is_marked(pixel).then(|| Marked {
            pixel: pixel as u32,
            line: targets.lines[pixel] - 1,
            depth: targets.depths[pixel],
            count,
        })
    };
    pixels.filter_map(mark).collect()
}

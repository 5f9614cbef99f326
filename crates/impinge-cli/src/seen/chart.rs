//! Bars with names and numbers: a picture that explains itself without the page around it.

use super::SeenImage;
use super::field::{Colour, NOTHING};
use super::glyphs;
use crate::names::count;
use crate::picture::BODIES;

const WIDTH: u32 = 512;
const ROW: u32 = 36;
/// Where bars begin: names stand before.
const LEFT: u32 = 184;
/// Room for a number behind the longest bar.
const RIGHT: u32 = 112;
const MARGIN: u32 = 12;
/// Pixels of a dot of a letter.
const SCALE: u32 = 2;
const INK: Colour = [0xdd, 0xe2, 0xea];

/// One bar for every row; lengths are logarithms, so that thousands do not hide tens.
pub(super) fn bars(rows: &[(&str, usize)]) -> SeenImage {
    let height = ROW * rows.len() as u32 + 2 * MARGIN;
    let mut image = Canvas { width: WIDTH, height, rgba: Vec::new() };
    image.rgba = [NOTHING[0], NOTHING[1], NOTHING[2], 0xff].repeat((WIDTH * height) as usize);
    let longest = rows.iter().map(|(_, n)| (*n as f64 + 1.0).log10()).fold(1.0, f64::max);
    for ((name, number), row) in rows.iter().zip(0..) {
        let top = MARGIN + row * ROW;
        let length = (*number as f64 + 1.0).log10() / longest * f64::from(WIDTH - LEFT - RIGHT);
        let length = (length.round() as u32).max(1);
        image.fill([LEFT, top + 5], [length, ROW - 10], BODIES[row as usize % BODIES.len()]);
        let text = top + (ROW - SCALE * glyphs::HEIGHT) / 2;
        image.write([MARGIN, text], name);
        image.write([LEFT + length + 8, text], &count(*number));
    }
    SeenImage {
        id: String::new(),
        title: String::new(),
        about: String::new(),
        width: WIDTH,
        height,
        rgba: image.rgba,
        corners: None,
    }
}

struct Canvas {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Canvas {
    fn fill(&mut self, [left, top]: [u32; 2], [width, height]: [u32; 2], colour: Colour) {
        for y in top..(top + height).min(self.height) {
            for x in left..(left + width).min(self.width) {
                let at = 4 * (y * self.width + x) as usize;
                self.rgba[at..at + 3].copy_from_slice(&colour);
            }
        }
    }

    fn write(&mut self, [left, top]: [u32; 2], text: &str) {
        for (letter, place) in text.chars().zip(0..) {
            let from = left + place * SCALE * (glyphs::WIDTH + 1);
            for [x, y] in glyphs::dots(letter) {
                self.fill([from + SCALE * x, top + SCALE * y], [SCALE; 2], INK);
            }
        }
    }
}

//! Bars with names and numbers: a picture that explains itself without the page around it.

use super::field::{Colour, NOTHING};
use super::{SeenImage, glyphs};
use crate::names::count;
use crate::picture::BODIES;

/// What the page's side panel has room for beside a scroll bar: there a pixel is a pixel, and letters stay sharp.
const WIDTH: u32 = 240;
/// A name, and its bar below.
const ROW: u32 = 40;
const BAR: u32 = 12;
/// Room for a number behind the longest bar: as far as 999,999,999.
const NUMBER: u32 = GAP + 11 * SCALE * (glyphs::WIDTH + 1);
const GAP: u32 = 6;
const MARGIN: u32 = 8;
/// Pixels of a dot of a letter.
const SCALE: u32 = 2;
const INK: Colour = [0xdd, 0xe2, 0xea];

/// One bar for every row; lengths are logarithms, so that thousands do not hide tens.
pub(super) fn bars(rows: &[(&str, usize)]) -> SeenImage {
    let height = ROW * rows.len() as u32 + MARGIN;
    let mut image = Canvas { width: WIDTH, height, rgba: Vec::new() };
    image.rgba = [NOTHING[0], NOTHING[1], NOTHING[2], 0xff].repeat((WIDTH * height) as usize);
    let longest = rows.iter().map(|(_, n)| (*n as f64 + 1.0).log10()).fold(1.0, f64::max);
    for ((name, number), row) in rows.iter().zip(0..) {
        let top = MARGIN + row * ROW;
        let length = (*number as f64 + 1.0).log10() / longest * f64::from(WIDTH - 2 * MARGIN - NUMBER);
        let length = (length.round() as u32).max(1);
        let below = top + SCALE * glyphs::HEIGHT;
        image.write([MARGIN, top], name);
        image.fill([MARGIN, below + 3], [length, BAR], BODIES[row as usize % BODIES.len()]);
        image.write([MARGIN + length + GAP, below + 2], &count(*number));
    }
    SeenImage { width: WIDTH, height, rgba: image.rgba, ..SeenImage::default() }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every dot of every letter is in the picture, and no other hides it.
    #[test]
    fn names_and_numbers_have_room() {
        let image = bars(&[("boxes compared", 999_999_999), ("contacts", 3)]);
        assert_eq!(image.rgba.len() as u32, 4 * image.width * image.height);
        let ink = image.rgba.chunks(4).filter(|pixel| pixel[..3] == INK).count() as u32;
        let dots = |text: &str| text.chars().map(|letter| glyphs::dots(letter).count() as u32).sum::<u32>();
        let all = ["boxes compared", "contacts", "999,999,999", "3"].map(dots).iter().sum::<u32>();
        assert_eq!(ink, all * SCALE * SCALE);
    }
}

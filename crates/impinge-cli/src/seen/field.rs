//! Something for every pixel of an image -> a picture of bounded size and of the world's proportions.

use super::{MAX_PIXELS_A_SIDE, SeenImage};

pub(super) type Colour = [u8; 3];

/// Where nothing is. Dark, so that both bright and deep colours stand out, on a light page and on a dark one.
pub(super) const NOTHING: Colour = [0x16, 0x1a, 0x22];

/// Where there is the most of what a picture shows in red.
pub(super) const BRIGHT: Colour = [0xff, 0xe9, 0xb0];

/// Where bodies are, but nothing that a picture is about.
pub(super) const BODY: Colour = [0x34, 0x3c, 0x49];

/// The most that a picture is longer than it is wide, or the reverse.
const LONGEST: f64 = 8.0;

/// One value for every cell of an image; several pixels share a cell where the image is larger than the picture.
#[derive(Debug)]
pub(super) struct Field<T> {
    /// Of the image.
    pixels: [u32; 2],
    /// Of the picture.
    shown: [u32; 2],
    cells: [u32; 2],
    values: Vec<Option<T>>,
}

/// Cells of an image and pixels of its picture, where the image shows a part of the world of some size.
fn fit(pixels: [u32; 2], size: [f64; 2]) -> ([u32; 2], [u32; 2]) {
    let ratio = size[0] / size[1];
    let ratio = if ratio.is_finite() && ratio > 0.0 { ratio.clamp(1.0 / LONGEST, LONGEST) } else { 1.0 };
    let wide = usize::from(ratio < 1.0);
    let most = pixels[wide].max(1);
    // Whole multiples, so that all pixels of a coarse image come out alike.
    let long = if most > MAX_PIXELS_A_SIDE { MAX_PIXELS_A_SIDE } else { most * (MAX_PIXELS_A_SIDE / most) };
    let short = (f64::from(long) * ratio.min(1.0 / ratio)).round().max(1.0) as u32;
    let shown = if wide == 0 { [long, short] } else { [short, long] };
    (std::array::from_fn(|k| pixels[k].clamp(1, shown[k])), shown)
}

impl<T: Copy> Field<T> {
    /// Nothing yet, for an image of so many pixels that shows a part of the world of some size.
    pub(super) fn new(pixels: [u32; 2], size: [f64; 2]) -> Self {
        let (cells, shown) = fit(pixels, size);
        Self { pixels, shown, cells, values: vec![None; cells[0] as usize * cells[1] as usize] }
    }

    /// What is known of a pixel.
    pub(super) fn at(&mut self, x: u32, y: u32) -> &mut Option<T> {
        let cell = |at: u32, k: usize| {
            let cell = u64::from(at) * u64::from(self.cells[k]) / u64::from(self.pixels[k].max(1));
            cell.min(u64::from(self.cells[k] - 1)) as usize
        };
        &mut self.values[cell(y, 1) * self.cells[0] as usize + cell(x, 0)]
    }

    /// All values that are there.
    pub(super) fn values(&self) -> impl Iterator<Item = T> {
        self.values.iter().copied().flatten()
    }

    /// The picture, without words.
    pub(super) fn paint(&self, colour: impl Fn(T) -> Colour) -> SeenImage {
        let [width, height] = self.shown;
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        let cell = |at: u32, k: usize| u64::from(at) * u64::from(self.cells[k]) / u64::from(self.shown[k]);
        for y in 0..height {
            let row = cell(y, 1) as usize * self.cells[0] as usize;
            for x in 0..width {
                let [r, g, b] = self.values[row + cell(x, 0) as usize].map_or(NOTHING, &colour);
                rgba.extend([r, g, b, 0xff]);
            }
        }
        SeenImage { width, height, rgba, ..SeenImage::default() }
    }
}

impl Field<f32> {
    /// Keeps the largest.
    pub(super) fn most(&mut self, x: u32, y: u32, value: f32) {
        let there = self.at(x, y);
        *there = Some(there.map_or(value, |other| other.max(value)));
    }

    /// The largest of all; 0 where there is none.
    pub(super) fn largest(&self) -> f32 {
        self.values().fold(0.0, f32::max)
    }
}

/// From few to many, 0 to 1: violet, red, orange, nearly white.
pub(super) fn heat(part: f32) -> Colour {
    const STOPS: [Colour; 6] = [
        [0x3b, 0x28, 0x6e],
        [0x84, 0x2b, 0x7f],
        [0xcb, 0x3f, 0x64],
        [0xf3, 0x7a, 0x3c],
        [0xfb, 0xbc, 0x3f],
        [0xfd, 0xf7, 0xc4],
    ];
    let at = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32 };
    let first = (at as usize).min(STOPS.len() - 2);
    mix(STOPS[first], STOPS[first + 1], at - first as f32)
}

/// Between two colours.
pub(super) fn mix(a: Colour, b: Colour, part: f32) -> Colour {
    std::array::from_fn(|k| (f32::from(a[k]) + (f32::from(b[k]) - f32::from(a[k])) * part).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_the_proportions_of_the_world_and_lose_no_pixel() {
        for (pixels, size, shown) in [
            ([64, 64], [1.0, 1.0], [512, 512]),
            ([1024, 1024], [2.0, 1.0], [512, 256]),
            ([1024, 1024], [1.0, 4.0], [128, 512]),
            ([100, 300], [1.0, 1.0], [500, 500]),
            ([64, 64], [1.0, 1e9], [64, 512]),
            ([1, 1], [f64::NAN, 0.0], [512, 512]),
        ] {
            for (x, y) in [(0, 0), (pixels[0] - 1, 0), (pixels[0] / 3, pixels[1] - 1)] {
                let mut field = Field::new(pixels, size);
                *field.at(x, y) = Some(());
                let image = field.paint(|()| [9; 3]);
                assert_eq!([image.width, image.height], shown, "{pixels:?} {size:?}");
                let lit: Vec<u32> =
                    (0u32..).zip(image.rgba.chunks(4)).filter(|(_, p)| p[0] == 9).map(|(k, _)| k).collect();
                assert!(!lit.is_empty());
                // What is lit is where the pixel is, up to a pixel of the picture.
                let part = |at: u32, of: u32| f64::from(at) / f64::from(of);
                let [px, py] = [part(lit[0] % shown[0], shown[0]), part(lit[0] / shown[0], shown[1])];
                let near = |p: f64, at: u32, k: usize| {
                    (p - part(at, pixels[k])).abs() <= 1.0 / f64::from(shown[k].min(pixels[k]))
                };
                assert!(near(px, x, 0) && near(py, y, 1), "{pixels:?} {size:?}: {px} {py} for {x} {y}");
            }
        }
    }

    #[test]
    fn more_is_brighter() {
        let light = |part: f32| heat(part).iter().map(|&c| u32::from(c)).sum::<u32>();
        assert!((0..20).all(|k| light(k as f32 / 20.0) < light((k + 1) as f32 / 20.0)));
        assert_eq!(heat(f32::NAN), heat(-1.0));
    }
}

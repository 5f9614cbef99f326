//! Impacts -> sound by modal synthesis (section 3.6.2, after van den Doel, Kry and Pai 2001).
//!
//! A struck body rings in its modes: damped sinusoids, one frequency, decay and gain each. Every mode is one complex
//! number that turns and shrinks from sample to sample, and is shared by all impacts on its body: the equation is linear. An
//! impact between two samples is added at the next one, turned and shrunk by the time since, so it is struck at its own time
//! and not at that of a sample.

use std::f64::consts::TAU;

/// Samples a second of a compact disc.
pub const SAMPLE_RATE: u32 = 44_100;

/// Longest sound that is made, in seconds: a WAV file counts its bytes in 32 bits, and nobody listens longer.
pub const LONGEST: f64 = 600.0;

/// The loudest sample, as a part of what 16 bits hold: one decibel below, so that no player has to clip.
pub const PEAK: f64 = 0.89;

/// One way in which a body rings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Turns a second.
    pub frequency_hz: f64,
    /// Part of the amplitude that is lost, a second.
    pub decay_per_second: f64,
    /// Amplitude for a strike of strength 1.
    pub gain: f64,
}

const fn mode(frequency_hz: f64, decay_per_second: f64, gain: f64) -> Mode {
    Mode { frequency_hz, decay_per_second, gain }
}

/// What a collider is made of, as far as it can be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Material {
    /// A sheet of steel on rafters: high, rings on.
    MetalRoof,
    /// A table of planks: low, dies at once.
    Wood,
    /// A can: few modes, clear, rings longest.
    Tin,
    /// A lawn: a thud that is hardly there.
    Lawn,
}

impl Material {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::MetalRoof, Self::Wood, Self::Tin, Self::Lawn];

    /// How it is called in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::MetalRoof => "metal roof",
            Self::Wood => "wood",
            Self::Tin => "tin",
            Self::Lawn => "lawn",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|material| material.name() == name)
    }

    /// How it rings. Frequencies are those of plates and shells in their proportions; decays are what they sound like.
    pub fn modes(self) -> &'static [Mode] {
        const METAL_ROOF: [Mode; 8] = [
            mode(412.0, 9.0, 0.50),
            mode(873.0, 12.0, 0.80),
            mode(1_347.0, 16.0, 1.00),
            mode(2_039.0, 21.0, 0.80),
            mode(2_911.0, 28.0, 0.60),
            mode(3_877.0, 37.0, 0.45),
            mode(5_213.0, 50.0, 0.30),
            mode(6_907.0, 70.0, 0.20),
        ];
        const WOOD: [Mode; 5] = [
            mode(173.0, 55.0, 1.40),
            mode(389.0, 80.0, 1.00),
            mode(647.0, 110.0, 0.70),
            mode(1_093.0, 160.0, 0.45),
            mode(1_709.0, 230.0, 0.25),
        ];
        const TIN: [Mode; 6] = [
            mode(761.0, 6.0, 0.70),
            mode(1_583.0, 8.0, 1.00),
            mode(2_477.0, 11.0, 0.80),
            mode(3_571.0, 16.0, 0.55),
            mode(5_087.0, 24.0, 0.40),
            mode(7_451.0, 38.0, 0.25),
        ];
        // The last two are blades of grass; without them a thud begins too softly to say when.
        const LAWN: [Mode; 4] = [
            mode(83.0, 120.0, 0.30),
            mode(151.0, 180.0, 0.15),
            mode(1_277.0, 420.0, 0.10),
            mode(3_319.0, 650.0, 0.08),
        ];
        match self {
            Self::MetalRoof => &METAL_ROOF,
            Self::Wood => &WOOD,
            Self::Tin => &TIN,
            Self::Lawn => &LAWN,
        }
    }
}

/// One impact, as it is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strike {
    /// When, in seconds from the beginning of the sound; need not be that of a sample.
    pub time: f64,
    /// How hard: the speed towards the surface.
    pub strength: f64,
    /// What was struck.
    pub material: Material,
}

/// What cannot be heard.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SoundError {
    /// A sound of no length, or of more than [`LONGEST`].
    #[error("a sound of {seconds} s cannot be made; between 0 and {LONGEST} s can")]
    Length {
        /// What was asked for.
        seconds: f64,
    },
    /// A strike before the beginning or after the end, or one whose strength is no number.
    #[error("strike {strike} at {time} s, of strength {strength}, is not within the sound")]
    Strike {
        /// Which one.
        strike: usize,
        /// When.
        time: f64,
        /// How hard.
        strength: f64,
    },
}

/// A sound before it becomes a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// [`SAMPLE_RATE`] of them a second, as loud as the strikes were hard.
    pub samples: Vec<f64>,
}

/// Every strike, each at its own time and strength. The order of strikes does not matter but for rounding.
pub fn synthesise(strikes: &[Strike], seconds: f64) -> Result<Sound, SoundError> {
    if !(seconds > 0.0 && seconds <= LONGEST) {
        return Err(SoundError::Length { seconds });
    }
    let rate = f64::from(SAMPLE_RATE);
    let count = (seconds * rate).ceil() as usize;
    let mut samples = vec![0.0; count];
    // The first sample that hears a strike, and how much later than the strike it is.
    let mut heard: Vec<(usize, f64, &Strike)> = Vec::with_capacity(strikes.len());
    for (index, strike) in strikes.iter().enumerate() {
        let Strike { time, strength, .. } = *strike;
        if !(time >= 0.0 && time <= seconds && strength.is_finite() && strength >= 0.0) {
            return Err(SoundError::Strike { strike: index, time, strength });
        }
        let first = (time * rate).ceil();
        heard.push((first as usize, first / rate - time, strike));
    }
    heard.sort_by_key(|&(first, ..)| first);
    for material in Material::ALL {
        let own: Vec<_> = heard.iter().filter(|(.., strike)| strike.material == material).collect();
        if own.is_empty() {
            continue;
        }
        for mode in material.modes() {
            let turn = Phasor::after(mode, 1.0 / rate);
            let mut state = Phasor::STILL;
            let mut next = own.iter().peekable();
            for (at, sample) in samples.iter_mut().enumerate() {
                state = state.times(turn).unless_silent();
                while let Some((_, late, strike)) = next.next_if(|(first, ..)| *first == at) {
                    state = state.plus(Phasor::after(mode, *late), mode.gain * strike.strength);
                }
                *sample += state.imaginary;
            }
        }
    }
    Ok(Sound { samples })
}

impl Sound {
    /// The loudest of all samples becomes [`PEAK`]: nothing clips, whatever was struck. Returns 16-bit samples, and what all
    /// were multiplied by (0 for silence).
    pub fn to_pcm(&self) -> (Vec<i16>, f64) {
        let loudest = self.samples.iter().fold(0.0, |most: f64, sample| most.max(sample.abs()));
        let scale = if loudest > 0.0 { PEAK * f64::from(i16::MAX) / loudest } else { 0.0 };
        // Within range because |sample| * scale is at most PEAK of it.
        (self.samples.iter().map(|sample| (sample * scale).round() as i16).collect(), scale)
    }
}

/// Far below a bit of any sound, far above the subnormal numbers.
const SILENT: f64 = 1e-100;

/// A mode in motion; what is heard is the imaginary part.
#[derive(Clone, Copy)]
struct Phasor {
    real: f64,
    imaginary: f64,
}

impl Phasor {
    const STILL: Self = Self { real: 0.0, imaginary: 0.0 };

    /// What becomes of 1 in so many seconds.
    fn after(mode: &Mode, seconds: f64) -> Self {
        let size = (-mode.decay_per_second * seconds).exp();
        let (sine, cosine) = (TAU * mode.frequency_hz * seconds).sin_cos();
        Self { real: size * cosine, imaginary: size * sine }
    }

    fn times(self, by: Self) -> Self {
        Self {
            real: self.real * by.real - self.imaginary * by.imaginary,
            imaginary: self.real * by.imaginary + self.imaginary * by.real,
        }
    }

    /// Arithmetic with subnormal numbers is a hundred times slower, and they are not heard.
    fn unless_silent(self) -> Self {
        if self.real.abs() + self.imaginary.abs() < SILENT { Self::STILL } else { self }
    }

    fn plus(self, other: Self, size: f64) -> Self {
        Self { real: self.real + other.real * size, imaginary: self.imaginary + other.imaginary * size }
    }
}

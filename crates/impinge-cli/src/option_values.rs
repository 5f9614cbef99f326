//! Values of options, from what was typed.

use crate::error::Error;
use impinge::{Direction, Point};

pub(crate) fn wrong(option: &'static str, text: &str, expected: &'static str) -> Error {
    Error::Value { option, text: text.to_owned(), expected }
}

/// The value of an option, if it was given.
pub(crate) fn typed<T>(
    option: &'static str,
    text: Option<&str>,
    parse: impl Fn(&str) -> Option<T>,
    expected: &'static str,
) -> Result<Option<T>, Error> {
    text.map(|text| parse(text).ok_or_else(|| wrong(option, text, expected))).transpose()
}

/// `N`, or `WxH`.
pub(crate) fn parse_resolution(text: &str) -> Option<[u32; 2]> {
    let (across, down) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let number = |part: &str| part.trim().parse::<u32>().ok();
    Some([number(across)?, number(down)?])
}

pub(crate) fn parse_views(text: &str) -> Option<Direction> {
    match text.trim() {
        "auto" => Some(Direction::Auto),
        "two" => Some(Direction::TwoAxes),
        "axes" => Some(Direction::Axes),
        vector => {
            let parts: Vec<f64> = vector.split(',').map(|c| c.trim().parse().ok()).collect::<Option<_>>()?;
            let vector = Point::try_from(parts).ok()?;
            let points_somewhere = vector.iter().all(|c| c.is_finite()) && vector.iter().any(|&c| c != 0.0);
            points_somewhere.then_some(Direction::Along(vector))
        }
    }
}

/// Degrees; in the range of the library, as above.
pub(crate) fn parse_angle(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|angle| (1.0..=150.0).contains(angle))
}

pub(crate) fn at_least_zero(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

pub(crate) fn more_than_zero(text: &str) -> Option<f64> {
    at_least_zero(text).filter(|number| *number > 0.0)
}

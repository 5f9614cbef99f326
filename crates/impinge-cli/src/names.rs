//! How numbers, methods and lists are written for people.

use impinge::Bounds;
use std::time::Duration;

/// 1234567 as 1,234,567.
pub(crate) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 body`, `2,000 bodies`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Three digits, in the unit that suits: `0.012 ms`, `3.14 ms`, `2.50 s`.
pub(crate) fn duration(time: Duration) -> String {
    let ms = milliseconds(time);
    if ms >= 1000.0 {
        format!("{:.2} s", ms / 1e3)
    } else if ms >= 100.0 {
        format!("{ms:.0} ms")
    } else if ms >= 10.0 {
        format!("{ms:.1} ms")
    } else if ms >= 0.1 {
        format!("{ms:.2} ms")
    } else {
        format!("{ms:.3} ms")
    }
}

/// Four digits that matter: enough to find a place by, short enough for a table.
pub(crate) fn coordinate(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor();
    if !(-4.0..6.0).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let decimals = (3.0 - magnitude).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Centre of a box.
pub(crate) fn centre(bounds: &Bounds) -> String {
    // Halved first, so that the largest coordinates do not overflow.
    let [x, y, z] = std::array::from_fn(|i| coordinate(bounds.min[i] / 2.0 + bounds.max[i] / 2.0));
    format!("({x}, {y}, {z})")
}

/// Size of a box.
pub(crate) fn extent(bounds: &Bounds) -> String {
    let [x, y, z] = std::array::from_fn(|i| coordinate(bounds.max[i] - bounds.min[i]));
    format!("{x} x {y} x {z}")
}

/// The corners of a box.
pub(crate) fn corners(bounds: &Bounds) -> String {
    let [low, high] = [bounds.min, bounds.max].map(|corner| {
        let [x, y, z] = corner.map(coordinate);
        format!("({x}, {y}, {z})")
    });
    format!("{low} to {high}")
}

/// Middle value, or the mean of the two middle ones; 0 of nothing.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => sorted[half],
        _ => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

/// How this program was started, so that the next command can be copied.
pub(crate) fn program() -> &'static str {
    if std::env::var_os("CARGO").is_some() { "cargo run --release --" } else { "impinge" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(12_345_678), "12,345,678");
    }

    #[test]
    fn coordinates_keep_four_digits() {
        assert_eq!(coordinate(0.0), "0");
        assert_eq!(coordinate(1.5), "1.5");
        assert_eq!(coordinate(-12.34567), "-12.35");
        assert_eq!(coordinate(123_456.7), "123457");
        assert_eq!(coordinate(1e-9), "1.000e-9");
        assert_eq!(coordinate(-2e300), "-2.000e300");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0, 4.0].into_iter()), 2.5);
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([5.0].into_iter()), 5.0);
        assert_eq!(median(std::iter::empty()), 0.0);
    }
}

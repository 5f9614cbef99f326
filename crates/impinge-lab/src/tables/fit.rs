//! A straight line through points, and how straight they are.

/// The line that fits best, by least squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: f64,
    pub(super) slope: f64,
    /// 1 when all points are on the line.
    pub(super) r_squared: f64,
    /// Largest distance of a point from the line, as a part of the largest value.
    pub(super) largest_residual: f64,
}

impl Line {
    pub(super) fn through(points: &[(f64, f64)]) -> Self {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let spread: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
        let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread.max(f64::MIN_POSITIVE);
        let start = y - slope * x;
        let off = |p: &(f64, f64)| p.1 - (start + slope * p.0);
        let unexplained: f64 = points.iter().map(|p| off(p) * off(p)).sum();
        let all: f64 = points.iter().map(|p| (p.1 - y) * (p.1 - y)).sum();
        let top = points.iter().map(|p| p.1.abs()).fold(f64::MIN_POSITIVE, f64::max);
        let largest = points.iter().map(|p| off(p).abs() / top).fold(0.0, f64::max);
        Self {
            start,
            slope,
            r_squared: 1.0 - unexplained / all.max(f64::MIN_POSITIVE),
            largest_residual: largest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_fit_it_and_others_do_not() {
        let line = Line::through(&[(0.0, 1.0), (1.0, 3.0), (4.0, 9.0)]);
        assert!((line.start - 1.0).abs() < 1e-12 && (line.slope - 2.0).abs() < 1e-12);
        assert!((line.r_squared - 1.0).abs() < 1e-12 && line.largest_residual < 1e-12);
        let bent = Line::through(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]);
        assert!(bent.r_squared < 0.95 && bent.largest_residual > 0.05);
    }
}

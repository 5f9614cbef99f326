//! In which bodies the edge of a marked pixel is: what the thesis finds by counting every body again (algorithm 4), from
//! one list of everything that the rays to those pixels meet.

use super::count::Crossing;
use super::marked::Marked;

/// What one body has to do with the edge of a marked pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The edge is inside it.
    Inside,
    /// The ray enters it more often than it leaves it, or the reverse, or leaves it first: it is not closed, or turned
    /// inside out (4.4.1).
    NotClosed,
}

/// A marked pixel, and one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Index in the list of marked pixels.
    pub marked: usize,
    /// Index of the body among members.
    pub body: u32,
    /// What it has to do with the edge.
    pub verdict: Verdict,
}

/// Sorts the crossings of some pixels and tells what every body has to do with their edges. `marked` is sorted by pixel and
/// has all of these pixels.
pub fn judge(marked: &[Marked], crossings: &mut Vec<Crossing>, judged: &mut Vec<Judged>) {
    sort(crossings);
    for one in crossings.chunk_by(|p, q| p.pixel == q.pixel && p.body() == q.body()) {
        let Ok(index) = marked.binary_search_by_key(&one[0].pixel, |marked| marked.pixel) else { continue };
        let all: i32 = one.iter().map(|crossing| crossing.sign()).sum();
        let before: i32 = one.iter().filter(|crossing| crossing.is_before()).map(|c| c.sign()).sum();
        let verdict = match (all, before) {
            (0, 0) => continue,
            (0, 1..) => Verdict::Inside,
            _ => Verdict::NotClosed,
        };
        judged.push(Judged { marked: index, body: one[0].body(), verdict });
    }
}

/// By pixel, then by body. There may be millions, of nearly as many pixels: those are counted first, and only the few of each
/// pixel compared.
fn sort(crossings: &mut Vec<Crossing>) {
    let key = |crossing: &Crossing| u64::from(crossing.pixel) << 32 | u64::from(crossing.body());
    let pixels = crossings.iter().fold([u32::MAX, 0], |[low, high], c| [low.min(c.pixel), high.max(c.pixel)]);
    let [low, high] = pixels.map(|pixel| pixel as usize);
    if low > high || high - low > 4 * crossings.len() {
        crossings.sort_unstable_by_key(key);
        return;
    }
    let mut next = vec![0usize; high - low + 2];
    for crossing in crossings.iter() {
        next[crossing.pixel as usize - low + 1] += 1;
    }
    for k in 1..next.len() {
        next[k] += next[k - 1];
    }
    let mut sorted = vec![Crossing { pixel: 0, surface: 0 }; crossings.len()];
    for crossing in crossings.iter() {
        let place = &mut next[crossing.pixel as usize - low];
        sorted[*place] = *crossing;
        *place += 1;
    }
    for pixel in sorted.chunk_by_mut(|p, q| p.pixel == q.pixel) {
        pixel.sort_unstable_by_key(key);
    }
    *crossings = sorted;
}

/// Marked pixels and bodies that are entered more often than left before the edge, in order: what counting every body
/// alone tells. `crossings` are sorted by [`judge`].
pub fn entered(marked: &[Marked], crossings: &[Crossing], entered: &mut Vec<(usize, u32)>) {
    for one in crossings.chunk_by(|p, q| p.pixel == q.pixel && p.body() == q.body()) {
        let before: i32 = one.iter().filter(|crossing| crossing.is_before()).map(|c| c.sign()).sum();
        if let (1.., Ok(index)) = (before, marked.binary_search_by_key(&one[0].pixel, |m| m.pixel)) {
            entered.push((index, one[0].body()));
        }
    }
}

/// Algorithm 4: for every pixel marked with a positive count, the body drawn last of those that are entered.
pub fn last_drawn(marked: &[Marked], entered: &[(usize, u32)]) -> Vec<(usize, u32)> {
    let pixels = entered.chunk_by(|p, q| p.0 == q.0);
    pixels.filter_map(|bodies| bodies.last().copied()).filter(|(at, _)| marked[*at].count > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Body by digit, "F" or "B", and "|" where the edge is: `"1F2F|1B2B"`.
    fn pixel(at: u32, text: &str) -> (Marked, Vec<Crossing>) {
        let mut crossings = Vec::new();
        let (mut body, mut before, mut count) = (0, Crossing::BEFORE, 0);
        for letter in text.chars() {
            match letter {
                '|' => before = 0,
                'F' | 'B' => {
                    let back = if letter == 'B' { Crossing::BACK } else { 0 };
                    let crossing = Crossing { pixel: at, surface: body | back | before };
                    count += if before == 0 { 0 } else { crossing.sign() };
                    crossings.push(crossing);
                }
                digit => body = digit.to_digit(10).unwrap(),
            }
        }
        (Marked { pixel: at, line: 0, depth: 0.5, count }, crossings)
    }

    fn verdicts(text: &str) -> Vec<(u32, Verdict)> {
        let (marked, mut crossings) = pixel(7, text);
        let mut judged = Vec::new();
        judge(&[marked], &mut crossings, &mut judged);
        judged.iter().map(|judged| (judged.body, judged.verdict)).collect()
    }

    #[test]
    fn a_pixel_in_several_bodies_is_in_all_of_them() {
        use Verdict::{Inside, NotClosed};
        assert_eq!(verdicts("1F|1B"), [(1, Inside)]);
        assert_eq!(verdicts("1F2F3F|1B3B2B"), [(1, Inside), (2, Inside), (3, Inside)]);
        assert_eq!(verdicts("1F1B2F|2B3F3B"), [(2, Inside)], "before it, around it, behind it");
        assert_eq!(verdicts("1F1F1B|1B"), [(1, Inside)], "a body that overlaps itself");
        assert_eq!(verdicts("1F|"), [(1, NotClosed)], "entered and never left: not inside");
        assert_eq!(verdicts("1B|"), [(1, NotClosed)]);
        assert_eq!(verdicts("1B|1F"), [(1, NotClosed)], "inside out");
        assert_eq!(verdicts("2F|1F2B"), [(1, NotClosed), (2, Inside)], "open behind the edge is open too");
    }

    #[test]
    fn few_and_many_crossings_are_sorted_alike() {
        for count in [0, 1, 7, 1000] {
            let scrambled =
                |k: u32| Crossing { pixel: k * 7919 % 997 / 3, surface: (k * 31 % 11) | ((k % 2) << 31) };
            let mut far: Vec<Crossing> = (0..count).map(scrambled).collect();
            let mut expected = far.clone();
            expected.sort_by_key(|crossing| (crossing.pixel, crossing.body()));
            sort(&mut far);
            let keys = |list: &[Crossing]| list.iter().map(|c| (c.pixel, c.body())).collect::<Vec<_>>();
            assert_eq!(keys(&far), keys(&expected), "{count}");
        }
    }

    #[test]
    fn algorithm_4_reports_the_last_drawn() {
        let last = |text: &str| {
            let (marked, mut crossings) = pixel(3, text);
            let mut all = Vec::new();
            judge(&[marked], &mut crossings, &mut Vec::new());
            entered(&[marked], &crossings, &mut all);
            last_drawn(&[marked], &all)
        };
        assert_eq!(last("3F1F2F|1B3B2B"), [(0, 3)]);
        assert_eq!(last("1F1B2F|2B"), [(0, 2)]);
        assert_eq!(last("1B|1F"), []);
    }
}

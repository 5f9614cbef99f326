//! A WAV reader and an onset detector that know nothing of how the sound was made.

/// Samples of a WAV file of one channel and 16 bits, and how many of them there are a second.
pub(crate) fn read_wav(bytes: &[u8]) -> (Vec<i16>, u32) {
    assert_eq!((&bytes[..4], &bytes[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let half = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    assert_eq!(word(4) as usize, bytes.len() - 8);
    let (mut at, mut rate) = (12, 0);
    while at + 8 <= bytes.len() {
        let (name, size) = (&bytes[at..at + 4], word(at + 4) as usize);
        if name == b"fmt " {
            assert_eq!([half(at + 8), half(at + 10), half(at + 22)], [1, 1, 16], "PCM, one channel, 16 bits");
            rate = word(at + 12);
            assert_eq!((word(at + 16), half(at + 20)), (rate * 2, 2));
        } else if name == b"data" {
            let data = &bytes[at + 8..at + 8 + size];
            return (data.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect(), rate);
        }
        at += 8 + size + size % 2;
    }
    panic!("no data");
}

/// Samples from which the next one is foretold: twice the modes of everything that may ring, and some.
const ORDER: usize = 56;

/// Samples before one that say what is usual: five milliseconds.
const BEFORE: usize = 220;

/// Two onsets nearer than this are heard as one, in seconds: what one strike does to the residual lasts [`ORDER`] samples.
pub(crate) const APART: f64 = 0.004;

/// Times at which something new begins, in seconds.
///
/// A body that rings and is not struck can be foretold: its next sample is a fixed combination of those before, whatever its
/// modes are. The combination is found by least squares over the whole sound, then again without the samples that it
/// cannot foretell: there something was struck.
pub(crate) fn onsets(samples: &[i16], rate: u32) -> Vec<f64> {
    let x: Vec<f64> = samples.iter().map(|&s| f64::from(s)).collect();
    let mut is_struck = vec![false; x.len()];
    for _ in 0..4 {
        let weights = foretell(&x, &is_struck);
        let surprise: Vec<f64> = (0..x.len())
            .map(|n| {
                let before = x[n.saturating_sub(ORDER)..n].iter().rev();
                (x[n] - before.zip(&weights).map(|(x, w)| x * w).sum::<f64>()).abs()
            })
            .collect();
        // Against what was usual just before: what is left of a ring, but at least a few steps of 16 bits.
        is_struck = (0..x.len())
            .map(|n| {
                let before = &surprise[n.saturating_sub(BEFORE)..n.saturating_sub(2)];
                let usual = before.iter().sum::<f64>() / BEFORE as f64;
                surprise[n] > 5.0 * usual.max(3.0)
            })
            .collect();
    }
    // Where each begins, where it was last surprising, and how often: noise is surprising once.
    let mut found: Vec<(f64, f64, usize)> = Vec::new();
    for n in (0..x.len()).filter(|&n| is_struck[n]) {
        let time = n as f64 / f64::from(rate);
        match found.last_mut().filter(|(_, last, _)| time - *last <= APART) {
            Some((_, last, count)) => (*last, *count) = (time, *count + 1),
            None => found.push((time, time, 1)),
        }
    }
    found.into_iter().filter(|(.., count)| *count >= 3).map(|(first, ..)| first).collect()
}

/// The combination, by normal equations and Cholesky's factors.
fn foretell(x: &[f64], is_struck: &[bool]) -> Vec<f64> {
    let calm: Vec<usize> = (ORDER..x.len()).filter(|&n| !is_struck[n]).collect();
    let mut matrix = vec![[0.0; ORDER]; ORDER];
    let mut right = vec![0.0; ORDER];
    for i in 0..ORDER {
        for j in 0..=i {
            let sum: f64 = calm.iter().map(|&n| x[n - 1 - i] * x[n - 1 - j]).sum();
            (matrix[i][j], matrix[j][i]) = (sum, sum);
        }
        right[i] = calm.iter().map(|&n| x[n] * x[n - 1 - i]).sum();
        // As if every sample were off by its rounding: keeps weights small.
        matrix[i][i] += x.len() as f64 / 12.0;
    }
    for k in 0..ORDER {
        for i in k..ORDER {
            let sum: f64 = (0..k).map(|m| matrix[i][m] * matrix[k][m]).sum();
            matrix[i][k] -= sum;
            if i == k {
                matrix[k][k] = matrix[k][k].sqrt();
            } else {
                matrix[i][k] /= matrix[k][k];
            }
        }
    }
    for i in 0..ORDER {
        let sum: f64 = (0..i).map(|m| matrix[i][m] * right[m]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    for i in (0..ORDER).rev() {
        let sum: f64 = (i + 1..ORDER).map(|m| matrix[m][i] * right[m]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    right
}

//! Particles against colliders in one step: the library against the plain loop on one thread, and how both grow.

use super::measure::{RUNS, median, ms};
use crate::particles::{Plain, Thesis, field, simulation};
use anyhow::{Result, ensure};
use impinge::particles::{Impact, Options};
use std::io::Write;
use std::time::{Duration, Instant};

/// Seconds of a step.
const STEP: f64 = 1.0 / 60.0;

/// What one field of colliders takes.
struct Row {
    plain: Duration,
    /// As the thesis writes it; for particles of first order.
    thesis: Option<Duration>,
    /// On one thread in lanes, on one thread by the tree, and as the library chooses on all threads.
    ours: [Duration; 3],
    impacts: usize,
    solved: usize,
}

/// Prints the ratio at a million particles and 64 colliders, then growth with both.
pub fn particles(out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "Particles that fall on a field of colliders of eight kinds, one step of 1/60 s, {} threads; median of {RUNS} steps,\n\
         of one for the loops. Every impact of the library is compared with the plain loop's.\n",
        rayon::current_num_threads()
    )?;
    writeln!(
        out,
        "{:>9} {:>9} {:>6} | {:>10} {:>10} {:>8} {:>8} {:>8} | {:>8} {:>8} | {:>8} {:>9}",
        "particles",
        "colliders",
        "order",
        "plain ms",
        "thesis ms",
        "lanes ms",
        "tree ms",
        "ours ms",
        "plain/",
        "thesis/",
        "impacts",
        "solved"
    )?;
    for order in [1, 2] {
        writeln!(out, "growth with particles")?;
        for particles in [62_500, 250_000, 1_000_000] {
            line(out, particles, 64, order)?;
        }
        writeln!(out, "growth with colliders")?;
        for colliders in [8, 32, 128, 512] {
            line(out, 250_000, colliders, order)?;
        }
    }
    writeln!(
        out,
        "\nplain: the library's formulas, every particle against every collider, one thread. thesis: the same loop with\n\
         the formulas of sections 3.2.4 as they stand there. plain/ and thesis/: their time in times of ours, all threads."
    )?;
    Ok(())
}

fn line(out: &mut impl Write, particles: usize, colliders: usize, order: u32) -> Result<()> {
    let row = row(particles, colliders, order == 2)?;
    let [lanes, tree, ours] = row.ours.map(ms);
    let dash = || "-".to_string();
    writeln!(
        out,
        "{particles:>9} {colliders:>9} {order:>6} | {:>10.1} {:>10} {lanes:>8.1} {tree:>8.1} {ours:>8.1} | {:>8.1} {:>8} | {:>8} {:>9}",
        ms(row.plain),
        row.thesis.map_or_else(dash, |time| format!("{:.1}", ms(time))),
        ms(row.plain) / ours,
        row.thesis.map_or_else(dash, |time| format!("{:.1}", ms(time) / ours)),
        row.impacts,
        row.solved,
    )?;
    Ok(())
}

fn row(count: usize, colliders: usize, second_order: bool) -> Result<Row> {
    let (particles, solids) = field(count, colliders, second_order, 1)?;
    let mut expected: Vec<Impact> = Vec::new();
    let mut plain = Plain::new(&particles, solids.clone());
    let begin = Instant::now();
    plain.advance(STEP);
    let plain_time = begin.elapsed();
    expected.append(&mut plain.impacts);
    expected.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.particle.cmp(&b.particle)));
    let thesis = (!second_order).then(|| {
        let mut thesis = Thesis::new(&particles, solids.clone());
        let begin = Instant::now();
        thesis.advance(STEP);
        (begin.elapsed(), thesis.hits)
    });
    if let Some((_, hits)) = thesis {
        // Without care for rounding, a few that graze a border may differ.
        ensure!(
            hits.abs_diff(expected.len()) <= 2,
            "{hits} hits by the thesis' formulas, {} by ours",
            expected.len()
        );
    }
    let mut ours = [Duration::ZERO; 3];
    let mut solved = 0;
    for (slot, (threads, index)) in ours.iter_mut().zip([(1, Some(false)), (1, Some(true)), (0, None)]) {
        let options = Options { threads, index, ..Options::default() };
        let mut simulation = simulation(particles.clone(), solids.clone(), options)?;
        simulation.advance(0.0)?; // births
        let mut times = Vec::new();
        for k in 1..=RUNS {
            let begin = Instant::now();
            let step = simulation.advance(k as f64 * STEP)?;
            times.push(begin.elapsed());
            if k == 1 {
                ensure!(step.impacts == expected, "the plain loop found other impacts");
                solved = step.counts.solved;
            }
        }
        *slot = median(times);
    }
    let impacts = expected.len();
    Ok(Row { plain: plain_time, thesis: thesis.map(|(time, _)| time), ours, impacts, solved })
}

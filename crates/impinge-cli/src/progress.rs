//! How far long work is, on standard error: a bar on a terminal, else a plain line now and then. Work that takes less than a
//! second shows nothing.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that is done sooner shows nothing, and no two lines come sooner after each other.
const PATIENCE: Duration = Duration::from_secs(1);

/// Lines get rarer: the next one comes after this part of the time so far.
const NEXT_LINE: f64 = 0.25;

/// Shows itself late and clears itself when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Dropping it tells the waiting thread that there is nothing to show any more.
    finished: Option<mpsc::Sender<()>>,
    shows: Option<JoinHandle<()>>,
}

impl Progress {
    pub(crate) fn new(what: &'static str, steps: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        let (finished, wait) = mpsc::channel::<()>();
        let shown = bar.clone();
        let on_terminal = std::io::stderr().is_terminal();
        let shows = std::thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if on_terminal {
                show_bar(&shown, what, steps);
            } else {
                write_lines(&shown, what, steps, &wait);
            }
        });
        Self { bar, finished: Some(finished), shows: Some(shows) }
    }

    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.finished.take());
        // So that no line comes after what is written next.
        let _ = self.shows.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

fn show_bar(bar: &ProgressBar, what: &'static str, steps: usize) {
    let template =
        if steps > 1 { "{msg} {wide_bar:.dim} {pos}/{len}, {eta} left" } else { "{spinner} {msg} {elapsed}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.enable_steady_tick(Duration::from_millis(100));
}

fn write_lines(bar: &ProgressBar, what: &str, steps: usize, wait: &Receiver<()>) {
    let start = Instant::now();
    loop {
        let time = PATIENCE + start.elapsed();
        // Nothing is left to be done if this line cannot be written.
        let _ = writeln!(std::io::stderr(), "{}", line(what, bar.position(), steps, time));
        if wait.recv_timeout(time.mul_f64(NEXT_LINE).max(PATIENCE)) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// Without the name of the program, which lines about errors begin with.
fn line(what: &str, done: u64, steps: usize, time: Duration) -> String {
    let seconds = time.as_secs();
    if steps > 1 { format!("{what}: {done} of {steps}, {seconds} s") } else { format!("{what}: {seconds} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_for_how_long() {
        let time = Duration::from_millis(2900);
        assert_eq!(line("checking", 7, 24, time), "checking: 7 of 24, 2 s");
        assert_eq!(line("reading", 0, 1, time), "reading: 2 s");
    }
}

//! A bar on standard error for work that takes more than a second, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc;
use std::time::Duration;

/// Work that is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows itself late and clears itself when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Dropping it tells the waiting thread that there is nothing to show any more.
    _finished: Option<mpsc::Sender<()>>,
}

impl Progress {
    pub(crate) fn new(what: &str, steps: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        if !std::io::stderr().is_terminal() {
            return Self { bar, _finished: None };
        }
        let template = if steps > 1 {
            "{msg} {wide_bar:.dim} {pos}/{len}, {eta} left"
        } else {
            "{spinner} {msg} {elapsed}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        let (finished, wait) = mpsc::channel::<()>();
        let shown = bar.clone();
        std::thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, _finished: Some(finished) }
    }

    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

//! Colours, on a terminal that wants them.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// Wraps text in the codes of a terminal, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    on: bool,
}

impl Paint {
    pub(super) fn of_stdout() -> Self {
        let [no_color, term] = ["NO_COLOR", "TERM"].map(std::env::var_os);
        Self { on: wanted(std::io::stdout().is_terminal(), no_color.as_deref(), term.as_deref()) }
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    pub(super) fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// On a terminal, unless `NO_COLOR` has any value or the terminal says that it is dumb.
fn wanted(terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    terminal && no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_need_a_terminal_that_does_not_refuse_them() {
        let os = |text: &'static str| Some(OsStr::new(text));
        assert!(wanted(true, None, os("xterm")));
        assert!(wanted(true, os(""), None));
        assert!(!wanted(false, None, os("xterm")));
        assert!(!wanted(true, os("1"), os("xterm")));
        assert!(!wanted(true, None, os("dumb")));
        assert_eq!(Paint { on: false }.bad("x"), "x");
        assert_eq!(Paint { on: true }.bad("x"), "\x1b[1;31mx\x1b[0m");
    }
}

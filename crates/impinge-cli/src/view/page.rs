//! The page itself: one file of HTML, built from `viewer/` and committed here, so that nothing but cargo is needed.

/// `cargo xtask test` builds it again and compares.
const PAGE: &str = include_str!("page/index.html");

/// Where a report has its data.
const DATA: &str = "<!--data-->";

/// The page as it is served: it asks the server for everything.
pub(crate) fn served() -> &'static str {
    PAGE
}

/// The page before and after the data of a report.
pub(crate) fn around_data() -> (&'static str, &'static str) {
    // A test below makes sure that the mark is there.
    PAGE.split_once(DATA).unwrap_or((PAGE, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_one_place_for_data_and_loads_nothing() {
        assert_eq!(PAGE.matches(DATA).count(), 1);
        let (before, after) = around_data();
        assert!(before.starts_with("<!doctype html>") && after.trim_end().ends_with("</html>"));
        for attribute in ["<link", "src=\"http", "href=\"http", "@import", "url(http"] {
            assert!(!PAGE.contains(attribute), "{attribute}");
        }
        assert!(PAGE.contains("SPDX-License-Identifier: MIT"), "the licence of three.js stays with it");
    }
}

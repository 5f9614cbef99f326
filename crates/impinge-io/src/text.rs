//! Text as lines and words, each with its line number: what the readers of OBJ, STL, PLY and OFF share.

use crate::error::{Place, Problem, ReadError};

/// The words of a file, or of a part of it.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    rest: &'a [u8],
    line: usize,
}

/// A word and the line it stands on.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) line: usize,
}

impl<'a> Words<'a> {
    /// The words of `text`, whose first line has the number `line`.
    pub(crate) fn new(text: &'a [u8], line: usize) -> Self {
        Self { rest: text, line }
    }

    /// The line of the next word, or of the end.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// Bytes not read yet: every word that follows needs one, and one more to part it from the next.
    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The next word; `inside` says what is being read if there is none.
    pub(crate) fn expect(&mut self, inside: &'static str) -> Result<Word<'a>, ReadError> {
        let line = self.line;
        self.next().ok_or(Problem::Truncated { inside }.at(Place::Line(line)))
    }

    /// What is left of the current line.
    pub(crate) fn rest_of_line(&mut self) -> &'a [u8] {
        let end = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        line.trim_ascii()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let mut start = 0;
        loop {
            match self.rest.get(start)? {
                b'\n' => self.line += 1,
                b if !b.is_ascii_whitespace() => break,
                _ => {}
            }
            start += 1;
            if start == self.rest.len() {
                self.rest = &[];
            }
        }
        let rest = &self.rest[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (bytes, rest) = rest.split_at(end);
        self.rest = rest;
        Some(Word { bytes, line: self.line })
    }
}

impl Word<'_> {
    pub(crate) fn place(&self) -> Place {
        Place::Line(self.line)
    }

    pub(crate) fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// A finite coordinate, to the last bit that `T` (`f32`, `f64`) can hold.
    pub(crate) fn coordinate<T: std::str::FromStr + Copy + Into<f64>>(
        &self,
        axis: usize,
    ) -> Result<T, ReadError> {
        let value: T = self.parse("a coordinate")?;
        if value.into().is_finite() {
            return Ok(value);
        }
        Err(Problem::NotFinite { axis, value: value.into() }.at(self.place()))
    }

    /// A number.
    pub(crate) fn parse<T: std::str::FromStr>(&self, expected: &'static str) -> Result<T, ReadError> {
        let number = std::str::from_utf8(self.bytes).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| Problem::expected(expected, self.bytes).at(self.place()))
    }
}

/// The lines of a text with their numbers from `first`, blank ones and those that are only a comment left out,
/// comments at the end cut off.
pub(crate) struct Lines<'a> {
    rest: Option<&'a [u8]>,
    line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8], first: usize) -> Self {
        Self { rest: Some(text), line: first - 1 }
    }

    /// The line number of what was returned last.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.map_or(0, <[u8]>::len)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest?;
            let end = rest.iter().position(|&b| b == b'\n');
            let line = &rest[..end.unwrap_or(rest.len())];
            self.rest = end.map(|end| &rest[end + 1..]);
            self.line += 1;
            let content = line.iter().position(|&b| b == b'#').map_or(line, |comment| &line[..comment]);
            let content = content.trim_ascii();
            if !content.is_empty() {
                return Some((self.line, content));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_lines() {
        let words: Vec<_> = Words::new(b" a\r\n\n b c \n", 1).map(|w| (w.bytes, w.line)).collect();
        assert_eq!(words, [(&b"a"[..], 1), (b"b", 3), (b"c", 3)]);
        let mut words = Words::new(b"solid the name \r\nfacet", 1);
        words.next();
        assert_eq!(words.rest_of_line(), b"the name");
        assert_eq!(words.next().unwrap().line, 2);
    }

    #[test]
    fn lines_leave_out_comments() {
        let lines: Vec<_> = Lines::new(b"# top\nOFF # here\r\n\n 3 1 0", 1).collect();
        assert_eq!(lines, [(2, &b"OFF"[..]), (4, b"3 1 0")]);
    }

    #[test]
    fn a_coordinate_is_parsed_to_the_last_bit() {
        let word = |bytes| Word { bytes, line: 7 };
        assert_eq!(word(b"0.1").coordinate::<f64>(0).unwrap(), 0.1);
        assert_eq!(word(b"0.1").coordinate::<f32>(0).unwrap(), 0.1f32);
        assert_eq!(
            word(b"1e999").coordinate::<f64>(2).unwrap_err().to_string(),
            "line 7: coordinate z is inf; coordinates must be finite"
        );
        assert_eq!(
            word(b"1,5").coordinate::<f64>(0).unwrap_err().to_string(),
            "line 7: expected a coordinate, found '1,5'"
        );
    }
}

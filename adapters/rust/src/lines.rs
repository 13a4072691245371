// SPDX-License-Identifier: MIT
//! Bytes become lines, however they arrive. A line beyond the limit is never held in memory.

use std::io::{self, BufRead};

/// How much of a line that could not be read is kept to show what it was.
pub(crate) const START_BYTES: usize = 200;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Without its line break.
    Whole(Vec<u8>),
    /// The last bytes of a program that ended in the middle of a line.
    Unfinished(Vec<u8>),
    /// Skipped: its length and its first bytes.
    TooLong { bytes: u64, start: Vec<u8> },
}

pub(crate) struct LineReader<R> {
    source: R,
    limit: usize,
}

impl<R: BufRead> LineReader<R> {
    pub(crate) fn new(source: R, limit: usize) -> Self {
        LineReader { source, limit }
    }

    /// The next line that is not empty; nothing at the end. Blocks as the source does.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            match self.read_line()? {
                Some(Line::Whole(line)) if line.iter().all(u8::is_ascii_whitespace) => {}
                other => return Ok(other),
            }
        }
    }

    fn read_line(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut bytes = 0_u64;
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                return Ok(self.finished(line, bytes, Line::Unfinished));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            bytes += piece.len() as u64;
            // One byte more than the limit may be a carriage return.
            let room = (self.limit + 1).saturating_sub(line.len());
            line.extend_from_slice(&piece[..piece.len().min(room)]);
            let used = piece.len() + usize::from(end.is_some());
            self.source.consume(used);
            if end.is_some() {
                return Ok(self
                    .finished(line, bytes, Line::Whole)
                    .or_else(|| Some(Line::Whole(Vec::new()))));
            }
        }
    }

    fn finished(
        &self,
        mut line: Vec<u8>,
        mut bytes: u64,
        kind: fn(Vec<u8>) -> Line,
    ) -> Option<Line> {
        if bytes == 0 {
            return None;
        }
        if line.len() as u64 == bytes && line.last() == Some(&b'\r') {
            line.pop();
            bytes -= 1;
        }
        if bytes <= self.limit as u64 {
            return Some(kind(line));
        }
        line.truncate(START_BYTES);
        Some(Line::TooLong { bytes, start: line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn read(text: &str, limit: usize, chunk: usize) -> Vec<Line> {
        let source = BufReader::with_capacity(chunk, text.as_bytes());
        let mut reader = LineReader::new(source, limit);
        let mut lines = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            lines.push(line);
        }
        lines
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.into())
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_arrive() {
        let text = "one\n\n  \r\ntwo\r\nthree and more\nrest";
        let expected = [
            whole("one"),
            whole("two"),
            Line::TooLong {
                bytes: 14,
                start: "three and".into(),
            },
            Line::Unfinished("rest".into()),
        ];
        for chunk in 1..=text.len() {
            assert_eq!(read(text, 8, chunk), expected, "chunks of {chunk} bytes");
        }
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_read() {
        assert_eq!(read("12345678\n", 8, 3), [whole("12345678")]);
        assert_eq!(read("12345678\r\n", 8, 3), [whole("12345678")]);
        assert_eq!(
            read("123456789\n", 8, 3),
            [Line::TooLong {
                bytes: 9,
                start: "123456789".into()
            }]
        );
    }

    #[test]
    fn of_a_long_line_only_the_start_is_kept() {
        let text = format!("{}\nnext\n", "x".repeat(1_000_000));
        let lines = read(&text, 1000, 4096);
        assert_eq!(lines.len(), 2);
        assert_eq!(
            lines[0],
            Line::TooLong {
                bytes: 1_000_000,
                start: vec![b'x'; START_BYTES]
            }
        );
        assert_eq!(lines[1], whole("next"));
    }

    #[test]
    fn nothing_has_no_lines() {
        assert_eq!(read("", 8, 1), []);
        assert_eq!(read("\n\n", 8, 1), []);
    }
}

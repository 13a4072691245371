// SPDX-License-Identifier: MIT
//! The end of what a process writes to stderr. It is read all the time, so that the process never
//! waits for a reader, and is kept apart from the events.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use crate::locked::Locked;

/// How long the rest of stderr is waited for after the process has ended. It is there at once,
/// unless something that left the process's group holds the pipe open.
const REST_PATIENCE: Duration = Duration::from_secs(1);

pub(crate) struct StderrTail {
    limit: usize,
    state: Mutex<State>,
    closed: Condvar,
}

#[derive(Default)]
struct State {
    bytes: VecDeque<u8>,
    closed: bool,
}

impl StderrTail {
    /// Starts to read.
    pub(crate) fn read_from(
        source: impl Read + Send + 'static,
        limit: usize,
    ) -> io::Result<Arc<StderrTail>> {
        let tail = Arc::new(StderrTail {
            limit,
            state: Mutex::default(),
            closed: Condvar::new(),
        });
        let reading = Arc::clone(&tail);
        thread::Builder::new()
            .name("yume-host-stderr".into())
            .spawn(move || reading.read(source))?;
        Ok(tail)
    }

    /// What there is so far.
    pub(crate) fn text(&self) -> String {
        text_of(&self.state.locked().bytes)
    }

    /// What there is at the end. To be called when the process has ended.
    pub(crate) fn whole_text(&self) -> String {
        let waited = self
            .closed
            .wait_timeout_while(self.state.locked(), REST_PATIENCE, |state| !state.closed);
        match waited {
            Ok((state, _)) => text_of(&state.bytes),
            Err(poisoned) => text_of(&poisoned.into_inner().0.bytes),
        }
    }

    fn read(&self, mut source: impl Read) {
        let mut buffer = [0; 4096];
        loop {
            match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => self.add(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.state.locked().closed = true;
        self.closed.notify_all();
    }

    fn add(&self, new: &[u8]) {
        let bytes = &mut self.state.locked().bytes;
        bytes.extend(new);
        let surplus = bytes.len().saturating_sub(self.limit);
        bytes.drain(..surplus);
    }
}

/// The cut may have gone through a character, whose rest is not shown.
fn text_of(bytes: &VecDeque<u8>) -> String {
    let is_rest = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    let rest = bytes.iter().take(3).take_while(is_rest).count();
    let bytes: Vec<u8> = bytes.iter().skip(rest).copied().collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(text: &'static str, limit: usize) -> String {
        StderrTail::read_from(text.as_bytes(), limit)
            .unwrap()
            .whole_text()
    }

    #[test]
    fn only_the_end_is_kept() {
        assert_eq!(tail("one two three", 5), "three");
        assert_eq!(tail("short", 100), "short");
        assert_eq!(tail("", 100), "");
    }

    #[test]
    fn a_cut_leaves_whole_characters() {
        assert_eq!(tail("aé€𝄞", 8), "€𝄞");
        assert_eq!(tail("aé€𝄞", 6), "𝄞");
        assert_eq!(tail("aé€𝄞", 3), "");
    }
}

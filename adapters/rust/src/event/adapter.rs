// SPDX-License-Identifier: MIT
//! What this crate itself has to say about lines and the process.

use std::fmt;

use serde_json::Value;

/// A line that is JSON and has a type, but not one that is known here.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Unknown {
    /// Its type.
    pub kind: String,
    /// All of it, `type` included.
    pub value: Value,
    /// The type is known, but this field of it is not as expected; nothing: the type is not known.
    pub mismatch: Option<String>,
}

/// A line that is not a JSON object with a type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Malformed {
    /// Its first characters.
    pub start: String,
    /// Its whole length.
    pub bytes: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// A line that was longer than [`Limits::line_bytes`](crate::Limits::line_bytes), and was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLong {
    /// Its first characters.
    pub start: String,
    /// Its whole length.
    pub bytes: u64,
}

/// The process crashed, and another goes on in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restarted {
    /// How the first one ended.
    pub exit: Exit,
    /// The end of what it wrote to stderr.
    pub stderr: String,
    /// How many restarts there were since the last result, this one included.
    pub attempt: u32,
    /// The session that goes on; nothing: there was none yet, and it begins anew.
    pub session_id: Option<String>,
    /// The new process.
    pub process_id: u32,
}

/// The process has ended, and nothing follows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exited {
    /// How it ended.
    pub exit: Exit,
    /// What that means.
    pub ending: Ending,
    /// The end of what it wrote to stderr.
    pub stderr: String,
    /// Why there was no restart although one was due.
    pub restart_failure: Option<String>,
}

/// What the end of a process means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// It had done what it was asked to. The turn itself may have failed: see its result.
    Completed,
    /// It was killed by [`Handle::kill`](crate::Handle::kill), or because nobody read its events.
    Killed,
    /// It ended by itself, before its first line: its arguments, settings or environment are
    /// wrong, and stderr says how.
    Refused,
    /// It died in the middle of a turn, or was killed by somebody else.
    Crashed,
}

/// How a process ended. At most one of the two is there; neither: the system did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Exit {
    /// The exit code, if it ended by itself (on Windows: always).
    pub code: Option<i32>,
    /// The signal that ended it (not on Windows).
    pub signal: Option<i32>,
}

impl Exit {
    pub(crate) fn new(code: Option<i32>, signal: Option<i32>) -> Self {
        Exit { code, signal }
    }

    /// Whether the system ended it because of a fault or at somebody's request, rather than it
    /// itself.
    pub fn is_violent(&self) -> bool {
        // Windows has no signals; its codes for faults begin with 0xC.
        self.signal.is_some() || matches!(self.code, Some(code) if code as u32 >= 0xC000_0000)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (_, Some(signal)) => write!(out, "ended by signal {signal}"),
            (Some(code), None) if self.is_violent() => {
                write!(out, "ended by fault {:#X}", code as u32)
            }
            (Some(code), None) => write!(out, "ended with code {code}"),
            (None, None) => write!(out, "ended in an unknown way"),
        }
    }
}

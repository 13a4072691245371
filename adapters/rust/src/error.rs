// SPDX-License-Identifier: MIT
//! Everything that can go wrong here. Each message says what happened, why, and what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a call failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No yume-cli in any of the places where one is looked for.
    NotFound {
        /// Every file that was looked for, in order.
        searched: Vec<PathBuf>,
    },
    /// A program was named explicitly, and there is none. Nothing else is tried then: another
    /// program than the one that was asked for would be a surprise.
    NotAProgram {
        /// The file that was named.
        path: PathBuf,
        /// Who named it.
        named_by: &'static str,
    },
    /// The options contradict each other, or something they name does not exist.
    InvalidOptions {
        /// What is wrong, and what to change.
        why: String,
    },
    /// The system did not start the program.
    CannotStart {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The process has ended, or its input was closed, so that nobody would read what is sent.
    NotRunning,
    /// The process was started for one prompt and has it.
    OnePromptOnly,
    /// The system did not deliver a signal.
    CannotSignal {
        /// The process it was for.
        process_id: u32,
        /// What the system said.
        source: io::Error,
    },
    /// The process was killed and is still there.
    StillRunning {
        /// The process.
        process_id: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFound { searched } => {
                let places: Vec<String> = searched
                    .iter()
                    .map(|path| path.display().to_string())
                    .collect();
                write!(
                    out,
                    "yume-cli was not found: none of these is a program that can be run: {}. \
                     Install it in one of these places, or name it with {}",
                    places.join(", "),
                    crate::BINARY_VARIABLE
                )
            }
            Error::NotAProgram { path, named_by } => write!(
                out,
                "{} cannot be used: {named_by} names it, and it is not a program that can be run. \
                 Correct the name, or leave it out to search the usual places",
                path.display()
            ),
            Error::InvalidOptions { why } => write!(out, "yume-cli was not started: {why}"),
            Error::CannotStart { program, source } => write!(
                out,
                "{} could not be started: {source}. Check that it is built for this system and \
                 that there are processes and threads left",
                program.display()
            ),
            Error::NotRunning => write!(
                out,
                "nothing was sent: yume-cli has ended or its input was closed. \
                 Start it again with the session's id in `resume`"
            ),
            Error::OnePromptOnly => write!(
                out,
                "nothing was sent: this yume-cli was started for one prompt. \
                 Start it with `Mode::Conversation` to send more, or start one for each prompt"
            ),
            Error::CannotSignal { process_id, source } => write!(
                out,
                "process {process_id} (yume-cli) could not be signalled: {source}. \
                 Try `kill`, or end it by hand"
            ),
            Error::StillRunning { process_id } => write!(
                out,
                "process {process_id} (yume-cli) was killed and has not ended: it probably waits \
                 for a device or a network file system. The system ends it when that answers"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::CannotStart { source, .. } | Error::CannotSignal { source, .. } => Some(source),
            _ => None,
        }
    }
}

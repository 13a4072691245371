// SPDX-License-Identifier: MIT
//! The thread that turns a process's lines into events, in order, and starts another process after
//! a crash. It waits for the host when the host is slow; then the pipe fills, and yume-cli waits.

use std::io::{self, BufReader};
use std::process::ChildStdout;
use std::sync::Arc;
use std::thread;

use crate::launch::Launch;
use crate::lines::{Line, LineReader};
use crate::shared::Shared;
use crate::{Ending, Event, EventKind, Exit, Exited, Restarted};

const BUFFER_BYTES: usize = 64 * 1024;

/// Where events go. Waits while there is no room.
pub(crate) trait Sink: Send {
    fn put(&mut self, event: Event) -> Result<(), Abandoned>;
}

/// Nobody reads the events any more.
pub(crate) struct Abandoned;

pub(crate) struct Pump {
    shared: Arc<Shared>,
    launch: Launch,
    sink: Box<dyn Sink>,
    /// Since the last result.
    restarts: u32,
}

impl Pump {
    /// Starts the thread. If that fails, the process has been killed.
    pub(crate) fn start(
        shared: Arc<Shared>,
        launch: Launch,
        sink: Box<dyn Sink>,
        stdout: ChildStdout,
    ) -> io::Result<()> {
        let pump = Pump {
            shared: Arc::clone(&shared),
            launch,
            sink,
            restarts: 0,
        };
        let started = thread::Builder::new()
            .name("yume-host-events".into())
            .spawn(move || pump.run(stdout));
        started.map(drop).map_err(|error| {
            let _ = shared.kill();
            error
        })
    }

    fn run(mut self, stdout: ChildStdout) {
        if self.pass_on(stdout).is_err() {
            let _ = self.shared.kill();
        }
    }

    fn pass_on(&mut self, stdout: ChildStdout) -> Result<(), Abandoned> {
        let mut stdout = stdout;
        loop {
            self.pass_lines(stdout)?;
            let exit = self.shared.tree().wait();
            let mut restart_failure = None;
            if self.may_restart(exit) {
                match self.restart(exit) {
                    Ok(Some((event, next))) => {
                        self.sink.put(event)?;
                        stdout = next;
                        continue;
                    }
                    Ok(None) => {} // killed while this went on
                    Err(error) => restart_failure = Some(error.to_string()),
                }
            }
            let exited = Exited {
                exit,
                ending: self.shared.ending(exit),
                stderr: self.shared.stderr().whole_text(),
                restart_failure,
            };
            self.shared.finish();
            return self.sink.put(EventKind::Exited(exited).into());
        }
    }

    fn pass_lines(&mut self, stdout: ChildStdout) -> Result<(), Abandoned> {
        let limit = self.launch.options().limits.line_bytes;
        let source = BufReader::with_capacity(BUFFER_BYTES, stdout);
        let mut lines = LineReader::new(source, limit);
        // A pipe that cannot be read is as good as closed.
        while let Ok(Some(line)) = lines.next_line() {
            let event = match line {
                Line::Whole(line) => Event::parse_bytes(line),
                Line::Unfinished(line) => Event::parse_unfinished(line),
                Line::TooLong { bytes, start } => Event::too_long(bytes, &start),
            };
            self.shared.note(&event);
            if event.ends_turn() {
                self.restarts = 0;
            }
            self.sink.put(event)?;
        }
        Ok(())
    }

    fn may_restart(&self, exit: Exit) -> bool {
        self.shared.ending(exit) == Ending::Crashed
            && self.shared.has_work()
            && self.restarts < self.launch.options().restart.limit
    }

    fn restart(&mut self, exit: Exit) -> Result<Option<(Event, ChildStdout)>, crate::Error> {
        let stderr = self.shared.stderr().whole_text();
        let successor = match self.shared.replace(&mut self.launch)? {
            Some(successor) => successor,
            None => return Ok(None),
        };
        self.restarts += 1;
        let restarted = Restarted {
            exit,
            stderr,
            attempt: self.restarts,
            session_id: successor.session_id,
            process_id: successor.process_id,
        };
        let event = EventKind::Restarted(restarted).into();
        Ok(Some((event, successor.stdout)))
    }
}

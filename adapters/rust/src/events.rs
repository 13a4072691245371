// SPDX-License-Identifier: MIT
//! Events for hosts with threads.

use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::sync::Arc;
use std::time::Duration;

use crate::launch::Launch;
use crate::pump::{Abandoned, Pump, Sink};
use crate::shared::Shared;
use crate::{Error, Event, Handle, SpawnOptions};

/// Starts yume-cli and returns its events.
///
/// ```no_run
/// use yume_host::{spawn, EventKind, SpawnOptions};
///
/// # fn main() -> Result<(), yume_host::Error> {
/// let events = spawn(SpawnOptions {
///     prompt: Some("what does this folder hold?".into()),
///     ..SpawnOptions::default()
/// })?;
/// for event in events {
///     match event.kind {
///         EventKind::Text(text) => print!("{}", text.content),
///         EventKind::Result(result) => println!("\n({} ms)", result.duration_ms),
///         EventKind::Exited(exited) => println!("{}", exited.exit),
///         _ => {}
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub fn spawn(options: SpawnOptions) -> Result<Events, Error> {
    let room = options.limits.events.max(1);
    let launch = Launch::new(options)?;
    let (shared, stdout) = Shared::start(&launch)?;
    let (sender, receiver) = sync_channel(room);
    let program = launch.program.clone();
    Pump::start(Arc::clone(&shared), launch, Box::new(sender), stdout)
        .map_err(|source| Error::CannotStart { program, source })?;
    Ok(Events { receiver, shared })
}

/// The events of one yume-cli, in order; [`Exited`](crate::EventKind::Exited) is the last. Each
/// [`next`](Iterator::next) blocks until there is one.
///
/// When the host does not read, at most [`Limits::events`](crate::Limits::events) wait, and then
/// the program does. Dropping this kills the program with all that it started.
pub struct Events {
    receiver: Receiver<Event>,
    shared: Arc<Shared>,
}

impl Events {
    /// Talks to the program.
    pub fn handle(&self) -> Handle {
        Handle::new(Arc::clone(&self.shared))
    }

    /// The next event, if one comes within this time.
    pub fn next_within(&mut self, time: Duration) -> Next {
        match self.receiver.recv_timeout(time) {
            Ok(event) => Next::Event(Box::new(event)),
            Err(RecvTimeoutError::Timeout) => Next::NotYet,
            Err(RecvTimeoutError::Disconnected) => Next::End,
        }
    }
}

/// What [`Events::next_within`] found.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// An event.
    Event(Box<Event>),
    /// None within the time.
    NotYet,
    /// None any more.
    End,
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.receiver.recv().ok()
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let _ = self.shared.kill();
    }
}

impl Sink for SyncSender<Event> {
    fn put(&mut self, event: Event) -> Result<(), Abandoned> {
        self.send(event).map_err(|_| Abandoned)
    }
}

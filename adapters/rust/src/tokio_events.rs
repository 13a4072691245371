// SPDX-License-Identifier: MIT
//! Events for asynchronous hosts. Only tokio's channel is used: any runtime can wait for it.

use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::mpsc::{channel, Receiver, Sender};

use crate::launch::Launch;
use crate::pump::{Abandoned, Pump, Sink};
use crate::shared::Shared;
use crate::{Error, Event, Handle, SpawnOptions};

/// Starts yume-cli and returns its events, like [`spawn`](crate::spawn). Only in the feature
/// `tokio`.
///
/// ```no_run
/// use yume_host::{spawn_tokio, SpawnOptions};
///
/// # async fn turn() -> Result<(), yume_host::Error> {
/// let mut events = spawn_tokio(SpawnOptions {
///     prompt: Some("what does this folder hold?".into()),
///     ..SpawnOptions::default()
/// })?;
/// while let Some(event) = events.next().await {
///     if let Some(text) = event.text() {
///         print!("{text}");
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub fn spawn_tokio(options: SpawnOptions) -> Result<TokioEvents, Error> {
    let room = options.limits.events.max(1);
    let launch = Launch::new(options)?;
    let (shared, stdout) = Shared::start(&launch)?;
    let (sender, receiver) = channel(room);
    let program = launch.program.clone();
    Pump::start(Arc::clone(&shared), launch, Box::new(sender), stdout)
        .map_err(|source| Error::CannotStart { program, source })?;
    Ok(TokioEvents { receiver, shared })
}

/// The events of one yume-cli, in order; [`Exited`](crate::EventKind::Exited) is the last.
///
/// When the host does not read, at most [`Limits::events`](crate::Limits::events) wait, and then
/// the program does. Dropping this kills the program with all that it started.
pub struct TokioEvents {
    receiver: Receiver<Event>,
    shared: Arc<Shared>,
}

impl TokioEvents {
    /// Talks to the program. All of it returns at once, but for [`Handle::kill`], which waits for
    /// the end of the process: about a millisecond.
    pub fn handle(&self) -> Handle {
        Handle::new(Arc::clone(&self.shared))
    }

    /// The next event; nothing at the end. May be cancelled at any time without losing one.
    pub async fn next(&mut self) -> Option<Event> {
        self.receiver.recv().await
    }

    /// The same, for a `Stream` of one's own.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Event>> {
        self.receiver.poll_recv(context)
    }
}

impl Drop for TokioEvents {
    fn drop(&mut self) {
        let _ = self.shared.kill();
    }
}

impl Sink for Sender<Event> {
    fn put(&mut self, event: Event) -> Result<(), Abandoned> {
        self.blocking_send(event).map_err(|_| Abandoned)
    }
}

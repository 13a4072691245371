// SPDX-License-Identifier: MIT

use std::sync::Arc;

use serde_json::Value;

use crate::shared::Shared;
use crate::Error;

/// Talks to a running yume-cli, from any thread. Cheap to clone. Dropping it changes nothing.
#[derive(Clone)]
pub struct Handle {
    shared: Arc<Shared>,
}

impl Handle {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Handle { shared }
    }

    /// Sends a prompt ([`Mode::Conversation`](crate::Mode::Conversation) only). Returns at once;
    /// prompts wait for their turn in the program, and each gets its own result.
    pub fn send(&self, prompt: &str) -> Result<(), Error> {
        self.shared.send(prompt)
    }

    /// Ends the turn that runs. Its result follows, with `is_error` set; the session stays as it is
    /// and can be gone on with. Without a turn nothing happens. Returns at once.
    ///
    /// It is a line on the program's input, which is the same on every system, reaches only the
    /// turn that runs, and may be sent twice. After [`finish`](Handle::finish) there is no input:
    /// then it is SIGINT to the process itself on Unix, and an error on Windows, where only
    /// [`kill`](Handle::kill) is left.
    pub fn interrupt(&self) -> Result<(), Error> {
        self.shared.interrupt()
    }

    /// Answers a [`ControlRequest`](crate::ControlRequest). What the answer must look like depends
    /// on the question; it is Claude Code's.
    pub fn reply(&self, request_id: &str, response: Value) -> Result<(), Error> {
        self.shared.reply(request_id, response)
    }

    /// Closes the program's input: it answers the prompts it has, and ends.
    pub fn finish(&self) {
        self.shared.finish();
    }

    /// Kills the process and all that it started, and waits until the process is gone (at most 5 s).
    /// What was shown is in the session's file and can be resumed. Events that had arrived can
    /// still be read. There is no restart. Does nothing if the process has ended.
    pub fn kill(&self) -> Result<(), Error> {
        self.shared.kill()?;
        self.shared.tree().wait_killed()
    }

    /// The current process. After a restart it is another one.
    pub fn process_id(&self) -> u32 {
        self.shared.tree().process_id()
    }

    /// The session, once the program has said which it is. Keep it for
    /// [`SpawnOptions::resume`](crate::SpawnOptions::resume).
    pub fn session_id(&self) -> Option<String> {
        self.shared.session_id()
    }

    /// The end of what the current process has written to stderr. yume-cli writes nothing there
    /// unless it is asked to (`--debug`) or cannot start.
    pub fn stderr(&self) -> String {
        self.shared.stderr().text()
    }
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Handle")
            .field("process_id", &self.process_id())
            .field("session_id", &self.session_id())
            .finish()
    }
}

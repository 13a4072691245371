// SPDX-License-Identifier: MIT
//! What the pump, the handles and the events of one spawn share: the current process, the prompts it
//! has not finished, and whether it was asked to end.

use std::collections::VecDeque;
use std::mem;
use std::process::ChildStdout;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::input::{interrupt_line, prompt_line, reply_line};
use crate::launch::Launch;
use crate::locked::Locked;
use crate::process::Process;
use crate::stderr_tail::StderrTail;
use crate::tree::Tree;
use crate::{Ending, Error, Event, EventKind, Exit, Mode};

pub(crate) struct Shared {
    mode: Mode,
    state: Mutex<State>,
}

struct State {
    process: Process,
    session_id: Option<String>,
    /// Prompts without a result, oldest first. The first one is being worked on.
    unfinished: VecDeque<String>,
    /// The first prompt's work has shown something.
    begun: bool,
    /// The process has begun a session, or answered that it cannot.
    opened: bool,
    /// No more prompts will come.
    finishing: bool,
    killed: bool,
    requests: u64,
}

/// A process that took the place of one that crashed.
pub(crate) struct Successor {
    pub(crate) process_id: u32,
    pub(crate) session_id: Option<String>,
    pub(crate) stdout: ChildStdout,
}

impl Shared {
    pub(crate) fn start(launch: &Launch) -> Result<(Arc<Shared>, ChildStdout), Error> {
        let (process, stdout) = Process::start(launch)?;
        let shared = Shared {
            mode: launch.options().mode,
            state: Mutex::new(State {
                process,
                session_id: None,
                unfinished: VecDeque::new(),
                begun: false,
                opened: false,
                finishing: false,
                killed: false,
                requests: 0,
            }),
        };
        if let Some(prompt) = &launch.options().prompt {
            shared.state.locked().submit(prompt.clone());
        }
        Ok((Arc::new(shared), stdout))
    }

    pub(crate) fn send(&self, prompt: &str) -> Result<(), Error> {
        if self.mode == Mode::Turn {
            return Err(Error::OnePromptOnly);
        }
        if prompt.trim().is_empty() {
            return Err(Error::InvalidOptions {
                why: "the prompt is empty. Send a text".into(),
            });
        }
        let mut state = self.state.locked();
        if state.killed || state.process.input.is_none() {
            return Err(Error::NotRunning);
        }
        state.submit(prompt.into());
        Ok(())
    }

    pub(crate) fn interrupt(&self) -> Result<(), Error> {
        let mut state = self.state.locked();
        state.requests += 1;
        let request_id = format!("yume-host-{}", state.requests);
        match &state.process.input {
            Some(input) => {
                input.send(&interrupt_line(&request_id));
                Ok(())
            }
            None if state.unfinished.is_empty() => Ok(()),
            None => state.process.tree.interrupt(),
        }
    }

    pub(crate) fn reply(&self, request_id: &str, response: Value) -> Result<(), Error> {
        match &self.state.locked().process.input {
            Some(input) => {
                input.send(&reply_line(request_id, response));
                Ok(())
            }
            None => Err(Error::NotRunning),
        }
    }

    /// No more prompts: the process ends when it has answered those it has.
    pub(crate) fn finish(&self) {
        let mut state = self.state.locked();
        state.finishing = true;
        state.process.input = None;
    }

    /// Kills the tree without waiting, and lets no other follow.
    pub(crate) fn kill(&self) -> Result<(), Error> {
        let mut state = self.state.locked();
        state.killed = true;
        state.process.input = None;
        state.process.tree.kill()
    }

    pub(crate) fn tree(&self) -> Arc<Tree> {
        Arc::clone(&self.state.locked().process.tree)
    }

    pub(crate) fn stderr(&self) -> Arc<StderrTail> {
        Arc::clone(&self.state.locked().process.stderr)
    }

    pub(crate) fn session_id(&self) -> Option<String> {
        self.state.locked().session_id.clone()
    }

    /// Keeps up with what an event says, before the host sees it.
    pub(crate) fn note(&self, event: &Event) {
        let mut state = self.state.locked();
        if let EventKind::System(line) = &event.kind {
            if line.is_init() {
                state.opened = true;
                state.session_id = line.session_id.clone();
            }
        }
        if event.ends_turn() {
            state.opened = true;
            state.unfinished.pop_front();
            state.begun = false;
            if self.mode == Mode::Turn {
                state.process.input = None; // it ends when it has nothing to read any more
            }
        } else if event.shows_work() {
            state.begun = true;
        }
    }

    /// What the end of the process means.
    pub(crate) fn ending(&self, exit: Exit) -> Ending {
        let state = self.state.locked();
        let answered = state.unfinished.is_empty();
        if state.killed {
            Ending::Killed
        } else if exit.is_violent() {
            Ending::Crashed
        } else if answered && (state.opened || exit.code == Some(0)) {
            Ending::Completed
        } else if state.opened || state.begun {
            Ending::Crashed
        } else {
            Ending::Refused
        }
    }

    /// Whether another process would have anything to do.
    pub(crate) fn has_work(&self) -> bool {
        let state = self.state.locked();
        let may_come = self.mode == Mode::Conversation && !state.finishing;
        may_come || !state.unfinished.is_empty()
    }

    /// Puts another process in the place of one that crashed, in the same session and with the
    /// prompts that are not finished. Nothing: somebody has killed it in the meantime.
    pub(crate) fn replace(&self, launch: &mut Launch) -> Result<Option<Successor>, Error> {
        let mut state = self.state.locked();
        if state.killed {
            return Ok(None);
        }
        if let Some(session_id) = &state.session_id {
            launch.resume(session_id.clone());
        }
        let (process, stdout) = Process::start(launch)?;
        state.process = process;
        let mut prompts = mem::take(&mut state.unfinished);
        if state.begun && prompts.pop_front().is_some() {
            // Its tools may have changed files: it goes on, and does not begin again.
            prompts.push_front(launch.options().restart.prompt.clone());
        }
        state.begun = false;
        state.opened = false;
        for prompt in prompts {
            state.submit(prompt);
        }
        if state.finishing {
            state.process.input = None;
        }
        Ok(Some(Successor {
            process_id: state.process.tree.process_id(),
            session_id: state.session_id.clone(),
            stdout,
        }))
    }
}

impl State {
    fn submit(&mut self, prompt: String) {
        if let Some(input) = &self.process.input {
            input.send(&prompt_line(&prompt));
        }
        self.unfinished.push_back(prompt);
    }
}

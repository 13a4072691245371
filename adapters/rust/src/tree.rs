// SPDX-License-Identifier: MIT
//! A running process with all that it started. One thread waits for its end and is the only one
//! that reaps it; until then its number cannot belong to another process, and under the lock anybody
//! may signal it.

use std::io;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use crate::locked::Locked;
use crate::platform::{exit_of, wait_unreaped, Group};
use crate::{Error, Exit};

/// How long a killed process may take to end. It takes less than a millisecond, unless it waits
/// for a device.
const KILL_PATIENCE: Duration = Duration::from_secs(5);

pub(crate) struct Tree {
    process_id: u32,
    group: Group,
    exit: Mutex<Option<Exit>>,
    ended: Condvar,
}

impl Tree {
    /// Takes over a process that was just started. If this fails, it has been killed.
    pub(crate) fn adopt(mut child: Child) -> io::Result<Arc<Tree>> {
        let group = match Group::adopt(&mut child) {
            Ok(group) => group,
            Err(error) => {
                let _ = child.wait();
                return Err(error);
            }
        };
        let tree = Arc::new(Tree {
            process_id: child.id(),
            group,
            exit: Mutex::new(None),
            ended: Condvar::new(),
        });
        let waiting = Arc::clone(&tree);
        let waiter = thread::Builder::new().name("yume-host-wait".into());
        match waiter.spawn(move || waiting.reap(child)) {
            Ok(_) => Ok(tree),
            Err(error) => {
                // Nobody will reap it, which costs an entry in the system's table; nobody can
                // start threads any more, so this is the lesser trouble.
                let _ = tree.group.kill();
                Err(error)
            }
        }
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process_id
    }

    /// Asks the process itself to end its turn. Nothing happens if it has ended.
    pub(crate) fn interrupt(&self) -> Result<(), Error> {
        self.signal(Group::interrupt)
    }

    /// Kills all of it, without waiting. Nothing happens if it has ended.
    pub(crate) fn kill(&self) -> Result<(), Error> {
        self.signal(Group::kill)
    }

    /// Waits for the end of a process that was killed.
    pub(crate) fn wait_killed(&self) -> Result<(), Error> {
        let exit = self.exit.locked();
        let waited = self
            .ended
            .wait_timeout_while(exit, KILL_PATIENCE, |exit| exit.is_none());
        let exit = match waited {
            Ok((exit, _)) => *exit,
            Err(poisoned) => *poisoned.into_inner().0,
        };
        match exit {
            Some(_) => Ok(()),
            None => Err(Error::StillRunning {
                process_id: self.process_id,
            }),
        }
    }

    /// Blocks until the process has ended and been reaped.
    pub(crate) fn wait(&self) -> Exit {
        let mut exit = self.exit.locked();
        loop {
            if let Some(exit) = *exit {
                return exit;
            }
            exit = match self.ended.wait(exit) {
                Ok(guard) => guard,
                Err(poisoned) => poisoned.into_inner(),
            };
        }
    }

    fn signal(&self, send: fn(&Group) -> io::Result<()>) -> Result<(), Error> {
        let exit = self.exit.locked();
        if exit.is_some() {
            return Ok(());
        }
        send(&self.group).map_err(|source| Error::CannotSignal {
            process_id: self.process_id,
            source,
        })
    }

    fn reap(&self, mut child: Child) {
        let waited = wait_unreaped(&mut child);
        let mut exit = self.exit.locked();
        // What it left behind in its group goes with it.
        let _ = self.group.kill();
        let status = waited.and_then(|()| child.wait());
        *exit = Some(status.map_or(Exit::new(None, None), exit_of));
        self.ended.notify_all();
    }
}

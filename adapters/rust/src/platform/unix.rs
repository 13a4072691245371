// SPDX-License-Identifier: MIT
//! A process is started in a session of its own, so that it leads a process group which can be
//! signalled as a whole, and a Ctrl-C in the host's terminal does not reach it. What yume-cli's
//! tools start lives in further sessions; yume-cli's own supervisor ends those when yume-cli dies.

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use crate::Exit;

pub(crate) fn can_be_run(path: &Path) -> bool {
    match path.metadata() {
        Ok(data) => data.is_file() && data.permissions().mode() & 0o111 != 0,
        Err(_) => false,
    }
}

pub(crate) fn prepare(command: &mut Command) {
    // SAFETY: setsid is async-signal-safe and touches no memory of ours.
    unsafe {
        command.pre_exec(|| {
            if libc::setsid() == -1 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        });
    }
}

pub(crate) struct Group {
    leader: libc::pid_t,
}

impl Group {
    pub(crate) fn adopt(child: &mut Child) -> io::Result<Group> {
        Ok(Group {
            leader: child.id() as libc::pid_t,
        })
    }

    /// Only the process itself: it decides what becomes of the others.
    pub(crate) fn interrupt(&self) -> io::Result<()> {
        send(self.leader, libc::SIGINT)
    }

    pub(crate) fn kill(&self) -> io::Result<()> {
        match send(-self.leader, libc::SIGKILL) {
            // What macOS says of a group whose last process has just ended.
            Err(error) if cfg!(target_os = "macos") && is_not_permitted(&error) => Ok(()),
            other => other,
        }
    }
}

fn send(target: libc::pid_t, signal: libc::c_int) -> io::Result<()> {
    // SAFETY: kill takes two numbers. The leader has not been reaped (the caller's promise), so
    // that its number cannot be another's.
    if unsafe { libc::kill(target, signal) } == 0 {
        return Ok(());
    }
    Err(io::Error::last_os_error())
}

fn is_not_permitted(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EPERM)
}

pub(crate) fn wait_unreaped(child: &mut Child) -> io::Result<()> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    loop {
        // SAFETY: `info` has room for what waitid writes, and nobody reads it.
        let result = unsafe {
            libc::waitid(
                libc::P_PID,
                child.id() as libc::id_t,
                info.as_mut_ptr(),
                libc::WEXITED | libc::WNOWAIT,
            )
        };
        if result == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

pub(crate) fn exit_of(status: ExitStatus) -> Exit {
    Exit::new(status.code(), status.signal())
}

// SPDX-License-Identifier: MIT
//! A process is born suspended, put into a Job object, and only then runs: nothing that it starts
//! is ever outside. The system kills what is in the job when the host is gone.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use super::windows_api::{resume_process, Job};
use crate::Exit;

const CREATE_SUSPENDED: u32 = 0x0000_0004;
const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

pub(crate) fn can_be_run(path: &Path) -> bool {
    path.is_file()
}

pub(crate) fn prepare(command: &mut Command) {
    command.creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

pub(crate) struct Group {
    job: Job,
}

impl Group {
    pub(crate) fn adopt(child: &mut Child) -> io::Result<Group> {
        let begin = || {
            let job = Job::new()?;
            job.add(child.as_raw_handle())?;
            resume_process(child.id())?;
            Ok(Group { job })
        };
        begin().map_err(|error| {
            // It never ran: nobody else will end it.
            let _ = child.kill();
            error
        })
    }

    /// A console's Ctrl-Break does not reach a process without a window of a host without one.
    pub(crate) fn interrupt(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn kill(&self) -> io::Result<()> {
        self.job.terminate()
    }
}

/// An open handle keeps the process known, so it can be waited for as it is.
pub(crate) fn wait_unreaped(child: &mut Child) -> io::Result<()> {
    child.wait().map(drop)
}

pub(crate) fn exit_of(status: ExitStatus) -> Exit {
    Exit::new(status.code(), None)
}

// SPDX-License-Identifier: MIT
//! One process of yume-cli: its tree, its input and its stderr. Its stdout belongs to the pump.

use std::io;
use std::process::ChildStdout;
use std::sync::Arc;

use crate::input::Input;
use crate::launch::Launch;
use crate::platform::prepare;
use crate::stderr_tail::StderrTail;
use crate::tree::Tree;
use crate::Error;

pub(crate) struct Process {
    pub(crate) tree: Arc<Tree>,
    pub(crate) stderr: Arc<StderrTail>,
    /// Nothing: it was closed, or the program reads none.
    pub(crate) input: Option<Input>,
}

impl Process {
    pub(crate) fn start(launch: &Launch) -> Result<(Process, ChildStdout), Error> {
        Process::try_start(launch).map_err(|source| Error::CannotStart {
            program: launch.program.clone(),
            source,
        })
    }

    fn try_start(launch: &Launch) -> io::Result<(Process, ChildStdout)> {
        let mut command = launch.command();
        prepare(&mut command);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        let tree = Tree::adopt(child)?;
        let pipes = || {
            let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
            let stdout = stdout.ok_or_else(missing)?;
            let stderr = stderr.ok_or_else(missing)?;
            let process = Process {
                stderr: StderrTail::read_from(stderr, launch.options().limits.stderr_bytes)?,
                input: stdin.map(Input::to).transpose()?,
                tree: Arc::clone(&tree),
            };
            Ok((process, stdout))
        };
        pipes().map_err(|error| {
            let _ = tree.kill();
            error
        })
    }
}

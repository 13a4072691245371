// SPDX-License-Identifier: MIT
//! Other processes, looked up in /proc, and their end, waited for without asking again and again.

use std::fs;
use std::io;
use std::os::unix::io::{AsRawFd, FromRawFd, OwnedFd};

/// Processes that were there at one moment.
#[derive(Debug)]
pub struct Watch {
    seen: Vec<(String, OwnedFd)>,
}

impl Watch {
    /// All those whose command line contains the mark.
    pub fn over(mark: &str) -> Watch {
        let mut seen = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let id = match entry.file_name().to_string_lossy().parse() {
                Ok(id) => id,
                Err(_) => continue,
            };
            let opened = open_process(id);
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(mark) {
                seen.extend(opened.ok().map(|process| (line, process)));
            }
        }
        Watch { seen }
    }

    pub fn len(&self) -> usize {
        self.seen.len()
    }

    pub fn command_lines(self) -> Vec<String> {
        self.seen.into_iter().map(|(line, _)| line).collect()
    }

    /// Waits for ever if one of them stays.
    pub fn wait_for_end(self) {
        for (_, process) in self.seen {
            let mut ended = libc::pollfd {
                fd: process.as_raw_fd(),
                events: libc::POLLIN,
                revents: 0,
            };
            // SAFETY: one entry, which lives as long as the call.
            while unsafe { libc::poll(&mut ended, 1, -1) } != 1 {}
        }
    }
}

fn open_process(id: libc::pid_t) -> io::Result<OwnedFd> {
    // SAFETY: takes two numbers, and gives a file descriptor that nobody else has.
    unsafe {
        match libc::syscall(libc::SYS_pidfd_open, id, 0) {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(OwnedFd::from_raw_fd(fd as libc::c_int)),
        }
    }
}

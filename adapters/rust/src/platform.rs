// SPDX-License-Identifier: MIT
//! What differs between systems: a process with all that it starts, as one thing that can be
//! interrupted and killed. One file a system, with the same functions:
//!
//! * `can_be_run(path)`: whether a file is a program.
//! * `prepare(command)`: before the start.
//! * `Group::adopt(child)`: right after it. `Group::interrupt` and `Group::kill` may be called from
//!   any thread as long as the child has not been reaped.
//! * `wait_unreaped(child)`: blocks until it has ended, without reaping it.
//! * `exit_of(status)`: how it ended.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
mod windows_api;

#[cfg(unix)]
pub(crate) use unix::{can_be_run, exit_of, prepare, wait_unreaped, Group};
#[cfg(windows)]
pub(crate) use windows::{can_be_run, exit_of, prepare, wait_unreaped, Group};

// SPDX-License-Identifier: MIT
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
// A line may get a field that is a fraction, and then has no Eq any more: none is promised.
#![allow(clippy::derive_partial_eq_without_eq)]

mod bundle;
mod error;
mod event;
mod events;
mod handle;
mod input;
mod launch;
mod lines;
mod locate;
mod locked;
mod options;
mod platform;
mod process;
mod pump;
mod shared;
mod stderr_tail;
#[cfg(feature = "tokio")]
mod tokio_events;
mod tree;

pub use error::Error;
pub use event::*;
pub use events::{spawn, Events, Next};
pub use handle::Handle;
pub use locate::{locate, Locator, BINARY_VARIABLE};
pub use options::{Dialect, Limits, Mode, PermissionMode, Restart, SpawnOptions};
#[cfg(feature = "tokio")]
pub use tokio_events::{spawn_tokio, TokioEvents};

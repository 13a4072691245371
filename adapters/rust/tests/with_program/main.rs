// SPDX-License-Identifier: MIT
//! The real yume-cli, driven through this crate and its examples, against a server on loopback. Needs
//! YUME_CLI_BINARY; `cargo test --all-features -- --include-ignored` runs it.
#![cfg(target_os = "linux")] // looks into /proc for processes that should not be there

mod examples;
mod gate;
mod place;
mod processes;
mod server;
#[cfg(feature = "tokio")]
mod tokio_events;
mod turns;

// SPDX-License-Identifier: MIT
//! What the program reads: lines of JSON on its stdin, written by a thread, so that a host never
//! waits for a program that does not read.

use std::io::{self, Write};
use std::sync::mpsc::{channel, Sender};
use std::thread;

use serde_json::{json, Value};

/// The open stdin of a process. It is closed when this is dropped and all lines are written.
pub(crate) struct Input {
    lines: Sender<String>,
}

impl Input {
    pub(crate) fn to(mut target: impl Write + Send + 'static) -> io::Result<Input> {
        let (lines, waiting) = channel::<String>();
        thread::Builder::new()
            .name("yume-host-stdin".into())
            .spawn(move || {
                for line in waiting {
                    // A program that has ended says so by other means.
                    if target.write_all(line.as_bytes()).is_err() || target.flush().is_err() {
                        break;
                    }
                }
            })?;
        Ok(Input { lines })
    }

    /// Returns at once. Whether the program is still there is not known here.
    pub(crate) fn send(&self, value: &Value) {
        let _ = self.lines.send(format!("{value}\n"));
    }
}

/// A prompt.
pub(crate) fn prompt_line(prompt: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": prompt}})
}

/// Ends the turn that runs; the process and queued prompts stay. Without a turn nothing happens.
pub(crate) fn interrupt_line(request_id: &str) -> Value {
    json!({
        "type": "control_request",
        "request_id": request_id,
        "request": {"subtype": "interrupt"},
    })
}

/// The answer to a question of the program.
pub(crate) fn reply_line(request_id: &str, response: Value) -> Value {
    json!({
        "type": "control_response",
        "response": {"subtype": "success", "request_id": request_id, "response": response},
    })
}

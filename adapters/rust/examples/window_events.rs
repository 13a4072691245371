// SPDX-License-Identifier: MIT
//! What the Rust side of a Tauri app does with a turn: every line becomes an event of its window,
//! `claude-message:{session}`. Tauri itself is not needed to see it: here the events are printed.
//!
//!     cargo run --example window_events SESSION PROMPT

use std::env;
use std::error::Error;

use serde_json::{json, Value};
use yume_host::{spawn, Dialect, Event, EventKind, Events, SpawnOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (session, prompt) = match (arguments.next(), arguments.next()) {
        (Some(session), Some(prompt)) => (session, prompt),
        _ => return Err("usage: window_events SESSION PROMPT".into()),
    };
    let events = spawn(SpawnOptions {
        prompt: Some(prompt),
        dialect: Some(Dialect::YumeApp),
        ..SpawnOptions::default()
    })?;
    // In a Tauri app: |name, payload| { let _ = app.emit(name, payload); }
    forward(events, &session, |name, payload| {
        println!("{name} {payload}")
    });
    Ok(())
}

/// The window knows the session by an id of its own. Once the program has said which one it really
/// is, whoever listens to that gets the lines as well.
fn forward(events: Events, session: &str, emit: impl Fn(&str, Value)) {
    let mut real: Option<String> = None;
    let mut complete = false;
    for event in events {
        if let Some(id) = new_session(&event, &real) {
            emit(
                &format!("claude-session-id-update:{session}"),
                json!({"old_session_id": session, "new_session_id": id}),
            );
            real = Some(id);
        }
        if !event.raw().is_empty() {
            emit(&format!("claude-message:{session}"), event.raw().into());
            if let Some(real) = real.as_deref().filter(|real| *real != session) {
                emit(&format!("claude-message:{real}"), event.raw().into());
            }
        }
        match &event.kind {
            EventKind::Result(_) => complete = true,
            EventKind::Exited(exited) if !exited.stderr.is_empty() => {
                emit(
                    &format!("claude-error:{session}"),
                    exited.stderr.as_str().into(),
                );
            }
            _ => {}
        }
        let ends = matches!(event.kind, EventKind::Result(_))
            || (matches!(event.kind, EventKind::Exited(_)) && !complete);
        if ends {
            emit(&format!("claude-complete:{session}"), json!({}));
        }
    }
}

fn new_session(event: &Event, known: &Option<String>) -> Option<String> {
    match &event.kind {
        EventKind::System(line) if line.is_init() && line.session_id != *known => {
            line.session_id.clone()
        }
        _ => None,
    }
}

// SPDX-License-Identifier: MIT
//! A conversation in a plain terminal: each line is a prompt. `/interrupt` ends the turn, `/kill`
//! the program; the next prompt goes on with the session. `/quit` or the end of input ends it all.
//!
//!     cargo run --example terminal [SESSION]

use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::thread::{self, JoinHandle};

use yume_host::{spawn, Event, EventKind, Handle, Mode, SpawnOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut conversation = Conversation {
        session: env::args().nth(1),
        running: None,
    };
    for line in io::stdin().lock().lines() {
        match line?.trim() {
            "" => {}
            "/quit" => break,
            "/interrupt" => conversation.interrupt()?,
            "/kill" => conversation.kill()?,
            prompt => conversation.ask(prompt)?,
        }
    }
    conversation.finish();
    Ok(())
}

struct Conversation {
    session: Option<String>,
    running: Option<(Handle, JoinHandle<()>)>,
}

impl Conversation {
    /// Starts the program if it does not run, and goes on with the session if there is one.
    fn ask(&mut self, prompt: &str) -> Result<(), yume_host::Error> {
        if let Some((handle, _)) = &self.running {
            if handle.send(prompt).is_ok() {
                return Ok(());
            }
            self.finish(); // it has ended by itself
        }
        let events = spawn(SpawnOptions {
            mode: Mode::Conversation,
            prompt: Some(prompt.into()),
            resume: self.session.clone(),
            ..SpawnOptions::default()
        })?;
        let handle = events.handle();
        let printer = thread::spawn(|| events.for_each(|event| print(&event)));
        self.running = Some((handle, printer));
        Ok(())
    }

    fn interrupt(&self) -> Result<(), yume_host::Error> {
        match &self.running {
            Some((handle, _)) => handle.interrupt(),
            None => Ok(()),
        }
    }

    fn kill(&mut self) -> Result<(), yume_host::Error> {
        if let Some((handle, _)) = &self.running {
            handle.kill()?;
        }
        self.finish();
        Ok(())
    }

    /// Waits until all is said.
    fn finish(&mut self) {
        if let Some((handle, printer)) = self.running.take() {
            handle.finish();
            let _ = printer.join();
            self.session = handle.session_id().or_else(|| self.session.take());
        }
    }
}

/// stdout has the answers, stderr all else.
fn print(event: &Event) {
    if let Some(text) = event.text() {
        print!("{text}");
        let _ = io::stdout().flush();
    }
    match &event.kind {
        EventKind::System(line) if line.is_init() => {
            eprintln!("[session {}]", line.session_id.as_deref().unwrap_or("?"));
        }
        EventKind::System(line) => {
            if let Some(notice) = line.notice() {
                eprintln!("[{notice}]");
            }
        }
        EventKind::ToolUse(line) => eprintln!("[{} {}]", line.name, line.input),
        EventKind::Result(result) => {
            println!();
            match result.failure() {
                Some(reason) => eprintln!("[failed: {reason}]"),
                None => eprintln!("[done in {} ms]", result.duration_ms),
            }
        }
        EventKind::Restarted(restarted) => eprintln!("[{}; restarted]", restarted.exit),
        EventKind::Exited(exited) => eprintln!("[{}]\n{}", exited.exit, exited.stderr.trim_end()),
        _ => {}
    }
}

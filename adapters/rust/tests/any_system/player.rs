// SPDX-License-Identifier: MIT
//! The program that is started: it speaks yume-cli's flat dialect, and does what its part says.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{abort, exit, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{json, Value};

/// Plays the part that the environment names; false: it names none.
pub fn plays_a_part() -> bool {
    let part = match env::var("PART") {
        Ok(part) => part,
        Err(_) => return false,
    };
    match part.as_str() {
        "answer" => answer_prompts(),
        "count" => count(),
        "odd lines" => odd_lines(),
        "much on stderr" => much_on_stderr(),
        "refuse" => refuse(),
        "work until interrupted" => work_until_interrupted(),
        "start others" => start_others(),
        "leave another" => leave_another(),
        "be another" => be_there(),
        "talk without end" => talk_without_end(),
        "crash" => crash_in_turn(),
        "crash after the result" => {
            answer_prompts();
            crash();
        }
        "crash once in a turn" => crash_once(crash_in_turn),
        "crash once after a turn" => crash_once(|| {
            answer(&next_prompt().unwrap());
            crash();
        }),
        "crash once at the second prompt" => crash_once(|| {
            answer(&next_prompt().unwrap());
            next_prompt();
            crash();
        }),
        "crash once at the start" => crash_once(crash),
        other => panic!("there is no part named {other}"),
    }
    true
}

fn say(line: &Value) {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").unwrap();
}

fn say_init() {
    let resumed = env::args().find_map(|argument| {
        let id = argument.strip_prefix("--resume=")?;
        Some(id.to_string())
    });
    say(&json!({
        "type": "system",
        "subtype": "init",
        "session_id": "session-1",
        "tools": [],
        "resumed": resumed.unwrap_or_default(),
    }));
}

fn say_text(text: &str) {
    say(&json!({"type": "text", "content": text}));
}

fn say_result(is_error: bool) {
    say(&json!({
        "type": "result",
        "subtype": if is_error { "error_during_execution" } else { "success" },
        "is_error": is_error,
        "num_turns": 1,
        "duration_ms": 1,
        "session_id": "session-1",
    }));
}

/// The next line of a type, as JSON; nothing at the end.
fn next_line(wanted: &str) -> Option<Value> {
    loop {
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let line: Value = serde_json::from_str(&line).unwrap();
        if line["type"] == wanted {
            return Some(line);
        }
    }
}

fn next_prompt() -> Option<String> {
    let line = next_line("user")?;
    Some(line["message"]["content"].as_str().unwrap().to_string())
}

fn answer_prompts() {
    while let Some(prompt) = next_prompt() {
        answer(&prompt);
    }
}

fn answer(prompt: &str) {
    say_init();
    say_text(&format!("You said: {prompt}"));
    say_result(false);
    say(&json!({"type": "message_stop"}));
}

fn count() {
    next_prompt();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for number in 0..100_000 {
        let line = json!({"type": "text", "content": number.to_string(), "id": "txt_0123456789"});
        writeln!(out, "{line}").unwrap();
    }
    drop(out);
    say_result(false);
}

fn odd_lines() {
    next_prompt();
    say_init();
    let mut out = io::stdout().lock();
    out.write_all(b"warning: not JSON\n\n   \n\xFF\xFE\n")
        .unwrap();
    out.write_all(b"{\"type\":\"riddle\",\"answer\":42}\r\n")
        .unwrap();
    let long = format!(r#"{{"type":"text","content":"{}"}}"#, "x".repeat(4972));
    assert_eq!(long.len(), 5000);
    writeln!(out, "{long}").unwrap();
    drop(out);
    say_result(false);
    let mut out = io::stdout().lock();
    out.write_all(b"{\"type\":\"te").unwrap();
    out.flush().unwrap();
}

fn much_on_stderr() {
    for number in 0..10_000 {
        // Not eprintln: under some systems it would write a line in pieces.
        io::stderr()
            .write_all(format!("line {number}\n").as_bytes())
            .unwrap();
    }
    answer_prompts();
}

fn refuse() {
    eprintln!("error: unknown option");
    exit(2);
}

fn work_until_interrupted() {
    while next_prompt().is_some() {
        say_init();
        say_text("working");
        let request = match next_line("control_request") {
            Some(request) => request,
            None => return,
        };
        let id = &request["request_id"];
        say(
            &json!({"type": "control_response", "response": {"subtype": "success", "request_id": id}}),
        );
        say_result(true);
    }
}

/// A connection that ends when this process does.
fn connect() -> TcpStream {
    TcpStream::connect(env::var("PART_ADDRESS").unwrap()).unwrap()
}

fn be_there() {
    let mut connection = connect();
    let _ = connection.read(&mut [0]);
}

fn another() -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.env("PART", "be another");
    command
}

fn start_others() {
    next_prompt();
    let mut child = another().stdin(Stdio::null()).spawn().unwrap();
    say_init();
    be_there();
    child.wait().unwrap();
}

/// The other one does not hold our pipes, but it is still there when we are not.
fn leave_another() {
    let mut command = another();
    command.stdin(Stdio::null());
    command.stdout(Stdio::null());
    command.stderr(Stdio::null());
    command.spawn().unwrap();
    answer_prompts();
}

/// Says so by a connection when nobody takes what is written.
fn talk_without_end() {
    let written = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&written);
    thread::spawn(move || {
        let mut before = 0;
        loop {
            thread::sleep(Duration::from_millis(50));
            let now = seen.load(Ordering::SeqCst);
            if now == before && now > 0 {
                let _ = connect();
                return;
            }
            before = now;
        }
    });
    let line = json!({"type": "text", "content": "x".repeat(10_000)});
    loop {
        say(&line);
        written.fetch_add(1, Ordering::SeqCst);
    }
}

fn crash() {
    eprintln!("about to crash");
    abort();
}

fn crash_in_turn() {
    next_prompt();
    say_init();
    say_text("working");
    crash();
}

/// The first process of a test does, the others answer.
fn crash_once(crash: fn()) {
    let mark = PathBuf::from(env::var_os("PART_FOLDER").unwrap()).join("crashed");
    let first = OpenOptions::new().write(true).create_new(true).open(mark);
    if first.is_ok() {
        crash();
    }
    answer_prompts();
}

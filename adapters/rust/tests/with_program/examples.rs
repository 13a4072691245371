// SPDX-License-Identifier: MIT
//! The examples, run as programs.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use crate::place::{program, Place, MODEL};
use crate::server::Reply;

/// Cargo builds examples beside the tests.
fn example(name: &str, place: &Place) -> Command {
    let tests = env::current_exe().unwrap();
    let built = tests.parent().unwrap().parent().unwrap();
    let mut command = Command::new(built.join("examples").join(name));
    command.env_clear();
    for (name, value) in env::vars_os() {
        if name.to_string_lossy().ends_with("SAN_OPTIONS") {
            command.env(name, value);
        }
    }
    command.envs(place.environment());
    command.env("YUME_CLI_BINARY", program());
    command.env("GEMINI_MODEL", MODEL);
    command.current_dir(place.work());
    command
}

/// The lines of a pipe up to one that contains this, which is the last.
fn read_until(lines: &mut impl BufRead, wanted: &str) -> String {
    let mut text = String::new();
    while !text.contains(wanted) {
        let read = lines.read_line(&mut text).unwrap();
        assert!(read > 0, "{wanted} never came: {text}");
    }
    text
}

fn session_in(text: &str) -> String {
    let (_, rest) = text.split_once("[session ").expect("a session");
    rest.split(']').next().unwrap().to_string()
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn the_terminal_drives_three_turns_an_interrupt_a_kill_and_a_resume() {
    let place = Place::new(vec![
        Reply::text("First."),
        Reply::text("Second."),
        Reply::text("Third."),
        Reply::stalled("Half of"),
        Reply::stalled("Another half"),
        Reply::text("Back again."),
    ]);
    let mut terminal = example("terminal", &place)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = terminal.stdin.take().unwrap();
    let mut notes = BufReader::new(terminal.stderr.take().unwrap());

    let mut first = String::new();
    for prompt in ["one", "two", "three"] {
        writeln!(keys, "{prompt}").unwrap();
        first = read_until(&mut notes, "[done in");
        place.server.next_request();
    }
    writeln!(keys, "four").unwrap();
    place.server.next_request();
    writeln!(keys, "/interrupt").unwrap();
    read_until(&mut notes, "[failed: ");
    writeln!(keys, "five").unwrap();
    place.server.next_request();
    writeln!(keys, "/kill").unwrap();
    read_until(&mut notes, "[ended by signal 9]");
    writeln!(keys, "six").unwrap();
    let resumed = read_until(&mut notes, "[done in");
    assert_eq!(session_in(&resumed), session_in(&first));
    let history = place.server.next_request()["contents"].to_string();
    assert!(
        history.contains("First.") && history.contains("six"),
        "{history}"
    );

    drop(keys);
    let mut answers = String::new();
    terminal
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut answers)
        .unwrap();
    assert!(terminal.wait().unwrap().success());
    assert!(
        answers.starts_with("First.\nSecond.\nThird.\n"),
        "{answers}"
    );
    assert!(answers.ends_with("Back again.\n"), "{answers}");
    assert_eq!(place.processes(), [""; 0]);
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn the_window_gets_each_line_under_both_ids() {
    let place = Place::new(vec![Reply::text("Hello.")]);
    let output = example("window_events", &place)
        .args(["syn_1", "hi"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let events: Vec<(&str, &str)> = text
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .collect();
    let update: serde_json::Value = serde_json::from_str(events[0].1).unwrap();
    assert_eq!(events[0].0, "claude-session-id-update:syn_1");
    assert_eq!(update["old_session_id"], "syn_1");
    let real = update["new_session_id"].as_str().unwrap();
    let lines = |name: String| -> Vec<&str> {
        let named = events.iter().filter(|(event, _)| *event == name);
        named.map(|(_, payload)| *payload).collect()
    };
    let messages = lines("claude-message:syn_1".into());
    assert_eq!(messages.len(), 4, "init, answer, all of it, result: {text}");
    assert!(messages[1].contains("Hello.") && messages[2].contains("Hello."));
    assert_eq!(messages, lines(format!("claude-message:{real}")));
    assert_eq!(lines("claude-complete:syn_1".into()), ["{}"]);
    assert_eq!(lines("claude-error:syn_1".into()), [""; 0]);
}

// SPDX-License-Identifier: MIT
//! Turns of every kind, and their ends.

use std::fs;
use std::time::Instant;

use serde_json::json;
use yume_host::{
    spawn, Block, Dialect, Ending, Event, EventKind, Exited, Mode, PermissionMode, Restart,
    SpawnOptions, TurnResult,
};

use crate::gate::Gate;
use crate::place::{answer, program, take_turn, take_until, Place, MODEL};
use crate::processes::Watch;
use crate::server::Reply;

const DIALECTS: [Dialect; 3] = [Dialect::Yume, Dialect::YumeApp, Dialect::Claude];

fn result(events: &[Event]) -> &TurnResult {
    let results = events.iter().filter_map(|event| match &event.kind {
        EventKind::Result(result) => Some(result.as_ref()),
        _ => None,
    });
    results.last().expect("a result")
}

fn exited(events: &[Event]) -> &Exited {
    match events.last().map(|event| &event.kind) {
        Some(EventKind::Exited(exited)) => exited,
        other => panic!("the last event is {other:?}"),
    }
}

/// Nothing that this crate could not read.
fn all_understood(events: &[Event]) {
    for event in events {
        assert!(
            !matches!(
                event.kind,
                EventKind::Unknown(_) | EventKind::Malformed(_) | EventKind::TooLong(_)
            ),
            "{event:?}"
        );
    }
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn a_turn_with_a_tool_in_every_dialect() {
    for dialect in DIALECTS {
        let place = Place::new(vec![
            Reply::call("Read", json!({"file_path": "a.txt"})),
            Reply::text("It says alpha."),
        ]);
        fs::write(place.work().join("a.txt"), "alpha\n").unwrap();
        let events: Vec<Event> = spawn(place.options(dialect)).unwrap().collect();
        all_understood(&events);
        assert_eq!(answer(&events), "It says alpha.", "{dialect:?}");
        let init = match &events[0].kind {
            EventKind::System(line) if line.is_init() => line,
            other => panic!("{other:?}"),
        };
        assert_eq!(init.model.as_deref(), Some(MODEL));
        assert_eq!(init.cwd.as_deref(), place.work().to_str());
        assert!(init.tools.contains(&"Read".to_string()));
        let (call, outcome) = call_and_outcome(&events);
        assert_eq!(call, "Read");
        assert!(outcome.contains("alpha"), "{outcome}");
        let result = result(&events);
        assert_eq!(result.failure(), None);
        assert_eq!(result.session_id, init.session_id);
        assert_eq!(result.model_usage[MODEL].input_tokens, 40);
        assert_eq!(exited(&events).ending, Ending::Completed);
        assert_eq!(exited(&events).stderr, "");
        assert_eq!(place.processes(), [""; 0]);
    }
}

/// The tool that was called, and what it said, in either form.
fn call_and_outcome(events: &[Event]) -> (String, String) {
    let mut call = String::new();
    let mut outcome = String::new();
    for event in events {
        match &event.kind {
            EventKind::ToolUse(line) => call = line.name.clone(),
            EventKind::ToolResult(line) => outcome = line.content.text(),
            EventKind::Assistant(line) => {
                if let [Block::ToolUse(block)] = line.message.content.as_slice() {
                    call = block.name.clone();
                }
            }
            EventKind::User(line) => {
                if let yume_host::Content::Blocks(blocks) = &line.message.content {
                    if let [Block::ToolResult(block)] = blocks.as_slice() {
                        outcome = block.content.text();
                    }
                }
            }
            _ => {}
        }
    }
    (call, outcome)
}

/// The text that a line shows and that still grows.
fn growing_text(event: &Event) -> Option<&str> {
    match &event.kind {
        EventKind::Assistant(line) if line.streaming => match &line.message.content[..] {
            [Block::Text(block)] => Some(&block.text),
            other => panic!("{other:?}"),
        },
        _ => None,
    }
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn a_text_that_grows_is_one_text() {
    let gate = Gate::new();
    let place = Place::new(vec![Reply::gated("One, ", &gate, "two.")]);
    let mut events = spawn(place.options(Dialect::YumeApp)).unwrap();
    let mut seen = take_until(&mut events, |event| growing_text(event) == Some("One, "));
    gate.open();
    seen.extend(events);
    all_understood(&seen);
    assert_eq!(answer(&seen), "One, two.");
    let rows: Vec<_> = seen
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Assistant(line) => Some(line.row_id.as_deref().expect("a row")),
            _ => None,
        })
        .collect();
    assert!(
        rows.len() >= 2 && rows.iter().all(|row| *row == rows[0]),
        "{rows:?}"
    );
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn three_turns_an_interrupt_a_kill_and_a_resume() {
    for dialect in DIALECTS {
        let place = Place::new(vec![
            Reply::text("First."),
            Reply::text("Second."),
            Reply::text("Third."),
            Reply::stalled("Half of"),
            Reply::call("Bash", sleeping_command()),
            Reply::text("Back again."),
        ]);
        let mut events = spawn(SpawnOptions {
            mode: Mode::Conversation,
            prompt: Some("one".into()),
            permission_mode: Some(PermissionMode::BypassPermissions),
            ..place.options(dialect)
        })
        .unwrap();
        let handle = events.handle();
        assert_eq!(answer(&take_turn(&mut events)), "First.");
        for (prompt, expected) in [("two", "Second."), ("three", "Third.")] {
            handle.send(prompt).unwrap();
            assert_eq!(answer(&take_turn(&mut events)), expected, "{dialect:?}");
        }

        handle.send("four").unwrap();
        for _ in 0..4 {
            place.server.next_request();
        }
        handle.interrupt().unwrap();
        let turn = take_turn(&mut events);
        assert!(result(&turn).is_error);
        let session = handle.session_id().unwrap();

        handle.send("five").unwrap();
        place.server.next_request();
        let watch = wait_for_command(&place);
        handle.kill().unwrap();
        watch.wait_for_end();
        let rest: Vec<Event> = events.collect();
        assert_eq!(exited(&rest).ending, Ending::Killed);
        all_understood(&rest[..rest.len() - 1]);
        assert_eq!(place.processes(), [""; 0]);

        let resumed: Vec<Event> = spawn(SpawnOptions {
            resume: Some(session.clone()),
            prompt: Some("six".into()),
            ..place.options(dialect)
        })
        .unwrap()
        .collect();
        all_understood(&resumed);
        assert_eq!(answer(&resumed), "Back again.");
        assert_eq!(result(&resumed).session_id.as_deref(), Some(&*session));
        let history = place.server.next_request()["contents"].to_string();
        for said in ["one", "First.", "three", "Third.", "four", "six"] {
            assert!(history.contains(said), "{dialect:?}: {said} in {history}");
        }
        assert_eq!(exited(&resumed).ending, Ending::Completed);
        assert_eq!(place.processes(), [""; 0]);
    }
}

/// A command that has left its process group and says that it runs, beside one that has not.
fn sleeping_command() -> serde_json::Value {
    json!({"command": "setsid sh -c 'echo runs > mark; sleep 1000; : '$PWD & sleep 1000"})
}

/// Waits until it runs.
fn wait_for_command(place: &Place) -> Watch {
    assert_eq!(place.read_mark(), "runs\n");
    let watch = place.watch();
    // The program itself, what watches over its command, and the one that left.
    assert!(watch.len() >= 3, "{watch:?}");
    watch
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn an_interrupt_after_finish_is_a_signal() {
    let place = Place::new(vec![Reply::stalled("Half of")]);
    let mut events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        ..place.options(Dialect::Claude)
    })
    .unwrap();
    let handle = events.handle();
    handle.finish();
    place.server.next_request();
    handle.interrupt().unwrap();
    let turn = take_turn(&mut events);
    assert!(result(&turn).is_error);
    assert_eq!(
        exited(&events.collect::<Vec<_>>()).ending,
        Ending::Completed
    );
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn dropped_events_leave_no_process() {
    let place = Place::new(vec![Reply::call("Bash", sleeping_command())]);
    let events = spawn(SpawnOptions {
        permission_mode: Some(PermissionMode::BypassPermissions),
        ..place.options(Dialect::Yume)
    })
    .unwrap();
    let watch = wait_for_command(&place);
    drop(events);
    watch.wait_for_end();
    assert_eq!(place.processes(), [""; 0]);
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn a_crash_is_followed_by_a_process_that_goes_on() {
    let gate = Gate::new();
    let place = Place::new(vec![
        Reply::text("First."),
        Reply::gated("Half of. ", &gate, ""),
        Reply::text("And the rest."),
    ]);
    let mut events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        restart: Restart {
            limit: 1,
            prompt: "go on, please".into(),
        },
        arguments: vec!["--include-partial-messages".into()],
        ..place.options(Dialect::Claude)
    })
    .unwrap();
    let handle = events.handle();
    take_turn(&mut events);
    let session = handle.session_id();
    handle.send("more").unwrap();
    take_until(&mut events, |event| event.raw().contains("Half of"));
    // SAFETY: a signal to a process of ours that has not been reaped.
    unsafe { libc::kill(handle.process_id() as libc::pid_t, libc::SIGSEGV) };
    let turn = take_turn(&mut events);
    let restarted = turn.iter().find_map(|event| match &event.kind {
        EventKind::Restarted(restarted) => Some(restarted),
        _ => None,
    });
    assert_eq!(restarted.unwrap().session_id, session);
    assert!(answer(&turn).ends_with("And the rest."));
    place.server.next_request();
    place.server.next_request();
    let history = place.server.next_request()["contents"].to_string();
    for said in ["First.", "more", "go on, please"] {
        assert!(history.contains(said), "{said} in {history}");
    }
    gate.open();
    handle.finish();
    assert_eq!(
        exited(&events.collect::<Vec<_>>()).ending,
        Ending::Completed
    );
    assert_eq!(place.processes(), [""; 0]);
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn a_session_is_reconnected_without_a_request() {
    let place = Place::new(vec![Reply::text("First.")]);
    let first: Vec<Event> = spawn(place.options(Dialect::YumeApp)).unwrap().collect();
    let session = result(&first).session_id.clone();
    let again: Vec<Event> = spawn(SpawnOptions {
        resume: session.clone(),
        prompt: None,
        ..place.options(Dialect::YumeApp)
    })
    .unwrap()
    .collect();
    assert_eq!(result(&again).session_id, session);
    assert!(result(&again).usage.as_ref().unwrap().context_tokens() > 0);
    assert_eq!(exited(&again).ending, Ending::Completed);
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn options_reach_the_program() {
    let place = Place::new(vec![Reply::text("Well.")]);
    let history = place.work().join("history.json");
    let said =
        json!([{"role": "user", "content": "what was"}, {"role": "assistant", "content": "is"}]);
    fs::write(&history, said.to_string()).unwrap();
    // Longer than an argument may be on any system.
    let long = "wörd ".repeat(200_000);
    let id = "5e551011-0000-4000-8000-000000000001";
    let events: Vec<Event> = spawn(SpawnOptions {
        prompt: Some(long.clone()),
        session_id: Some(id.into()),
        history_file: Some(history),
        permission_mode: Some(PermissionMode::Plan),
        gcloud_path: Some(place.work().join("no-gcloud")),
        arguments: vec!["--auth=api-key".into()],
        ..place.options(Dialect::Yume)
    })
    .unwrap()
    .collect();
    match &events[0].kind {
        EventKind::System(init) => {
            assert_eq!(init.session_id.as_deref(), Some(id));
            assert_eq!(init.permission_mode.as_deref(), Some("plan"));
        }
        other => panic!("{other:?}"),
    }
    let contents = place.server.next_request()["contents"].to_string();
    assert!(contents.contains("what was"));
    assert!(contents.contains(&long));
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn a_login_that_is_missing_is_a_failed_turn() {
    let place = Place::new(vec![]);
    let mut options = place.options(Dialect::Yume);
    options.remove_env("GEMINI_API_KEY");
    options.restart = Restart::at_most(3);
    let events: Vec<Event> = spawn(options).unwrap().collect();
    let failure = result(&events).failure().unwrap();
    assert!(failure.contains("no Gemini credentials"), "{failure}");
    assert_eq!(exited(&events).ending, Ending::Completed);
    assert_eq!(exited(&events).exit.code, Some(1));
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn wrong_arguments_are_told_by_stderr() {
    let place = Place::new(vec![]);
    let events: Vec<Event> = spawn(SpawnOptions {
        arguments: vec!["--max-turns=many".into()],
        restart: Restart::at_most(3),
        ..place.options(Dialect::Yume)
    })
    .unwrap()
    .collect();
    let exited = exited(&events);
    assert_eq!(exited.ending, Ending::Refused);
    assert!(exited.stderr.contains("--max-turns"), "{}", exited.stderr);
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn ten_thousand_pieces_arrive_whole() {
    const COUNT: usize = 10_000;
    let place = Place::new(vec![Reply::texts(
        (0..COUNT).map(|number| format!("{number} ")),
    )]);
    let started = Instant::now();
    let events: Vec<Event> = spawn(SpawnOptions {
        arguments: vec!["--include-partial-messages".into()],
        ..place.options(Dialect::Claude)
    })
    .unwrap()
    .collect();
    let seconds = started.elapsed().as_secs_f64();
    all_understood(&events);
    let grown: String = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::StreamEvent(line) => match &line.event {
                yume_host::StreamPart::TextDelta { text, .. } => Some(text.as_str()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let expected: String = (0..COUNT).map(|number| format!("{number} ")).collect();
    assert_eq!(grown, expected);
    assert_eq!(answer(&events), expected);
    // How fast depends on the build that is tested; this crate's own speed is in any_system.
    println!(
        "{} events in {seconds:.2} s from {}",
        events.len(),
        program().display()
    );
}

// SPDX-License-Identifier: MIT
//! What must hold on every system, with a program that misbehaves on demand: this test itself,
//! started once more with a part to play. Nothing here needs yume-cli.

mod player;
mod scene;

use std::io::Read;
use std::time::Instant;

use scene::{run_tests, tests, Scene};
use yume_host::{
    spawn, Ending, Error, Event, EventKind, Events, Exited, Limits, Mode, Next, Restart,
    SpawnOptions,
};

fn main() {
    if player::plays_a_part() {
        return;
    }
    run_tests(tests![
        a_turn_has_typed_events_and_an_end,
        a_conversation_takes_prompts_until_it_is_finished,
        odd_lines_are_events_and_lose_no_others,
        stderr_is_kept_apart_and_only_its_end,
        a_program_that_refuses_is_not_restarted,
        an_interrupt_ends_the_turn_and_keeps_the_process,
        a_kill_takes_the_whole_tree,
        dropped_events_take_the_whole_tree,
        what_a_program_leaves_behind_dies_with_it,
        a_slow_host_slows_the_program,
        ten_thousand_events_a_second_pass,
        a_crash_in_a_turn_goes_on_in_the_same_session,
        a_crash_before_the_first_line_repeats_the_prompt,
        queued_prompts_survive_a_crash,
        a_crash_between_turns_repeats_the_second_prompt,
        a_crash_without_a_turn_asks_nothing,
        restarts_have_a_limit,
        a_crash_without_restarts_is_the_end,
        a_crash_after_the_result_is_not_repeated,
        a_killed_program_is_not_restarted,
        one_prompt_is_all_a_turn_takes,
        a_program_that_is_none_is_named,
        the_next_event_can_be_waited_for,
    ]);
}

fn last(events: Vec<Event>) -> Exited {
    match events.into_iter().last().map(|event| event.kind) {
        Some(EventKind::Exited(exited)) => exited,
        other => panic!("the last event is {other:?}"),
    }
}

fn texts(events: &[Event]) -> Vec<String> {
    events.iter().filter_map(Event::text).collect()
}

fn take_until_result(events: &mut Events) -> Vec<Event> {
    let mut taken = Vec::new();
    for event in events {
        let done = matches!(event.kind, EventKind::Result(_));
        taken.push(event);
        if done {
            return taken;
        }
    }
    panic!("no result: {taken:?}");
}

fn a_turn_has_typed_events_and_an_end(scene: &Scene) {
    let events: Vec<Event> = spawn(scene.options("answer")).unwrap().collect();
    let kinds: Vec<&EventKind> = events.iter().map(|event| &event.kind).collect();
    assert!(matches!(kinds[0], EventKind::System(line) if line.is_init()));
    assert!(matches!(kinds[1], EventKind::Text(line) if line.content == "You said: hi"));
    assert!(matches!(kinds[2], EventKind::Result(line) if line.num_turns == 1));
    assert!(matches!(kinds[3], EventKind::MessageStop(_)));
    assert_eq!(kinds.len(), 5);
    let exited = last(events);
    assert_eq!(exited.ending, Ending::Completed);
    assert_eq!(exited.exit.code, Some(0));
}

fn a_conversation_takes_prompts_until_it_is_finished(scene: &Scene) {
    let mut events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        prompt: None,
        ..scene.options("answer")
    })
    .unwrap();
    let handle = events.handle();
    assert_eq!(handle.session_id(), None);
    for prompt in ["one", "two \"quoted\"\nlines \u{1F600}", "three"] {
        handle.send(prompt).unwrap();
        let turn = take_until_result(&mut events);
        assert_eq!(texts(&turn), [format!("You said: {prompt}")]);
    }
    assert_eq!(handle.session_id().as_deref(), Some("session-1"));
    assert!(matches!(
        handle.send(" "),
        Err(Error::InvalidOptions { .. })
    ));
    handle.finish();
    let rest: Vec<Event> = events.collect();
    assert_eq!(last(rest).ending, Ending::Completed);
    assert!(matches!(handle.send("four"), Err(Error::NotRunning)));
    handle.kill().unwrap(); // long gone, which is as well
}

fn odd_lines_are_events_and_lose_no_others(scene: &Scene) {
    let events: Vec<Event> = spawn(SpawnOptions {
        limits: Limits {
            line_bytes: 1000,
            ..Limits::default()
        },
        ..scene.options("odd lines")
    })
    .unwrap()
    .collect();
    let mut kinds = events.iter().map(|event| &event.kind);
    let mut next = || kinds.next().unwrap();
    assert!(matches!(next(), EventKind::System(_)));
    match next() {
        EventKind::Malformed(line) => {
            assert_eq!(line.start, "warning: not JSON");
            assert_eq!(line.bytes, 17);
        }
        other => panic!("{other:?}"),
    }
    match next() {
        EventKind::Malformed(line) => assert_eq!(line.reason, "it is not UTF-8"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(next(), EventKind::Unknown(line) if line.value["answer"] == 42));
    match next() {
        EventKind::TooLong(line) => {
            assert_eq!(line.bytes, 5000);
            assert!(line.start.starts_with(r#"{"type":"text","content":"xxx"#));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(next(), EventKind::Result(_)));
    match next() {
        EventKind::Malformed(line) => {
            assert_eq!(line.start, r#"{"type":"te"#);
            assert!(line.reason.starts_with("the program ended before the line"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(last(events.clone()).ending, Ending::Completed);
}

fn stderr_is_kept_apart_and_only_its_end(scene: &Scene) {
    let events: Vec<Event> = spawn(SpawnOptions {
        limits: Limits {
            stderr_bytes: 10,
            ..Limits::default()
        },
        ..scene.options("much on stderr")
    })
    .unwrap()
    .collect();
    assert_eq!(texts(&events), ["You said: hi"]);
    assert_eq!(last(events).stderr, "line 9999\n");
}

fn a_program_that_refuses_is_not_restarted(scene: &Scene) {
    let events: Vec<Event> = spawn(SpawnOptions {
        restart: Restart::at_most(3),
        ..scene.options("refuse")
    })
    .unwrap()
    .collect();
    assert_eq!(events.len(), 1);
    let exited = last(events);
    assert_eq!(exited.ending, Ending::Refused);
    assert_eq!(exited.exit.code, Some(2));
    assert_eq!(exited.stderr.trim_end(), "error: unknown option");
}

fn an_interrupt_ends_the_turn_and_keeps_the_process(scene: &Scene) {
    let mut events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        ..scene.options("work until interrupted")
    })
    .unwrap();
    let handle = events.handle();
    let first = handle.process_id();
    assert!(events.next().unwrap().text().is_none());
    assert_eq!(events.next().unwrap().text().as_deref(), Some("working"));
    handle.interrupt().unwrap();
    let turn = take_until_result(&mut events);
    assert!(matches!(turn[0].kind, EventKind::ControlResponse(_)));
    match &turn.last().unwrap().kind {
        EventKind::Result(result) => assert!(result.is_error),
        other => panic!("{other:?}"),
    }
    handle.send("again").unwrap();
    assert!(matches!(events.next().unwrap().kind, EventKind::System(_)));
    assert_eq!(handle.process_id(), first);
}

fn a_kill_takes_the_whole_tree(scene: &Scene) {
    let mut events = spawn(scene.options("start others")).unwrap();
    let mut descendants = scene.connections(2);
    assert!(events.next().is_some());
    events.handle().kill().unwrap();
    for descendant in &mut descendants {
        wait_for_end(descendant);
    }
    let exited = last(events.collect());
    assert_eq!(exited.ending, Ending::Killed);
}

fn dropped_events_take_the_whole_tree(scene: &Scene) {
    let mut events = spawn(scene.options("start others")).unwrap();
    let mut descendants = scene.connections(2);
    assert!(events.next().is_some()); // no further line will tell that nobody reads
    drop(events);
    for descendant in &mut descendants {
        wait_for_end(descendant);
    }
}

fn what_a_program_leaves_behind_dies_with_it(scene: &Scene) {
    let events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        ..scene.options("leave another")
    })
    .unwrap();
    let mut left = scene.connections(1);
    events.handle().finish();
    let exited = last(events.collect());
    wait_for_end(&mut left[0]);
    assert_eq!(exited.ending, Ending::Completed);
}

/// A process that is killed closes its connection, in good manners or not.
fn wait_for_end(connection: &mut impl Read) {
    let mut byte = [0];
    assert!(matches!(connection.read(&mut byte), Ok(0) | Err(_)));
}

fn a_slow_host_slows_the_program(scene: &Scene) {
    const ROOM: usize = 3;
    let mut events = spawn(SpawnOptions {
        limits: Limits {
            events: ROOM,
            ..Limits::default()
        },
        ..scene.options("talk without end")
    })
    .unwrap();
    assert!(events.next().is_some());
    scene.connections(1); // the program has noticed that nobody takes its lines
    events.handle().kill().unwrap();
    let waiting = events.count();
    // Lines of 10 kB each: those in the queue, one in the pump's hand, those in its buffer and in
    // the pipe (64 KiB each), one that was cut, and the end.
    assert!(
        waiting <= ROOM + 1 + 7 + 7 + 1 + 1,
        "{waiting} were waiting"
    );
}

fn ten_thousand_events_a_second_pass(scene: &Scene) {
    // A busy machine may be slow once.
    let rate = (0..3)
        .map(|_| events_per_second(scene))
        .find(|rate| *rate >= 10_000.0);
    assert!(rate.is_some());
}

fn events_per_second(scene: &Scene) -> f64 {
    const COUNT: usize = 100_000;
    let started = Instant::now();
    let mut expected = 0;
    for event in spawn(scene.options("count")).unwrap() {
        if let EventKind::Text(line) = &event.kind {
            assert_eq!(line.content, expected.to_string());
            expected += 1;
        }
    }
    assert_eq!(expected, COUNT);
    let rate = COUNT as f64 / started.elapsed().as_secs_f64();
    println!("    {rate:.0} events/s, start and end of the process included");
    rate
}

fn a_crash_in_a_turn_goes_on_in_the_same_session(scene: &Scene) {
    let events: Vec<Event> = spawn(SpawnOptions {
        session_id: Some("chosen".into()),
        restart: Restart {
            limit: 1,
            prompt: "go on".into(),
        },
        ..scene.options("crash once in a turn")
    })
    .unwrap()
    .collect();
    // The second process tells its arguments: it resumes, and has been asked to go on.
    assert_eq!(texts(&events), ["working", "You said: go on"]);
    let restarted = events.iter().find_map(|event| match &event.kind {
        EventKind::Restarted(restarted) => Some(restarted),
        _ => None,
    });
    let restarted = restarted.expect("a restart");
    assert!(restarted.exit.is_violent(), "{}", restarted.exit);
    assert_eq!(restarted.session_id.as_deref(), Some("session-1"));
    assert_eq!(restarted.attempt, 1);
    assert_eq!(restarted.stderr.trim_end(), "about to crash");
    assert_eq!(resumed(&events), ["", "session-1"]);
    assert_eq!(last(events).ending, Ending::Completed);
}

/// Which session each process was told to resume, as its `init` says.
fn resumed(events: &[Event]) -> Vec<String> {
    let inits = events.iter().filter_map(|event| match &event.kind {
        EventKind::System(line) if line.is_init() => Some(line),
        _ => None,
    });
    inits
        .map(|line| line.extra["resumed"].as_str().unwrap().to_string())
        .collect()
}

fn a_crash_before_the_first_line_repeats_the_prompt(scene: &Scene) {
    let events: Vec<Event> = spawn(SpawnOptions {
        restart: Restart::at_most(1),
        ..scene.options("crash once at the start")
    })
    .unwrap()
    .collect();
    assert!(matches!(events[0].kind, EventKind::Restarted(_)));
    assert_eq!(texts(&events), ["You said: hi"]);
    assert_eq!(resumed(&events), [""]);
}

fn queued_prompts_survive_a_crash(scene: &Scene) {
    let events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        restart: Restart {
            limit: 1,
            prompt: "go on".into(),
        },
        ..scene.options("crash once in a turn")
    })
    .unwrap();
    let handle = events.handle();
    handle.send("second").unwrap();
    handle.send("third").unwrap();
    handle.finish();
    let events: Vec<Event> = events.collect();
    assert_eq!(
        texts(&events),
        [
            "working",
            "You said: go on",
            "You said: second",
            "You said: third"
        ]
    );
    assert_eq!(last(events).ending, Ending::Completed);
}

/// What follows the first result still belongs to the first turn.
fn a_crash_between_turns_repeats_the_second_prompt(scene: &Scene) {
    let events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        restart: Restart::at_most(1),
        ..scene.options("crash once at the second prompt")
    })
    .unwrap();
    events.handle().send("second").unwrap();
    events.handle().finish();
    let events: Vec<Event> = events.collect();
    assert_eq!(texts(&events), ["You said: hi", "You said: second"]);
    assert_eq!(resumed(&events), ["", "session-1"]);
}

fn a_crash_without_a_turn_asks_nothing(scene: &Scene) {
    let mut events = spawn(SpawnOptions {
        mode: Mode::Conversation,
        restart: Restart::at_most(1),
        ..scene.options("crash once after a turn")
    })
    .unwrap();
    take_until_result(&mut events);
    let restarted = events.find(|event| matches!(event.kind, EventKind::Restarted(_)));
    assert!(restarted.is_some());
    events.handle().send("second").unwrap();
    events.handle().finish();
    let events: Vec<Event> = events.collect();
    assert_eq!(texts(&events), ["You said: second"]);
    assert_eq!(last(events).ending, Ending::Completed);
}

fn restarts_have_a_limit(scene: &Scene) {
    let events: Vec<Event> = spawn(SpawnOptions {
        restart: Restart::at_most(2),
        ..scene.options("crash")
    })
    .unwrap()
    .collect();
    let attempts: Vec<u32> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Restarted(restarted) => Some(restarted.attempt),
            _ => None,
        })
        .collect();
    assert_eq!(attempts, [1, 2]);
    assert_eq!(last(events).ending, Ending::Crashed);
}

fn a_crash_without_restarts_is_the_end(scene: &Scene) {
    let events: Vec<Event> = spawn(scene.options("crash")).unwrap().collect();
    assert_eq!(texts(&events), ["working"]);
    let exited = last(events);
    assert_eq!(exited.ending, Ending::Crashed);
    assert_eq!(exited.stderr.trim_end(), "about to crash");
    assert_eq!(exited.restart_failure, None);
}

fn a_crash_after_the_result_is_not_repeated(scene: &Scene) {
    let events: Vec<Event> = spawn(SpawnOptions {
        restart: Restart::at_most(3),
        ..scene.options("crash after the result")
    })
    .unwrap()
    .collect();
    assert_eq!(texts(&events), ["You said: hi"]);
    assert_eq!(last(events).ending, Ending::Crashed);
}

fn a_killed_program_is_not_restarted(scene: &Scene) {
    let mut events = spawn(SpawnOptions {
        restart: Restart::at_most(5),
        ..scene.options("work until interrupted")
    })
    .unwrap();
    assert!(events.next().is_some());
    events.handle().kill().unwrap();
    assert!(matches!(
        events.handle().send("x"),
        Err(Error::OnePromptOnly)
    ));
    let events: Vec<Event> = events.collect();
    assert!(!events
        .iter()
        .any(|event| matches!(event.kind, EventKind::Restarted(_))));
    assert_eq!(last(events).ending, Ending::Killed);
}

fn one_prompt_is_all_a_turn_takes(scene: &Scene) {
    let events = spawn(scene.options("answer")).unwrap();
    let refused = events.handle().send("more").unwrap_err();
    assert!(refused.to_string().contains("Mode::Conversation"));
}

fn a_program_that_is_none_is_named(scene: &Scene) {
    let missing = scene.folder().join("no such program");
    let error = spawn(SpawnOptions {
        program: Some(missing.clone()),
        ..scene.options("answer")
    })
    .err()
    .unwrap();
    let text = error.to_string();
    assert!(text.contains(&missing.display().to_string()), "{text}");
    assert!(text.contains("SpawnOptions::program"), "{text}");
}

fn the_next_event_can_be_waited_for(scene: &Scene) {
    let mut events = spawn(scene.options("work until interrupted")).unwrap();
    let patient = std::time::Duration::from_secs(60);
    assert!(matches!(events.next_within(patient), Next::Event(_)));
    assert!(matches!(events.next_within(patient), Next::Event(_)));
    assert_eq!(events.next_within(std::time::Duration::ZERO), Next::NotYet);
    events.handle().kill().unwrap();
    assert!(matches!(events.next_within(patient), Next::Event(_)));
    assert_eq!(events.next_within(patient), Next::End);
}

// SPDX-License-Identifier: MIT

use super::*;

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s1","model":"gemini-3.8-flash","cwd":"/w","permissionMode":"default","tools":["Read","Bash"],"uuid":"u1","skills":[]}"#;
const CALL: &str =
    r#"{"type":"tool_use","id":"g1","name":"Read","input":{"file_path":"a.txt"},"uuid":"u2"}"#;
const OUTCOME: &str = r#"{"type":"tool_result","tool_use_id":"g1","content":"1\talpha\n","is_error":true,"uuid":"u3"}"#;
const USAGE: &str = r#"{"type":"usage","input_tokens":4,"cache_creation_input_tokens":1,"cache_read_input_tokens":8,"output_tokens":5,"usage":{"input_tokens":4},"uuid":"u4"}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"duration_ms":12,"duration_api_ms":7,"num_turns":2,"result":"It says alpha.","api_error_status":null,"stop_reason":null,"session_id":"s1","model":"gemini-3.8-flash","total_cost_usd":9.75e-05,"usage":{"input_tokens":40,"output_tokens":5,"service_tier":"standard"},"modelUsage":{"gemini-3.8-flash":{"inputTokens":60,"outputTokens":14,"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"webSearchRequests":0,"costUSD":9.75e-05,"contextWindow":1048576,"maxOutputTokens":65536}},"permission_denials":[{"tool_name":"Write","tool_use_id":"w1","tool_input":{"file_path":"b"}}],"errors":null,"uuid":"u5"}"#;
const ASSISTANT: &str = r#"{"type":"assistant","message":{"id":"m1","type":"message","role":"assistant","model":"gemini-3.8-flash","content":[{"type":"thinking","thinking":"Hm.","signature":""},{"type":"text","text":"Reading. ","id":"t1"},{"type":"tool_use","id":"g1","name":"Read","input":{}},{"type":"image","source":{}}],"stop_reason":null,"usage":{"input_tokens":10}},"parent_tool_use_id":null,"session_id":"s1","uuid":"u6"}"#;
const USER: &str = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"g1","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]},"parent_tool_use_id":"p1","tool_use_result":{"type":"text"},"session_id":"s1","uuid":"u7"}"#;
const DELTA: &str = r#"{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"He"}},"parent_tool_use_id":null,"session_id":"s1","uuid":"u8"}"#;

const GROWING: &str = r#"{"type":"assistant","id":"bash-1","streaming":true,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Read"}]},"session_id":"s1","uuid":"u9"}"#;
const GROWN: &str = r#"{"type":"assistant","id":"bash-1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Reading. "}]},"session_id":"s1","uuid":"u10"}"#;

fn kind(line: &str) -> EventKind {
    let event = Event::parse(line);
    assert_eq!(event.raw(), line);
    event.kind
}

#[test]
fn reads_init() {
    let line = match kind(INIT) {
        EventKind::System(line) => line,
        other => panic!("{other:?}"),
    };
    assert!(line.is_init());
    assert_eq!(line.session_id.as_deref(), Some("s1"));
    assert_eq!(line.permission_mode.as_deref(), Some("default"));
    assert_eq!(line.tools, ["Read", "Bash"]);
    assert_eq!(line.extra.keys().collect::<Vec<_>>(), ["skills"]);
}

#[test]
fn reads_notices() {
    for text in [
        r#"{"type":"system","subtype":"error","message":"No."}"#,
        r#"{"type":"system","subtype":"informational","content":"No.","level":"info"}"#,
    ] {
        match kind(text) {
            EventKind::System(line) => assert_eq!(line.notice(), Some("No.")),
            other => panic!("{other:?}"),
        }
    }
    match kind(
        r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":9,"post_tokens":4}}"#,
    ) {
        EventKind::System(line) => {
            assert_eq!(line.compact_metadata.unwrap().post_tokens, Some(4));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn reads_the_flat_dialect() {
    match kind(r#"{"type":"thinking","is_thinking":true,"thought":"Hm.","id":"th_1"}"#) {
        EventKind::Thinking(line) => assert_eq!(line.thought.as_deref(), Some("Hm.")),
        other => panic!("{other:?}"),
    }
    match kind(CALL) {
        EventKind::ToolUse(line) => assert_eq!(line.input["file_path"], "a.txt"),
        other => panic!("{other:?}"),
    }
    match kind(OUTCOME) {
        EventKind::ToolResult(line) => {
            assert_eq!(line.content.text(), "1\talpha\n");
            assert!(line.is_error);
        }
        other => panic!("{other:?}"),
    }
    match kind(USAGE) {
        EventKind::Usage(line) => {
            assert_eq!(line.counts.context_tokens(), 13);
            assert_eq!(line.counts.extra["usage"]["input_tokens"], 4);
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        kind(r#"{"type":"message_stop","uuid":"u"}"#),
        EventKind::MessageStop(_)
    ));
    assert!(matches!(
        kind(r#"{"type":"interrupt","session_id":"s1","uuid":"u"}"#),
        EventKind::Interrupt(_)
    ));
}

#[test]
fn reads_every_form_of_an_error() {
    for text in [
        r#"{"type":"error","message":"No."}"#,
        r#"{"type":"error","error":{"type":"x","message":"No."}}"#,
        r#"{"type":"error","error":"No."}"#,
    ] {
        match kind(text) {
            EventKind::Error(line) => assert_eq!(line.reason(), Some("No.")),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn reads_a_result() {
    let result = match kind(RESULT) {
        EventKind::Result(result) => result,
        other => panic!("{other:?}"),
    };
    assert_eq!(result.duration_ms, 12);
    assert_eq!(result.result.as_deref(), Some("It says alpha."));
    assert_eq!(result.failure(), None);
    assert_eq!(
        result.model_usage["gemini-3.8-flash"].context_window,
        Some(1_048_576)
    );
    assert_eq!(
        result.model_usage["gemini-3.8-flash"].cost_usd,
        Some(9.75e-05)
    );
    assert_eq!(result.permission_denials[0].tool_name, "Write");
    assert_eq!(result.usage.unwrap().extra["service_tier"], "standard");
    assert_eq!(result.extra["api_error_status"], Value::Null);
}

#[test]
fn a_failed_result_has_its_reason() {
    let failure = |text: &str| match kind(text) {
        EventKind::Result(result) => result.failure(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        failure(r#"{"type":"result","is_error":true,"errors":["a","b"]}"#).as_deref(),
        Some("a; b")
    );
    assert_eq!(
        failure(r#"{"type":"result","is_error":true,"result":"a"}"#).as_deref(),
        Some("a")
    );
    assert_eq!(
        failure(r#"{"type":"result","is_error":true,"subtype":"error_max_turns"}"#).as_deref(),
        Some("error_max_turns")
    );
}

#[test]
fn takes_the_text_of_a_row_once() {
    let events = [GROWING, GROWN].map(Event::parse);
    let texts: Vec<_> = events.iter().map(Event::text).collect();
    assert_eq!(texts, [None, Some("Reading. ".into())]);
    for (event, grows) in events.iter().zip([true, false]) {
        match &event.kind {
            EventKind::Assistant(line) => {
                assert_eq!(line.row_id.as_deref(), Some("bash-1"));
                assert_eq!(line.streaming, grows);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn reads_nested_messages() {
    let event = Event::parse(ASSISTANT);
    assert_eq!(event.text().as_deref(), Some("Reading. "));
    assert_eq!(event.session_id(), Some("s1"));
    match event.kind {
        EventKind::Assistant(line) => {
            assert_eq!(line.message.id.as_deref(), Some("m1"));
            assert!(
                matches!(&line.message.content[0], Block::Thinking(block) if block.thinking == "Hm.")
            );
            assert!(matches!(&line.message.content[2], Block::ToolUse(block) if block.id == "g1"));
            assert!(
                matches!(&line.message.content[3], Block::Other(block) if block["type"] == "image")
            );
        }
        other => panic!("{other:?}"),
    }
    match kind(USER) {
        EventKind::User(line) => {
            assert_eq!(line.parent_tool_use_id.as_deref(), Some("p1"));
            let blocks = match line.message.content {
                Content::Blocks(blocks) => blocks,
                other => panic!("{other:?}"),
            };
            assert!(
                matches!(&blocks[0], Block::ToolResult(block) if block.content.text() == "a\nb")
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn reads_messages_as_they_grow() {
    let part = |event: &str| match kind(&format!(r#"{{"type":"stream_event","event":{event}}}"#)) {
        EventKind::StreamEvent(line) => line.event,
        other => panic!("{other:?}"),
    };
    assert!(matches!(kind(DELTA), EventKind::StreamEvent(line)
        if line.event == StreamPart::TextDelta { index: 1, text: "He".into() }));
    assert_eq!(
        part(
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a"}}"#
        ),
        StreamPart::InputDelta {
            index: 0,
            partial_json: "{\"a".into()
        }
    );
    assert_eq!(
        part(r#"{"type":"content_block_stop","index":3}"#),
        StreamPart::BlockStop { index: 3 }
    );
    assert_eq!(part(r#"{"type":"message_stop"}"#), StreamPart::MessageStop);
    assert!(matches!(
        part(r#"{"type":"ping"}"#),
        StreamPart::Other(value) if value["type"] == "ping"
    ));
}

#[test]
fn reads_questions_and_answers() {
    match kind(
        r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool"}}"#,
    ) {
        EventKind::ControlRequest(line) => assert_eq!(line.request["subtype"], "can_use_tool"),
        other => panic!("{other:?}"),
    }
    match kind(
        r#"{"type":"control_response","response":{"subtype":"error","request_id":"r1","error":"No."}}"#,
    ) {
        EventKind::ControlResponse(line) => {
            assert_eq!(line.response.error.as_deref(), Some("No."));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        kind(r#"{"type":"control_cancel_request","request_id":"r1"}"#),
        EventKind::ControlCancelRequest(_)
    ));
}

#[test]
fn a_line_that_does_not_fit_its_type_is_kept_whole() {
    let event = Event::parse(r#"{"type":"result","duration_ms":1.5}"#);
    assert!(event.ends_turn());
    match event.kind {
        EventKind::Unknown(line) => {
            assert_eq!(line.kind, "result");
            assert_eq!(line.value["duration_ms"], 1.5);
            assert!(line.mismatch.unwrap().contains("1.5"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_object_with_a_type_is_malformed() {
    for text in [
        "",
        "5",
        "[]",
        "null",
        r#""text""#,
        "{}",
        r#"{"type":5}"#,
        "{\"type\":\"text\"",
        "\u{FEFF}{}",
    ] {
        let event = Event::parse(text);
        match event.kind {
            EventKind::Malformed(line) => {
                assert_eq!(line.start, text);
                assert_eq!(line.bytes, text.len() as u64);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn of_a_malformed_line_only_whole_characters_are_kept() {
    let event = Event::parse(&"\u{20AC}".repeat(1000));
    match event.kind {
        EventKind::Malformed(line) => {
            assert_eq!(line.start, "\u{20AC}".repeat(66));
            assert_eq!(line.bytes, 3000);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_beginning_of_a_line_is_taken_for_another() {
    for line in [INIT, CALL, OUTCOME, USAGE, RESULT, ASSISTANT, USER, DELTA] {
        for end in 0..line.len() {
            let event = Event::parse(&line[..end]);
            assert!(matches!(event.kind, EventKind::Malformed(_)), "{event:?}");
        }
    }
}

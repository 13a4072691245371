// SPDX-License-Identifier: MIT
//! One line of yume-cli as a typed value. This is the only place where its JSON is read; reading
//! never fails, because what is not understood is an event as well.

mod adapter;
mod blocks;
mod control;
mod flat;
mod lenient;
mod nested;
mod result;
mod stream;
mod system;
mod usage;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use adapter::{Ending, Exit, Exited, Malformed, Restarted, TooLong, Unknown};
pub use blocks::{Block, Content, TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock};
pub use control::{ControlCancelRequest, ControlRequest, ControlResponse, Response};
pub use flat::{ErrorLine, Interrupt, MessageStop, Text, Thinking, ToolResult, ToolUse};
pub use nested::{Assistant, AssistantMessage, ToolProgress, User, UserMessage};
pub use result::{PermissionDenial, TurnResult};
pub use stream::{StreamEvent, StreamPart};
pub use system::{CompactMetadata, System};
pub use usage::{ModelUsage, Usage, UsageLine};

use crate::lines::START_BYTES;

/// Fields that have no place in a type here, kept as they came.
pub type Extra = Map<String, Value>;

/// One line of the program, or something that happened to the process.
///
/// ```
/// use yume_host::{Event, EventKind};
///
/// let event = Event::parse(r#"{"type":"text","content":"Hello.","id":"txt_1","mood":"fine"}"#);
/// match &event.kind {
///     EventKind::Text(text) => {
///         assert_eq!(text.content, "Hello.");
///         assert_eq!(text.extra["mood"], "fine"); // unknown fields are kept
///     }
///     other => panic!("{other:?}"),
/// }
/// assert_eq!(event.text().as_deref(), Some("Hello."));
///
/// // A kind that this version does not know is kept whole.
/// let event = Event::parse(r#"{"type":"weather","sky":"blue"}"#);
/// match &event.kind {
///     EventKind::Unknown(unknown) => assert_eq!(unknown.value["sky"], "blue"),
///     other => panic!("{other:?}"),
/// }
///
/// // What is not JSON is an event, too.
/// let event = Event::parse("Segmentation fault");
/// assert!(matches!(event.kind, EventKind::Malformed(_)));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// What it is.
    pub kind: EventKind,
    raw: String,
}

/// What an event is. The first group are lines of Yume's flat dialect, the second those of Claude's
/// nested one; `System` and `Result` belong to both. The last group is what this crate has to say.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// `system`: `init` at the start of a turn, and notices.
    System(Box<System>),
    /// `text`: a piece of the answer.
    Text(Text),
    /// `thinking`: a piece of the model's thoughts.
    Thinking(Thinking),
    /// `tool_use`: a call of a tool.
    ToolUse(ToolUse),
    /// `tool_result`: what came of a call.
    ToolResult(ToolResult),
    /// `usage`: tokens of the last request.
    Usage(UsageLine),
    /// `result`: the end of a turn.
    Result(Box<TurnResult>),
    /// `message_stop`: nothing of this turn follows.
    MessageStop(MessageStop),
    /// `interrupt`: the turn was interrupted; its result follows.
    Interrupt(Interrupt),
    /// `error`: why nothing could be done.
    Error(ErrorLine),

    /// `assistant`: a block of the model's message.
    Assistant(Box<Assistant>),
    /// `user`: results of tools, or a message that was put in for the user.
    User(Box<User>),
    /// `stream_event`: a piece of a message that is still being written.
    StreamEvent(Box<StreamEvent>),
    /// `tool_progress`: a call that takes long is still running.
    ToolProgress(ToolProgress),
    /// `control_request`: a question; answer it with [`Handle::reply`](crate::Handle::reply).
    ControlRequest(ControlRequest),
    /// `control_response`: the answer to an interrupt of ours.
    ControlResponse(ControlResponse),
    /// `control_cancel_request`: a question need not be answered any more.
    ControlCancelRequest(ControlCancelRequest),

    /// A line of another kind, or with fields of other types than expected.
    Unknown(Unknown),
    /// A line that is not a JSON object.
    Malformed(Malformed),
    /// A line that was skipped because of its length.
    TooLong(TooLong),
    /// The process crashed, and another goes on in its place.
    Restarted(Restarted),
    /// The process has ended. Always the last event, and there is always one.
    Exited(Exited),
}

impl Event {
    /// Reads one line, without its line break.
    pub fn parse(line: &str) -> Event {
        let value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => return Event::malformed(line.as_bytes(), error.to_string()),
        };
        match kind_of_line(value, line) {
            Some(kind) => Event {
                kind,
                raw: line.to_string(),
            },
            None => Event::malformed(line.as_bytes(), "it has no type".into()),
        }
    }

    /// The line as it came, for hosts that pass it on. Empty for what this crate says itself.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The session it belongs to, if the line says so.
    pub fn session_id(&self) -> Option<&str> {
        let id = match &self.kind {
            EventKind::System(line) => &line.session_id,
            EventKind::Result(line) => &line.session_id,
            EventKind::Interrupt(line) => &line.session_id,
            EventKind::Assistant(line) => &line.session_id,
            EventKind::User(line) => &line.session_id,
            EventKind::StreamEvent(line) => &line.session_id,
            EventKind::ToolProgress(line) => &line.session_id,
            _ => &None,
        };
        id.as_deref()
    }

    /// What the model says to the user in this line, in either dialect: a `text` line, or the texts
    /// of an `assistant` line. What comes again is not among it: pieces of `stream_event` lines, and
    /// texts that still grow ([`Assistant::streaming`]).
    pub fn text(&self) -> Option<String> {
        match &self.kind {
            EventKind::Text(line) => Some(line.content.clone()),
            EventKind::Assistant(line) if !line.streaming => {
                let texts = line.message.content.iter().filter_map(|block| match block {
                    Block::Text(block) => Some(block.text.as_str()),
                    _ => None,
                });
                let text: String = texts.collect();
                Some(text).filter(|text| !text.is_empty())
            }
            _ => None,
        }
    }

    /// Whether it is a turn's result, even one that could not be read.
    pub(crate) fn ends_turn(&self) -> bool {
        match &self.kind {
            EventKind::Result(_) => true,
            EventKind::Unknown(line) => line.kind == "result",
            _ => false,
        }
    }

    /// Whether it shows that the model has begun to work on a prompt.
    pub(crate) fn shows_work(&self) -> bool {
        !matches!(
            self.kind,
            EventKind::System(_)
                | EventKind::Error(_)
                | EventKind::MessageStop(_) // follows the result of a turn before
                | EventKind::ControlResponse(_)
                | EventKind::Malformed(_)
                | EventKind::Restarted(_)
                | EventKind::Exited(_)
        )
    }

    pub(crate) fn parse_bytes(line: Vec<u8>) -> Event {
        match String::from_utf8(line) {
            Ok(line) => Event::parse(&line),
            Err(error) => Event::malformed(error.as_bytes(), "it is not UTF-8".into()),
        }
    }

    /// A line that the program did not finish. It may be whole all the same.
    pub(crate) fn parse_unfinished(line: Vec<u8>) -> Event {
        let mut event = Event::parse_bytes(line);
        if let EventKind::Malformed(line) = &mut event.kind {
            line.reason = format!("the program ended before the line did: {}", line.reason);
        }
        event
    }

    pub(crate) fn too_long(bytes: u64, start: &[u8]) -> Event {
        EventKind::TooLong(TooLong {
            bytes,
            start: start_of(start),
        })
        .into()
    }

    fn malformed(line: &[u8], reason: String) -> Event {
        let start = start_of(line);
        Event {
            raw: start.clone(),
            kind: EventKind::Malformed(Malformed {
                bytes: line.len() as u64,
                start,
                reason,
            }),
        }
    }
}

impl From<EventKind> for Event {
    /// An event without a line.
    fn from(kind: EventKind) -> Event {
        Event {
            kind,
            raw: String::new(),
        }
    }
}

/// The first characters, whatever the bytes are.
fn start_of(line: &[u8]) -> String {
    let start = &line[..line.len().min(START_BYTES)];
    let mut text = String::from_utf8_lossy(start).into_owned();
    // The cut may have gone through a character.
    while line.len() > START_BYTES && text.ends_with(char::REPLACEMENT_CHARACTER) {
        text.pop();
    }
    text
}

/// Nothing: it is not an object with a type.
fn kind_of_line(value: Value, line: &str) -> Option<EventKind> {
    let mut fields = match value {
        Value::Object(fields) => fields,
        _ => return None,
    };
    let name = match fields.remove("type") {
        Some(Value::String(name)) => name,
        _ => return None,
    };
    let read = Reader {
        name: &name,
        fields: Value::Object(fields),
        line,
    };
    Some(match name.as_str() {
        "system" => read.boxed(EventKind::System),
        "text" => read.into_kind(EventKind::Text),
        "thinking" => read.into_kind(EventKind::Thinking),
        "tool_use" => read.into_kind(EventKind::ToolUse),
        "tool_result" => read.into_kind(EventKind::ToolResult),
        "usage" => read.into_kind(EventKind::Usage),
        "result" => read.boxed(EventKind::Result),
        "message_stop" => read.into_kind(EventKind::MessageStop),
        "interrupt" => read.into_kind(EventKind::Interrupt),
        "error" => read.into_kind(EventKind::Error),
        "assistant" => read.boxed(EventKind::Assistant),
        "user" => read.boxed(EventKind::User),
        "stream_event" => read.boxed(EventKind::StreamEvent),
        "tool_progress" => read.into_kind(EventKind::ToolProgress),
        "control_request" => read.into_kind(EventKind::ControlRequest),
        "control_response" => read.into_kind(EventKind::ControlResponse),
        "control_cancel_request" => read.into_kind(EventKind::ControlCancelRequest),
        _ => read.unknown(None),
    })
}

/// A line's fields on their way into a type.
struct Reader<'a> {
    name: &'a str,
    fields: Value,
    line: &'a str,
}

impl Reader<'_> {
    fn into_kind<T: DeserializeOwned>(mut self, wrap: fn(T) -> EventKind) -> EventKind {
        match serde_json::from_value(self.fields.take()) {
            Ok(line) => wrap(line),
            Err(error) => self.unknown(Some(error.to_string())),
        }
    }

    fn boxed<T: DeserializeOwned>(mut self, wrap: fn(Box<T>) -> EventKind) -> EventKind {
        match serde_json::from_value(self.fields.take()) {
            Ok(line) => wrap(Box::new(line)),
            Err(error) => self.unknown(Some(error.to_string())),
        }
    }

    fn unknown(self, mismatch: Option<String>) -> EventKind {
        EventKind::Unknown(Unknown {
            kind: self.name.to_string(),
            // Read again: the fields were used up, and this is rare.
            value: serde_json::from_str(self.line).unwrap_or_default(),
            mismatch,
        })
    }
}

#[cfg(test)]
mod tests;

// SPDX-License-Identifier: MIT
//! Messages as they grow. Asked for with the argument `--include-partial-messages`.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Extra;

/// A piece of a message that is still being written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct StreamEvent {
    /// What happens.
    pub event: StreamPart,
    /// The call of a tool that it was made for; none: the session itself.
    pub parent_tool_use_id: Option<String>,
    /// The session.
    pub session_id: Option<String>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One step in the growth of a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum StreamPart {
    /// A message begins.
    MessageStart {
        /// What is known of it.
        message: Value,
    },
    /// A block begins.
    BlockStart {
        /// Its number in the message.
        index: u64,
        /// The block, still empty.
        block: Value,
    },
    /// A text grows.
    TextDelta {
        /// The block's number.
        index: u64,
        /// What is added.
        text: String,
    },
    /// A thought grows.
    ThinkingDelta {
        /// The block's number.
        index: u64,
        /// What is added.
        thinking: String,
    },
    /// The arguments of a call grow.
    InputDelta {
        /// The block's number.
        index: u64,
        /// A piece of JSON, not complete by itself.
        partial_json: String,
    },
    /// A block is complete.
    BlockStop {
        /// Its number.
        index: u64,
    },
    /// The message is nearly complete: why the model stopped, and tokens.
    MessageDelta {
        /// `stop_reason` and the like.
        delta: Value,
        /// Tokens.
        usage: Value,
    },
    /// The message is complete.
    MessageStop,
    /// Anything else, as it came.
    Other(Value),
}

impl<'de> Deserialize<'de> for StreamPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(known_part(&value).unwrap_or(StreamPart::Other(value)))
    }
}

fn known_part(value: &Value) -> Option<StreamPart> {
    let index = || value.get("index")?.as_u64();
    Some(match value.get("type")?.as_str()? {
        "message_start" => StreamPart::MessageStart {
            message: value.get("message")?.clone(),
        },
        "content_block_start" => StreamPart::BlockStart {
            index: index()?,
            block: value.get("content_block")?.clone(),
        },
        "content_block_delta" => known_delta(index()?, value.get("delta")?)?,
        "content_block_stop" => StreamPart::BlockStop { index: index()? },
        "message_delta" => StreamPart::MessageDelta {
            delta: value.get("delta")?.clone(),
            usage: value.get("usage").cloned().unwrap_or_default(),
        },
        "message_stop" => StreamPart::MessageStop,
        _ => return None,
    })
}

fn known_delta(index: u64, delta: &Value) -> Option<StreamPart> {
    let text = |name: &str| Some(delta.get(name)?.as_str()?.to_string());
    Some(match delta.get("type")?.as_str()? {
        "text_delta" => StreamPart::TextDelta {
            index,
            text: text("text")?,
        },
        "thinking_delta" => StreamPart::ThinkingDelta {
            index,
            thinking: text("thinking")?,
        },
        "input_json_delta" => StreamPart::InputDelta {
            index,
            partial_json: text("partial_json")?,
        },
        _ => return None,
    })
}

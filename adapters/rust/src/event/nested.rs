// SPDX-License-Identifier: MIT
//! The messages of Claude's nested dialect.

use serde::Deserialize;
use serde_json::Value;

use super::blocks::{Block, Content};
use super::lenient::null_as_default;
use super::usage::Usage;
use super::Extra;

/// A part of the model's message. Lines with one `message.id` belong to one message.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Assistant {
    /// The message.
    pub message: AssistantMessage,
    /// The row that shows it, in the dialect `yume-app`: lines with the same one show the same text,
    /// each more of it than the one before.
    #[serde(rename = "id")]
    pub row_id: Option<String>,
    /// Whether its text still grows. It comes again, whole in the end, under the same `row_id`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub streaming: bool,
    /// The call of a tool that it was made for; none: the session itself.
    pub parent_tool_use_id: Option<String>,
    /// The kind of a failure, when the text tells of one.
    pub error: Option<String>,
    /// The session.
    pub session_id: Option<String>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What the model says or does.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AssistantMessage {
    /// The message's id.
    pub id: Option<String>,
    /// `assistant`
    pub role: Option<String>,
    /// The model; `<synthetic>` when yume-cli itself says it.
    pub model: Option<String>,
    /// Its blocks.
    #[serde(default, deserialize_with = "null_as_default")]
    pub content: Vec<Block>,
    /// Why the model stopped, if it has.
    pub stop_reason: Option<String>,
    /// Tokens so far.
    pub usage: Option<Usage>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Results of tools, or a message that was put in for the user.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct User {
    /// The message.
    pub message: UserMessage,
    /// The call of a tool that it was made for; none: the session itself.
    pub parent_tool_use_id: Option<String>,
    /// What is known of a tool's result beyond its text.
    pub tool_use_result: Option<Value>,
    /// The session.
    pub session_id: Option<String>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What the user or a tool says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct UserMessage {
    /// `user`
    pub role: Option<String>,
    /// A text, or blocks.
    #[serde(default)]
    pub content: Content,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A call that takes long is still running.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ToolProgress {
    /// The call's id.
    pub tool_use_id: String,
    /// The tool.
    pub tool_name: Option<String>,
    /// For how long it has been running.
    pub elapsed_time_seconds: Option<f64>,
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

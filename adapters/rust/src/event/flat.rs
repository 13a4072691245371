// SPDX-License-Identifier: MIT
//! The lines that only Yume's flat dialect has.

use serde::Deserialize;
use serde_json::Value;

use super::blocks::Content;
use super::lenient::null_as_default;
use super::Extra;

/// A piece of the answer. Pieces follow each other; together they are the text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Text {
    /// The piece.
    pub content: String,
    /// The line's own id.
    pub id: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A piece of the model's thoughts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Thinking {
    /// Whether the model still thinks.
    pub is_thinking: Option<bool>,
    /// The piece.
    pub thought: Option<String>,
    /// The line's own id.
    pub id: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A call of a tool. It comes before the tool does anything.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ToolUse {
    /// The call's id, which its result names.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub input: Value,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call's id.
    pub tool_use_id: String,
    /// What the tool said.
    #[serde(default)]
    pub content: Content,
    /// Whether it failed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_error: bool,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Nothing of this turn follows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct MessageStop {
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The turn was interrupted.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Interrupt {
    /// The session.
    pub session_id: Option<String>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Why nothing could be done, before there was a session to do it in.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ErrorLine {
    /// The reason.
    pub message: Option<String>,
    /// A word for it.
    pub code: Option<String>,
    /// Another form: an object with a `message`, or a text.
    pub error: Option<Value>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

impl ErrorLine {
    /// The reason, in whichever form it came.
    pub fn reason(&self) -> Option<&str> {
        let other = || match self.error.as_ref()? {
            Value::Object(error) => error.get("message")?.as_str(),
            error => error.as_str(),
        };
        self.message.as_deref().or_else(other)
    }
}

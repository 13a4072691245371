// SPDX-License-Identifier: MIT

use serde::Deserialize;
use serde_json::Value;

use super::lenient::null_as_default;
use super::Extra;

/// A `system` line. `init` tells who the program is at the start of each turn; other subtypes are
/// notices (`error`, `informational`, `api_retry`, `status`, `compact_boundary`, …), whose further
/// fields are in `extra`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct System {
    /// Which one.
    pub subtype: String,
    /// The session.
    pub session_id: Option<String>,
    /// `init`: the model.
    pub model: Option<String>,
    /// `init`: the working directory.
    pub cwd: Option<String>,
    /// `init`: what tools may do without asking.
    #[serde(rename = "permissionMode")]
    pub permission_mode: Option<String>,
    /// `init`: the tools there are.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tools: Vec<String>,
    /// A notice's text.
    pub message: Option<Value>,
    /// `compact_boundary`: how much was summed up.
    pub compact_metadata: Option<CompactMetadata>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

impl System {
    /// Whether it is the line that a turn begins with.
    pub fn is_init(&self) -> bool {
        self.subtype == "init"
    }

    /// The text of a notice: `message`, or `content` as some have it.
    pub fn notice(&self) -> Option<&str> {
        let text = self.message.as_ref().and_then(Value::as_str);
        text.or_else(|| self.extra.get("content").and_then(Value::as_str))
    }
}

/// What a compaction did.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct CompactMetadata {
    /// `auto`, or `manual` after `/compact`.
    pub trigger: String,
    /// Tokens before.
    pub pre_tokens: Option<u64>,
    /// Tokens after.
    pub post_tokens: Option<u64>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

// SPDX-License-Identifier: MIT
//! What messages of the nested dialect are made of.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::lenient::null_as_default;
use super::Extra;

/// What a user or a tool says: a text, or blocks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Content {
    /// A plain text.
    Text(String),
    /// Blocks of several kinds.
    Blocks(Vec<Block>),
    /// Anything else, as it came.
    Other(Value),
}

impl Default for Content {
    fn default() -> Self {
        Content::Text(String::new())
    }
}

impl Content {
    /// All its text, that of blocks joined by line breaks.
    pub fn text(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => {
                let texts: Vec<&str> = blocks
                    .iter()
                    .filter_map(|block| match block {
                        Block::Text(block) => Some(block.text.as_str()),
                        _ => None,
                    })
                    .collect();
                texts.join("\n")
            }
            Content::Other(_) => String::new(),
        }
    }
}

/// A block of a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// `text`
    Text(TextBlock),
    /// `thinking`
    Thinking(ThinkingBlock),
    /// `tool_use`
    ToolUse(ToolUseBlock),
    /// `tool_result`
    ToolResult(ToolResultBlock),
    /// A block of another kind (`image`, …), or with fields of other types, as it came.
    Other(Value),
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(Block::from_value(&value).unwrap_or(Block::Other(value)))
    }
}

impl Block {
    fn from_value(value: &Value) -> Option<Block> {
        let mut fields = value.clone();
        let name = fields.as_object_mut()?.remove("type")?;
        Some(match name.as_str()? {
            "text" => Block::Text(serde_json::from_value(fields).ok()?),
            "thinking" => Block::Thinking(serde_json::from_value(fields).ok()?),
            "tool_use" => Block::ToolUse(serde_json::from_value(fields).ok()?),
            "tool_result" => Block::ToolResult(serde_json::from_value(fields).ok()?),
            _ => return None,
        })
    }
}

/// A text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TextBlock {
    /// The text.
    pub text: String,
    /// The block's own id, in the dialect `yume-app`.
    pub id: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A thought.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ThinkingBlock {
    /// The thought.
    pub thinking: String,
    /// What proves to the server that it is the model's own.
    pub signature: Option<String>,
    /// The block's own id, in the dialect `yume-app`.
    pub id: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ToolUseBlock {
    /// The call's id, which its result names.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub input: Value,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ToolResultBlock {
    /// The call's id.
    pub tool_use_id: String,
    /// What the tool said.
    #[serde(default)]
    pub content: Content,
    /// Whether it failed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_error: bool,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

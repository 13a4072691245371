// SPDX-License-Identifier: MIT

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::lenient::null_as_default;
use super::usage::{ModelUsage, Usage};
use super::Extra;

/// The end of a turn, of which every turn has exactly one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TurnResult {
    /// `success`, `error_during_execution`, `error_max_turns`, …
    #[serde(default, deserialize_with = "null_as_default")]
    pub subtype: String,
    /// Whether the turn failed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_error: bool,
    /// The last text of the answer, or the reason of a failure.
    pub result: Option<String>,
    /// The reasons of a failure.
    #[serde(default, deserialize_with = "null_as_default")]
    pub errors: Vec<String>,
    /// The session.
    pub session_id: Option<String>,
    /// The model, in the flat dialect.
    pub model: Option<String>,
    /// How long the turn took.
    #[serde(default, deserialize_with = "null_as_default")]
    pub duration_ms: u64,
    /// How long requests took of that.
    #[serde(default, deserialize_with = "null_as_default")]
    pub duration_api_ms: u64,
    /// How many requests there were.
    #[serde(default, deserialize_with = "null_as_default")]
    pub num_turns: u64,
    /// What it cost, in US dollars.
    pub total_cost_usd: Option<f64>,
    /// Tokens: of the last request for Yume, of the turn for Claude's hosts.
    pub usage: Option<Usage>,
    /// Tokens and costs of each model.
    #[serde(default, rename = "modelUsage", deserialize_with = "null_as_default")]
    pub model_usage: BTreeMap<String, ModelUsage>,
    /// Calls that were not allowed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub permission_denials: Vec<PermissionDenial>,
    /// Why the model stopped.
    pub stop_reason: Option<String>,
    /// Why the turn ended.
    pub terminal_reason: Option<String>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

impl TurnResult {
    /// Why the turn failed; nothing if it did not.
    pub fn failure(&self) -> Option<String> {
        if !self.is_error {
            return None;
        }
        if !self.errors.is_empty() {
            return Some(self.errors.join("; "));
        }
        Some(self.result.clone().unwrap_or_else(|| self.subtype.clone()))
    }
}

/// A call that was not allowed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PermissionDenial {
    /// The tool.
    pub tool_name: String,
    /// The call's id.
    pub tool_use_id: String,
    /// Its arguments.
    #[serde(default)]
    pub tool_input: Value,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

// SPDX-License-Identifier: MIT
//! Counts of tokens.

use serde::Deserialize;

use super::lenient::null_as_default;
use super::Extra;

/// Tokens of one request, or of several.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Input that was not in a cache.
    #[serde(default, deserialize_with = "null_as_default")]
    pub input_tokens: u64,
    /// Output, thoughts included.
    #[serde(default, deserialize_with = "null_as_default")]
    pub output_tokens: u64,
    /// Input that was put into a cache.
    #[serde(default, deserialize_with = "null_as_default")]
    pub cache_creation_input_tokens: u64,
    /// Input that came from a cache.
    #[serde(default, deserialize_with = "null_as_default")]
    pub cache_read_input_tokens: u64,
    /// The server gave no counts; these are guesses.
    #[serde(default, deserialize_with = "null_as_default")]
    pub estimated: bool,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Usage {
    /// How much of the model's window it takes.
    pub fn context_tokens(&self) -> u64 {
        self.input_tokens
            .saturating_add(self.cache_creation_input_tokens)
            .saturating_add(self.cache_read_input_tokens)
    }
}

/// A `usage` line: the counts of the turn's last request. They are there twice, at the top and in a
/// `usage` object, because hosts differ in where they look; the second is in `counts.extra`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct UsageLine {
    /// The counts.
    #[serde(flatten)]
    pub counts: Usage,
}

/// What one model used in the whole process.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelUsage {
    /// Input that was not in a cache.
    #[serde(default, deserialize_with = "null_as_default")]
    pub input_tokens: u64,
    /// Output, thoughts included.
    #[serde(default, deserialize_with = "null_as_default")]
    pub output_tokens: u64,
    /// Input that came from a cache.
    #[serde(default, deserialize_with = "null_as_default")]
    pub cache_read_input_tokens: u64,
    /// Input that was put into a cache.
    #[serde(default, deserialize_with = "null_as_default")]
    pub cache_creation_input_tokens: u64,
    /// Searches on the web.
    #[serde(default, deserialize_with = "null_as_default")]
    pub web_search_requests: u64,
    /// What it cost, in US dollars.
    #[serde(rename = "costUSD", alias = "costUsd")]
    pub cost_usd: Option<f64>,
    /// The size of the model's window, in tokens.
    pub context_window: Option<u64>,
    /// The longest reply, in tokens.
    pub max_output_tokens: Option<u64>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

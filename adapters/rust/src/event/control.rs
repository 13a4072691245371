// SPDX-License-Identifier: MIT
//! Questions and answers between the program and its host.

use serde::Deserialize;
use serde_json::Value;

use super::Extra;

/// A question of the program: may this run (`can_use_tool`), call this hook, …
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ControlRequest {
    /// What the answer must name.
    pub request_id: String,
    /// The question; `subtype` says which.
    pub request: Value,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// An answer of the program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ControlResponse {
    /// The answer.
    pub response: Response,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Response {
    /// `success` or `error`.
    pub subtype: String,
    /// What it answers.
    pub request_id: String,
    /// The answer of a success.
    pub response: Option<Value>,
    /// The reason of an error.
    pub error: Option<String>,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A question need not be answered any more.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ControlCancelRequest {
    /// The question's id.
    pub request_id: String,
    /// Fields without a place here.
    #[serde(flatten)]
    pub extra: Extra,
}

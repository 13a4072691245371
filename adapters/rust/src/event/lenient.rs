// SPDX-License-Identifier: MIT
//! How fields are read that a line may leave out or set to null.

use serde::{Deserialize, Deserializer};

/// Null means the same as a missing field. To be used with `#[serde(default)]`.
pub(super) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

// SPDX-License-Identifier: MIT
#include "core/permission.h"

#include <array>
#include <utility>

namespace yume::core {
namespace {

constexpr std::array<std::pair<PermissionMode, std::string_view>, 5> k_modes = {{
    {PermissionMode::default_mode, "default"},
    {PermissionMode::accept_edits, "acceptEdits"},
    {PermissionMode::plan, "plan"},
    {PermissionMode::bypass, "bypassPermissions"},
    {PermissionMode::dont_ask, "dontAsk"},
}};

}  // namespace

std::string_view to_string(PermissionMode mode) {
  for (const auto& [value, name] : k_modes) {
    if (value == mode) return name;
  }
  return "default";
}

std::optional<PermissionMode> permission_mode_from(std::string_view text) {
  for (const auto& [value, name] : k_modes) {
    if (name == text) return value;
  }
  // Claude's newer name for it, and Yume's.
  if (text == "manual" || text == "interactive") return PermissionMode::default_mode;
  return std::nullopt;
}

}  // namespace yume::core

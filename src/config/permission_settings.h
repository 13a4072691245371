// SPDX-License-Identifier: MIT
// The `permissions` of a settings file, in Claude's form. A denial or a question that cannot be
// read is an error, for somebody relies on it; an allowance that cannot be read allows nothing and
// is reported. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/permission.h"
#include "permissions/rule_book.h"
#include "util/json_io.h"
#include "util/result.h"

namespace yume::config {

struct PermissionSettings {
  permissions::RuleSet rules = {};        // their origin is the caller's to say
  std::vector<std::string> ignored = {};  // allowances that cannot be read, and why
  std::optional<core::PermissionMode> default_mode = std::nullopt;  // `defaultMode`
  std::vector<std::string> directories = {};                        // `additionalDirectories`
  bool disables_bypass = false;  // `disableBypassPermissionsMode`

  [[nodiscard]] bool empty() const;
};

// The value of the key. The message names the entry.
Result<PermissionSettings> parse_permission_settings(const RawJson& permissions);

// Of all keys of a settings file: a denial where nobody looks for it (`deny` beside `permissions`,
// `permisions`) is an error, as nothing would keep it.
Result<void> check_for_misplaced_rules(const std::vector<std::string>& keys);

// Of the text of a whole file, of which only this key counts.
Result<PermissionSettings> parse_permissions_of_file(std::string_view text);

}  // namespace yume::config

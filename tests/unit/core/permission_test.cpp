// SPDX-License-Identifier: MIT
#include "core/permission.h"

#include <gtest/gtest.h>

namespace yume::core {
namespace {

TEST(PermissionMode, HasClaudesSpelling) {
  for (const char* name : {"default", "acceptEdits", "plan", "bypassPermissions", "dontAsk"}) {
    const auto mode = permission_mode_from(name);
    ASSERT_TRUE(mode.has_value()) << name;
    EXPECT_EQ(to_string(*mode), name);
  }
  EXPECT_EQ(permission_mode_from("manual"), PermissionMode::default_mode);
}

TEST(PermissionMode, RefusesEverythingElse) {
  for (const char* name : {"", "Default", "accept-edits", "auto", "bypass"}) {
    EXPECT_EQ(permission_mode_from(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace yume::core

// SPDX-License-Identifier: MIT
// Commands that would do harm and must not run unasked. The list says which of them must not be
// allowed by what.
#include "permissions/policy.h"
#include "permissions/protected_paths.h"
#include "unit/permissions/command_lines.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using core::PermissionMode;

constexpr PermissionMode k_modes[] = {PermissionMode::default_mode, PermissionMode::accept_edits,
                                      PermissionMode::plan, PermissionMode::dont_ask,
                                      PermissionMode::bypass};

PolicySettings settings(PermissionMode mode, HostTrust trust = HostTrust::ask) {
  PolicySettings with{.mode = mode,
                      .trust = trust,
                      .roots = {"/w/app"},
                      .home = "/home/u",
                      .workspace_trusted = true};
  with.closed = [](const std::filesystem::path& name) {
    return is_inside(name, "/home/u/.ssh") ? Closed::personal : Closed::no;
  };
  return with;
}

std::vector<PolicySettings> every_mode() {
  std::vector<PolicySettings> all;
  for (const PermissionMode mode : k_modes) all.push_back(settings(mode));
  all.push_back(settings(PermissionMode::default_mode, HostTrust::runs_tools));
  return all;
}

// The settings under which a command of this verdict must not be allowed.
std::vector<PolicySettings> settings_for(const std::string& verdict) {
  std::vector<PolicySettings> all;
  const std::size_t blank = verdict.find(' ');
  const std::string kind = verdict.substr(0, blank);
  const std::string rule = blank == std::string::npos ? "" : verdict.substr(blank + 1);
  if (kind == "hosted") {
    all.push_back(settings(PermissionMode::default_mode, HostTrust::runs_tools));
    return all;
  }
  for (PolicySettings& with : every_mode()) {
    const bool unasked = with.mode == PermissionMode::bypass || with.trust == HostTrust::runs_tools;
    if ((kind == "any" || kind == "allow") && unasked) continue;
    if (kind == "vital") with.rules.allow = {test::rule_of("Bash", RuleEffect::allow)};
    if (kind == "deny") with.rules.deny = {test::rule_of(rule, RuleEffect::deny)};
    if (kind == "allow") with.rules.allow = {test::rule_of(rule, RuleEffect::allow)};
    all.push_back(std::move(with));
  }
  return all;
}

TEST(AttackPack, NoneIsAllowed) {
  std::map<std::string, std::vector<ModePolicy*>> policies;
  std::vector<std::unique_ptr<ModePolicy>> owned;
  std::size_t count = 0;
  for (const auto& [verdict, command] : test::read_command_lines("attack_pack.txt")) {
    auto [found, is_new] = policies.try_emplace(verdict);
    if (is_new) {
      for (PolicySettings& with : settings_for(verdict)) {
        owned.push_back(std::make_unique<ModePolicy>(std::move(with)));
        found->second.push_back(owned.back().get());
      }
      ASSERT_FALSE(found->second.empty()) << "unknown verdict " << verdict;
    }
    for (std::size_t i = 0; i < found->second.size(); ++i) {
      EXPECT_FALSE(test::allows(*found->second[i], command))
          << verdict << ", mode " << to_string(found->second[i]->mode()) << " (" << i
          << "): " << command;
    }
    ++count;
  }
  EXPECT_GE(count, 400U);
}

}  // namespace
}  // namespace yume::permissions

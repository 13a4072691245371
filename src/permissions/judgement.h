// SPDX-License-Identifier: MIT
// The order of a decision, over settings that do not change meanwhile. Only ModePolicy uses it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "permissions/policy.h"

namespace yume::permissions {

class Judgement {
 public:
  Judgement(const PolicySettings& settings, const RuleBook& rules, const core::ToolCall& call,
            const core::Action& action);
  Verdict verdict();  // with what the call would do
  core::Decision decision();

 private:
  Verdict decide();
  // Each returns a verdict when it decides.
  [[nodiscard]] std::optional<Verdict> by_denial() const;
  [[nodiscard]] std::optional<Verdict> by_closed_files() const;
  [[nodiscard]] std::optional<Verdict> by_closed_files_inside() const;
  [[nodiscard]] std::optional<Verdict> by_question() const;
  [[nodiscard]] Verdict by_mode();
  [[nodiscard]] Verdict by_allowance(Verdict asked) const;

  [[nodiscard]] std::vector<core::PermissionUpdate> suggestions() const;

  [[nodiscard]] Verdict judge_read() const;
  [[nodiscard]] Verdict judge_write() const;
  [[nodiscard]] bool runs_sandboxed() const;
  [[nodiscard]] bool stays_in_sandbox() const;
  [[nodiscard]] Verdict judge_command();
  [[nodiscard]] Verdict judge_hosted_command() const;
  [[nodiscard]] Verdict judge_web(const std::string& rule) const;
  [[nodiscard]] Verdict judge_remote() const;

  [[nodiscard]] bool is_bypassed() const;
  [[nodiscard]] bool inside_roots(const std::vector<std::filesystem::path>& names) const;
  [[nodiscard]] bool is_readable(const std::vector<std::filesystem::path>& names) const;
  [[nodiscard]] bool is_protected_file(const std::vector<std::filesystem::path>& names) const;
  [[nodiscard]] std::vector<std::filesystem::path> names_of(
      const std::filesystem::path& given) const;
  [[nodiscard]] bool may_read(const std::filesystem::path& given) const;
  [[nodiscard]] bool may_write(const std::filesystem::path& given) const;
  [[nodiscard]] const std::filesystem::path* closed_among(
      const std::vector<std::filesystem::path>& names, Closed& how) const;
  [[nodiscard]] std::string denial_text(const Rule& rule) const;

  const PolicySettings& settings_;
  const RuleBook& rules_;
  const core::ToolCall& call_;
  const core::Action& action_;
  std::optional<CommandFacts> command_;
  CallFacts facts_;
};

// Whether the file of this name is closed to every tool.
Closed closed_to_tools(const PolicySettings& settings, const std::filesystem::path& name);

// What an action does, one line for each part of it.
std::vector<std::string> action_lines(const core::Action& action, const CommandFacts* command);

}  // namespace yume::permissions

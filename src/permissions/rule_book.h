// SPDX-License-Identifier: MIT
// All rules of a session, compiled once, and which of them speak about a call. Denials and
// questions match when any part of the call does; when in doubt they do. Pure.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "core/permission.h"
#include "core/tool_call.h"
#include "permissions/command_facts.h"
#include "permissions/command_pattern.h"
#include "permissions/path_pattern.h"
#include "permissions/rule.h"

namespace yume::permissions {

struct RuleSet {
  std::vector<Rule> deny = {};
  std::vector<Rule> ask = {};
  std::vector<Rule> allow = {};

  [[nodiscard]] const std::vector<Rule>& of(RuleEffect effect) const;
  [[nodiscard]] std::vector<Rule>& of(RuleEffect effect);
  // As a whole, whatever its call is about.
  [[nodiscard]] bool denies_tool(std::string_view tool) const;
};

// A call with what is known about it.
struct CallFacts {
  const core::ToolCall& call;
  const core::Action& action;
  std::vector<std::filesystem::path> paths = {};  // all names of the file it is about, if any
  const CommandFacts* command = nullptr;          // for commands
};

class RuleBook {
 public:
  RuleBook(RuleSet rules, const PatternPlaces& places);

  [[nodiscard]] const RuleSet& rules() const { return rules_; }
  // The first that matches, or null.
  [[nodiscard]] const Rule* find_denial(const CallFacts& facts) const;
  [[nodiscard]] const Rule* find_question(const CallFacts& facts) const;
  // That covers the whole of a call which is no command; those are in command_cover.h.
  [[nodiscard]] const Rule* find_allowance(const CallFacts& facts) const;

  // Reading this file is denied.
  [[nodiscard]] bool hides(const std::filesystem::path& path) const;
  // Whether a denial depends on the words of a command or on files: what cannot be read then cannot
  // be let through.
  [[nodiscard]] bool has_scoped_denials() const { return has_scoped_denials_; }
  // This very file is opened or changed by an allowance that names it.
  [[nodiscard]] const Rule* allows_path(std::string_view tool,
                                        const std::vector<std::filesystem::path>& names) const;
  // A rule permits this host on the machine's own network.
  [[nodiscard]] bool names_host(std::string_view host) const;

  struct Compiled {
    Rule rule;
    std::optional<CommandPattern> command = std::nullopt;
    std::optional<PathPattern> paths = std::nullopt;
  };
  [[nodiscard]] const std::vector<Compiled>& allowances() const { return allow_; }

 private:
  [[nodiscard]] static std::vector<Compiled> compile(const std::vector<Rule>& rules,
                                                     RuleEffect effect,
                                                     const PatternPlaces& places);
  RuleSet rules_;
  std::vector<Compiled> deny_;
  std::vector<Compiled> ask_;
  std::vector<Compiled> allow_;
  bool has_scoped_denials_ = false;
};

// Which tools a rule of that name is about: `Edit` is about everything that writes files.
bool is_path_rule(std::string_view tool);

}  // namespace yume::permissions

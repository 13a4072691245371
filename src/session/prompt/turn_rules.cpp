// SPDX-License-Identifier: MIT
#include "session/prompt/turn_rules.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace yume::session {
namespace {

using Change = core::RulesUpdate::Change;

bool holds_already(const permissions::ModePolicy& policy, const std::string& text) {
  const permissions::RuleSet rules = policy.rules();
  return std::any_of(rules.allow.begin(), rules.allow.end(),
                     [&text](const permissions::Rule& rule) { return rule.text() == text; });
}

}  // namespace

TurnRules::TurnRules(permissions::ModePolicy& policy, const std::vector<std::string>& rules,
                     std::vector<std::string>& problems)
    : policy_(&policy) {
  for (const std::string& text : rules) {
    const auto rule = permissions::parse_rule(text, permissions::RuleEffect::allow);
    if (!rule.ok()) {
      problems.push_back(rule.error().message);
      continue;
    }
    // One that the session has for itself must outlive the turn.
    if (holds_already(policy, rule->text())) continue;
    if (policy.apply(core::RulesUpdate{.change = Change::add, .rules = {text}}).holds) {
      added_.push_back(text);
    }
  }
}

TurnRules::TurnRules(TurnRules&& other) noexcept
    : policy_(std::exchange(other.policy_, nullptr)), added_(std::move(other.added_)) {}

TurnRules& TurnRules::operator=(TurnRules&& other) noexcept {
  if (this != &other) {
    remove();
    policy_ = std::exchange(other.policy_, nullptr);
    added_ = std::move(other.added_);
  }
  return *this;
}

TurnRules::~TurnRules() {
  remove();
}

void TurnRules::remove() noexcept {
  if (policy_ == nullptr || added_.empty()) return;
  try {
    policy_->apply(core::RulesUpdate{.change = Change::remove, .rules = std::move(added_)});
  } catch (...) {
    // A rule that would outlive its turn must not let the session go on.
    std::terminate();
  }
}

}  // namespace yume::session

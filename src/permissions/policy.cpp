// SPDX-License-Identifier: MIT
#include "permissions/policy.h"

#include "permissions/judgement.h"
#include "permissions/permission_texts.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

std::optional<RuleEffect> effect_of(std::string_view name) {
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    if (to_string(effect) == name) return effect;
  }
  return std::nullopt;
}

std::optional<std::string> change_rules(const core::RulesUpdate& update, RuleSet& rules) {
  const auto effect = effect_of(update.effect);
  if (!effect) return "unknown behavior '" + update.effect + "'";
  std::vector<Rule> named;
  for (const std::string& text : update.rules) {
    auto rule = parse_rule(text, *effect);
    if (!rule.ok()) return rule.error().message;
    rule->origin = {.source = RuleSource::session, .name = "this session"};
    named.push_back(std::move(rule).value());
  }
  std::vector<Rule>& list = rules.of(*effect);
  const auto of_session = [](const Rule& rule) {
    return rule.origin.source == RuleSource::session;
  };
  switch (update.change) {
    case core::RulesUpdate::Change::replace:
      std::erase_if(list, of_session);
      [[fallthrough]];
    case core::RulesUpdate::Change::add:
      list.insert(list.end(), named.begin(), named.end());
      break;
    case core::RulesUpdate::Change::remove:
      // Only what was added in this session: a file's rule stays as long as the file says so.
      std::erase_if(list, [&](const Rule& rule) {
        return of_session(rule) && std::find(named.begin(), named.end(), rule) != named.end();
      });
      break;
  }
  return std::nullopt;
}

// How much runs unasked.
int power_of(core::PermissionMode mode) {
  switch (mode) {
    case core::PermissionMode::plan:
      return 0;
    case core::PermissionMode::dont_ask:
      return 1;
    case core::PermissionMode::default_mode:
      return 2;
    case core::PermissionMode::accept_edits:
      return 3;
    case core::PermissionMode::bypass:
      break;
  }
  return 4;
}

// Who names a mode wants what it says.
void change_mode(core::PermissionMode mode, PolicySettings& settings) {
  settings.mode = mode;
  settings.trust = HostTrust::ask;
  settings.nothing_unasked = false;
}

void change_directories(const core::DirectoriesUpdate& update, PolicySettings& settings) {
  for (const std::string& text : update.directories) {
    fs::path directory = (settings.cwd() / path_from_utf8(text)).lexically_normal();
    if (settings.file_names) directory = settings.file_names(directory).back();
    const auto known = std::find(settings.roots.begin(), settings.roots.end(), directory);
    if (update.adds && known == settings.roots.end()) settings.roots.push_back(directory);
    if (!update.adds && known != settings.roots.end()) settings.roots.erase(known);
  }
}

}  // namespace

bool permits_less(core::PermissionMode mode, core::PermissionMode than) {
  return power_of(mode) < power_of(than);
}

struct ModePolicy::State {
  explicit State(PolicySettings given)
      : settings(std::move(given)),
        rules(settings.rules, {.cwd = settings.cwd(), .home = settings.home}) {}
  PolicySettings settings;
  RuleBook rules;
};

ModePolicy::ModePolicy(PolicySettings settings)
    : state_(std::make_shared<const State>(std::move(settings))) {}

std::shared_ptr<const ModePolicy::State> ModePolicy::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void ModePolicy::replace(PolicySettings settings) {
  auto next = std::make_shared<const State>(std::move(settings));
  const std::lock_guard lock(mutex_);
  state_ = std::move(next);
}

bool ModePolicy::may_have(core::PermissionMode mode) const {
  const auto now = state();
  return mode != core::PermissionMode::bypass ||
         (now->settings.bypass_permitted && !now->settings.bypass_disabled);
}

void ModePolicy::set_mode(core::PermissionMode mode) {
  const std::lock_guard changing(changing_);
  PolicySettings settings = state()->settings;
  change_mode(mode, settings);
  replace(std::move(settings));
}

void ModePolicy::add_readable(const fs::path& place) {
  const std::lock_guard changing(changing_);
  PolicySettings settings = state()->settings;
  settings.readable.push_back(place);
  replace(std::move(settings));
}

std::vector<fs::path> ModePolicy::roots() const {
  return state()->settings.roots;
}

std::optional<std::string> ModePolicy::change(const core::PermissionUpdate& update) {
  const std::lock_guard changing(changing_);
  PolicySettings settings = state()->settings;
  std::optional<std::string> problem;
  std::visit(
      Overloaded{
          [&](const core::RulesUpdate& rules) { problem = change_rules(rules, settings.rules); },
          [&](const core::ModeUpdate& mode) {
            if (may_have(mode.mode)) return change_mode(mode.mode, settings);
            problem = std::string(k_bypass_not_permitted);
          },
          [&](const core::DirectoriesUpdate& directories) {
            change_directories(directories, settings);
          },
      },
      update);
  if (!problem) replace(std::move(settings));
  return problem;
}

// Without the lock while a file is written: the thread that changes the mode must not wait for it.
UpdateOutcome ModePolicy::apply(const core::PermissionUpdate& update) {
  if (auto problem = change(update)) return {.holds = false, .problem = *std::move(problem)};
  const auto now = state();
  if (!now->settings.keep) return {};
  const auto kept = now->settings.keep(update);
  return {.problem = kept.ok() ? "" : kept.error().message};
}

core::PermissionMode ModePolicy::mode() const {
  return state()->settings.mode;
}

RuleSet ModePolicy::rules() const {
  return state()->rules.rules();
}

core::Decision ModePolicy::decide(const core::ToolCall& call, const core::Action& action) const {
  const auto now = state();
  return Judgement(now->settings, now->rules, call, action).decision();
}

core::Decision ModePolicy::decide_within(core::PermissionMode mode, const core::ToolCall& call,
                                         const core::Action& action) const {
  const auto now = state();
  if (!permits_less(mode, now->settings.mode)) return decide(call, action);
  PolicySettings narrowed = now->settings;
  narrowed.mode = mode;
  narrowed.trust = HostTrust::ask;
  return Judgement(narrowed, now->rules, call, action).decision();
}

Verdict ModePolicy::judge(const core::ToolCall& call, const core::Action& action) const {
  const auto now = state();
  return Judgement(now->settings, now->rules, call, action).verdict();
}

bool ModePolicy::hides_files() const {
  return true;  // there is always something that is closed
}

bool ModePolicy::hides(const fs::path& real_path) const {
  const auto now = state();
  return closed_to_tools(now->settings, real_path) != Closed::no || now->rules.hides(real_path);
}

bool ModePolicy::names_host(std::string_view host) const {
  return state()->rules.names_host(host);
}

}  // namespace yume::permissions

// SPDX-License-Identifier: MIT
#include "app/sandbox_choice.h"

#include "config/command_wall.h"
#include "platform/sandbox.h"

#include <utility>

namespace yume::app {
namespace {

using config::SandboxMode;
using config::SandboxSettings;
using Notices = std::vector<std::string>;

constexpr const char* k_no_wall =
    "This system has no sandbox for commands (Linux has one from 5.13 on, if Landlock is switched "
    "on): they run with all of your rights.";

SandboxMode wanted_mode(const Options& options, const SandboxSettings& settings) {
  const bool hosted = options.has_provider && (!options.permission_mode || options.auto_mode);
  const SandboxMode by_settings =
      settings.enabled.value_or(hosted) ? SandboxMode::workspace_write : SandboxMode::off;
  const SandboxMode wanted = options.sandbox.value_or(by_settings);
  return wanted == SandboxMode::off && settings.is_required ? SandboxMode::workspace_write : wanted;
}

// What the settings ask for and nobody here can do. A restriction is never dropped in silence.
Notices notices_about(const Options& options, const SandboxSettings& settings) {
  Notices notices;
  if (options.sandbox == SandboxMode::off && settings.is_required) {
    notices.emplace_back(
        "--sandbox off is ignored: the administrator's settings switch the sandbox on.");
  }
  if (settings.limits_domains) {
    notices.emplace_back(
        "sandbox.network in the settings names hosts, domains or proxies. Commands cannot be kept "
        "to some of them, so they get no network at all.");
  }
  for (const std::string& key : settings.not_known) {
    notices.push_back(key + " in the settings is not known, and has no effect.");
  }
  return notices;
}

tools::WallOutcome make_wall(const SandboxChoice& choice, const WallPlaces& places,
                             const SpecDeps& deps) {
  if (!platform::has_sandbox()) return {.notices = {k_no_wall}};
  tools::WallOutcome outcome;
  outcome.wall = config::make_command_wall({.mode = choice.mode,
                                            .settings = choice.settings,
                                            .roots = places.roots,
                                            .closed = places.closed->get(),
                                            .environment = deps.environment,
                                            .files = deps.files});
  if (!choice.settings.deny_write.empty() && !platform::sandbox_support().keeps_all_places()) {
    outcome.notices.emplace_back(
        "sandbox.filesystem.denyWrite cannot be kept inside the workspace: this user cannot have "
        "mounts of its own on this system.");
  }
  return outcome;
}

}  // namespace

Result<SandboxChoice> choose_sandbox(const Options& options, SandboxSettings settings) {
  SandboxChoice choice{.mode = wanted_mode(options, settings)};
  if (choice.mode == SandboxMode::off) return choice;
  const bool required = settings.must_be_there || options.sandbox_required;
  if (required && !platform::has_sandbox()) {
    return Error{
        .code = ErrorCode::invalid_argument,
        .message = std::string("Error: ") + k_no_wall +
                   (options.sandbox_required ? " Leave --sandbox out to go on without."
                                             : " The settings say sandbox.failIfUnavailable.")};
  }
  choice.notices = notices_about(options, settings);
  choice.settings = std::move(settings);
  return choice;
}

std::function<tools::WallOutcome()> wall_maker(SandboxChoice choice, WallPlaces places,
                                               const SpecDeps& deps) {
  if (choice.mode == SandboxMode::off) return {};
  return [choice = std::move(choice), places = std::move(places), deps] {
    return make_wall(choice, places, deps);
  };
}

}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "app/policy_choice.h"

#include "app/kept_permissions.h"
#include "app/trust.h"
#include "config/command_wall.h"
#include "config/permission_layers.h"
#include "permissions/sandbox_exclusions.h"
#include "platform/sandbox.h"
#include "util/path_text.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using permissions::RuleEffect;

// The command line stands between an administrator's rules and all others.
permissions::RuleSet all_rules(const permissions::RuleSet& flags,
                               const permissions::RuleSet& layers) {
  permissions::RuleSet all = layers;
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    auto& list = all.of(effect);
    const auto behind_managed =
        std::find_if(list.begin(), list.end(), [](const permissions::Rule& rule) {
          return rule.origin.source != permissions::RuleSource::managed;
        });
    list.insert(behind_managed, flags.of(effect).begin(), flags.of(effect).end());
  }
  return all;
}

// A worktree's `.git` is a file that names the folder with its hooks.
std::optional<fs::path> git_folder_of(const fs::path& root, const platform::FileSystem& files) {
  constexpr std::string_view k_key = "gitdir:";
  constexpr std::uint64_t k_largest_file = 4096;
  const auto text = files.read(root / ".git", k_largest_file);
  if (!text.ok() || !text->starts_with(k_key)) return std::nullopt;
  std::string_view name = std::string_view(*text).substr(k_key.size());
  while (name.starts_with(' ')) name.remove_prefix(1);
  name = name.substr(0, name.find_first_of("\r\n"));
  const auto real = files.real_path(root / path_from_utf8(name));
  return real.ok() ? std::optional(*real) : std::nullopt;
}

void add_roots(const std::vector<fs::path>& directories, const platform::FileSystem& files,
               std::vector<fs::path>& roots) {
  for (const fs::path& directory : directories) {
    if (auto real = files.real_path(directory); real.ok()) roots.push_back(std::move(*real));
  }
}

void choose_mode(const Options& options, const config::PermissionLayers& layers,
                 permissions::PolicySettings& settings) {
  using core::PermissionMode;
  const bool unsaid = !options.permission_mode && !layers.mode;
  settings.mode =
      options.permission_mode.value_or(layers.mode.value_or(PermissionMode::default_mode));
  settings.bypass_disabled = layers.disables_bypass;
  settings.nothing_unasked = options.nothing_unasked;
  settings.bypass_permitted = options.bypass_permitted || settings.mode == PermissionMode::bypass;
  if (options.has_provider && (unsaid || options.auto_mode)) {
    settings.trust = permissions::HostTrust::runs_tools;
  }
  if (settings.mode == PermissionMode::bypass && settings.bypass_disabled) {
    settings.mode = PermissionMode::default_mode;
  }
  if (layers.fails_closed) {
    settings.mode = PermissionMode::dont_ask;
    settings.trust = permissions::HostTrust::ask;
  }
}

// What decisions need to know of the wall around commands. The system is asked only when somebody
// relies on its answer.
void use_sandbox(const SandboxChoice& sandbox, const SpecDeps& deps,
                 permissions::PolicySettings& settings) {
  if (sandbox.mode == config::SandboxMode::off) return;
  settings.walls_commands = platform::has_sandbox;
  settings.sandboxed_commands_run =
      sandbox.settings.auto_allow_bash.value_or(false) && platform::has_sandbox();
  // What a command has left there can be read by every tool.
  settings.readable.push_back(config::wall_temporary(deps.environment, settings.cwd()));
  if (sandbox.settings.excluded_commands.empty()) return;
  settings.leaves_sandbox =
      [exclusions = std::make_shared<permissions::SandboxExclusions>(
           sandbox.settings.excluded_commands,
           permissions::ExclusionPlaces{
               .roots = settings.roots, .home = settings.home, .file_names = settings.file_names})](
          const std::string& command, const fs::path& cwd) {
        return exclusions->cover(command, cwd);
      };
}

}  // namespace

Result<PolicyChoice> choose_policy(const Options& options, const config::SettingsStack& stack,
                                   const fs::path& cwd, const SpecDeps& deps) {
  const TrustStore trust(deps.files, deps.environment);
  const auto is_trusted = [&](const std::string& granted) {
    return options.trusts_workspace || trust.trusts(cwd, granted);
  };
  YUME_TRY(config::PermissionLayers layers,
           config::read_permission_layers(stack,
                                          {.cwd = cwd,
                                           .user_files = options.user_settings,
                                           .project_files = options.project_settings,
                                           .local_files = options.local_settings,
                                           .managed = options.managed_settings,
                                           .is_trusted = is_trusted},
                                          deps.files, deps.environment));
  PolicyChoice choice;
  permissions::PolicySettings& settings = choice.settings;
  choose_mode(options, layers, settings);
  settings.roots = workspace_of(options, deps.environment, deps.files);
  add_roots(layers.directories, deps.files, settings.roots);
  for (const fs::path& root : settings.roots) {
    if (auto folder = git_folder_of(root, deps.files)) {
      settings.protected_places.push_back(*std::move(folder));
    }
  }
  settings.home = deps.environment.home;
  settings.rules = all_rules(options.rules, layers.rules);
  settings.workspace_trusted = layers.trusted;
  // Shared: a policy is copied when a host changes it.
  choice.closed = std::make_shared<LazyClosedSet>(deps.files, deps.environment);
  settings.closed = [closed = choice.closed](const fs::path& path) { return closed->covers(path); };
  settings.closed_inside = [closed = choice.closed](const fs::path& folder) {
    return closed->is_inside(folder);
  };
  settings.file_names = [&files = deps.files](const fs::path& given) {
    return files.names_of(given);
  };
  settings.is_folder = [&files = deps.files](const fs::path& path) {
    const auto info = files.info(path);
    return info.ok() && info->kind == platform::FileKind::directory;
  };
  settings.keep = [kept = KeptPermissions(cwd, deps.files, deps.environment, deps.clock)](
                      const core::PermissionUpdate& update) { return kept.keep(update); };
  YUME_TRY(choice.sandbox, choose_sandbox(options, std::move(layers.sandbox)));
  use_sandbox(choice.sandbox, deps, settings);
  choice.hooks = std::move(layers.hooks);
  choice.project_servers = std::move(layers.project_servers);
  choice.commands = std::move(layers.commands);
  choice.notices = std::move(layers.notices);
  choice.notices.insert(choice.notices.end(), choice.sandbox.notices.begin(),
                        choice.sandbox.notices.end());
  if (options.permission_mode == core::PermissionMode::bypass && settings.bypass_disabled) {
    choice.notices.push_back(
        "bypassPermissions is switched off by the settings (disableBypassPermissionsMode): the "
        "permission mode is default.");
  }
  return choice;
}

}  // namespace yume::app

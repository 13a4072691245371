// SPDX-License-Identifier: MIT
#include "config/permission_layers.h"

#include "config/places.h"
#include "util/json_tree.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::config {
namespace {

namespace fs = std::filesystem;
using core::PermissionMode;
using permissions::Rule;
using permissions::RuleEffect;
using permissions::RuleOrigin;
using permissions::RuleSource;

constexpr std::uint64_t k_largest_file = 2U << 20U;

struct Layer {
  RuleOrigin origin;
  fs::path anchor;  // where `/x` in its rules begins
  PermissionSettings settings;
  SandboxSettings sandbox = {};
  hooks::HookSettings hooks = {};
};

// Of Claude's own files only the permissions count.
bool has_all_keys(const fs::path& file) {
  return file.parent_path().filename() != ".claude";
}

bool is_of_folder(const RuleOrigin& origin) {
  return origin.source == RuleSource::project_file || origin.source == RuleSource::local_file;
}

Error named(const std::string& name, const Error& error) {
  return {.code = ErrorCode::invalid_argument, .message = name + ": " + error.message};
}

enum class Keys { permissions, all };

Result<hooks::HookSettings> parse_hooks_of_file(std::string_view text) {
  const auto file = read_ordered_json(text);
  const auto found = file.find("hooks");
  if (found == file.end()) return hooks::HookSettings();
  return hooks::parse_hook_settings(RawJson{write_json(*found)});
}

Result<Layer> parse_layer(const RuleOrigin& origin, std::string_view text, const fs::path& anchor,
                          Keys keys) {
  Layer layer{.origin = origin, .anchor = anchor, .settings = {}};
  YUME_TRY(layer.settings, parse_permissions_of_file(text));
  if (keys == Keys::all) {
    YUME_TRY(layer.sandbox, parse_sandbox_of_file(text));
    YUME_TRY(layer.hooks, parse_hooks_of_file(text));
  }
  layer.sandbox.is_required =
      origin.source == RuleSource::managed && layer.sandbox.enabled.value_or(false);
  return layer;
}

class LayerReader {
 public:
  LayerReader(const PermissionRequest& request, const platform::FileSystem& files,
              const platform::Environment& environment, PermissionLayers& out)
      : request_(request), files_(files), environment_(environment), out_(out) {}

  // Highest first.
  Result<std::vector<Layer>> read(const SettingsStack& stack) {
    if (const auto done = read_managed(); !done.ok()) return done.error();
    add_from_stack(stack, SettingsSource::command_line);
    const fs::path& cwd = request_.cwd;
    if (request_.local_files) {
      for (const char* folder : {".yume", ".claude"}) {
        const auto done =
            read_file(RuleSource::local_file, cwd / folder / "settings.local.json", cwd);
        if (!done.ok()) return done.error();
      }
    }
    if (request_.project_files) {
      for (const char* folder : {".yume", ".claude"}) {
        const auto done = read_file(RuleSource::project_file, cwd / folder / "settings.json", cwd);
        if (!done.ok()) return done.error();
      }
    }
    if (request_.user_files) {
      add_from_stack(stack, SettingsSource::user_file);
      if (!environment_.home.empty()) {
        const fs::path folder = environment_.home / ".claude";
        const auto done = read_file(RuleSource::user_file, folder / "settings.json", folder);
        if (!done.ok()) return done.error();
      }
    }
    return std::move(layers_);
  }

 private:
  Result<void> read_managed() {
    if (request_.managed) {
      const RuleOrigin origin{RuleSource::managed, "--managed-settings"};
      auto layer = parse_layer(origin, *request_.managed, request_.cwd, Keys::all);
      if (!layer.ok()) return named(origin.name, layer.error());
      layers_.push_back(std::move(layer).value());
    }
    const fs::path path = managed_settings_file(environment_);
    const auto info = files_.info(path);
    if (!info.ok()) return {};
    const auto owner = files_.owner_of(path);
    if (!owner.ok() || !owner->is_root || owner->others_may_write) {
      out_.notices.push_back(to_utf8(path) +
                             " is ignored: it must belong to root, and nobody else may be able to "
                             "write it.");
      return {};
    }
    return read_file(RuleSource::managed, path, request_.cwd);
  }

  void add_from_stack(const SettingsStack& stack, SettingsSource source) {
    for (auto layer = stack.layers().rbegin(); layer != stack.layers().rend(); ++layer) {
      const Settings& settings = layer->settings;
      if (layer->origin.source != source) continue;
      const bool of_user = source == SettingsSource::user_file;
      layers_.push_back(
          {{of_user ? RuleSource::user_file : RuleSource::command_line, layer->origin.text()},
           of_user ? layer->origin.path.parent_path() : request_.cwd,
           settings.permissions.value_or(PermissionSettings()),
           settings.sandbox.value_or(SandboxSettings())});
    }
  }

  Result<void> read_file(RuleSource source, const fs::path& path, const fs::path& anchor) {
    const auto text = files_.read(path, k_largest_file);
    if (!text.ok() && text.error().code == ErrorCode::not_found) return {};
    const RuleOrigin origin{source, to_utf8(path)};
    if (!text.ok()) return is_of_folder(origin) ? close_for(origin, text.error()) : text.error();
    auto layer =
        parse_layer(origin, *text, anchor, has_all_keys(path) ? Keys::all : Keys::permissions);
    if (layer.ok()) {
      layers_.push_back(std::move(layer).value());
      return {};
    }
    // A rule that cannot be read is somebody's mistake to be told. A file that is no JSON may be
    // the work of a command that was killed: the session is safe without it.
    const bool is_json = check_json(*text).ok();
    if (is_json || !is_of_folder(origin)) return named(origin.name, layer.error());
    return close_for(origin, layer.error());
  }

  Result<void> close_for(const RuleOrigin& origin, const Error& error) {
    out_.fails_closed = true;
    out_.notices.push_back(origin.name + " cannot be read (" + error.message +
                           ") and may contain denials: only what is allowed by a rule runs until "
                           "it is mended.");
    return {};
  }

  const PermissionRequest& request_;
  const platform::FileSystem& files_;
  const platform::Environment& environment_;
  PermissionLayers& out_;
  std::vector<Layer> layers_;
};

// One line for each thing, so that a change of any of them can be seen.
std::string granted_by(const std::vector<Layer>& layers) {
  std::string text;
  for (const Layer& layer : layers) {
    if (!is_of_folder(layer.origin)) continue;
    for (const Rule& rule : layer.settings.rules.allow) text += "allow " + rule.text() + "\n";
    for (const std::string& one : layer.settings.directories) text += "directory " + one + "\n";
    for (const std::string& line : layer.sandbox.grants()) text += line + "\n";
    for (const std::string& line : layer.hooks.grants()) text += line + "\n";
  }
  return text;
}

// The MCP servers that the folder brings: programs that would run, and places to be connected to.
std::string server_grants(const std::string& text) {
  const nlohmann::ordered_json root =
      check_json(text).ok() ? read_ordered_json(text) : nlohmann::ordered_json();
  const auto servers = root.is_object() ? root.find("mcpServers") : root.end();
  if (!root.is_object() || servers == root.end() || !servers->is_object()) {
    return ".mcp.json " + text + "\n";
  }
  std::string lines;
  for (const auto& [name, entry] : servers->items()) {
    lines += "MCP server " + name + ": " + write_json(entry) + "\n";
  }
  return lines;
}

void add_rules(const Layer& layer, RuleEffect effect, PermissionLayers& out) {
  for (Rule rule : layer.settings.rules.of(effect)) {
    rule.origin = layer.origin;
    rule.anchor = layer.anchor;
    out.rules.of(effect).push_back(std::move(rule));
  }
}

// A folder's files may lower what runs unasked, never raise it.
bool may_set_mode(const Layer& layer, PermissionMode mode) {
  if (!is_of_folder(layer.origin)) return true;
  return mode == PermissionMode::default_mode || mode == PermissionMode::plan ||
         mode == PermissionMode::dont_ask;
}

void add_mode(const Layer& layer, PermissionLayers& out) {
  const auto mode = layer.settings.default_mode;
  if (!mode || out.mode) return;
  if (may_set_mode(layer, *mode)) {
    out.mode = mode;
  } else {
    out.notices.push_back(layer.origin.name + ": defaultMode " +
                          std::string(core::to_string(*mode)) +
                          " is ignored: a folder's settings cannot raise the permission mode.");
  }
}

// Nor may they take down the wall around commands, whatever else they are trusted with.
void add_sandbox(const Layer& layer, PermissionLayers& out) {
  if (!is_of_folder(layer.origin)) return out.sandbox.add(layer.sandbox);
  SandboxSettings said = out.trusted ? layer.sandbox : layer.sandbox.restrictions();
  const auto ignore = [&](const char* key) {
    out.notices.push_back(layer.origin.name + ": " + key +
                          " is ignored: a folder's settings cannot switch the sandbox off.");
  };
  if (said.enabled == false) {
    ignore("sandbox.enabled");
    said.enabled.reset();
  }
  if (!said.excluded_commands.empty()) {
    ignore("sandbox.excludedCommands");
    said.excluded_commands.clear();
  }
  out.sandbox.add(said);
}

// Programs that a folder brings run behind the wall around commands.
void add_hooks(const Layer& layer, PermissionLayers& out) {
  hooks::HookSettings settings = layer.hooks;
  for (auto& [event, commands] : settings.commands) {
    for (hooks::CommandHook& hook : commands) hook.is_of_folder = is_of_folder(layer.origin);
  }
  out.hooks.append(std::move(settings));
}

void add_layer(const Layer& layer, const fs::path& cwd, PermissionLayers& out) {
  add_rules(layer, RuleEffect::deny, out);
  add_rules(layer, RuleEffect::ask, out);
  add_mode(layer, out);
  out.disables_bypass |= layer.settings.disables_bypass;
  for (const std::string& why : layer.settings.ignored) {
    out.notices.push_back(layer.origin.name + ": " + why + "; it allows nothing.");
  }
  if (is_of_folder(layer.origin) && !out.trusted) return;
  add_hooks(layer, out);
  add_rules(layer, RuleEffect::allow, out);
  for (const std::string& directory : layer.settings.directories) {
    out.directories.push_back(cwd / path_from_utf8(directory));
  }
}

}  // namespace

fs::path managed_settings_file(const platform::Environment& environment) {
  if (environment.os_name.starts_with("Windows"))
    return "C:\\Program Files\\yume\\managed-settings.json";
  return "/etc/yume/managed-settings.json";
}

Result<PermissionLayers> read_permission_layers(const SettingsStack& stack,
                                                const PermissionRequest& request,
                                                const platform::FileSystem& files,
                                                const platform::Environment& environment) {
  PermissionLayers out;
  YUME_TRY(const std::vector<Layer> layers,
           LayerReader(request, files, environment, out).read(stack));
  out.granted = granted_by(layers);
  std::optional<std::string> servers;
  if (request.project_files) {
    if (auto text = files.read(request.cwd / ".mcp.json", k_largest_file); text.ok()) {
      servers = std::move(text).value();
      out.granted += server_grants(*servers);
    }
    out.commands =
        find_commands(request.cwd / ".claude", core::SlashCommandInfo::Source::project, files);
    out.granted += note_grants(out.commands, request.cwd, files);
  }
  out.trusted = request.is_trusted && request.is_trusted(out.granted);
  if (out.trusted) out.project_servers = std::move(servers);
  for (const Layer& layer : layers) add_layer(layer, request.cwd, out);
  // Lowest first: what comes later decides.
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) add_sandbox(*layer, out);
  if (!out.trusted && !out.granted.empty()) {
    out.notices.push_back(
        "This folder's settings allow things that have no effect, because the folder is not "
        "trusted. `yume-cli trust` shows them and asks; --trust-workspace trusts it for one run.");
  }
  return out;
}

}  // namespace yume::config

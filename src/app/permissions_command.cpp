// SPDX-License-Identifier: MIT
#include "app/permissions_command.h"

#include "app/commands/command_table.h"
#include "app/commands/confirm.h"
#include "app/model_choice.h"
#include "app/options.h"
#include "app/policy_choice.h"
#include "app/trust.h"
#include "config/permission_layers.h"
#include "core/tool_names.h"
#include "net/curl_url.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "platform/stdio.h"
#include "util/escape_codes.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <optional>
#include <utility>
#include <variant>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

ExitCode complain(const std::string& message) {
  (void)platform::stderr_stream()->write("Error: " + message + "\n");
  return ExitCode::usage;
}

// What the command line stands on.
struct Place {
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  platform::SystemClock clock;
  Options options;
  config::SettingsStack settings;
  fs::path cwd;
};

Result<std::unique_ptr<Place>> open_place(const Arguments& arguments,
                                          const platform::Environment& environment) {
  auto place = std::make_unique<Place>();
  const auto read = read_options(arguments, environment);
  if (const auto* problem = std::get_if<UsageError>(&read)) {
    return Error{.code = ErrorCode::invalid_argument, .message = problem->message};
  }
  place->options = std::get<Options>(read);
  YUME_TRY(ModelChoice models, read_model_choice(place->options, *place->files, environment));
  place->settings = models.settings();
  YUME_TRY(place->cwd, place->files->real_path(environment.cwd / place->options.cwd));
  return place;
}

// `Bash(git log | head)`: the tool and what it is called with.
std::optional<core::Action> action_of(std::string_view tool, const std::string& value,
                                      const Place& place) {
  const auto path = [&] {
    const fs::path given = (place.cwd / path_from_utf8(value)).lexically_normal();
    const auto real = place.files->real_path(given);
    return std::pair(real.ok() ? *real : given, given);
  };
  if (tool == "Bash") return core::RunsCommand{.command = value};
  if (tool == "Read" || tool == "Grep" || tool == "Glob" || tool == "LS") {
    const auto [real, given] = path();
    return core::ReadsFile{.path = real, .given = given};
  }
  if (tool == "Write" || tool == "Edit" || tool == "MultiEdit" || tool == "NotebookEdit") {
    const auto [real, given] = path();
    return core::WritesFile{.path = real, .given = given};
  }
  if (tool == "WebFetch") {
    constexpr std::string_view k_domain = "domain:";
    if (value.starts_with(k_domain)) return core::ReachesHost{value.substr(k_domain.size())};
    if (value.find("://") == std::string::npos) return core::ReachesHost{value};
    // As the tool itself reads it; what it refuses is no call.
    const auto address = net::read_web_address(value);
    if (!address.ok()) return std::nullopt;
    return core::ReachesHost{address->host};
  }
  if (tool == "WebSearch") return core::SearchesWeb{value};
  constexpr std::string_view k_mcp = "mcp__";
  if (const std::size_t end = tool.find("__", k_mcp.size());
      tool.starts_with(k_mcp) && end != std::string_view::npos) {
    return core::CallsServer{.server = std::string(tool.substr(k_mcp.size(), end - k_mcp.size())),
                             .tool = std::string(tool.substr(end + 2))};
  }
  return std::nullopt;
}

std::string verdict_text(const permissions::Verdict& verdict) {
  std::string text;
  for (const std::string& line : verdict.actions) text += line + "\n";
  std::visit(Overloaded{[&](const core::Allow&) { text += "allowed"; },
                        [&](const core::Deny&) { text += "denied"; },
                        [&](const core::Ask&) { text += "asked for"; }},
             verdict.decision);
  text += ": " + verdict.reason + "\n";
  if (verdict.rule) {
    text += "rule: " + verdict.rule->text() + " (" + verdict.rule->origin.name + ")\n";
  }
  return safe_for_terminal(text);
}

ExitCode explain(const Arguments& arguments, const platform::Environment& environment,
                 protocol::Output& out) {
  if (arguments.positionals().empty()) {
    return complain(
        "name a call, for example: yume-cli permissions explain 'Bash(git log | head)'");
  }
  const std::string& call = arguments.positionals().front();
  const std::size_t open = call.find('(');
  const std::string tool(core::tool_name_for(call.substr(0, open)));
  const bool closed = open != std::string::npos && call.ends_with(')');
  const std::string value = closed ? call.substr(open + 1, call.size() - open - 2) : "";
  const auto place = open_place(arguments, environment);
  if (!place.ok()) return complain(place.error().message);
  const auto action = action_of(tool, value, **place);
  if (!action || !closed) {
    return complain("'" + call +
                    "' is no call. Write the tool and what it is called with, such as "
                    "'Bash(git log)', 'Read(.env)' or 'WebFetch(domain:example.com)'");
  }
  const auto policy = choose_policy(
      (*place)->options, (*place)->settings, (*place)->cwd,
      {.files = *(*place)->files, .environment = environment, .clock = (*place)->clock});
  if (!policy.ok()) return complain(policy.error().message);
  const permissions::ModePolicy decides(policy->settings);
  const core::ToolCall named{.id = {}, .name = tool, .input = {"{}"}};
  out.bytes(verdict_text(decides.judge(named, *action)));
  return ExitCode::success;
}

ExitCode list(const Arguments& arguments, const platform::Environment& environment,
              protocol::Output& out) {
  const auto place = open_place(arguments, environment);
  if (!place.ok()) return complain(place.error().message);
  const auto policy = choose_policy(
      (*place)->options, (*place)->settings, (*place)->cwd,
      {.files = *(*place)->files, .environment = environment, .clock = (*place)->clock});
  if (!policy.ok()) return complain(policy.error().message);
  const permissions::PolicySettings& settings = policy->settings;
  std::string text = "mode: " + std::string(core::to_string(settings.mode)) + "\n";
  for (const fs::path& root : settings.roots) text += "directory: " + to_utf8(root) + "\n";
  text += std::string("workspace: ") + (settings.workspace_trusted ? "trusted\n" : "not trusted\n");
  using permissions::RuleEffect;
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    for (const permissions::Rule& rule : settings.rules.of(effect)) {
      text += std::string(to_string(effect)) + ": " + rule.text() + " (" + rule.origin.name + ")\n";
    }
  }
  for (const std::string& notice : policy->notices) text += "note: " + notice + "\n";
  out.bytes(safe_for_terminal(text));
  return ExitCode::success;
}

Result<std::string> granted_here(const Place& place, const platform::Environment& environment) {
  YUME_TRY(const config::PermissionLayers layers,
           config::read_permission_layers(place.settings, {.cwd = place.cwd}, *place.files,
                                          environment));
  return layers.granted;
}

ExitCode trust_folder(Place& place, bool unasked, const platform::Environment& environment,
                      protocol::Output& out) {
  const auto granted = granted_here(place, environment);
  if (!granted.ok()) return complain(granted.error().message);
  out.bytes(safe_for_terminal(
      to_utf8(place.cwd) + "\n" +
      (granted->empty() ? "Its settings grant nothing; git may then be read unasked, and "
                          "its slash commands and skills can be used.\n"
                        : "Its settings and commands would grant:\n" + *granted)));
  const bool terminal = platform::is_terminal(platform::StandardStream::input);
  if (!unasked && !terminal) return complain("nobody can be asked here; add --yes to trust it");
  if (!unasked && !ask_yes_or_no(out, "Trust this folder?")) {
    out.bytes("Nothing was changed.\n");
    return ExitCode::failure;
  }
  TrustStore store(*place.files, environment);
  if (const auto done = store.trust(place.cwd, *granted); !done.ok()) {
    return complain(done.error().message);
  }
  out.bytes("The folder is trusted until its settings grant something else.\n");
  return ExitCode::success;
}

}  // namespace

ExitCode run_permissions(const std::vector<std::string>& tokens,
                         const platform::Environment& environment, protocol::Output& out) {
  if (!tokens.empty() && asks_for_help(tokens.front())) {
    for (const CommandSpec& one : permissions_commands().commands) out.bytes(command_help(one));
    return ExitCode::success;
  }
  const auto command = choose_command(permissions_commands(), tokens);
  if (!command.ok()) return refuse_usage(command.error());
  const auto line = read_command_line(**command, {tokens.begin() + 1, tokens.end()}, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const Arguments& arguments = std::get<Arguments>(line);
  return (*command)->name == "permissions list" ? list(arguments, environment, out)
                                                : explain(arguments, environment, out);
}

ExitCode run_trust(const std::vector<std::string>& tokens, const platform::Environment& environment,
                   protocol::Output& out) {
  const auto line = read_command_line(trust_command(), tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const Arguments& arguments = std::get<Arguments>(line);
  const auto place = open_place(arguments, environment);
  if (!place.ok()) return complain(place.error().message);
  TrustStore store(*(*place)->files, environment);
  if (arguments.on("list")) {
    for (const auto& [folder, hash] : store.all()) out.bytes(safe_for_terminal(folder) + "\n");
    return ExitCode::success;
  }
  if (arguments.on("remove")) {
    const auto done = store.forget((*place)->cwd);
    if (!done.ok()) return complain(done.error().message);
    out.bytes(*done ? "The folder is not trusted any more.\n" : "The folder was not trusted.\n");
    return ExitCode::success;
  }
  return trust_folder(**place, arguments.on("yes"), environment, out);
}

}  // namespace yume::app

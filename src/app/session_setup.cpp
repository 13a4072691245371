// SPDX-License-Identifier: MIT
#include "app/session_setup.h"

#include "agent/roles.h"
#include "app/mcp_choice.h"
#include "app/policy_choice.h"
#include "app/wrap_choice.h"
#include "config/places.h"
#include "core/tool_names.h"
#include "platform/command_system.h"
#include "platform/parent_process.h"
#include "protocol/claude/claude_stream.h"
#include "session/older_process.h"
#include "tools/bash.h"
#include "tools/registry.h"
#include "transcript/git_branch.h"
#include "transcript/session_index.h"
#include "transcript/session_paths.h"
#include "util/path_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_prompt_file = 4U << 20U;

Result<fs::path> working_directory(const Options& options, const platform::FileSystem& files,
                                   const platform::Environment& environment) {
  const fs::path given = options.cwd.empty() ? environment.cwd : environment.cwd / options.cwd;
  if (given.empty()) {
    return Error{.code = ErrorCode::not_found,
                 .message = "Error: the working directory does not exist any more"};
  }
  const auto info = files.info(given);
  if (!info.ok() || info->kind != platform::FileKind::directory) {
    return Error{.code = ErrorCode::not_found,
                 .message = "Error: the working directory " + to_utf8(given) +
                            " is not a directory; check --cwd"};
  }
  return files.real_path(given);
}

Result<std::string> prompt_file(const std::optional<std::string>& path, const fs::path& cwd,
                                const platform::FileSystem& files) {
  if (!path) return std::string();
  auto text = files.read(cwd / *path, k_largest_prompt_file);
  if (!text.ok()) {
    return Error{.code = ErrorCode::not_found, .message = "Error: " + text.error().message};
  }
  return text;
}

// Claude's variables. A default above the limit raises the limit.
tools::ShellSettings shell_settings(const platform::Environment& environment,
                                    const platform::CommandSystem& system) {
  tools::ShellSettings shell;
  shell.default_timeout =
      milliseconds_in(environment, "BASH_DEFAULT_TIMEOUT_MS").value_or(shell.default_timeout);
  shell.longest_timeout =
      std::max(milliseconds_in(environment, "BASH_MAX_TIMEOUT_MS").value_or(shell.longest_timeout),
               shell.default_timeout);
  shell.command_shell = system.shell;
  shell.line_shell = system.line_shell;
  return shell;
}

config::ModelSpec model_spec(const Options& options, const std::string& name,
                             const ModelChoice& models, const SpecDeps& deps) {
  config::ModelSpec spec;
  spec.info = models.choose(name, deps.clock.wall_now());
  spec.ask_for_limits = !models.lists(spec.info.id);
  spec.limits_cache = config::model_cache(deps.environment);
  spec.request.thinking = options.thinking;
  spec.request.safety = options.server.safety;
  spec.request.max_output_tokens = options.server.max_output_tokens;
  return spec;
}

// The same session with another model.
config::ModelMenu model_menu(const config::ModelSpec& first, const ModelChoice& models,
                             const platform::Clock& clock) {
  const auto choose = [first, &models, &clock](std::string_view name) {
    config::ModelSpec spec = first;
    spec.info = models.choose(name, clock.wall_now());
    spec.ask_for_limits = !models.lists(spec.info.id);
    return spec;
  };
  return {.choose = choose, .list = [&models, &clock] { return models.offers(clock.wall_now()); }};
}

std::vector<core::SettingsFile> settings_files(const config::SettingsStack& settings) {
  std::vector<core::SettingsFile> files;
  for (const config::SettingsLayer& layer : settings.layers()) {
    const bool of_user = layer.origin.source == config::SettingsSource::user_file;
    files.push_back(
        {.source = of_user ? "userSettings" : "flagSettings", .path = to_utf8(layer.origin.path)});
  }
  return files;
}

std::string with_role(const std::string& role, std::string appended) {
  if (role.empty()) return appended;
  const std::string text(agent::role_text(role));
  return appended.empty() ? text : text + "\n\n" + appended;
}

Result<config::PromptSpec> prompt_spec(const Options& options, const fs::path& cwd,
                                       const SpecDeps& deps) {
  YUME_TRY(std::string replaced, prompt_file(options.system_prompt_file, cwd, deps.files));
  YUME_TRY(const std::string appended,
           prompt_file(options.append_system_prompt_file, cwd, deps.files));
  config::PromptSpec spec{
      .replacement = options.system_prompt,
      .appended = with_role(options.role, options.append_system_prompt + appended),
      .os_name = deps.environment.os_name};
  if (options.system_prompt_file) spec.replacement = std::move(replaced);
  return spec;
}

// The project's only where the user trusts it: they are words that others wrote.
config::AgentSpec agent_spec(const Options& options, const ModelChoice& models,
                             const config::SessionSpec& spec, const SpecDeps& deps) {
  config::AgentSpec agents;
  const fs::path user = config::claude_folder(deps.environment);
  if (options.user_settings && !user.empty()) agents.user_folder = user / "agents";
  if (options.project_settings && spec.permissions.workspace_trusted) {
    agents.project_folder = spec.cwd / ".claude" / "agents";
  }
  agents.hold_turn = options.input_format != InputFormat::stream_json;
  agents.given = options.agents;
  agents.main = options.agent;
  agents.main_has_own_model = options.model.empty();
  agents.forward_text = options.forward_subagent_text;
  agents.model_named = [options, &models, deps](const std::string& name) {
    return model_spec(options, name, models, deps);
  };
  return agents;
}

config::LimitSpec limit_spec(const Options& options, const config::SettingsStack& settings) {
  return {.max_turns = options.max_turns,
          .max_budget_usd = options.max_budget_usd,
          .meter = std::make_shared<core::CostMeter>(),
          .own_output_limit = options.server.max_output_tokens.has_value(),
          .compaction_share = options.compact_threshold
                                  ? options.compact_threshold
                                  : settings.value(&config::Settings::compact_threshold)};
}

std::string unknown_price(const std::string& model) {
  return "Error: --max-budget-usd cannot be kept, because the price of " + model +
         " is not known. Add the model with its prices to `models` in settings.json, choose "
         "another one, or leave the budget out.";
}

std::optional<config::YumeViewSpec> yume_view_spec(const Options& options,
                                                   const ModelChoice& models,
                                                   const SpecDeps& deps) {
  fs::path folder = views_folder(deps.environment);
  if (!options.has_provider || folder.empty()) return std::nullopt;
  const auto parent = platform::parent_process();
  return config::YumeViewSpec{
      .folder = std::move(folder),
      .price =
          [&models, &clock = deps.clock](const std::string& model, const core::Usage& usage) {
            return gemini::cost_usd(models.choose(model, clock.wall_now()), usage);
          },
      .made_by = parent ? transcript::maker_name(*parent) : std::string()};
}

// Two of Claude's names may stand for one of our models; then there is none to fall back to.
std::string other_model(const std::string& name, const config::ModelSpec& than,
                        const ModelChoice& models, const platform::Clock& clock) {
  const bool same = !name.empty() && models.choose(name, clock.wall_now()).id == than.info.id;
  return same ? std::string() : name;
}

}  // namespace

std::optional<std::chrono::milliseconds> milliseconds_in(const platform::Environment& environment,
                                                         const char* variable) {
  const std::string text = environment.get(variable).value_or("");
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return std::chrono::milliseconds(value);
}

fs::path views_folder(const platform::Environment& environment) {
  const fs::path root = config::yume_folder(environment);
  return root.empty() ? fs::path() : transcript::views_folder(root);
}

transcript::SessionStore make_session_store(config::HostKind host, const fs::path& cwd,
                                            platform::FileSystem& files,
                                            const platform::Environment& environment,
                                            const platform::Clock& clock) {
  return {
      {.roots = config::session_roots(environment, host),
       .cwd = cwd,
       .version = std::string(protocol::k_claude_code_version),
       .git_branch = transcript::git_branch(files, cwd),
       .when_busy = host == config::HostKind::yume ? session::interrupt_older_process : nullptr},
      files,
      clock};
}

std::vector<std::string> known_tool_names() {
  tools::Registry registry = tools::make_builtin_tools();
  tools::add_question_tools(registry);
  std::vector<std::string> names = registry.names();
  names.emplace_back(core::k_agent_tool);
  return names;
}

std::vector<std::filesystem::path> workspace_of(const Options& options,
                                                const platform::Environment& environment,
                                                const platform::FileSystem& files) {
  std::vector<std::filesystem::path> roots;
  const std::filesystem::path cwd = environment.cwd / options.cwd;
  if (auto real = files.real_path(cwd); real.ok()) roots.push_back(std::move(real).value());
  for (const std::string& directory : options.add_dirs) {
    if (auto real = files.real_path(cwd / directory); real.ok()) {
      roots.push_back(std::move(real).value());
    }
  }
  return roots;
}

Result<config::SessionSpec> make_session_spec(const Options& options, const ModelChoice& models,
                                              const SpecDeps& deps) {
  const platform::Environment& environment = deps.environment;
  config::SessionSpec spec;
  YUME_TRY(spec.cwd, working_directory(options, deps.files, environment));
  YUME_TRY(spec.prompt, prompt_spec(options, spec.cwd, deps));
  spec.home = environment.home;
  spec.wrap = choose_wrap(options, spec.cwd, deps);
  spec.model = model_spec(options, options.model, models, deps);
  spec.fallback_model = other_model(options.fallback_model, spec.model, models, deps.clock);
  spec.models = model_menu(spec.model, models, deps.clock);
  spec.settings_files = settings_files(models.settings());
  if (options.max_budget_usd && spec.model.info.prices.empty()) {
    return Error{.code = ErrorCode::invalid_argument, .message = unknown_price(spec.model.info.id)};
  }
  spec.access = {.endpoint = options.server.endpoint,
                 .extra_headers = options.server.extra_headers,
                 .key_as_bearer = options.server.key_as_bearer,
                 .deadlines = options.server.deadlines,
                 .max_retries = options.max_retries};
  spec.limits = limit_spec(options, models.settings());
  YUME_TRY(PolicyChoice policy, choose_policy(options, models.settings(), spec.cwd, deps));
  spec.permissions = std::move(policy.settings);
  spec.tools.only = options.only_tools;
  spec.agents = agent_spec(options, models, spec, deps);
  spec.tools.output_schema = options.output_schema;
  spec.hooks = {.settings = models.settings().hooks(), .reports_events = options.hook_events};
  spec.hooks.settings.append(std::move(policy.hooks));
  spec.commands = {.enabled = !options.no_slash_commands,
                   .user_folder = options.user_settings ? config::claude_folder(environment) : "",
                   .project = std::move(policy.commands),
                   .project_trusted = spec.permissions.workspace_trusted};
  const platform::CommandSystem system = platform::command_system(environment);
  spec.permissions.other_shell = system.shell.kind == platform::ShellKind::powershell ||
                                 system.shell.kind == platform::ShellKind::cmd;
  spec.child_environment = tools::child_environment(environment.variables, system);
  spec.shell = shell_settings(environment, system);
  spec.shell.terminal_environment = tools::terminal_environment(environment.variables);
  spec.shell.roots = spec.permissions.roots;
  spec.shell.make_wall = wall_maker(std::move(policy.sandbox),
                                    {spec.permissions.roots, std::move(policy.closed)}, deps);
  spec.shell.leaves_wall = spec.permissions.leaves_sandbox;
  YUME_TRY(spec.mcp,
           choose_servers(options, models.settings(), policy.project_servers, spec.cwd, deps));
  spec.output_directory = config::overflow_folder(environment);
  spec.yume_view = yume_view_spec(options, models, deps);
  spec.replays_prompts = options.replays_prompts || options.dialect == DialectName::gemini;
  spec.keeps_checkpoints =
      environment.get("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING").value_or("") == "true";
  spec.notices = options.notices;
  spec.notices.insert(spec.notices.end(), policy.notices.begin(), policy.notices.end());
  return spec;
}

net::CurlOptions curl_options(const platform::Environment& environment) {
  return {.ca_file = environment.get("SSL_CERT_FILE").value_or(""),
          .ca_directory = environment.get("SSL_CERT_DIR").value_or(""),
          .extra_ca_file = environment.get("NODE_EXTRA_CA_CERTS").value_or(""),
          .proxies = net::read_proxy_settings(environment)};
}

}  // namespace yume::app

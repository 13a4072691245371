// SPDX-License-Identifier: MIT
#include "app/session_setup.h"

#include "app/settings.h"
#include "platform/command_system.h"
#include "tools/bash.h"
#include "util/plain_name.h"

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
                 .message = "Error: the working directory " + given.string() +
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

std::optional<std::chrono::milliseconds> milliseconds_in(const platform::Environment& environment,
                                                         const char* variable) {
  const std::string text = environment.get(variable).value_or("");
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return std::chrono::milliseconds(value);
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
  return shell;
}

}  // namespace

Result<PreparedSession> prepare_session(const Options& options, const platform::FileSystem& files,
                                        const platform::Environment& environment) {
  YUME_TRY(fs::path cwd, working_directory(options, files, environment));
  YUME_TRY(std::string replaced, prompt_file(options.system_prompt_file, cwd, files));
  YUME_TRY(std::string appended, prompt_file(options.append_system_prompt_file, cwd, files));
  return PreparedSession{std::move(cwd), std::move(replaced), std::move(appended)};
}

tools::Registry choose_tools(const Options& options) {
  tools::Registry registry = tools::make_builtin_tools();
  if (options.host_answers) tools::add_question_tools(registry);
  for (const std::string& name : registry.names()) {
    const bool unwanted = options.only_tools &&
                          std::find(options.only_tools->begin(), options.only_tools->end(), name) ==
                              options.only_tools->end();
    const permissions::Rule bare{.tool = name, .spec = {}};
    const bool denied =
        std::find(options.deny.begin(), options.deny.end(), bare) != options.deny.end();
    if (unwanted || denied) registry.remove(name);
  }
  return registry;
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

std::filesystem::path output_directory(const platform::Environment& environment,
                                       std::string_view session_id) {
  if (environment.home.empty()) return {};
  return environment.home / ".yume" / "tmp" / plain_name(session_id);
}

permissions::PolicySettings policy_settings(const Options& options,
                                            const platform::FileSystem& files,
                                            const platform::Environment& environment) {
  permissions::PolicySettings settings;
  settings.mode = options.permission_mode.value_or(core::PermissionMode::default_mode);
  const bool hosted = options.has_provider && (!options.permission_mode || options.auto_mode);
  if (hosted) settings.trust = permissions::HostTrust::runs_tools;
  settings.roots = workspace_of(options, environment, files);
  settings.home = environment.home;
  settings.allow = options.allow;
  settings.deny = options.deny;
  return settings;
}

strategies::GeminiSettings gemini_settings(const Options& options, const PreparedSession& session,
                                           const platform::Environment& environment) {
  strategies::GeminiSettings settings;
  settings.model = session.model;
  settings.ask_for_limits = session.model_is_guessed;
  settings.limits_cache = model_cache(environment);
  settings.request.thinking = options.thinking;
  settings.access = {.endpoint = options.server.endpoint,
                     .extra_headers = options.server.extra_headers,
                     .key_as_bearer = options.server.key_as_bearer,
                     .deadlines = options.server.deadlines};
  settings.request.safety = options.server.safety;
  settings.request.max_output_tokens = options.server.max_output_tokens;
  settings.limits.own_output_limit = options.server.max_output_tokens.has_value();
  settings.prompt.replacement = options.system_prompt;
  if (options.system_prompt_file) settings.prompt.replacement = session.system_prompt;
  settings.prompt.appended = options.append_system_prompt + session.appended_prompt;
  settings.prompt.cwd = session.cwd;
  settings.prompt.home = environment.home;
  settings.prompt.os_name = environment.os_name;
  settings.prompt.mode = options.permission_mode.value_or(core::PermissionMode::default_mode);
  settings.limits.max_turns = options.max_turns;
  settings.compaction_share =
      options.compact_threshold ? options.compact_threshold : session.compact_threshold;
  settings.max_retries = options.max_retries;
  const platform::CommandSystem system = platform::command_system(environment);
  settings.child_environment = tools::child_environment(environment.variables, system);
  settings.shell = shell_settings(environment, system);
  return settings;
}

net::CurlOptions curl_options(const platform::Environment& environment) {
  return {.ca_file = environment.get("SSL_CERT_FILE").value_or(""),
          .ca_directory = environment.get("SSL_CERT_DIR").value_or(""),
          .extra_ca_file = environment.get("NODE_EXTRA_CA_CERTS").value_or(""),
          .proxies = net::read_proxy_settings(environment)};
}

}  // namespace yume::app

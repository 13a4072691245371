// SPDX-License-Identifier: MIT
#include "app/doctor/machine_checks.h"

#include "app/dialect_choice.h"
#include "config/places.h"
#include "net/ca_store.h"
#include "platform/access.h"
#include "platform/command_system.h"
#include "platform/path_list.h"
#include "platform/private_store.h"
#include "platform/stdio.h"
#include "util/path_text.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

namespace yume::app::doctor {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> find_program(std::string_view name,
                                     const platform::Environment& environment) {
  std::string path = environment.get("PATH").value_or("");
  path.push_back(platform::path_separator());
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = path.find(platform::path_separator(), begin);
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / name;
    if (candidate.is_absolute() && platform::is_executable_file(candidate)) return candidate;
    begin = end + 1;
  }
  return std::nullopt;
}

Finding check_program(std::string_view name, Verdict when_missing, std::string advice,
                      const platform::Environment& environment) {
  const auto found = find_program(name, environment);
  if (found) return {.check = std::string(name), .detail = to_utf8(*found)};
  return {.check = std::string(name),
          .verdict = when_missing,
          .detail = "not on PATH",
          .advice = std::move(advice)};
}

Finding check_folder(std::string name, const fs::path& path, std::string_view purpose) {
  if (path.empty()) {
    return {.check = std::move(name),
            .verdict = Verdict::warn,
            .detail = "no home directory is known",
            .advice = "set HOME"};
  }
  const auto writable = platform::check_writable_directory(path);
  if (writable.ok()) return {.check = std::move(name), .detail = to_utf8(path)};
  const bool refused = writable.error().code == ErrorCode::permission_denied;
  return {.check = std::move(name),
          .verdict = Verdict::warn,
          .detail = writable.error().message,
          .advice = std::string(purpose) + (refused ? "; check its owner" : "; check the disk")};
}

bool is_there(const fs::path& path, const platform::FileSystem& files) {
  return files.info(path).ok();
}

Finding check_named_store(const fs::path& path, const char* variable,
                          const platform::FileSystem& files) {
  if (is_there(path, files)) {
    return {.check = "certificates", .detail = to_utf8(path) + " (" + variable + ")"};
  }
  return {.check = "certificates",
          .verdict = Verdict::fail,
          .detail = to_utf8(path) + " does not exist",
          .advice = std::string("correct or unset ") + variable};
}

Finding check_system_store() {
  const net::CaStore store = net::find_system_ca_store();
  const fs::path path = store.file.empty() ? store.directory : store.file;
  if (!path.empty()) return {.check = "certificates", .detail = to_utf8(path) + " (system)"};
  return {.check = "certificates",
          .verdict = Verdict::warn,
          .detail = "this system has no root certificates where they are usual",
          .advice = "install ca-certificates, or set SSL_CERT_FILE"};
}

}  // namespace

Finding check_version(const platform::Environment& environment) {
  return {.check = "version", .detail = "yume-cli " YUME_CLI_VERSION " on " + environment.os_name};
}

Finding check_terminal(const platform::Environment& environment) {
  if (!platform::is_terminal(platform::StandardStream::output)) {
    return {.check = "terminal", .detail = "none: output goes to a file or a pipe"};
  }
  std::string detail = environment.get("TERM").value_or("TERM is not set");
  if (const auto width = platform::terminal_width(environment)) {
    detail += ", " + std::to_string(*width) + " columns";
  }
  return {.check = "terminal", .detail = std::move(detail)};
}

Findings check_programs(const platform::Environment& environment) {
  Findings found;
  const std::string shell = platform::command_system(environment).shell.path;
  if (platform::is_executable_file(shell)) {
    found.push_back({.check = "shell", .detail = shell});
  } else {
    found.push_back({.check = "shell",
                     .verdict = Verdict::fail,
                     .detail = shell + " cannot be run",
                     .advice = "install bash: the Bash tool needs it"});
  }
  found.push_back(
      check_program("git", Verdict::warn, "install git: models rely on it", environment));
  found.push_back(
      check_program("rg", Verdict::ok, "optional: ripgrep searches faster", environment));
  return found;
}

Findings check_folders(const platform::Environment& environment) {
  Findings found;
  found.push_back(check_folder("config", config::settings_file(environment).parent_path(),
                               "settings and long outputs cannot be kept"));
  // The first that can be used is used.
  const auto runtime = platform::private_directories(environment);
  const auto usable = std::find_if(runtime.begin(), runtime.end(), [](const fs::path& path) {
    return platform::check_writable_directory(path).ok();
  });
  const fs::path first = runtime.empty() ? fs::path() : runtime.front();
  found.push_back(check_folder("runtime", usable == runtime.end() ? first : *usable,
                               "tokens cannot be shared between runs; see --token-cache"));
  found.push_back(check_folder("cache", config::model_cache(environment),
                               "models' limits are asked for anew by every run"));
  return found;
}

Findings check_certificates(const net::CurlOptions& network, const platform::FileSystem& files) {
  Findings found;
  if (!network.ca_file.empty()) {
    found.push_back(check_named_store(network.ca_file, "SSL_CERT_FILE", files));
  }
  if (!network.ca_directory.empty()) {
    found.push_back(check_named_store(network.ca_directory, "SSL_CERT_DIR", files));
  }
  if (found.empty()) found.push_back(check_system_store());
  if (network.extra_ca_file.empty()) return found;
  const net::CaStore extra = net::with_extra_certificates({}, network.extra_ca_file);
  const std::string path = to_utf8(network.extra_ca_file);
  if (!extra.certificates.empty()) {
    found.push_back({.check = "certificates", .detail = path + " as well (NODE_EXTRA_CA_CERTS)"});
  } else {
    found.push_back({.check = "certificates",
                     .verdict = Verdict::warn,
                     .detail = path + " holds no certificate that can be read",
                     .advice = "correct or unset NODE_EXTRA_CA_CERTS"});
  }
  return found;
}

Finding check_model(const Options& options, const Result<ModelChoice>& models,
                    platform::WallTime now) {
  if (!models.ok()) {
    return {.check = "model",
            .verdict = Verdict::fail,
            .detail = models.error().message,
            .advice = "correct the settings"};
  }
  const gemini::ModelInfo model = models->choose(options.model, now);
  Finding finding{.check = "model", .detail = model.id};
  const auto usual = models->settings().find(&config::Settings::model);
  const bool by_settings = options.model.empty() && usual;
  const std::string& name = by_settings ? usual->value : options.model;
  if (!name.empty() && name != model.id) finding.detail += " (for " + name + ")";
  if (by_settings) finding.detail += ", named by " + usual->origin.text();
  if (!models->lists(model.id)) {
    finding.detail += ", not in the catalog";
    finding.advice = "`yume-cli models` lists those that are known";
    return finding;
  }
  finding.detail += ", " + std::string(gemini::status_name(model.status));
  if (model.status == gemini::ModelStatus::deprecated) finding.verdict = Verdict::warn;
  if (model.status == gemini::ModelStatus::shut_down) finding.verdict = Verdict::fail;
  if (!model.replacement.empty()) finding.advice = "use " + model.replacement;
  return finding;
}

Finding check_dialect(Options options, const Result<ModelChoice>& models,
                      const std::vector<std::string>& ancestors) {
  if (options.dialect_reason == DialectReason::usual && !options.has_provider) {
    options.has_provider = true;
    options.dialect = DialectName::yume;
  }
  settle_dialect(models.ok() ? models->settings() : config::SettingsStack(), ancestors, options);
  return {.check = "dialect", .detail = "with --provider: " + dialect_in_words(options)};
}

std::string sandbox_in_words(const platform::SandboxSupport& support) {
  if (support.profiles) return "sandbox-exec";
  if (!support.is_there()) return "none: commands run with all of your rights";
  std::string text = "Landlock " + std::to_string(support.landlock_abi);
  text += support.private_mounts ? " with mounts of its own"
                                 : " alone, without mounts of its own (docs/sandbox.md)";
  if (!support.network_filter) text += "; only TCP can be denied";
  return text;
}

Finding check_sandbox(const Result<config::SandboxMode>& with_provider,
                      const platform::SandboxSupport& support) {
  Finding finding{.check = "sandbox", .detail = sandbox_in_words(support)};
  if (!with_provider.ok()) {
    finding.verdict = Verdict::fail;
    finding.detail = with_provider.error().message;
    return finding;
  }
  if (!support.is_there()) {
    finding.verdict = Verdict::warn;
    finding.advice = "Linux has one from 5.13 on, if Landlock is switched on";
    return finding;
  }
  finding.detail += "; with --provider: " + std::string(config::to_string(*with_provider));
  return finding;
}

}  // namespace yume::app::doctor

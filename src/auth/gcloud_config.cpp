// SPDX-License-Identifier: MIT
#include "auth/gcloud_config.h"

#include <map>
#include <string_view>
#include <utility>

namespace yume::auth {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_file = 256U * 1024U;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_space = " \t\r\n";
  const std::size_t start = text.find_first_not_of(k_space);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(k_space) - start + 1);
}

using Properties = std::map<std::string, std::string, std::less<>>;  // "core/project" → value

// The INI form: [section], name = value, comments with # or ;.
Properties parse_properties(std::string_view text) {
  Properties properties;
  std::string section;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      section = trimmed(line.substr(1, line.find(']') - 1));
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    properties[section + "/" + std::string(trimmed(line.substr(0, equals)))] =
        trimmed(line.substr(equals + 1));
  }
  return properties;
}

std::string read_text(const platform::FileSystem& files, const fs::path& path) {
  auto text = files.read(path, k_largest_file);
  return text.ok() ? std::move(text).value() : std::string();
}

// It becomes part of a path.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.find_first_of("/\\:") == std::string_view::npos && name != "..";
}

class Lookup {
 public:
  Lookup(const platform::Environment& environment, Properties properties)
      : environment_(environment), properties_(std::move(properties)) {}

  [[nodiscard]] std::string value(const char* variable, const char* property) const {
    if (auto set = environment_.get(variable)) return *set;
    const auto found = properties_.find(property);
    return found == properties_.end() ? "" : found->second;
  }

 private:
  const platform::Environment& environment_;
  Properties properties_;
};

}  // namespace

fs::path gcloud_directory(const platform::Environment& environment) {
  if (const auto directory = environment.get("CLOUDSDK_CONFIG")) return *directory;
  const auto data = environment.get("APPDATA");
  if (environment.os_name.starts_with("Windows") && data) return fs::path(*data) / "gcloud";
  return environment.home.empty() ? fs::path() : environment.home / ".config" / "gcloud";
}

GcloudConfig read_gcloud_config(const platform::Environment& environment,
                                const platform::FileSystem& files) {
  const fs::path directory = gcloud_directory(environment);
  GcloudConfig config;
  if (!directory.empty()) {
    const std::string active = read_text(files, directory / "active_config");
    std::string name =
        environment.get("CLOUDSDK_ACTIVE_CONFIG_NAME").value_or(std::string(trimmed(active)));
    if (!is_plain_name(name)) name = "default";
    config.file = directory / "configurations" / ("config_" + name);
  }
  const Lookup lookup(environment, config.file.empty()
                                       ? Properties()
                                       : parse_properties(read_text(files, config.file)));
  config.account =
      lookup.value("CLOUDSDK_AUTH_IMPERSONATE_SERVICE_ACCOUNT", "auth/impersonate_service_account");
  if (config.account.empty())
    config.account = lookup.value("CLOUDSDK_CORE_ACCOUNT", "core/account");
  config.project = lookup.value("CLOUDSDK_CORE_PROJECT", "core/project");
  config.quota_project = lookup.value("CLOUDSDK_BILLING_QUOTA_PROJECT", "billing/quota_project");
  // gcloud's words for "the project" and "none", not names.
  const bool is_word =
      config.quota_project.starts_with("CURRENT_PROJECT") || config.quota_project == "LEGACY";
  if (is_word) config.quota_project.clear();
  return config;
}

std::string file_version(const platform::FileSystem& files, const fs::path& path) {
  const auto info = files.info(path);
  if (!info.ok()) return "none";
  return std::to_string(info->inode) + ":" + std::to_string(info->size) + ":" +
         std::to_string(info->modified_ns);
}

}  // namespace yume::auth

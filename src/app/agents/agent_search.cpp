// SPDX-License-Identifier: MIT
#include "app/agents/agent_search.h"

#include "platform/access.h"
#include "platform/program_search.h"
#include "util/json_tree.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using platform::FileSystem;

constexpr std::uint64_t k_largest_package_file = 4U << 20U;

// "v22.15.1" as numbers; what is none counts as 0.
std::array<int, 3> version_in(std::string_view name) {
  std::array<int, 3> version{};
  if (name.starts_with('v')) name.remove_prefix(1);
  for (int& part : version) {
    const auto read = std::from_chars(name.data(), name.data() + name.size(), part);
    name.remove_prefix(static_cast<std::size_t>(read.ptr - name.data()));
    if (!name.starts_with('.')) break;
    name.remove_prefix(1);
  }
  return version;
}

// `bin` of each version that is installed there, the newest first.
void add_versions(const fs::path& folder, const FileSystem& files, std::vector<fs::path>& places) {
  const auto entries = files.list(folder);
  if (!entries.ok()) return;
  std::vector<std::string> names;
  for (const platform::DirectoryEntry& entry : *entries) names.push_back(entry.name);
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return version_in(a) > version_in(b);
  });
  for (const std::string& name : names) places.push_back(folder / name / "bin");
}

std::vector<fs::path> places_of(const Agent& agent, const platform::Environment& environment,
                                const FileSystem& files) {
  std::vector<fs::path> places = platform::path_directories(environment);
  places.insert(places.end(), {"/usr/local/bin", "/opt/homebrew/bin"});
  if (environment.home.empty()) return places;
  const fs::path& home = environment.home;
  if (agent.name == "claude") places.push_back(home / ".claude" / "local");
  places.insert(places.end(), {home / ".npm-global" / "bin", home / ".local" / "bin"});
  add_versions(home / ".local" / "share" / "mise" / "installs" / "node", files, places);
  add_versions(home / ".nvm" / "versions" / "node", files, places);
  places.push_back(home / ".volta" / "bin");
  return places;
}

class Search {
 public:
  Search(const Agent& agent, const platform::Environment& environment, const FileSystem& files)
      : agent_(agent), environment_(environment), files_(files) {}

  [[nodiscard]] fs::path program() const {
    if (const auto named = environment_.get(agent_.variable)) {
      fs::path path = environment_.cwd / path_from_utf8(*named);
      if (is_file(path)) return path;
    }
    for (const fs::path& place : places_of(agent_, environment_, files_)) {
      fs::path path = place / agent_.program;
      if (is_file(path) && platform::is_executable_file(path) && !is_this_program(path)) {
        return path;
      }
    }
    return {};
  }

  [[nodiscard]] std::string version_of(const fs::path& program) const {
    const auto real = files_.real_path(program);
    if (!real.ok()) return "";
    // The program is a file of its package, or a link to one.
    for (fs::path folder = real->parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
      if (auto version = package_version(folder)) return *std::move(version);
    }
    // A script beside the packages of the same node.
    if (!agent_.package.empty()) {
      const fs::path modules = program.parent_path().parent_path() / "lib" / "node_modules";
      if (auto version = package_version(modules / agent_.package)) return *std::move(version);
    }
    // Claude's own installer: versions/2.1.3 is the program.
    const bool versioned = real->parent_path().filename() == "versions";
    return versioned ? to_utf8(real->filename()) : "";
  }

 private:
  [[nodiscard]] bool is_file(const fs::path& path) const {
    const auto info = files_.info(path);
    return info.ok() && info->kind == platform::FileKind::regular;
  }

  [[nodiscard]] bool is_this_program(const fs::path& path) const {
    const auto real = files_.real_path(path);
    const auto self = files_.real_path(environment_.executable);
    return real.ok() && self.ok() && *real == *self;
  }

  // nullopt: it is not the agent's package.
  [[nodiscard]] std::optional<std::string> package_version(const fs::path& folder) const {
    const auto text = files_.read(folder / "package.json", k_largest_package_file);
    if (!text.ok()) return std::nullopt;
    const nlohmann::json package = read_json(*text);
    if (!package.is_object() || text_at(package, "name") != agent_.package) return std::nullopt;
    return text_at(package, "version");
  }

  const Agent& agent_;
  const platform::Environment& environment_;
  const FileSystem& files_;
};

}  // namespace

FoundAgent find_program_of(const Agent& agent, const platform::Environment& environment,
                           const FileSystem& files) {
  const Search search(agent, environment, files);
  fs::path program = search.program();
  if (program.empty()) return {};
  std::string version = search.version_of(program);
  return {.path = std::move(program), .version = std::move(version)};
}

}  // namespace yume::app

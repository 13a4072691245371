// SPDX-License-Identifier: MIT
#include "config/places.h"

namespace yume::config {
namespace {

namespace fs = std::filesystem;

fs::path folder(const platform::Environment& environment, const char* variable,
                const char* in_home) {
  if (const auto named = environment.get(variable)) return environment.cwd / *named;
  return environment.home.empty() ? fs::path() : environment.home / in_home;
}

}  // namespace

fs::path yume_folder(const platform::Environment& environment) {
  return folder(environment, "YUME_CONFIG_DIR", ".yume");
}

fs::path claude_folder(const platform::Environment& environment) {
  return folder(environment, "CLAUDE_CONFIG_DIR", ".claude");
}

fs::path settings_file(const platform::Environment& environment) {
  const fs::path root = yume_folder(environment);
  return root.empty() ? fs::path() : root / "settings.json";
}

fs::path model_cache(const platform::Environment& environment) {
  if (const auto cache = environment.get("XDG_CACHE_HOME")) {
    return fs::path(*cache) / "yume-cli" / "models";
  }
  if (environment.home.empty()) return {};
  return environment.home / ".cache" / "yume-cli" / "models";
}

fs::path overflow_folder(const platform::Environment& environment) {
  return environment.home.empty() ? fs::path() : environment.home / ".yume" / "tmp";
}

std::vector<fs::path> session_roots(const platform::Environment& environment, HostKind host) {
  const fs::path claude = claude_folder(environment);
  const fs::path yume = yume_folder(environment);
  std::vector<fs::path> roots =
      host == HostKind::yume ? std::vector{yume, claude} : std::vector{claude, yume};
  std::erase_if(roots, [](const fs::path& root) { return root.empty(); });
  return roots;
}

}  // namespace yume::config

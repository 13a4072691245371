// SPDX-License-Identifier: MIT
#include "permissions/closed_set.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "util/ascii.h"
#include "util/glob_match.h"
#include "util/path_order.h"
#include "util/path_text.h"

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;
using platform::Environment;

constexpr std::array<std::string_view, 22> k_in_home = {".ssh",
                                                        ".gnupg",
                                                        ".aws",
                                                        ".azure",
                                                        ".kube",
                                                        ".netrc",
                                                        "_netrc",
                                                        ".git-credentials",
                                                        ".docker/config.json",
                                                        ".pypirc",
                                                        ".pgpass",
                                                        ".vault-token",
                                                        ".password-store",
                                                        ".cargo/credentials",
                                                        ".cargo/credentials.toml",
                                                        ".claude/.credentials.json",
                                                        ".codex/auth.json",
                                                        ".gemini/oauth_creds.json",
                                                        ".mozilla",
                                                        ".librewolf",
                                                        "snap/firefox",
                                                        "snap/chromium"};

// Below ~/.config, and below $XDG_CONFIG_HOME when that is another folder.
constexpr std::array<std::string_view, 17> k_in_config = {"gh",
                                                          "git/credentials",
                                                          "hub",
                                                          "rclone",
                                                          "op",
                                                          "containers/auth.json",
                                                          "mozilla",
                                                          "google-chrome",
                                                          "google-chrome-beta",
                                                          "google-chrome-unstable",
                                                          "chromium",
                                                          "BraveSoftware",
                                                          "microsoft-edge",
                                                          "microsoft-edge-beta",
                                                          "microsoft-edge-dev",
                                                          "vivaldi",
                                                          "opera"};

// Below ~/.local/share, and below $XDG_DATA_HOME when that is another folder.
constexpr std::array<std::string_view, 2> k_in_data = {"keyrings", "kwalletd"};

// Browsers that came as a Flatpak, below ~/.var/app.
constexpr std::array<std::string_view, 6> k_flatpaks = {
    "org.mozilla.firefox", "com.google.Chrome",  "org.chromium.Chromium",
    "com.brave.Browser",   "com.microsoft.Edge", "com.vivaldi.Vivaldi"};

// Of macOS, below ~/Library.
constexpr std::array<std::string_view, 10> k_in_library = {"Keychains",
                                                           "Cookies",
                                                           "Safari",
                                                           "Containers/com.apple.Safari",
                                                           "Application Support/Google/Chrome",
                                                           "Application Support/Chromium",
                                                           "Application Support/Firefox",
                                                           "Application Support/BraveSoftware",
                                                           "Application Support/Microsoft Edge",
                                                           "Application Support/Vivaldi"};

// Variables that name the same things somewhere else; KUBECONFIG names several.
constexpr std::array<std::string_view, 8> k_variables = {
    "GNUPGHOME", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "KUBECONFIG", "GH_CONFIG_DIR",
    "NETRC",     "PASSWORD_STORE_DIR",          "PGPASSFILE"};

constexpr std::array<std::string_view, 5> k_gcloud_files = {
    "application_default_credentials.json", "adc.json", "credentials.db", "access_tokens.db",
    "legacy_credentials"};

constexpr std::array<std::string_view, 9> k_of_process = {
    "environ", "mem", "maps", "smaps", "numa_maps", "map_files", "pagemap", "auxv", "fd"};

// "/home/me/.ssh": how paths are compared.
std::string key_of(const fs::path& path) {
  std::string text = ascii_lower(to_generic_utf8(path.lexically_normal()));
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

// Each path above `text`, longest first, beginning with itself.
template <class Visit>
bool any_of_way_up(std::string_view text, Visit visit) {
  for (;;) {
    if (visit(text)) return true;
    const std::size_t slash = text.rfind('/');
    if (slash == std::string_view::npos || slash == 0) return false;
    text = text.substr(0, slash);
  }
}

// In "/proc/1/task/1/fd/3": the first component from the second on that `names` has.
std::optional<std::size_t> find_component(std::string_view text, const auto& names) {
  std::size_t begin = text.find('/', std::string_view("/proc/").size());
  while (begin != std::string_view::npos) {
    const std::size_t end = text.find('/', begin + 1);
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return end == std::string_view::npos ? text.size() : end;
    }
    begin = end;
  }
  return std::nullopt;
}

// A variable may name a folder in which everything lies; closing that would close the machine.
bool is_too_much(const fs::path& folder, const Environment& environment) {
  return lies_inside(environment.home, folder);
}

fs::path folder_of(const Environment& environment, std::string_view variable,
                   std::string_view in_home) {
  const fs::path named = environment.get(variable).value_or("");
  return named.is_absolute() ? named : environment.home / in_home;
}

std::vector<fs::path> places_of_user(const Environment& environment) {
  std::vector<fs::path> places;
  const auto add_all = [&places](const fs::path& folder, const auto& names) {
    for (const std::string_view name : names) places.push_back(folder / name);
  };
  if (!environment.home.empty()) {
    add_all(environment.home, k_in_home);
    add_all(environment.home / ".config", k_in_config);
    add_all(environment.home / ".local/share", k_in_data);
    add_all(environment.home / ".var/app", k_flatpaks);
    add_all(environment.home / "Library", k_in_library);
  }
  add_all(folder_of(environment, "XDG_CONFIG_HOME", ".config"), k_in_config);
  add_all(folder_of(environment, "XDG_DATA_HOME", ".local/share"), k_in_data);
  if (const auto docker = environment.get("DOCKER_CONFIG")) {
    places.push_back(environment.cwd / *docker / "config.json");
  }
  for (const std::string_view variable : k_variables) {
    std::string names = environment.get(variable).value_or("");
    while (!names.empty()) {
      const std::size_t colon = variable == "KUBECONFIG" ? names.find(':') : std::string::npos;
      const fs::path path = environment.cwd / names.substr(0, colon);
      if (colon != 0 && !is_too_much(path, environment)) places.push_back(path);
      names.erase(0, colon == std::string::npos ? colon : colon + 1);
    }
  }
  std::erase_if(places, [](const fs::path& path) { return !path.is_absolute(); });
  return places;
}

std::vector<fs::path> gcloud_places(const fs::path& folder, const Environment& environment) {
  if (!is_too_much(folder, environment)) return {folder};
  std::vector<fs::path> files;
  for (const std::string_view name : k_gcloud_files) files.push_back(folder / name);
  return files;
}

std::vector<fs::path> own_places(const ClosedSources& sources) {
  const Environment& environment = sources.environment;
  std::vector<fs::path> places = sources.token_caches;
  if (!environment.home.empty()) places.push_back(environment.home / ".config/gcloud");
  if (const auto data = environment.get("APPDATA")) places.push_back(fs::path(*data) / "gcloud");
  if (const auto folder = environment.get("CLOUDSDK_CONFIG")) {
    const auto named = gcloud_places(environment.cwd / *folder, environment);
    places.insert(places.end(), named.begin(), named.end());
  }
  if (const auto file = environment.get("GOOGLE_APPLICATION_CREDENTIALS")) {
    const fs::path path = environment.cwd / *file;
    if (!is_too_much(path, environment)) places.push_back(path);
  }
  std::erase_if(places, [](const fs::path& path) { return !path.is_absolute(); });
  return places;
}

// `[a-z]` is any character here: rather one match too many.
std::string with_plain_wildcards(std::string_view component) {
  std::string out;
  for (std::size_t at = 0; at < component.size(); ++at) {
    const std::size_t end = component[at] == '[' ? component.find(']', at + 2) : component.npos;
    out += end == component.npos ? component[at] : '?';
    if (end != component.npos) at = end;
  }
  return out;
}

// Whether the pattern leads to the place or into it. As in the shell, `*` finds no hidden name.
bool finds(std::string_view pattern, std::string_view place) {
  while (!place.empty()) {
    if (pattern.empty()) return false;  // ends above it
    const std::string_view wanted = pattern.substr(0, pattern.find('/', 1));
    const std::string_view name = place.substr(0, place.find('/', 1));
    const bool hidden = name.starts_with("/.") && !wanted.starts_with("/.");
    if (hidden || !glob_match(with_plain_wildcards(wanted), name)) return false;
    pattern.remove_prefix(wanted.size());
    place.remove_prefix(name.size());
  }
  return true;
}

}  // namespace

ClosedSet ClosedSet::from(const ClosedSources& sources) {
  ClosedSet set;
  const auto add = [&](const fs::path& path, bool own) {
    set.add(path, own);
    if (!sources.real_path) return;
    const fs::path real = sources.real_path(path);
    if (real.is_absolute()) set.add(real, own);
  };
  for (const fs::path& path : places_of_user(sources.environment)) add(path, false);
  for (const fs::path& path : own_places(sources)) add(path, true);
  return set;
}

// Own ones are added last, and count.
void ClosedSet::add(const fs::path& path, bool own) {
  places_.insert_or_assign(key_of(path), ClosedPlace{path.lexically_normal(), own});
}

std::optional<ClosedPlace> ClosedSet::covers(const fs::path& path) const {
  const std::string key = key_of(path);
  std::optional<ClosedPlace> found;
  // An own place inside a place of the user stays an own one.
  any_of_way_up(key, [&](std::string_view text) {
    const auto place = places_.find(text);
    if (place != places_.end() && (!found || place->second.own)) found = place->second;
    return found && found->own;
  });
  if (found || !key.starts_with("/proc/") || key.starts_with("/proc/sys/")) return found;
  if (key == "/proc/kcore") return ClosedPlace{path, true};
  if (const auto end = find_component(key, k_of_process)) {
    return ClosedPlace{path_from_utf8(std::string_view(key).substr(0, *end)), true};
  }
  // The whole file system once more, as another process sees it.
  const auto root = find_component(key, std::array<std::string_view, 1>{"root"});
  return root && *root < key.size() ? covers(path_from_utf8(key.substr(*root))) : std::nullopt;
}

std::optional<ClosedPlace> ClosedSet::matched_by(const fs::path& pattern) const {
  const std::string key = key_of(pattern);
  if (key.find_first_of("*?[") == std::string::npos) return std::nullopt;
  for (const auto& [text, place] : places_) {
    if (finds(key, text)) return place;
  }
  return std::nullopt;
}

bool ClosedSet::has_inside(const fs::path& folder) const {
  const std::string key = key_of(folder);
  if (key == "/" || key == "/proc" || key.starts_with("/proc/")) return true;
  const std::string prefix = key + "/";
  const auto next = places_.lower_bound(prefix);
  return places_.contains(key) || (next != places_.end() && next->first.starts_with(prefix));
}

ClosedSet ClosedSet::without(const std::vector<fs::path>& opened) const {
  ClosedSet left = *this;
  std::erase_if(left.places_, [&opened](const auto& entry) {
    return !entry.second.own &&
           std::any_of(opened.begin(), opened.end(), [&entry](const fs::path& path) {
             const std::string key = key_of(path);
             return any_of_way_up(entry.first,
                                  [&key](std::string_view text) { return text == key; });
           });
  });
  return left;
}

std::vector<fs::path> ClosedSet::paths() const {
  std::vector<fs::path> paths;
  for (const auto& [key, place] : places_) paths.push_back(place.path);
  return paths;
}

}  // namespace yume::permissions

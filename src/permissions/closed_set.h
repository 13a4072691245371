// SPDX-License-Identifier: MIT
// The places that are closed to tools, commands and instruction files alike: credentials, browsers'
// profiles, keyrings, and what /proc tells of other processes. Built from the environment once;
// looks at no file by itself. Thread-safe.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/environment.h"

namespace yume::permissions {

struct ClosedPlace {
  std::filesystem::path path;  // a file, or a folder with all that is in it
  // Of this program's own credentials, and of processes: opened by nothing. Any other one is opened
  // by an explicit rule of the user.
  bool own = false;

  friend bool operator==(const ClosedPlace&, const ClosedPlace&) = default;
};

struct ClosedSources {
  const platform::Environment& environment;
  // Where tokens are kept (platform/private_store.h).
  std::vector<std::filesystem::path> token_caches = {};
  // The path with its symbolic links followed, as far as it exists: a place is closed under both.
  std::function<std::filesystem::path(const std::filesystem::path&)> real_path = {};
};

class ClosedSet {
 public:
  ClosedSet() = default;  // nothing but what /proc tells
  static ClosedSet from(const ClosedSources& sources);

  // The place that `path`, as given or real, lies in. Absolute; names are compared without regard
  // to case.
  [[nodiscard]] std::optional<ClosedPlace> covers(const std::filesystem::path& path) const;

  // A place that the shell could find by this pattern (`~/.s*/id*` has become absolute).
  [[nodiscard]] std::optional<ClosedPlace> matched_by(const std::filesystem::path& pattern) const;

  // Whether some place lies inside the folder, so that reading all of it would open the place.
  [[nodiscard]] bool has_inside(const std::filesystem::path& folder) const;

  // Without those places of the user that lie in one of these. Own ones stay.
  [[nodiscard]] ClosedSet without(const std::vector<std::filesystem::path>& opened) const;

  // All places that have a path, for a wall; /proc has none for processes to come.
  [[nodiscard]] std::vector<std::filesystem::path> paths() const;

 private:
  void add(const std::filesystem::path& path, bool own);

  std::map<std::string, ClosedPlace, std::less<>> places_;  // by folded text
};

}  // namespace yume::permissions

// SPDX-License-Identifier: MIT
#include "app/lazy_closed_set.h"

#include <algorithm>
#include <vector>

#include "permissions/protected_paths.h"
#include "platform/private_store.h"

namespace yume::app {

const permissions::ClosedSet& LazyClosedSet::get() {
  const std::lock_guard lock(mutex_);
  if (!closed_) {
    const auto real_path = [this](const std::filesystem::path& path) {
      const auto real = files_.real_path(path);
      return real.ok() ? *real : path;
    };
    closed_ =
        permissions::ClosedSet::from({.environment = environment_,
                                      .token_caches = platform::private_directories(environment_),
                                      .real_path = real_path});
  }
  return *closed_;
}

permissions::Closed LazyClosedSet::covers(const std::filesystem::path& path) {
  auto place = get().covers(path);
  if (!place) place = get().matched_by(path);
  if (!place) return permissions::Closed::no;
  return place->own ? permissions::Closed::own : permissions::Closed::personal;
}

bool LazyClosedSet::is_inside(const std::filesystem::path& folder) {
  const permissions::ClosedSet& closed = get();
  if (!closed.has_inside(folder)) return false;
  const std::vector<std::filesystem::path> places = closed.paths();
  return std::any_of(places.begin(), places.end(), [&](const std::filesystem::path& place) {
    return permissions::is_inside(place, folder) && files_.info(place).ok();
  });
}

}  // namespace yume::app

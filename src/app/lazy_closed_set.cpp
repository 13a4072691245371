// SPDX-License-Identifier: MIT
#include "app/lazy_closed_set.h"

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
  const auto place = get().covers(path);
  if (!place) return permissions::Closed::no;
  return place->own ? permissions::Closed::own : permissions::Closed::personal;
}

}  // namespace yume::app

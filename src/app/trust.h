// SPDX-License-Identifier: MIT
// Folders whose settings may grant something, each bound to what exactly they grant: after any
// change of that, the folder is not trusted any more. Kept in the user's own folder, for the user's
// eyes alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::app {

class TrustStore {
 public:
  TrustStore(platform::FileSystem& files, const platform::Environment& environment);

  // `folder` is real. A store that cannot be read trusts nothing.
  [[nodiscard]] bool trusts(const std::filesystem::path& folder, const std::string& granted) const;
  // By folder: the hash of what it may grant.
  [[nodiscard]] std::map<std::string, std::string> all() const;
  Result<void> trust(const std::filesystem::path& folder, const std::string& granted);
  // False when it was not trusted.
  Result<bool> forget(const std::filesystem::path& folder);

 private:
  Result<void> write(const std::map<std::string, std::string>& folders);

  platform::FileSystem& files_;
  std::filesystem::path file_;  // empty: there is no home
};

}  // namespace yume::app

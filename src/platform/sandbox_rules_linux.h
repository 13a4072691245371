// SPDX-License-Identifier: MIT
// The rules of Landlock for a sandbox, made when they are needed and kept for the next command:
// with a full home folder they take a millisecond. Private to src/platform.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/landlock_linux.h"
#include "platform/sandbox.h"
#include "platform/sandbox_places.h"
#include "util/result.h"

namespace yume::platform {

// One thread at a time.
class SandboxRules {
 public:
  // Shared between this object and the commands that are being started.
  using Rules = std::shared_ptr<const LandlockRules>;

  Result<Rules> rules_for(const SandboxPlaces& places, NetworkAccess network,
                          const SandboxSupport& support);

 private:
  // A folder as it was when it was listed.
  class ListedFolder {
   public:
    explicit ListedFolder(const std::filesystem::path& folder);
    [[nodiscard]] bool is_same() const;

   private:
    struct State {
      std::uint64_t device;
      std::uint64_t inode;
      std::int64_t changed_ns;
      friend bool operator==(const State&, const State&) = default;
    };
    static std::optional<State> look(const std::string& path);

    std::string path_;
    std::optional<State> was_;  // absent: it may change once more without its time telling
  };
  // What rules are made from.
  struct Made {
    SandboxPlaces places;
    NetworkAccess network;
    bool private_mounts;
    std::vector<ListedFolder> listed;
    Rules rules;
  };

  static Result<Made> make(const SandboxPlaces& places, NetworkAccess network,
                           const SandboxSupport& support);

  std::optional<Made> last_;
};

}  // namespace yume::platform

// SPDX-License-Identifier: MIT
// Keeps text that is too long for a line beside the session, or in ~/.yume/tmp.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "platform/file_system.h"
#include "protocol/overflow.h"

namespace yume::app {

class OverflowFiles final : public protocol::OverflowStore {
 public:
  // `directory` is made when it is needed, for this user alone; empty: nothing can be kept.
  OverflowFiles(platform::FileSystem& files, std::filesystem::path directory);
  void move_to(std::filesystem::path directory) { directory_ = std::move(directory); }
  std::string keep(std::string_view name, std::string_view content) override;

 private:
  platform::FileSystem& files_;
  std::filesystem::path directory_;  // empty: nowhere
};

}  // namespace yume::app

// SPDX-License-Identifier: MIT
// Keeps text that is too long for a line in the user's own directory, ~/.yume/tmp.
#pragma once

#include <filesystem>
#include <string>

#include "platform/file_system.h"
#include "protocol/overflow.h"

namespace yume::app {

class OverflowFiles final : public protocol::OverflowStore {
 public:
  OverflowFiles(platform::FileSystem& files, const std::filesystem::path& home,
                std::string session_id);
  std::string keep(std::string_view name, std::string_view content) override;

 private:
  platform::FileSystem& files_;
  std::filesystem::path directory_;  // empty: nowhere
  std::string session_id_;
};

}  // namespace yume::app

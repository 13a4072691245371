// SPDX-License-Identifier: MIT
// What tools of the Gemini CLI have brought back, as its session files have it: its lines do not
// say what was read or written. On the session's thread.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::app {

class GeminiOutputs {
 public:
  // `cwd`: of the project. `files` outlives it.
  GeminiOutputs(std::filesystem::path cwd, const platform::Environment& environment,
                const platform::FileSystem& files);

  // The result of the call; nullopt: the session's file does not have it (yet).
  std::optional<std::string> find(const std::string& session, const std::string& call);

 private:
  void read(const std::string& session);

  std::filesystem::path cwd_;
  std::filesystem::path folder_;
  const platform::FileSystem& files_;
  std::string session_;
  std::map<std::string, std::string> outputs_;  // of that session, by call
};

}  // namespace yume::app

// SPDX-License-Identifier: MIT
// The files in which users and projects write down how to work: CLAUDE.md, .claude/CLAUDE.md,
// GEMINI.md and AGENTS.md. They are read before anybody is asked, so they pass a guard of their
// own: nothing that another user could have put there, and nothing that a link fetches from
// elsewhere. Reads files; runs on the session's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "platform/file_system.h"

namespace yume::agent {

enum class InstructionSource {
  user,     // of the home directory
  project,  // of the working directory and those above it
};

struct InstructionFile {
  std::filesystem::path path;
  std::string text;  // cut to the limit, with a visible marker
  InstructionSource source = InstructionSource::project;

  friend bool operator==(const InstructionFile&, const InstructionFile&) = default;
};

// A file that is there and was not read.
struct LeftOut {
  enum class Why {
    hidden,   // closed, or reading it is denied: the user knows
    suspect,  // a link that leads elsewhere, or somebody else's file
  };
  std::filesystem::path path;
  std::string reason;  // completes "was left out: "
  Why why = Why::suspect;

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

struct Instructions {
  std::vector<InstructionFile> files;
  std::vector<LeftOut> left_out;

  friend bool operator==(const Instructions&, const Instructions&) = default;
};

struct InstructionSearch {
  std::filesystem::path cwd;
  std::filesystem::path home = {};
  // Closed or denied by this name; absent: nothing is.
  std::function<bool(const std::filesystem::path& name)> hides = {};
};

// The user's own first, then those of every directory from the root down to the working directory,
// nearest last. Each passes the guard of config/guarded_file.h, and lies in the directory in which
// it was found. After each come the files that it imports (`@path` outside of code), up to five
// deep and each once, which pass the same guard: so a project imports nothing from elsewhere.
Instructions find_instructions(const InstructionSearch& search, const platform::FileSystem& files);

}  // namespace yume::agent

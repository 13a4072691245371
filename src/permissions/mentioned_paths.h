// SPDX-License-Identifier: MIT
// Every path that a command could mean by one of its words: for denials, so rather one too many.
// `--file=.env`, `@.env`, `of=.env`, `-f.env`, names inside a program given with -c, and all of
// them again below each directory that the command changes to. Pure.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "permissions/shell_text.h"

namespace yume::permissions {

struct ShellPlaces {
  std::filesystem::path cwd;  // where the shell stands
  std::filesystem::path home;
};

// Absolute; ".." is kept, see file_names.h. Bounded: a command that names more is opaque to the
// caller.
struct MentionedPaths {
  std::vector<std::filesystem::path> paths;
  std::vector<std::filesystem::path> directories;  // where its commands may stand; cwd first
  bool complete = true;
};
MentionedPaths mentioned_paths(const ShellText& shell, const ShellPlaces& places);

// A word as the path it would be: a leading `~`, `~+`, `~name`, `$HOME` or `$PWD` is replaced.
std::filesystem::path path_of_word(std::string_view word, const ShellPlaces& places);

// Where redirections write to; what is known of those that are no literal words.
std::vector<std::filesystem::path> redirect_targets(const ShellText& shell,
                                                    const ShellPlaces& places, RedirectKind kind);

}  // namespace yume::permissions

// SPDX-License-Identifier: MIT
// What of git only reads. A repository's settings can name programs that git then runs, so the
// words that forbid the known ways are added; the caller also wants a trusted workspace.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace yume::permissions {

struct ProvenGit {
  std::vector<std::string> argv;      // to run
  std::vector<std::string> operands;  // revisions and paths: only git can tell them apart
};

// `argv` begins with "git"; nullopt when it might do more than read.
std::optional<ProvenGit> prove_git(const std::vector<std::string>& argv);

}  // namespace yume::permissions

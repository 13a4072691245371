// SPDX-License-Identifier: MIT
// How a host comes to use this program: what has to stand where, and whether that can be written
// without a person. Plain values.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/hosts/jsonc_insert.h"

namespace yume::app {

struct HostSetup {
  std::string id = {};       // for programs: "zed"
  std::string name = {};     // for people: "Zed"
  std::string place = {};    // where the snippet goes: a file, or words
  std::string snippet = {};  // lines without a last end
  std::string then = {};     // what is left to do for the person; may be empty
  // The settings file at `place` that gets the entry. Absent: nothing is written, because of
  // `unwritten`, a clause.
  std::optional<NewEntry> entry = std::nullopt;
  std::filesystem::path file = {};
  std::string unwritten = {};
};

struct HostSearch {
  std::vector<HostSetup> found;
  std::vector<std::string> missing;  // names
};

}  // namespace yume::app

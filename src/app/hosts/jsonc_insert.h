// SPDX-License-Identifier: MIT
// Adds an entry to an object of a settings file and leaves every other byte where it is: comments,
// order, indentation, line ends. What cannot be done so is refused. Pure.
#pragma once

#include <optional>
#include <string>

#include "util/json_tree.h"
#include "util/result.h"

namespace yume::app {

// `"parent": { "key": value }` at the top of the file.
struct NewEntry {
  std::string parent;
  std::string key;
  nlohmann::ordered_json value;
};

// The new text; nullopt when the entry is there already. Error invalid_argument: why it cannot be
// added, to go behind the file's name.
Result<std::optional<std::string>> with_entry(const std::string& text, const NewEntry& entry);

// The parent with this entry alone, as it is to be written by hand: lines without an end.
std::string entry_text(const NewEntry& entry);

}  // namespace yume::app

// SPDX-License-Identifier: MIT
// A JSON object taken apart by one level: each member stays the JSON it is written in. For messages
// whose inside belongs to somebody else.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "util/json_io.h"

namespace yume {

class JsonMembers {
 public:
  // nullopt when `text` is not an object. It must be valid JSON (check_json()): what is inside the
  // members is not looked at.
  static std::optional<JsonMembers> of(std::string_view text);

  // Empty: there is none of that name. Of two with one name it is the last.
  [[nodiscard]] const RawJson& at(std::string_view key) const;

 private:
  std::map<std::string, RawJson, std::less<>> members_;
};

// The text of a JSON string; nullopt: it is something else.
std::optional<std::string> json_text(std::string_view json);

}  // namespace yume

// SPDX-License-Identifier: MIT
// Reading a tool's input: required and optional fields with one error text in Claude's form that
// lists everything wrong at once.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_call.h"

namespace yume::tools {

class ArgReader {
 public:
  ArgReader(std::string_view tool, const nlohmann::json& input);

  std::string required_string(const char* name);
  std::optional<std::string> optional_string(const char* name);
  std::optional<std::int64_t> optional_integer(const char* name);  // also "12" and 12.0
  bool optional_bool(const char* name, bool otherwise);            // also "true"
  std::vector<std::string> optional_strings(const char* name);     // also one string alone
  // A reader for each object of an array; hand each back with adopt() when it has been read.
  std::vector<ArgReader> required_objects(const char* name);
  void adopt(ArgReader& part);

  // Call last. Fields nobody asked for count as problems too. nullopt: the input was fine.
  [[nodiscard]] std::optional<core::ToolOutcome> problems();

 private:
  const nlohmann::json* find(const char* name);
  std::string named(const char* name) const { return "`" + prefix_ + name + "`"; }
  void find_unknown();

  std::string tool_;
  std::string prefix_;  // "edits[2]." for the fields of a part
  const nlohmann::json& input_;
  std::vector<std::string> known_;
  std::vector<std::string> problems_;
};

// Errors found before anything ran carry this tag, as hosts expect.
core::ToolOutcome refused_input(std::string_view text);

}  // namespace yume::tools

// SPDX-License-Identifier: MIT
// A JSON Schema (draft 7, as valijson has it) that values are checked against. References are
// followed inside the schema only: nothing is ever fetched. Pure; of one schema, one thread at a
// time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "util/result.h"

namespace yume {

class JsonSchema {
 public:
  // The message of an error completes "the schema ...".
  static Result<JsonSchema> parse(std::string_view text);

  JsonSchema(JsonSchema&&) noexcept;
  JsonSchema& operator=(JsonSchema&&) noexcept;
  ~JsonSchema();

  // What is wrong with the value, the first few things, as "/items/0: ..."; none: it fits.
  [[nodiscard]] std::vector<std::string> problems(const nlohmann::json& value) const;

 private:
  struct Parts;
  explicit JsonSchema(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// The schema of an answer that must be an object, as the arguments of a call are.
Result<JsonSchema> parse_output_schema(std::string_view text);

}  // namespace yume

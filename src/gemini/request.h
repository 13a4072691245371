// SPDX-License-Identifier: MIT
// Encoding a generateContent request. Everything but the contents is serialised once and stays the
// same byte for byte, so the server can reuse its cache of the prefix.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gemini/history.h"
#include "gemini/model_catalog.h"
#include "util/json_io.h"

namespace yume::gemini {

struct FunctionDeclaration {
  std::string name;
  std::string description;
  RawJson parameters;  // JSON Schema
};

struct RequestSettings {
  std::string system_instruction;  // empty: none
  std::vector<FunctionDeclaration> functions;
};

class RequestEncoder {
 public:
  RequestEncoder(const ModelInfo& model, const RequestSettings& settings);

  // The body in segments that borrow from the encoder and the history.
  [[nodiscard]] std::vector<std::string_view> body(const History& history) const;

 private:
  std::string prefix_;  // up to and including `"contents":`
};

}  // namespace yume::gemini

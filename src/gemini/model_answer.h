// SPDX-License-Identifier: MIT
// What models.get and models.list say about models. It beats the catalog. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gemini/model_info.h"
#include "util/result.h"

namespace yume::gemini {

struct ModelLimits {
  std::string id = {};  // without "models/"
  std::optional<std::int64_t> input_tokens = std::nullopt;
  std::optional<std::int64_t> output_tokens = std::nullopt;
  std::optional<bool> thinking = std::nullopt;
  bool generates = true;  // lists generateContent, or lists nothing

  friend bool operator==(const ModelLimits&, const ModelLimits&) = default;
};

struct ModelAnswer {
  std::vector<ModelLimits> models = {};  // one for models.get
  std::string next_page_token = {};      // empty: the last page

  friend bool operator==(const ModelAnswer&, const ModelAnswer&) = default;
};

// protocol error when it is no such answer. Entries without a name are left out; fields of a wrong
// kind count as absent.
Result<ModelAnswer> parse_model_answer(std::string_view body);

// `known` with the server's limits. Thinking is only ever switched off: how it is controlled the
// server does not tell.
ModelInfo refine(ModelInfo known, const ModelLimits& limits);

}  // namespace yume::gemini

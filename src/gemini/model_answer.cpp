// SPDX-License-Identifier: MIT
#include "gemini/model_answer.h"

#include "util/json_walk.h"

#include <algorithm>
#include <utility>

namespace yume::gemini {
namespace {

namespace dom = simdjson::dom;

std::optional<std::int64_t> limit(dom::object model, const char* field) {
  std::int64_t tokens = 0;
  const bool good = model.at_key(field).get(tokens) == simdjson::SUCCESS && tokens > 0;
  return good ? std::optional(tokens) : std::nullopt;
}

bool lists_generation(dom::object model) {
  dom::array methods;
  if (model.at_key("supportedGenerationMethods").get(methods) != simdjson::SUCCESS) return true;
  for (const dom::element method : methods) {
    std::string_view name;
    if (method.get(name) == simdjson::SUCCESS && name == "generateContent") return true;
  }
  return false;
}

std::optional<ModelLimits> read_model(dom::element element) {
  dom::object model;
  std::string_view name;
  if (element.get(model) != simdjson::SUCCESS ||
      model.at_key("name").get(name) != simdjson::SUCCESS || name.empty()) {
    return std::nullopt;
  }
  // "models/x", and Vertex's "publishers/google/models/x".
  if (const std::size_t slash = name.rfind('/'); slash != name.npos) name.remove_prefix(slash + 1);
  ModelLimits limits;
  limits.id = std::string(name);
  limits.input_tokens = limit(model, "inputTokenLimit");
  limits.output_tokens = limit(model, "outputTokenLimit");
  bool thinking = false;
  if (model.at_key("thinking").get(thinking) == simdjson::SUCCESS) limits.thinking = thinking;
  limits.generates = lists_generation(model);
  return limits;
}

}  // namespace

Result<ModelAnswer> parse_model_answer(std::string_view body) {
  const Error no_answer{.code = ErrorCode::protocol, .message = "not a description of models"};
  dom::parser parser;
  dom::element root;
  dom::object object;
  if (json_walk::with_memory(parser.parse(json_walk::padded(body)).get(root)) !=
          simdjson::SUCCESS ||
      root.get(object) != simdjson::SUCCESS) {
    return no_answer;
  }
  ModelAnswer answer;
  dom::array list;
  if (object.at_key("models").get(list) != simdjson::SUCCESS) {
    auto one = read_model(root);
    if (!one) return no_answer;
    answer.models.push_back(*std::move(one));
    return answer;
  }
  for (const dom::element element : list) {
    if (auto model = read_model(element)) answer.models.push_back(*std::move(model));
  }
  std::string_view token;
  if (object.at_key("nextPageToken").get(token) == simdjson::SUCCESS) {
    answer.next_page_token = std::string(token);
  }
  return answer;
}

ModelInfo refine(ModelInfo known, const ModelLimits& limits) {
  known.context_window = limits.input_tokens.value_or(known.context_window);
  if (limits.output_tokens) {
    // Ours is what one stream yields, the server's may be the sum over a long decode.
    known.max_output_tokens = known.long_decode
                                  ? std::min(known.max_output_tokens, *limits.output_tokens)
                                  : *limits.output_tokens;
  }
  if (limits.thinking == false) {
    known.thinking = ThinkingControl::none;
    known.thinking_range = {};
  }
  return known;
}

}  // namespace yume::gemini

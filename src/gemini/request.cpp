// SPDX-License-Identifier: MIT
#include "gemini/request.h"

namespace yume::gemini {
namespace {

void write_tools(JsonWriter& json, const std::vector<FunctionDeclaration>& functions) {
  json.key("tools").begin_array().begin_object().key("functionDeclarations").begin_array();
  for (const FunctionDeclaration& function : functions) {
    json.begin_object()
        .field("name", function.name)
        .field("description", function.description)
        .field("parametersJsonSchema", function.parameters)
        .end_object();
  }
  json.end_array().end_object().end_array();
  json.key("toolConfig").begin_object().key("functionCallingConfig").begin_object();
  json.field("mode", "AUTO").end_object().end_object();
}

void write_generation_config(JsonWriter& json, const ModelInfo& model) {
  json.key("generationConfig").begin_object();
  json.field("maxOutputTokens", model.max_output_tokens);
  if (model.thinking != ThinkingControl::none) {
    // Summaries of thoughts keep hosts and people informed; the level stays the model's own
    // default.
    json.key("thinkingConfig").begin_object().field("includeThoughts", true).end_object();
  }
  json.end_object();
}

}  // namespace

RequestEncoder::RequestEncoder(const ModelInfo& model, const RequestSettings& settings) {
  JsonWriter json(prefix_);
  json.begin_object();
  if (!settings.system_instruction.empty()) {
    json.key("systemInstruction").begin_object().key("parts").begin_array().begin_object();
    json.field("text", settings.system_instruction);
    json.end_object().end_array().end_object();
  }
  if (!settings.functions.empty()) write_tools(json, settings.functions);
  write_generation_config(json, model);
  json.key("contents");
}

std::vector<std::string_view> RequestEncoder::body(const History& history) const {
  std::vector<std::string_view> segments = history.segments();
  segments.insert(segments.begin(), prefix_);
  segments.emplace_back("}");
  return segments;
}

}  // namespace yume::gemini

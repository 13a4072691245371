// SPDX-License-Identifier: MIT
#include "gemini/request.h"

#include "gemini/schema.h"

#include <algorithm>
#include <utility>

namespace yume::gemini {
namespace {

// A long decode goes on over several streams, up to the window; any other reply is one stream.
std::int64_t output_limit(const ModelInfo& model, std::optional<std::int64_t> wanted) {
  const std::int64_t most = model.long_decode ? model.context_window : model.max_output_tokens;
  return std::min(wanted.value_or(model.max_output_tokens), most);
}

void write_text_content(JsonWriter& json, std::string_view role, std::string_view text) {
  json.begin_object().field("role", role).key("parts").begin_array().begin_object();
  json.field("text", text).end_object().end_array().end_object();
}

void write_tools(JsonWriter& json, const std::vector<FunctionDeclaration>& functions) {
  json.key("tools").begin_array().begin_object().key("functionDeclarations").begin_array();
  for (const FunctionDeclaration& function : functions) {
    json.begin_object().field("name", function.name).field("description", function.description);
    const RawJson schema =
        function.is_clean ? function.parameters : clean_schema(function.parameters);
    if (schema.text != k_no_parameters) json.field("parametersJsonSchema", schema);
    json.end_object();
  }
  json.end_array().end_object().end_array();
}

std::string_view threshold(Safety safety) {
  switch (safety) {
    case Safety::off:
      return "OFF";
    case Safety::block_none:
      return "BLOCK_NONE";
    case Safety::block_only_high:
      return "BLOCK_ONLY_HIGH";
    case Safety::block_medium:
      return "BLOCK_MEDIUM_AND_ABOVE";
    case Safety::block_low:
      return "BLOCK_LOW_AND_ABOVE";
    case Safety::server:
      break;
  }
  return "";
}

void write_safety(JsonWriter& json, Safety safety) {
  if (safety == Safety::server) return;
  json.key("safetySettings").begin_array();
  for (const char* category :
       {"HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_HATE_SPEECH", "HARM_CATEGORY_SEXUALLY_EXPLICIT",
        "HARM_CATEGORY_DANGEROUS_CONTENT"}) {
    json.begin_object().field("category", category).field("threshold", threshold(safety));
    json.end_object();
  }
  json.end_array();
}

ThinkingRequest least(ThinkingRequest wish) {
  wish.effort.reset();
  wish.max_tokens = 0;
  return wish;
}

}  // namespace

RequestEncoder::RequestEncoder(ModelInfo model, RequestSettings settings)
    : model_(std::move(model)),
      thinking_(settings.thinking),
      safety_(settings.safety),
      max_output_tokens_(output_limit(model_, settings.max_output_tokens)),
      system_instruction_(std::move(settings.system_instruction)),
      google_search_(settings.google_search) {
  make_prefix(settings.functions);
}

void RequestEncoder::set_prefix(std::string system_instruction,
                                const std::vector<FunctionDeclaration>& functions) {
  system_instruction_ = std::move(system_instruction);
  make_prefix(functions);
}

void RequestEncoder::make_prefix(const std::vector<FunctionDeclaration>& functions) {
  has_functions_ = !functions.empty();
  prefix_.clear();
  JsonWriter json(prefix_);
  const bool has_system = !system_instruction_.empty();
  json.begin_object();
  if (has_system && model_.system_instruction) {
    json.key("systemInstruction").begin_object().key("parts").begin_array().begin_object();
    json.field("text", system_instruction_);
    json.end_object().end_array().end_object();
  }
  if (has_functions_) {
    write_tools(json, functions);
  } else if (google_search_) {
    json.key("tools").begin_array().begin_object().key("googleSearch").begin_object();
    json.end_object().end_object().end_array();
  }
  json.key("contents").begin_array();
  if (has_system && !model_.system_instruction) {
    write_text_content(json, "user", system_instruction_);
    write_text_content(json, "model", "Understood.");
  }
}

void RequestEncoder::write_tool_config(JsonWriter& json, const RequestVariant& variant) const {
  if (!has_functions_) return;
  json.key("toolConfig").begin_object().key("functionCallingConfig").begin_object();
  if (!variant.only_function.empty() && variant.options) {
    json.field("mode", "ANY").key("allowedFunctionNames").begin_array();
    json.string(variant.only_function).end_array();
  } else {
    json.field("mode", variant.validated_calls && variant.options ? "VALIDATED" : "AUTO");
  }
  if (variant.stream_arguments && variant.options) json.field("streamFunctionCallArguments", true);
  json.end_object().end_object();
}

void RequestEncoder::write_generation_config(JsonWriter& json,
                                             const RequestVariant& variant) const {
  json.key("generationConfig").begin_object();
  json.field("maxOutputTokens", max_output_tokens_);
  if (variant.thinking && model_.thinking != ThinkingControl::none) {
    // Summaries of thoughts keep hosts and people informed while they wait.
    const auto setting =
        choose_thinking(model_, variant.least_thinking ? least(thinking_) : thinking_);
    const bool off = setting == ThinkingSetting(ThinkingBudget{0});
    json.key("thinkingConfig").begin_object();
    json.field("includeThoughts", !off && thinking_.display == ThinkingDisplay::summarized);
    if (setting) {
      if (const auto* level = std::get_if<ThinkingLevel>(&*setting)) {
        json.field("thinkingLevel", level_name(*level));
      } else {
        json.field("thinkingBudget", std::get<ThinkingBudget>(*setting).tokens);
      }
    }
    json.end_object();
  }
  json.end_object();
}

std::string RequestEncoder::tail(const RequestVariant& variant) const {
  // Written as the end of an object whose beginning is the prefix.
  std::string fields;
  JsonWriter json(fields);
  json.begin_object();
  write_tool_config(json, variant);
  write_generation_config(json, variant);
  if (variant.options) write_safety(json, safety_);
  if (!variant.continuation.empty()) json.field("continuationToken", variant.continuation);
  json.end_object();
  fields.front() = ',';
  return fields;
}

std::vector<std::string_view> RequestEncoder::body(const History& history,
                                                   std::string_view tail) const {
  std::vector<std::string_view> segments = history.segments();
  // The history's own bracket is in the prefix, perhaps with contents of ours behind it.
  segments.front() = prefix_.ends_with('[') ? "" : ",";
  segments.insert(segments.begin(), prefix_);
  segments.push_back(tail);
  return segments;
}

}  // namespace yume::gemini

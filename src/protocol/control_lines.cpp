// SPDX-License-Identifier: MIT
#include "protocol/control_lines.h"

namespace yume::protocol {

std::string control_success(std::string_view request_id, const RawJson& response) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "control_response").key("response").begin_object();
  json.field("subtype", "success").field("request_id", request_id);
  json.field("response", response).end_object().end_object();
  return line;
}

std::string control_error(std::string_view request_id, std::string_view error,
                          std::string_view error_code) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "control_response").key("response").begin_object();
  json.field("subtype", "error").field("request_id", request_id);
  json.field("error", error).field("error_code", error_code).end_object().end_object();
  return line;
}

RawJson initialize_response(std::string_view model) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  for (const char* list : {"commands", "agents"}) json.key(list).begin_array().end_array();
  json.field("output_style", "default").key("available_output_styles").begin_array();
  json.string("default").end_array().key("models").begin_array().begin_object();
  json.field("value", model).field("displayName", model);
  json.field("description", "Google Gemini").end_object().end_array();
  json.key("account").begin_object().end_object().end_object();
  return {std::move(out)};
}

}  // namespace yume::protocol

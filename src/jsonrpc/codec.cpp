// SPDX-License-Identifier: MIT
#include "jsonrpc/codec.h"

#include <charconv>
#include <optional>
#include <utility>

#include "util/json_members.h"
#include "util/overloaded.h"

namespace yume::jsonrpc {
namespace {

constexpr std::string_view k_version = "2.0";

bool is_structure(const RawJson& json) {
  return json.text.starts_with('{') || json.text.starts_with('[');
}

bool is_null(const RawJson& json) {
  return json.text == "null";
}

// nullopt: an id cannot be like this.
std::optional<Id> read_id(const RawJson& json) {
  const bool good =
      !json.text.empty() && !is_structure(json) && json.text != "true" && json.text != "false";
  if (!good) return std::nullopt;
  return Id{json.text};
}

Malformed refuse(Id id, std::int64_t code, std::string message) {
  return {Response{.id = std::move(id),
                   .reply = ErrorObject{.code = code, .message = std::move(message)}}};
}

// The id, where it can be read, tells the sender which of its requests fails.
Malformed invalid(const JsonMembers& members, const std::string& why) {
  return refuse(read_id(members.at("id")).value_or(Id{}), k_invalid_request,
                "Invalid request: " + why);
}

Incoming read_call(const JsonMembers& members) {
  if (json_text(members.at("jsonrpc").text) != k_version) {
    return invalid(members, R"("jsonrpc" must be "2.0")");
  }
  auto method = json_text(members.at("method").text);
  if (!method) return invalid(members, R"("method" must be a string)");
  // Null for none is against the letter of the standard, but clients write it.
  RawJson params = is_null(members.at("params")) ? RawJson{} : members.at("params");
  if (!params.text.empty() && !is_structure(params)) {
    return invalid(members, R"("params" must be an object or an array)");
  }
  if (members.at("id").text.empty()) {
    return Notification{.method = *std::move(method), .params = std::move(params)};
  }
  auto id = read_id(members.at("id"));
  if (!id) return invalid(members, R"("id" must be a string, a number or null)");
  return Request{.id = *std::move(id), .method = *std::move(method), .params = std::move(params)};
}

std::int64_t read_code(const std::string& json) {
  std::int64_t code = k_internal_error;
  std::from_chars(json.data(), json.data() + json.size(), code);
  return code;
}

// Servers that know little of JSON-RPC send any value as an error.
ErrorObject read_error(const RawJson& json) {
  const auto members = json.text.starts_with('{') ? JsonMembers::of(json.text) : std::nullopt;
  if (!members) return {.message = json_text(json.text).value_or(json.text)};
  return {.code = read_code(members->at("code").text),
          .message = json_text(members->at("message").text).value_or(json.text),
          .data = members->at("data")};
}

Incoming read_response(const JsonMembers& members) {
  auto id = read_id(members.at("id"));
  const RawJson& error = members.at("error");
  const bool failed = !error.text.empty() && (!is_null(error) || members.at("result").text.empty());
  if (failed) return Response{.id = std::move(id).value_or(Id{}), .reply = read_error(error)};
  return Response{.id = std::move(id).value_or(Id{}), .reply = members.at("result")};
}

JsonWriter& begin(JsonWriter& writer) {
  return writer.begin_object().field("jsonrpc", k_version);
}

void write_call(JsonWriter& writer, const std::string& method, const RawJson& params) {
  writer.field("method", method);
  if (!params.text.empty()) writer.field("params", params);
  writer.end_object();
}

}  // namespace

Incoming decode(std::string_view text) {
  constexpr std::string_view k_bom = "\xEF\xBB\xBF";
  if (text.starts_with(k_bom)) text.remove_prefix(k_bom.size());
  std::string repaired;  // what one character breaks must not cost the whole message
  append_ascii_json(repaired, text);
  if (const auto checked = check_json(repaired); !checked) {
    return refuse(Id{}, k_parse_error, "Parse error: " + checked.error().message);
  }
  if (repaired.starts_with('[')) {
    return refuse(Id{}, k_invalid_request, "Invalid request: batches are not supported");
  }
  const auto members = JsonMembers::of(repaired);
  if (!members) return refuse(Id{}, k_invalid_request, "Invalid request: not an object");
  if (!members->at("method").text.empty()) return read_call(*members);
  if (!members->at("result").text.empty() || !members->at("error").text.empty()) {
    return read_response(*members);
  }
  return invalid(*members, R"(there is no "method")");
}

std::string encode(const Request& request) {
  std::string line;
  JsonWriter writer(line);
  begin(writer).field("id", RawJson{request.id.json});
  write_call(writer, request.method, request.params);
  return line;
}

std::string encode(const Notification& notification) {
  std::string line;
  JsonWriter writer(line);
  write_call(begin(writer), notification.method, notification.params);
  return line;
}

std::string encode(const Response& response) {
  std::string line;
  JsonWriter writer(line);
  begin(writer).field("id", RawJson{response.id.json});
  std::visit(Overloaded{[&](const RawJson& result) { writer.field("result", result); },
                        [&](const ErrorObject& error) {
                          writer.key("error").begin_object();
                          writer.field("code", error.code).field("message", error.message);
                          if (!error.data.text.empty()) writer.field("data", error.data);
                          writer.end_object();
                        }},
             response.reply);
  writer.end_object();
  return line;
}

ErrorObject method_not_found(std::string_view method) {
  std::string data;
  JsonWriter(data).begin_object().field("method", method).end_object();
  return {.code = k_method_not_found,
          .message = "\"Method not found\": " + std::string(method),
          .data = {data}};
}

}  // namespace yume::jsonrpc

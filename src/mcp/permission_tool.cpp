// SPDX-License-Identifier: MIT
#include "mcp/permission_tool.h"

#include "util/json_tree.h"

#include <utility>

namespace yume::mcp {
namespace {

using Json = nlohmann::json;

RawJson arguments_about(const core::ToolCall& call) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("tool_name", call.name).field("input", call.input);
  json.field("tool_use_id", call.id).end_object();
  return {std::move(text)};
}

Error nothing_said(const std::string& why) {
  return {.code = ErrorCode::protocol,
          .message = "the permission prompt tool gave no answer: " + why};
}

// The first text of a result.
std::string text_in(const Json& result) {
  const auto content = result.is_object() ? result.find("content") : result.end();
  if (!result.is_object() || content == result.end() || !content->is_array()) return {};
  for (const Json& block : *content) {
    if (block.is_object() && text_at(block, "type") == "text") return text_at(block, "text");
  }
  return {};
}

}  // namespace

Result<core::HostAnswer> read_permission_result(const RawJson& result) {
  if (!check_json(result.text).ok()) return nothing_said("its result is no JSON");
  const std::string text = text_in(read_json(result.text));
  if (!check_json(text).ok()) return nothing_said("its text is no JSON");
  const Json answer = read_json(text);
  if (!answer.is_object()) return nothing_said("its text is no JSON object");
  const std::string behavior = text_at(answer, "behavior");
  if (behavior == "allow") {
    core::HostAllows allows;
    const auto input = answer.find("updatedInput");
    if (input != answer.end() && input->is_object()) allows.input = RawJson{write_json(*input)};
    return core::HostAnswer(std::move(allows));
  }
  if (behavior == "deny") {
    return core::HostAnswer(core::HostDenies{.message = text_at(answer, "message")});
  }
  return nothing_said("`behavior` is neither allow nor deny");
}

Result<core::HostAnswer> PermissionTool::ask(core::HostQuestion question,
                                             std::optional<std::chrono::milliseconds> /*timeout*/,
                                             const CancelToken& cancel) {
  const auto* may_run = std::get_if<core::MayRun>(&question);
  if (may_run == nullptr) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "the permission prompt tool is asked about calls only"};
  }
  YUME_TRY(const RawJson result,
           servers_.call_tool(tool_, arguments_about(may_run->call), may_run->call.id, cancel));
  return read_permission_result(result);
}

}  // namespace yume::mcp

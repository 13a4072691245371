// SPDX-License-Identifier: MIT
#include "protocol/claude/yume_frames.h"

#include "util/json_io.h"
#include "util/json_tree.h"

#include <string>
#include <utility>

namespace yume::protocol {
namespace {

using nlohmann::json;

constexpr std::string_view k_not_approved =
    "The user doesn't want to proceed with this tool use. The tool use was rejected.";

HostMessage set_mode(const json& line) {
  const std::string name = text_at(line, "mode");
  if (const auto mode = core::permission_mode_from(name)) {
    return {.content = core::Command(core::SetMode{*mode})};
  }
  return {.content = core::Command(
              core::Refused{.why = "Error: unknown permission mode '" + name +
                                   "'. There are default, acceptEdits, plan, dontAsk and "
                                   "bypassPermissions.",
                            .code = "invalid_mode"})};
}

// Anything but a clear yes is a no.
HostMessage approval(const json& line) {
  const auto found = line.find("approved");
  const bool approved = found != line.end() && found->is_boolean() && found->get<bool>();
  RawAnswer answer{.request_id = {}, .response = RawJson(), .call_id = text_at(line, "id")};
  JsonWriter answer_json(answer.response->text);
  answer_json.begin_object().field("behavior", approved ? "allow" : "deny");
  if (!approved) {
    const std::string reason = text_at(line, "message");
    answer_json.field("message", reason.empty() ? k_not_approved : std::string_view(reason));
  }
  answer_json.end_object();
  return {.content = std::move(answer)};
}

}  // namespace

std::optional<HostMessage> parse_yume_frame(const json& line) {
  const std::string type = text_at(line, "type");
  if (type == "interrupt") return HostMessage{.content = core::Command(core::Interrupt{})};
  if (type == "set_permission_mode") return set_mode(line);
  if (type == "tool_approval") return approval(line);
  return std::nullopt;
}

}  // namespace yume::protocol

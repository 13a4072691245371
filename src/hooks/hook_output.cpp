// SPDX-License-Identifier: MIT
#include "hooks/hook_output.h"

#include "util/ascii.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::hooks {
namespace {

using json = nlohmann::ordered_json;
using Permission = core::CallAdvice::Permission;

constexpr int k_vetoed = 2;

// Without blanks around it, nor the byte order mark that some shells begin with.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_mark = "\xef\xbb\xbf";
  if (text.starts_with(k_mark)) text.remove_prefix(k_mark.size());
  constexpr std::string_view k_white = " \t\r\n";
  const std::size_t first = text.find_first_not_of(k_white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_white) - first + 1);
}

std::string exit_text(int code, std::string_view error_output) {
  std::string text = "it ended with exit code " + std::to_string(code);
  if (!error_output.empty()) text.append(": ").append(error_output);
  return text;
}

Error failed(std::string why) {
  return {.code = ErrorCode::io, .message = std::move(why)};
}

std::optional<RawJson> object_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return std::nullopt;
  return RawJson{write_json(*found)};
}

// "denied", "Deny", "blocked": whoever writes one of these relies on it.
bool means_no(std::string_view word) {
  constexpr std::array<std::string_view, 6> k_beginnings = {"den",   "block",  "reject",
                                                            "refus", "forbid", "disallow"};
  const std::string lower = ascii_lower(word);
  return std::any_of(k_beginnings.begin(), k_beginnings.end(),
                     [&lower](std::string_view beginning) { return lower.starts_with(beginning); });
}

Result<Permission> permission_from(const std::string& word) {
  if (word == "allow") return Permission::allow;
  if (ascii_lower(word) == "ask") return Permission::ask;
  if (means_no(word)) return Permission::deny;
  if (word.empty() || word == "defer") return Permission::unsaid;
  return failed("its permissionDecision '" + word.substr(0, 40) +
                "' is none of allow, deny, ask and defer");
}

// The answer to a PermissionRequest. Rules that it grants for the future are not taken: whoever may
// grant them writes them into the settings.
std::optional<core::HostAnswer> answer_in(const json& decision) {
  const std::string behavior = text_at(decision, "behavior");
  if (behavior == "allow") {
    return core::HostAllows{.input = object_at(decision, "updatedInput")};
  }
  if (!means_no(behavior)) return std::nullopt;
  const auto interrupt = decision.find("interrupt");
  return core::HostDenies{.message = text_at(decision, "message"),
                          .interrupt = interrupt != decision.end() && interrupt->is_boolean() &&
                                       interrupt->get<bool>()};
}

Result<void> read_specific(const json& own, HookReply& reply) {
  reply.text = text_at(own, "additionalContext");
  YUME_TRY(const Permission permission, permission_from(text_at(own, "permissionDecision")));
  if (permission != Permission::unsaid) {
    reply.permission = permission;
    reply.permission_reason = text_at(own, "permissionDecisionReason");
  }
  reply.input = object_at(own, "updatedInput");
  if (const auto decision = own.find("decision"); decision != own.end() && decision->is_object()) {
    reply.answer = answer_in(*decision);
  }
  return {};
}

}  // namespace

Result<HookReply> read_hook_json(std::string_view text) {
  const json answer = check_json(text).ok() ? read_ordered_json(text) : json();
  if (!answer.is_object()) return failed("its answer is not a JSON object");
  HookReply reply{.message = text_at(answer, "systemMessage")};
  const std::string decision = text_at(answer, "decision");
  if (means_no(decision)) reply.veto = text_at(answer, "reason");
  if (decision == "approve") {
    reply.permission = Permission::allow;
    reply.permission_reason = text_at(answer, "reason");
  }
  const auto goes_on = answer.find("continue");
  if (goes_on != answer.end() && goes_on->is_boolean() && !goes_on->get<bool>()) {
    reply.stop = text_at(answer, "stopReason");
  }
  if (const auto own = answer.find("hookSpecificOutput"); own != answer.end() && own->is_object()) {
    if (const auto read = read_specific(*own, reply); !read.ok()) return read.error();
  }
  return reply;
}

Result<HookReply> read_command_end(const Result<platform::ProcessEnd>& end, std::string_view output,
                                   std::string_view error_output) {
  using platform::ProcessEndKind;
  if (!end.ok()) return end.error();
  switch (end->kind) {
    case ProcessEndKind::timed_out:
      return Error{.code = ErrorCode::timeout, .message = "it took too long, and was stopped"};
    case ProcessEndKind::cancelled:
      return Error{.code = ErrorCode::cancelled, .message = "it was interrupted"};
    case ProcessEndKind::signalled:
      return failed("it was killed by " + platform::signal_name(end->signal));
    case ProcessEndKind::exited:
      break;
  }
  output = trimmed(output);
  error_output = trimmed(error_output);
  if (end->exit_code == k_vetoed) return HookReply{.veto = std::string(error_output)};
  if (end->exit_code != 0) return failed(exit_text(end->exit_code, error_output));
  if (output.starts_with('{')) return read_hook_json(output);
  return HookReply{.text = std::string(output)};
}

}  // namespace yume::hooks

// SPDX-License-Identifier: MIT
// What a host says on stdin with `--input-format stream-json`, as a closed variant. Parsing is
// total: every line becomes a value, a bad one too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/hooks.h"
#include "core/host_questions.h"
#include "core/message.h"

namespace yume::protocol {

struct UserPrompt {
  core::UserMessage message;
  friend bool operator==(const UserPrompt&, const UserPrompt&) = default;
};

struct InitializeRequest {
  std::string request_id;
  std::optional<std::string> system_prompt;  // empty text means "no prompt", absent "the default"
  std::string append_system_prompt;
  std::vector<core::HostHookGroup> hooks = {};
  friend bool operator==(const InitializeRequest&, const InitializeRequest&) = default;
};

struct InterruptRequest {
  std::string request_id;
  friend bool operator==(const InterruptRequest&, const InterruptRequest&) = default;
};

// The host's word on a question of ours. What it means depends on the question.
struct HostReply {
  std::string request_id;
  std::optional<RawJson> response;  // absent: it could not answer
  std::string error = {};           // why
  friend bool operator==(const HostReply&, const HostReply&) = default;
};

// A control request this program does not serve.
struct UnsupportedRequest {
  std::string request_id;
  std::string subtype;
  friend bool operator==(const UnsupportedRequest&, const UnsupportedRequest&) = default;
};

// Blank lines, keep-alives, answers to questions never asked, kinds of the future.
struct IgnoredLine {
  friend bool operator==(const IgnoredLine&, const IgnoredLine&) = default;
};

// A line that ends the program, with what to say on stderr.
struct BadLine {
  std::string message;
  friend bool operator==(const BadLine&, const BadLine&) = default;
};

using Inbound = std::variant<UserPrompt, InitializeRequest, InterruptRequest, HostReply,
                             UnsupportedRequest, IgnoredLine, BadLine>;

Inbound parse_inbound(std::string_view line);

// What a reply says about a call that may or may not run. Whatever is not clearly an "allow" is
// none; nullopt: it says nothing at all, and one that does may still come.
std::optional<core::HostAnswer> permission_answer(const HostReply& reply);

}  // namespace yume::protocol

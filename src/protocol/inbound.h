// SPDX-License-Identifier: MIT
// What a host says on stdin with `--input-format stream-json`, as a closed variant. Parsing is
// total: every line becomes a value, a bad one too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

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
  friend bool operator==(const InitializeRequest&, const InitializeRequest&) = default;
};

struct InterruptRequest {
  std::string request_id;
  friend bool operator==(const InterruptRequest&, const InterruptRequest&) = default;
};

// The host's word on a question of ours.
struct QuestionAnswered {
  std::string request_id;
  core::HostAnswer answer;
  friend bool operator==(const QuestionAnswered&, const QuestionAnswered&) = default;
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

using Inbound = std::variant<UserPrompt, InitializeRequest, InterruptRequest, QuestionAnswered,
                             UnsupportedRequest, IgnoredLine, BadLine>;

Inbound parse_inbound(std::string_view line);

}  // namespace yume::protocol

// SPDX-License-Identifier: MIT
// What a host says on stdin with `--input-format stream-json`, in Claude's words. Parsing is total:
// every line becomes a value, a bad one too. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string_view>

#include "protocol/host.h"

namespace yume::protocol {

HostMessage parse_claude_line(std::string_view line);

// A message's content: a text, or blocks in Anthropic's form.
core::UserMessage read_claude_content(const nlohmann::json& content);

// Whoever waits for an answer to a line that was too long gets one.
HostMessage refuse_claude_line(const LongLine& line, std::size_t limit);

// What an answer says about a call that may or may not run. Whatever is not clearly an "allow" is
// none; nullopt: it says nothing at all, and one that does may still come.
std::optional<core::HostAnswer> read_permission(const RawAnswer& answer);
// What a hook's function returned, or that it could not be called.
core::HostAnswer read_hook_answer(const RawAnswer& answer);

}  // namespace yume::protocol

// SPDX-License-Identifier: MIT
// A call and what came of it, each in a few words. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "platform/clock.h"
#include "transcript/shown_session.h"

namespace yume::app {

// What the call is about: the file, the command, the pattern; empty when it does not say.
std::string call_subject(const core::ToolCall& call);
// "+2 -1" of a file, "12 lines", the first line of an error, "no result".
std::string result_summary(const transcript::ShownItem& call);

// The first line, at most `width` characters, cut ones marked.
std::string first_line(std::string_view text, std::size_t width);
std::size_t count_lines(std::string_view text);
// "2026-01-02T03:04:05.678Z", to the second; nullopt when it is none.
std::optional<platform::WallTime> read_time(std::string_view iso);
// "2026-01-02 03:04" of an ISO time, in UTC as written; the text itself when it is none.
std::string short_time(const std::string& iso);
// The same in the zone of whoever looks at it now.
std::string local_time_text(const std::string& iso);

}  // namespace yume::app

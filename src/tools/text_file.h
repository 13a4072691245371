// SPDX-License-Identifier: MIT
// What the file tools share: error texts in the words hosts know, and the check that a file is
// still what the model has seen.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/tool_call.h"
#include "tools/path_guard.h"
#include "tools/tool.h"

namespace yume::tools {

inline constexpr std::uint64_t k_largest_text_file = 32U << 20U;

// The whole file as bytes, or the outcome that tells the model why not.
std::variant<std::string, core::ToolOutcome> load_text(const NamedFile& file,
                                                       const ToolContext& context,
                                                       std::uint64_t max_bytes);

// The file may be changed only when its bytes are what the model read last.
std::optional<core::ToolOutcome> refuse_unless_known(const NamedFile& file, std::string_view bytes,
                                                     const ToolContext& context);

// Writes, and remembers the new content as known. Creates missing parent directories.
std::optional<core::ToolOutcome> store_text(const NamedFile& file, std::string_view bytes,
                                            const ToolContext& context);

bool looks_binary(std::string_view bytes);

// `Error: <text>` as details, the text as content: a failure while running.
core::ToolOutcome failed_running(std::string text);

}  // namespace yume::tools

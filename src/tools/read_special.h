// SPDX-License-Identifier: MIT
// What Read makes of files that are not plain text: pictures and PDFs for the model's eyes,
// notebooks as cells. Used by read.cpp only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/tool_call.h"

namespace yume::tools {

// A request to Gemini may have 20 MB, and base64 makes four bytes of three.
inline constexpr std::uint64_t k_largest_media = 14U << 20U;

// About 25,000 tokens: more of one file at once helps no model.
inline constexpr std::size_t k_most_shown_bytes = 100'000;

// `type` is one of media_type_of(). `pages` is what the model asked for of a PDF.
core::ToolOutcome show_media(std::string_view type, std::string_view bytes, const std::string& path,
                             const std::optional<std::string>& pages);

// nullopt when it is no notebook.
std::optional<core::ToolOutcome> show_notebook(std::string_view bytes, const std::string& path);

std::string kilobytes_text(std::uint64_t bytes);  // "293KB"

}  // namespace yume::tools

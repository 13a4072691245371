// SPDX-License-Identifier: MIT
// What the file tools share: loading and storing a text file with error texts in the words hosts
// know, and the check that a file is still what the model has seen.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/tool_call.h"
#include "tools/path_guard.h"
#include "tools/tool.h"

namespace yume::tools {

inline constexpr std::uint64_t k_largest_text_file = 32U << 20U;

struct LoadedText {
  std::string bytes;
  platform::FileInfo info;
};

// The whole file as bytes, or the outcome that tells the model why not: missing, not a regular
// file, too large, binary. For changing it; Read shows more than can be changed.
std::variant<LoadedText, core::ToolOutcome> load_text(const NamedFile& file,
                                                      const ToolContext& context);

// The same, and the file's bytes are what the model read last.
std::variant<LoadedText, core::ToolOutcome> load_known_text(const NamedFile& file,
                                                            const ToolContext& context);

// New text can be put into a file only when it is in the file's encoding.
std::optional<core::ToolOutcome> refuse_foreign_text(const NamedFile& file, std::string_view bytes,
                                                     std::string_view added);

// Writes, and remembers the new content as known. Creates missing parent directories. `before` is
// what is to be replaced; nothing: the file must not exist yet. The string is empty or a sentence
// for the result, with a blank in front: what else happened.
std::variant<std::string, core::ToolOutcome> store_text(const NamedFile& file,
                                                        std::string_view bytes,
                                                        const std::optional<LoadedText>& before,
                                                        const ToolContext& context);

// A change that can be made: what is to be replaced (nothing: the file is new), and by what.
struct PreparedText {
  std::optional<LoadedText> before;
  std::string after;
};
core::FileChange change_of(const NamedFile& file, const PreparedText& prepared);

// Nothing at all lies there, not even a link.
bool is_missing(const NamedFile& file, const ToolContext& context);

// "File does not exist. …", with a similar name from the same directory if there is one.
std::string missing_file_text(const NamedFile& file, const ToolContext& context);

// "This tool cannot read binary files. …"
core::ToolOutcome refuse_binary(const NamedFile& file);

// An error of the file system as an outcome, in Claude's words where it has some.
core::ToolOutcome cannot_open(const NamedFile& file, const Error& error,
                              const ToolContext& context);

// A failure while running: the text is the content, and the details' too.
core::ToolOutcome failed_running(std::string text);

}  // namespace yume::tools

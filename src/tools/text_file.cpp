// SPDX-License-Identifier: MIT
#include "tools/text_file.h"

#include "tools/args.h"

#include <utility>

namespace yume::tools {

core::ToolOutcome failed_running(std::string text) {
  core::ToolOutcome outcome;
  outcome.is_error = true;
  std::string details;
  append_json_string(details, "Error: " + text);
  outcome.details = RawJson{std::move(details)};
  outcome.content = std::move(text);
  return outcome;
}

bool looks_binary(std::string_view bytes) {
  return bytes.substr(0, 8192).find('\0') != std::string_view::npos;
}

std::variant<std::string, core::ToolOutcome> load_text(const NamedFile& file,
                                                       const ToolContext& context,
                                                       std::uint64_t max_bytes) {
  // Always the real path: what was judged is what is opened.
  const auto info = context.files.info(file.real);
  if (!info.ok()) {
    if (info.error().code == ErrorCode::not_found) {
      return failed_running("File does not exist. Note: your current working directory is " +
                            context.cwd.string() + ".");
    }
    return failed_running(info.error().message);
  }
  if (info->kind == platform::FileKind::directory) {
    return failed_running("EISDIR: illegal operation on a directory, read '" + file.given.string() +
                          "'");
  }
  auto bytes = context.files.read(file.real, max_bytes);
  if (!bytes.ok()) return failed_running(std::move(bytes).error().message);
  if (looks_binary(*bytes)) {
    return refused_input("This tool cannot read binary files. " + file.given.string() +
                         " appears to be one; use Bash to inspect it.");
  }
  return std::move(bytes).value();
}

std::optional<core::ToolOutcome> refuse_unless_known(const NamedFile& file, std::string_view bytes,
                                                     const ToolContext& context) {
  switch (context.memory.check(file.real, bytes)) {
    case Knowledge::current:
      return std::nullopt;
    case Knowledge::never_seen:
      return refused_input("File has not been read yet. Read it first before writing to it.");
    case Knowledge::changed:
      return refused_input(
          "File has been modified since read, either by the user or by a linter. Read it again "
          "before attempting to write it.");
  }
  return std::nullopt;
}

std::optional<core::ToolOutcome> store_text(const NamedFile& file, std::string_view bytes,
                                            const ToolContext& context) {
  if (auto made = context.files.create_directories(file.real.parent_path()); !made.ok()) {
    return failed_running(made.error().message);
  }
  if (auto written = context.files.replace(file.real, bytes); !written.ok()) {
    return failed_running(written.error().message);
  }
  context.memory.remember(file.real, bytes);
  return std::nullopt;
}

}  // namespace yume::tools

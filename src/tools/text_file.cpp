// SPDX-License-Identifier: MIT
#include "tools/text_file.h"

#include "tools/args.h"
#include "tools/line_diff.h"
#include "tools/similar_name.h"
#include "tools/text_encoding.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::tools {
namespace {

constexpr int k_most_new_directories = 100;
constexpr std::size_t k_most_names = 10'000;

std::string megabytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20U) + " MB";
}

Result<std::string> read_to_end(platform::OpenFile& file, const CancelToken& cancel) {
  std::string bytes;
  std::array<char, 1U << 16U> buffer;
  for (;;) {
    if (cancel.stop_requested()) {
      return Error{.code = ErrorCode::cancelled, .message = "the user interrupted the turn"};
    }
    YUME_TRY(const std::size_t got, file.read(buffer));
    if (got == 0) return bytes;
    bytes.append(buffer.data(), got);
    if (bytes.size() > k_largest_text_file) {
      return Error{.code = ErrorCode::too_large, .message = "it grows while it is being read"};
    }
  }
}

// Backups of files that had to be written in place lie where the session keeps other things.
std::filesystem::path backups(const ToolContext& context) {
  return context.home.empty() ? context.home : context.home / ".yume" / "tmp";
}

bool working_directory_is_gone(const ToolContext& context) {
  const auto info = context.files.info(context.cwd);
  return !info.ok() && info.error().code == ErrorCode::not_found;
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first ==
         directory.end();
}

std::string notes_of(const platform::Replaced& replaced) {
  std::string notes;
  if (!replaced.backup.empty()) {
    notes +=
        " Note: the file could not be replaced as a whole, so it was written in place; its "
        "old content is in " +
        to_utf8(replaced.backup) + ".";
  }
  if (replaced.other_names > 0) {
    notes += " Note: the file had " + std::to_string(replaced.other_names) + " other hard link" +
             (replaced.other_names == 1 ? "" : "s") + ", which keep the old content.";
  }
  return notes;
}

}  // namespace

core::ToolOutcome failed_running(std::string text) {
  core::ToolOutcome outcome;
  outcome.is_error = true;
  outcome.details = core::CallFailed{text};
  outcome.content = std::move(text);
  return outcome;
}

bool is_missing(const NamedFile& file, const ToolContext& context) {
  const auto opened = context.files.open_real(file.real);
  return !opened.ok() && opened.error().code == ErrorCode::not_found;
}

std::string missing_file_text(const NamedFile& file, const ToolContext& context) {
  std::string text =
      "File does not exist. Note: your current working directory is " + to_utf8(context.cwd);
  text += working_directory_is_gone(context) ? ", which was moved or removed." : ".";
  const auto entries = context.files.list(file.real.parent_path());
  if (!entries.ok()) return text;
  std::vector<std::string> names;
  for (const platform::DirectoryEntry& entry : *entries) {
    if (names.size() == k_most_names) break;
    const bool hidden = context.hides && context.hides(file.real.parent_path() / entry.name);
    if (!hidden && entry.kind != platform::FileKind::directory) names.push_back(entry.name);
  }
  if (const auto name = similar_name(to_utf8(file.real.filename()), names)) {
    text += " Did you mean " + *name + "?";
  }
  return text;
}

core::ToolOutcome cannot_open(const NamedFile& file, const Error& error,
                              const ToolContext& context) {
  if (error.code == ErrorCode::not_found) return failed_running(missing_file_text(file, context));
  const auto info = context.files.info(file.real);
  if (info.ok() && info->kind == platform::FileKind::directory) {
    return failed_running("EISDIR: illegal operation on a directory, read '" + to_utf8(file.given) +
                          "'");
  }
  return failed_running(error.message);
}

core::ToolOutcome refuse_binary(const NamedFile& file) {
  const std::string extension = to_utf8(file.given.extension());
  return refused_input("This tool cannot read binary files. The file appears to be a binary " +
                       (extension.empty() ? "" : extension + " ") +
                       "file. Use Bash to inspect it, for example with file, strings or xxd.");
}

std::variant<LoadedText, core::ToolOutcome> load_text(const NamedFile& file,
                                                      const ToolContext& context) {
  // Always the real path: what was judged is what is opened.
  const auto opened = context.files.open_real(file.real);
  if (!opened.ok()) return cannot_open(file, opened.error(), context);
  platform::OpenFile& source = **opened;
  if (source.info().size > k_largest_text_file) {
    return failed_running("The file is larger than " + megabytes(k_largest_text_file) +
                          ", which is too much for this tool. Change it with Bash, for example "
                          "with sed.");
  }
  auto bytes = read_to_end(source, context.cancel);
  if (!bytes.ok()) return failed_running(std::move(bytes).error().message);
  switch (encoding_of(*bytes)) {
    case Encoding::utf8:
      return LoadedText{.bytes = std::move(bytes).value(), .info = source.info()};
    case Encoding::utf16_le:
    case Encoding::utf16_be:
      return refused_input(
          "The file is UTF-16 text, which can be read but not changed with this "
          "tool. Convert it with Bash first, for example with iconv.");
    case Encoding::binary:
      break;
  }
  return refuse_binary(file);
}

std::variant<LoadedText, core::ToolOutcome> load_known_text(const NamedFile& file,
                                                            const ToolContext& context) {
  auto loaded = load_text(file, context);
  const auto* text = std::get_if<LoadedText>(&loaded);
  if (text == nullptr) return loaded;
  switch (context.memory.check(file.real, text->bytes)) {
    case Knowledge::current:
      break;
    case Knowledge::never_seen:
      return refused_input("File has not been read yet. Read it first before writing to it.");
    case Knowledge::changed:
      return refused_input(
          "File has been modified since read, either by the user or by a linter. Read it again "
          "before attempting to write it.");
  }
  return loaded;
}

std::optional<core::ToolOutcome> refuse_foreign_text(const NamedFile& file, std::string_view bytes,
                                                     std::string_view added) {
  if (is_ascii(added) || is_valid_utf8(bytes)) return std::nullopt;
  return refused_input("The file " + to_utf8(file.given) +
                       " is not UTF-8, so only ASCII text can be put into it without damage. "
                       "Convert it with Bash first, for example with iconv.");
}

core::FileChange change_of(const NamedFile& file, const PreparedText& prepared) {
  return {.path = to_utf8(file.given),
          .real_path = to_utf8(file.real),
          .creates = !prepared.before,
          .patch = patch_between(prepared.before ? prepared.before->bytes : "", prepared.after)};
}

std::variant<std::string, core::ToolOutcome> store_text(const NamedFile& file,
                                                        std::string_view bytes,
                                                        const std::optional<LoadedText>& before,
                                                        const ToolContext& context) {
  // Missing directories are made, but a second working directory would hide that the first has
  // moved.
  if (!before && is_below(file.given, context.cwd) && working_directory_is_gone(context)) {
    return failed_running("The working directory " + to_utf8(context.cwd) +
                          " was moved or removed. Find out where the project is now, and use "
                          "absolute paths.");
  }
  const platform::Expected expected =
      before ? platform::Expected(before->info) : platform::Expected(platform::NothingThere{});
  const auto written = context.files.replace_real(file.real, bytes,
                                                  {.expected = expected,
                                                   .new_directories = k_most_new_directories,
                                                   .backups = backups(context)});
  if (!written.ok()) return failed_running(written.error().message);
  context.memory.remember(file.real, bytes);
  return notes_of(*written);
}

}  // namespace yume::tools

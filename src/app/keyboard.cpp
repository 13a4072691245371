// SPDX-License-Identifier: MIT
#include "app/keyboard.h"

#include "config/places.h"
#include "platform/append_file.h"
#include "platform/line_editor.h"
#include "platform/stdio.h"
#include "transcript/session_paths.h"
#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_history = 4U << 20U;
constexpr std::size_t k_most_kept = 1000;
constexpr std::size_t k_longest_kept = 10'000;

fs::path history_file(const fs::path& cwd, const platform::Environment& environment) {
  return config::yume_folder(environment) / "history" / (transcript::project_key(cwd) + ".jsonl");
}

std::vector<std::string> read_history(const fs::path& file, const platform::FileSystem& files) {
  std::vector<std::string> lines;
  const auto text = files.read(file, k_largest_history);
  if (!text.ok()) return lines;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const auto line = read_json(rest.substr(0, end));
    if (line.is_string()) lines.push_back(line.get<std::string>());
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (lines.size() > k_most_kept) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(k_most_kept));
  }
  return lines;
}

// Where two conversations in one folder write at once, one of them is not kept: it is a
// convenience.
void keep(const fs::path& file, const std::string& text, const platform::FileSystem& files) {
  if (text.size() > k_longest_kept) return;
  const auto purpose =
      files.info(file).ok() ? platform::OpenFor::appending : platform::OpenFor::creating;
  auto opened = platform::open_append_file(
      {.path = file, .purpose = purpose, .classify_tail = [](std::string_view) {
         return platform::Tail::torn;
       }});
  if (!opened.ok()) return;
  std::string line;
  append_json_string(line, text);
  (void)(*opened)->append(line + "\n");
}

std::vector<std::string> file_names(std::string_view begun, const fs::path& cwd,
                                    const platform::FileSystem& files) {
  const std::size_t slash = begun.find_last_of('/');
  const std::string folder(slash == std::string_view::npos ? "" : begun.substr(0, slash + 1));
  const std::string_view name = begun.substr(folder.size());
  const auto entries = files.list(cwd / path_from_utf8(folder));
  std::vector<std::string> found;
  if (!entries.ok()) return found;
  for (const platform::DirectoryEntry& entry : *entries) {
    const bool hidden = entry.name.starts_with('.') && !name.starts_with('.');
    if (hidden || !entry.name.starts_with(name)) continue;
    const bool is_folder = entry.kind == platform::FileKind::directory;
    found.push_back("@" + folder + entry.name + (is_folder ? "/" : ""));
  }
  return found;
}

}  // namespace

std::vector<std::string> completions(std::string_view before,
                                     const std::vector<std::string>& commands, const fs::path& cwd,
                                     const platform::FileSystem& files) {
  const std::size_t blank = before.find_last_of(" \n");
  const std::string_view word = before.substr(blank == std::string_view::npos ? 0 : blank + 1);
  std::vector<std::string> found;
  if (word.starts_with('@')) {
    found = file_names(word.substr(1), cwd, files);
  } else if (word.starts_with('/') && blank == std::string_view::npos) {
    for (const std::string& command : commands) {
      if (("/" + command).starts_with(word)) found.push_back("/" + command);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

runtime::TypedConversationParts make_keyboard(const KeyboardSpec& spec,
                                              const platform::Environment& environment,
                                              const platform::FileSystem& files) {
  const fs::path history = history_file(spec.cwd, environment);
  runtime::TypedConversationParts parts{
      .input = platform::stdin_stream(),
      .editor = nullptr,
      .discard = platform::discard_typed_input,
      .remember = [history, &files](const std::string& text) { keep(history, text, files); }};
  if (spec.edits) {
    parts.editor = platform::make_line_editor(
        {.history = read_history(history, files),
         .complete = [commands = spec.commands, cwd = spec.cwd, &files](std::string_view before) {
           return completions(before, *commands, cwd, files);
         }});
  }
  return parts;
}

}  // namespace yume::app

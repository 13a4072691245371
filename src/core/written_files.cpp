// SPDX-License-Identifier: MIT
#include "core/written_files.h"

#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>

namespace yume::core {

namespace fs = std::filesystem;

namespace {

// Empty: the call wrote no file.
std::string written_path(const ToolDetails& details) {
  using None =
      PassOver<NoDetails, FileRead, ImageRead, PdfRead, NotebookRead, CommandRan, CommandStarted,
               FilesFound, FilesMatched, MatchesCounted, LinesMatched, DirectoryListed, PageFetched,
               WebSearched, TodosChanged, PlanApproved, QuestionsAnswered, BlocksReturned,
               AgentFinished, AgentLaunched, CallFailed, CallRejected>;
  std::string path;
  std::visit(Overloaded{None{}, [&path](const FileEdited& edited) { path = edited.path; },
                        [&path](const FileEditedInSteps& edited) { path = edited.path; },
                        [&path](const FileWritten& written) { path = written.path; },
                        [&path](const NotebookEdited& edited) { path = edited.path; }},
             details);
  return path;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "C:\x", "C:/x", "\\server\x"
bool is_of_windows(std::string_view path) {
  if (path.starts_with("\\\\")) return true;
  return path.size() > 2 && is_letter(path[0]) && path[1] == ':' &&
         (path[2] == '\\' || path[2] == '/');
}

bool is_of_another_system(std::string_view path) {
  constexpr bool k_windows = fs::path::preferred_separator == '\\';
  return k_windows ? path.starts_with('/') : is_of_windows(path);
}

// The system's own way to make a path plain would take it for one of its own.
std::string in_full_elsewhere(std::string_view cwd, std::string_view path) {
  const char separator = is_of_windows(cwd) && cwd.find('/') == std::string_view::npos ? '\\' : '/';
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string full(cwd);
  if (!full.ends_with('/') && !full.ends_with('\\')) full += separator;
  return full.append(path);
}

}  // namespace

void WrittenFiles::add(const ToolFinished& finished) {
  if (finished.outcome.is_error) return;
  const std::string path = written_path(finished.outcome.details);
  if (path.empty()) return;
  add(std::vector{in_full(path)});
}

std::string WrittenFiles::in_full(const std::string& path) const {
  if (cwd_.empty() || is_of_another_system(path)) return path;
  const std::string cwd = to_utf8(cwd_);
  const fs::path file = path_from_utf8(path);
  if (is_of_another_system(cwd)) {
    const bool full = file.is_absolute() || path.starts_with('/') || is_of_windows(path);
    return full ? path : in_full_elsewhere(cwd, path);
  }
  return to_utf8((cwd_ / file).lexically_normal());
}

void WrittenFiles::add(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
  }
}

}  // namespace yume::core

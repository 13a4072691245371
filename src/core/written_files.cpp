// SPDX-License-Identifier: MIT
#include "core/written_files.h"

#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>

namespace yume::core {
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

}  // namespace

void WrittenFiles::add(const ToolFinished& finished) {
  if (finished.outcome.is_error) return;
  const std::string path = written_path(finished.outcome.details);
  if (path.empty()) return;
  add(std::vector{cwd_.empty() ? path : to_utf8((cwd_ / path_from_utf8(path)).lexically_normal())});
}

void WrittenFiles::add(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
  }
}

}  // namespace yume::core

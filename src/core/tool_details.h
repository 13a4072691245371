// SPDX-License-Identifier: MIT
// What a call brought besides its text: one plain struct for each kind of result. Tools fill them
// and dialects render them; none of them holds a host's JSON. Where a host's form repeats what the
// outcome has anyway (its text, its media), only the outcome has it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/media_header.h"
#include "core/message.h"
#include "core/todo.h"
#include "core/usage.h"
#include "util/json_io.h"

namespace yume::core {

// Neighbouring changes of a file with the lines around them. Lines are counted from 1.
struct PatchHunk {
  std::int64_t old_start = 0;
  std::int64_t old_lines = 0;
  std::int64_t new_start = 0;
  std::int64_t new_lines = 0;
  std::vector<std::string> lines = {};  // behind ' ', '-' or '+', without their ends

  friend bool operator==(const PatchHunk&, const PatchHunk&) = default;
};
using Patch = std::vector<PatchHunk>;
std::string header_of(const PatchHunk& hunk);  // "@@ -1,3 +1,4 @@"

struct TextReplacement {
  std::string old_text;
  std::string new_text;
  bool all = false;  // every occurrence

  friend bool operator==(const TextReplacement&, const TextReplacement&) = default;
};

// Paths are as the model named them, unless said otherwise. `before` is the whole old content.
struct FileEdited {
  std::string path;
  TextReplacement replacement;
  std::string before;
  Patch patch;

  friend bool operator==(const FileEdited&, const FileEdited&) = default;
};
struct FileEditedInSteps {
  std::string path;
  std::vector<TextReplacement> replacements;
  std::string before;
  Patch patch;

  friend bool operator==(const FileEditedInSteps&, const FileEditedInSteps&) = default;
};
struct FileWritten {
  std::string path;
  std::string content;                // as the model wrote it
  std::optional<std::string> before;  // none: the file is new
  Patch patch;

  friend bool operator==(const FileWritten&, const FileWritten&) = default;
};

enum class CellEditMode { replace, insert, remove };
struct NotebookEdited {
  std::string path;
  CellEditMode mode = CellEditMode::replace;
  std::string cell_id;
  std::string cell_type;
  std::string language;
  std::string new_source;
  std::string old_source;
  std::string before;
  std::string after;

  friend bool operator==(const NotebookEdited&, const NotebookEdited&) = default;
};

struct FileRead {
  std::string path;
  std::string content;  // without line numbers
  std::int64_t first_line = 1;
  std::int64_t line_count = 0;
  std::int64_t total_lines = 0;  // as far as they were counted
  bool is_cut = false;           // it is more than is shown at once

  friend bool operator==(const FileRead&, const FileRead&) = default;
};
// The picture itself is the outcome's first medium.
struct ImageRead {
  std::uint64_t file_bytes = 0;
  std::optional<ImageSize> size;

  friend bool operator==(const ImageRead&, const ImageRead&) = default;
};
// The document itself is the outcome's first medium.
struct PdfRead {
  std::string path;
  std::uint64_t file_bytes = 0;

  friend bool operator==(const PdfRead&, const PdfRead&) = default;
};
struct NotebookOutput {
  std::string type;
  std::string text;  // the beginning of a long one

  friend bool operator==(const NotebookOutput&, const NotebookOutput&) = default;
};
struct NotebookCell {
  std::string id;
  std::string type;
  std::string source;
  std::string language = {};  // of a code cell
  std::optional<std::int64_t> execution_count = std::nullopt;
  std::vector<NotebookOutput> outputs = {};

  friend bool operator==(const NotebookCell&, const NotebookCell&) = default;
};
struct NotebookRead {
  std::string path;
  std::vector<NotebookCell> cells;  // those that are shown

  friend bool operator==(const NotebookRead&, const NotebookRead&) = default;
};

// A command that ended well.
struct KeptOutput {
  std::string path;  // of the file with all of it
  std::uint64_t bytes = 0;

  friend bool operator==(const KeptOutput&, const KeptOutput&) = default;
};
struct CommandRan {
  std::string output;                             // the beginning of a long one
  std::string note = {};                          // what the shell has to say about it
  std::optional<KeptOutput> kept = std::nullopt;  // of a long one

  friend bool operator==(const CommandRan&, const CommandRan&) = default;
};
// A command that goes on in the background.
struct CommandStarted {
  std::string task_id;

  friend bool operator==(const CommandStarted&, const CommandStarted&) = default;
};

// Glob: the newest files of those that match.
struct FilesFound {
  std::vector<std::string> paths;  // escaped for people
  std::size_t total = 0;           // of which `paths` are shown
  bool is_complete = true;         // else the search stopped early
  std::chrono::milliseconds took{0};

  friend bool operator==(const FilesFound&, const FilesFound&) = default;
};
// Which of Grep's results are shown: those after the first `offset`; more than `limit` there were.
struct ShownPage {
  std::optional<std::size_t> limit = std::nullopt;  // none: nothing is left out at the end
  std::size_t offset = 0;

  friend bool operator==(const ShownPage&, const ShownPage&) = default;
};
struct FilesMatched {
  std::vector<std::string> paths;
  std::size_t total = 0;
  ShownPage page;

  friend bool operator==(const FilesMatched&, const FilesMatched&) = default;
};
struct MatchesCounted {
  std::string lines;  // `path:count`
  std::size_t files = 0;
  std::size_t matches = 0;
  ShownPage page;

  friend bool operator==(const MatchesCounted&, const MatchesCounted&) = default;
};
struct LinesMatched {
  std::string text;
  std::size_t lines = 0;
  std::size_t total_lines = 0;
  ShownPage page;

  friend bool operator==(const LinesMatched&, const LinesMatched&) = default;
};
struct DirectoryListed {
  std::string path;  // absolute
  std::vector<std::string> entries;
  std::size_t total = 0;  // of which `entries` are shown

  friend bool operator==(const DirectoryListed&, const DirectoryListed&) = default;
};

// The text that was made of the page is the outcome's content.
struct PageFetched {
  std::string url;
  int status = 0;
  std::string status_text;
  std::size_t bytes = 0;
  std::chrono::milliseconds took{0};

  friend bool operator==(const PageFetched&, const PageFetched&) = default;
};
struct WebSource {
  std::string title;
  std::string url;

  friend bool operator==(const WebSource&, const WebSource&) = default;
};
struct WebSearched {
  std::string query;
  std::string answer;
  std::vector<WebSource> sources;
  std::chrono::duration<double> took{0};

  friend bool operator==(const WebSearched&, const WebSearched&) = default;
};

struct TodosChanged {
  std::vector<Todo> before;
  std::vector<Todo> after;

  friend bool operator==(const TodosChanged&, const TodosChanged&) = default;
};
struct PlanApproved {
  std::string plan;

  friend bool operator==(const PlanApproved&, const PlanApproved&) = default;
};
// Opaque on purpose: the model wrote the questions and the host the answers, for each other. Hosts
// add members of their own (previews, notes), which must come back as they were.
struct QuestionsAnswered {
  RawJson questions;
  RawJson answers;

  friend bool operator==(const QuestionsAnswered&, const QuestionsAnswered&) = default;
};

// What a server's tool brought back, in its order.
struct BlocksReturned {
  std::vector<UserBlock> blocks;

  friend bool operator==(const BlocksReturned&, const BlocksReturned&) = default;
};

// A subagent has done its work; the outcome's content is its report.
struct AgentFinished {
  std::string agent_id;
  std::string type;
  std::string prompt;
  std::string model;
  Usage last_request;
  std::int64_t tokens = 0;
  std::int64_t calls = 0;
  std::chrono::milliseconds took{0};

  friend bool operator==(const AgentFinished&, const AgentFinished&) = default;
};
// A subagent works in the background.
struct AgentLaunched {
  std::string agent_id;
  std::string description;
  std::string prompt;
  std::string model;
  std::string output_file;  // its transcript; empty: not kept

  friend bool operator==(const AgentLaunched&, const AgentLaunched&) = default;
};

// The call was refused before it ran, or failed. The content may say it in another form.
struct CallFailed {
  std::string text;

  friend bool operator==(const CallFailed&, const CallFailed&) = default;
};
// A person, or the host for one, refused the call.
struct CallRejected {
  friend bool operator==(const CallRejected&, const CallRejected&) = default;
};

// Nothing beside the content.
using NoDetails = std::monostate;

using ToolDetails =
    std::variant<NoDetails, FileEdited, FileEditedInSteps, FileWritten, NotebookEdited, FileRead,
                 ImageRead, PdfRead, NotebookRead, CommandRan, CommandStarted, FilesFound,
                 FilesMatched, MatchesCounted, LinesMatched, DirectoryListed, PageFetched,
                 WebSearched, TodosChanged, PlanApproved, QuestionsAnswered, BlocksReturned,
                 AgentFinished, AgentLaunched, CallFailed, CallRejected>;

// Every text in it, for whoever must look through all that a tool brought back.
void for_each_text(ToolDetails& details, const std::function<void(std::string&)>& look_at);

// How much text there is in it: any form of it is at least as long.
std::size_t text_size(const ToolDetails& details);

}  // namespace yume::core

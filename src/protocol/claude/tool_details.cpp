// SPDX-License-Identifier: MIT
#include "protocol/claude/tool_details.h"

#include "protocol/claude/words.h"
#include "util/json_tree.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace yume::protocol {
namespace {

// A line for the host has 1,000,000 bytes, and an image is in it twice.
constexpr std::size_t k_most_base64 = 480'000;

void write_count(JsonWriter& json, std::string_view name, std::uint64_t count) {
  json.field(name, static_cast<std::int64_t>(count));
}

void write_strings(JsonWriter& json, std::string_view name, std::span<const std::string> texts) {
  json.key(name).begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

void write_patch(JsonWriter& json, const core::Patch& patch) {
  json.key("structuredPatch").begin_array();
  for (const core::PatchHunk& hunk : patch) {
    json.begin_object().field("oldStart", hunk.old_start).field("oldLines", hunk.old_lines);
    json.field("newStart", hunk.new_start).field("newLines", hunk.new_lines);
    write_strings(json, "lines", hunk.lines);
    json.end_object();
  }
  json.end_array();
}

void write_page(JsonWriter& json, const core::ShownPage& page) {
  if (page.limit) write_count(json, "appliedLimit", *page.limit);
  if (page.offset > 0) write_count(json, "appliedOffset", page.offset);
}

void write_base64(JsonWriter& json, const core::Media& media) {
  if (media.base64.size() <= k_most_base64) json.field("base64", media.base64);
}

void write_cell(JsonWriter& json, const core::NotebookCell& cell) {
  json.begin_object().field("cellType", cell.type).field("source", cell.source);
  if (cell.execution_count) json.field("execution_count", *cell.execution_count);
  json.field("cell_id", cell.id);
  if (!cell.language.empty()) json.field("language", cell.language);
  if (!cell.outputs.empty()) {
    json.key("outputs").begin_array();
    for (const core::NotebookOutput& output : cell.outputs) {
      json.begin_object().field("output_type", output.type);
      json.field("text", output.text).end_object();
    }
    json.end_array();
  }
  json.end_object();
}

std::string_view name_of(core::CellEditMode mode) {
  switch (mode) {
    case core::CellEditMode::replace:
      return "replace";
    case core::CellEditMode::insert:
      return "insert";
    case core::CellEditMode::remove:
      break;
  }
  return "delete";
}

// What every command has; ends inside the object.
void begin_command(JsonWriter& json, std::string_view output, std::string_view note) {
  json.begin_object().field("stdout", output).field("stderr", note).field("interrupted", false);
  json.field("isImage", false).field("noOutputExpected", false);
}

// The value, one function for each kind of details.
class ValueWriter {
 public:
  ValueWriter(JsonWriter& json, const core::ToolOutcome& outcome)
      : json_(json), outcome_(outcome) {}

  void operator()(const core::NoDetails& /*none*/) const { json_.null(); }

  void operator()(const core::FileEdited& edited) const {
    const core::TextReplacement& made = edited.replacement;
    json_.begin_object().field("filePath", edited.path).field("oldString", made.old_text);
    json_.field("newString", made.new_text).field("originalFile", edited.before);
    write_patch(json_, edited.patch);
    json_.field("userModified", false).field("replaceAll", made.all).end_object();
  }

  void operator()(const core::FileEditedInSteps& edited) const {
    json_.begin_object().field("filePath", edited.path).key("edits").begin_array();
    for (const core::TextReplacement& made : edited.replacements) {
      json_.begin_object().field("old_string", made.old_text).field("new_string", made.new_text);
      json_.field("replace_all", made.all).end_object();
    }
    json_.end_array().field("originalFileContents", edited.before);
    write_patch(json_, edited.patch);
    json_.field("userModified", false).end_object();
  }

  void operator()(const core::FileWritten& written) const {
    json_.begin_object().field("type", written.before ? "update" : "create");
    json_.field("filePath", written.path).field("content", written.content);
    write_patch(json_, written.patch);
    json_.key("originalFile");
    if (written.before) {
      json_.string(*written.before);
    } else {
      json_.null();
    }
    json_.field("userModified", false).end_object();
  }

  void operator()(const core::NotebookEdited& edited) const {
    json_.begin_object().field("new_source", edited.new_source);
    json_.field("old_source", edited.old_source).field("cell_type", edited.cell_type);
    json_.field("language", edited.language).field("edit_mode", name_of(edited.mode));
    json_.field("cell_id", edited.cell_id).field("error", "");
    json_.field("notebook_path", edited.path).field("original_file", edited.before);
    json_.field("updated_file", edited.after).end_object();
  }

  void operator()(const core::FileRead& read) const {
    begin_file("text").field("filePath", read.path).field("content", read.content);
    json_.field("numLines", read.line_count).field("startLine", read.first_line);
    json_.field("totalLines", read.total_lines);
    if (read.is_cut) json_.field("truncatedByTokenCap", true);
    json_.end_object().end_object();
  }

  void operator()(const core::ImageRead& read) const {
    begin_file("image");
    if (!outcome_.media.empty()) {
      write_base64(json_, outcome_.media.front());
      json_.field("type", outcome_.media.front().mime_type);
    }
    write_count(json_, "originalSize", read.file_bytes);
    if (read.size) {
      json_.key("dimensions").begin_object();
      for (const char* of : {"original", "display"}) {
        write_count(json_, std::string(of) + "Width", read.size->width);
        write_count(json_, std::string(of) + "Height", read.size->height);
      }
      json_.end_object();
    }
    json_.end_object().end_object();
  }

  void operator()(const core::PdfRead& read) const {
    begin_file("pdf").field("filePath", read.path);
    if (!outcome_.media.empty()) write_base64(json_, outcome_.media.front());
    write_count(json_, "originalSize", read.file_bytes);
    json_.end_object().end_object();
  }

  void operator()(const core::NotebookRead& read) const {
    begin_file("notebook").field("filePath", read.path).key("cells").begin_array();
    for (const core::NotebookCell& cell : read.cells) write_cell(json_, cell);
    json_.end_array().end_object().end_object();
  }

  void operator()(const core::CommandRan& ran) const {
    begin_command(json_, ran.output, ran.note);
    if (ran.kept) {
      json_.field("persistedOutputPath", ran.kept->path);
      write_count(json_, "persistedOutputSize", ran.kept->bytes);
    }
    json_.end_object();
  }

  void operator()(const core::CommandStarted& started) const {
    begin_command(json_, "", "");
    json_.field("backgroundTaskId", started.task_id).end_object();
  }

  void operator()(const core::FilesFound& found) const {
    const bool truncated = found.paths.size() < found.total || !found.is_complete;
    json_.begin_object();
    write_strings(json_, "filenames", found.paths);
    json_.field("durationMs", static_cast<std::int64_t>(found.took.count()));
    write_count(json_, "numFiles", found.paths.size());
    json_.field("truncated", truncated);
    if (truncated) {
      write_count(json_, "totalMatches", found.total);
      json_.field("countIsComplete", found.is_complete);
    }
    json_.end_object();
  }

  void operator()(const core::FilesMatched& matched) const {
    json_.begin_object().field("mode", "files_with_matches");
    write_strings(json_, "filenames", matched.paths);
    write_count(json_, "numFiles", matched.paths.size());
    write_count(json_, "totalFiles", matched.total);
    write_page(json_, matched.page);
    json_.end_object();
  }

  void operator()(const core::MatchesCounted& counted) const {
    json_.begin_object().field("mode", "count");
    write_count(json_, "numFiles", counted.files);
    json_.key("filenames").begin_array().end_array().field("content", counted.lines);
    write_count(json_, "numMatches", counted.matches);
    write_page(json_, counted.page);
    json_.end_object();
  }

  void operator()(const core::LinesMatched& matched) const {
    json_.begin_object().field("mode", "content").field("numFiles", 0);
    json_.key("filenames").begin_array().end_array().field("content", matched.text);
    write_count(json_, "numLines", matched.lines);
    write_count(json_, "totalLines", matched.total_lines);
    write_page(json_, matched.page);
    json_.end_object();
  }

  void operator()(const core::DirectoryListed& listed) const {
    json_.begin_object().field("path", listed.path);
    write_strings(json_, "entries", listed.entries);
    write_count(json_, "numEntries", listed.total);
    json_.field("truncated", listed.entries.size() < listed.total).end_object();
  }

  // Claude's fields as its SDK declares them; no fetch by the real program was measured. Its
  // `result` is a small model's answer, ours the text itself.
  void operator()(const core::PageFetched& fetched) const {
    json_.begin_object();
    write_count(json_, "bytes", fetched.bytes);
    json_.field("code", fetched.status).field("codeText", fetched.status_text);
    json_.field("result", outcome_.content);
    json_.field("durationMs", static_cast<std::int64_t>(fetched.took.count()));
    json_.field("url", fetched.url).end_object();
  }

  // As its SDK declares them; no search by the real program was measured.
  void operator()(const core::WebSearched& searched) const {
    json_.begin_object().field("query", searched.query).key("results").begin_array();
    if (!searched.sources.empty()) {
      json_.begin_object().field("tool_use_id", "").key("content").begin_array();
      for (const core::WebSource& source : searched.sources) {
        json_.begin_object().field("title", source.title).field("url", source.url).end_object();
      }
      json_.end_array().end_object();
    }
    json_.string(searched.answer).end_array();
    json_.key("durationSeconds").number(searched.took.count()).end_object();
  }

  void operator()(const core::TodosChanged& changed) const {
    write_todos(json_.begin_object().key("oldTodos"), changed.before);
    write_todos(json_.key("newTodos"), changed.after);
    json_.end_object();
  }

  void operator()(const core::PlanApproved& approved) const {
    json_.begin_object().field("plan", approved.plan).field("isAgent", false).end_object();
  }

  void operator()(const core::QuestionsAnswered& answered) const {
    json_.begin_object().field("questions", answered.questions);
    json_.field("answers", answered.answers).end_object();
  }

  void operator()(const core::BlocksReturned& returned) const { write_blocks(json_, returned); }

  void operator()(const core::AgentFinished& finished) const {
    json_.begin_object().field("status", "completed").field("prompt", finished.prompt);
    json_.field("agentId", finished.agent_id).field("agentType", finished.type);
    json_.key("content").begin_array().begin_object().field("type", "text");
    json_.field("text", outcome_.content).end_object().end_array();
    json_.field("resolvedModel", finished.model);
    json_.field("totalDurationMs", static_cast<std::int64_t>(finished.took.count()));
    json_.field("totalTokens", finished.tokens).field("totalToolUseCount", finished.calls);
    write_usage(json_, finished.last_request);
    json_.end_object();
  }

  void operator()(const core::AgentLaunched& launched) const {
    json_.begin_object().field("isAsync", true).field("status", "async_launched");
    json_.field("agentId", launched.agent_id).field("description", launched.description);
    json_.field("resolvedModel", launched.model).field("prompt", launched.prompt);
    json_.field("outputFile", launched.output_file);
    json_.field("canReadOutputFile", !launched.output_file.empty()).end_object();
  }

  void operator()(const core::CallFailed& failed) const { json_.string("Error: " + failed.text); }

  void operator()(const core::CallRejected& /*rejected*/) const {
    json_.string("User rejected tool use");
  }

 private:
  // What Read says of a file, whatever is in it.
  JsonWriter& begin_file(std::string_view type) const {
    return json_.begin_object().field("type", type).key("file").begin_object();
  }

  JsonWriter& json_;
  const core::ToolOutcome& outcome_;
};

std::int64_t number_at(const nlohmann::ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

}  // namespace

void write_tool_use_result(JsonWriter& json, std::string_view name,
                           const core::ToolOutcome& outcome) {
  if (std::holds_alternative<core::NoDetails>(outcome.details)) return;
  json.key(name);
  std::visit(ValueWriter(json, outcome), outcome.details);
}

RawJson tool_response(const core::ToolOutcome& outcome) {
  std::string text;
  JsonWriter json(text);
  if (std::holds_alternative<core::NoDetails>(outcome.details)) {
    json.string(outcome.content);
  } else {
    std::visit(ValueWriter(json, outcome), outcome.details);
  }
  return {std::move(text)};
}

void write_blocks(JsonWriter& json, const core::BlocksReturned& returned) {
  json.begin_array();
  for (const core::UserBlock& block : returned.blocks) {
    if (const auto* text = std::get_if<std::string>(&block)) {
      json.begin_object().field("type", "text").field("text", *text).end_object();
      continue;
    }
    const auto& media = std::get<core::Media>(block);
    const bool picture = media.mime_type.starts_with("image/");
    json.begin_object().field("type", picture ? "image" : "document");
    json.key("source").begin_object().field("type", "base64").field("data", media.base64);
    json.field("media_type", media.mime_type).end_object().end_object();
  }
  json.end_array();
}

std::string agent_trailer(const core::AgentFinished& finished) {
  return "agentId: " + finished.agent_id +
         "\n<usage>total_tokens: " + std::to_string(finished.tokens) +
         "\ntool_uses: " + std::to_string(finished.calls) +
         "\nduration_ms: " + std::to_string(finished.took.count()) + "</usage>";
}

void write_todos(JsonWriter& json, std::span<const core::Todo> todos) {
  json.begin_array();
  for (const core::Todo& todo : todos) {
    json.begin_object().field("activeForm", todo.active_form).field("content", todo.content);
    json.field("status", core::to_string(todo.status)).end_object();
  }
  json.end_array();
}

core::Patch read_patch(const nlohmann::ordered_json& tool_use_result) {
  core::Patch patch;
  const auto hunks = tool_use_result.find("structuredPatch");
  if (hunks == tool_use_result.end() || !hunks->is_array()) return patch;
  for (const auto& hunk : *hunks) {
    const auto lines = hunk.find("lines");
    if (lines == hunk.end() || !lines->is_array()) continue;
    core::PatchHunk& read = patch.emplace_back();
    read.old_start = number_at(hunk, "oldStart");
    read.old_lines = number_at(hunk, "oldLines");
    read.new_start = number_at(hunk, "newStart");
    read.new_lines = number_at(hunk, "newLines");
    for (const auto& line : *lines) {
      if (line.is_string()) read.lines.push_back(line.get<std::string>());
    }
  }
  return patch;
}

}  // namespace yume::protocol

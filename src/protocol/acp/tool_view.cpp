// SPDX-License-Identifier: MIT
#include "protocol/acp/tool_view.h"

#include "protocol/acp/words.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace yume::protocol {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t k_longest_title = 200;
constexpr std::size_t k_longest_difference = acp::k_line_payload / 3;
constexpr std::string_view k_call_prefix = "toolu_";

struct ToolWords {
  std::string_view tool;
  std::string_view kind;
  std::string_view verb;   // before what `field` says
  std::string_view field;  // of the input
};

constexpr std::array k_tools{
    ToolWords{"Read", "read", "Read ", "file_path"},
    ToolWords{"Write", "edit", "Write ", "file_path"},
    ToolWords{"Edit", "edit", "Edit ", "file_path"},
    ToolWords{"MultiEdit", "edit", "Edit ", "file_path"},
    ToolWords{"NotebookEdit", "edit", "Edit ", "notebook_path"},
    ToolWords{"Bash", "execute", "", "command"},
    ToolWords{"BashOutput", "execute", "Read the output of ", "bash_id"},
    ToolWords{"KillShell", "execute", "End ", "shell_id"},
    ToolWords{"Grep", "search", "Search for ", "pattern"},
    ToolWords{"Glob", "search", "Find ", "pattern"},
    ToolWords{"LS", "search", "List ", "path"},
    ToolWords{"WebFetch", "fetch", "Fetch ", "url"},
    ToolWords{"WebSearch", "fetch", "Search the web for ", "query"},
    ToolWords{"Agent", "think", "", "description"},
    ToolWords{"TodoWrite", "think", "Plan", ""},
    ToolWords{"ExitPlanMode", "switch_mode", "Ready to work", ""},
};

const ToolWords* words_of(std::string_view tool) {
  const auto found = std::find_if(k_tools.begin(), k_tools.end(),
                                  [&](const ToolWords& words) { return words.tool == tool; });
  return found == k_tools.end() ? nullptr : &*found;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  const std::string_view shown = json_prefix(text, k_longest_title);
  return shown.size() == text.size() ? text : std::string(shown) + "…";
}

std::string title_of(const core::ToolCall& call, const Json& input) {
  const ToolWords* words = words_of(call.name);
  if (words == nullptr) return call.name;
  const std::string field(words->field);
  const std::string what = field.empty() ? std::string() : text_at(input, field.c_str());
  if (what.empty() && !field.empty()) return call.name;
  return one_line(std::string(words->verb) + what);
}

std::string absolute(const std::string& path, std::string_view cwd) {
  if (cwd.empty() || path_from_utf8(path).is_absolute()) return path;
  return std::string(cwd) + "/" + path;
}

struct Place {
  std::string path;
  std::int64_t line = 0;  // 0: the file as a whole
};

std::vector<Place> places_of(const Json& input, std::string_view cwd) {
  for (const char* key : {"file_path", "notebook_path", "path"}) {
    const std::string path = text_at(input, key);
    if (path.empty()) continue;
    const auto offset = input.find("offset");
    const bool has_line = offset != input.end() && offset->is_number_integer();
    return {{absolute(path, cwd), has_line ? offset->get<std::int64_t>() : 0}};
  }
  return {};
}

void write_places(JsonWriter& json, const std::vector<Place>& places) {
  json.key("locations").begin_array();
  for (const Place& place : places) {
    json.begin_object().field("path", place.path);
    if (place.line > 0) json.field("line", place.line);
    json.end_object();
  }
  json.end_array();
}

void begin_diff(JsonWriter& json, std::string_view path) {
  json.begin_object().field("type", "diff").field("path", path);
}

// A stretch of a file before and after.
void write_hunk(JsonWriter& json, std::string_view path, const core::PatchHunk& hunk) {
  std::string before;
  std::string after;
  for (const std::string& line : hunk.lines) {
    const std::string text = line.empty() ? "\n" : line.substr(1) + "\n";
    if (!line.starts_with('+')) before += text;
    if (!line.starts_with('-')) after += text;
  }
  begin_diff(json, path);
  json.field("oldText", before).field("newText", after).end_object();
}

std::size_t size_of(const core::Patch& patch) {
  std::size_t size = 0;
  for (const core::PatchHunk& hunk : patch) {
    for (const std::string& line : hunk.lines) size += 2 * line.size();
  }
  return size;
}

enum class FileIs { there, created };

// False when there is nothing to show, or too much.
bool write_patch(JsonWriter& json, std::string_view path, const core::Patch& patch, FileIs file) {
  if (patch.empty() || size_of(patch) > k_longest_difference) return false;
  for (const core::PatchHunk& hunk : patch) {
    if (file == FileIs::there) {
      write_hunk(json, path, hunk);
      continue;
    }
    std::string text;
    for (const std::string& line : hunk.lines)
      text += line.substr(std::min<std::size_t>(1, line.size())) + "\n";
    begin_diff(json, path);
    json.key("oldText").null().field("newText", text).end_object();
  }
  return true;
}

void write_new_file(JsonWriter& json, std::string_view path, std::string_view text) {
  begin_diff(json, path);
  json.key("oldText").null().field("newText", text).end_object();
}

void write_image(JsonWriter& json, const core::Media& media) {
  json.begin_object().field("type", "content").key("content").begin_object();
  json.field("type", "image").field("data", media.base64).field("mimeType", media.mime_type);
  json.end_object().end_object();
}

// What is no prose keeps its look in a client that reads Markdown.
std::string in_fence(const std::string& text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence;
}

bool is_prose(std::string_view tool) {
  constexpr std::array<std::string_view, 6> k_verbatim = {"Read", "Bash", "BashOutput",
                                                          "Grep", "Glob", "LS"};
  return std::find(k_verbatim.begin(), k_verbatim.end(), tool) == k_verbatim.end();
}

// The differences that a result has brought; false: none that could be shown.
bool write_differences(JsonWriter& json, const core::ToolDetails& details, std::string_view cwd) {
  using Others =
      Constant<false, core::NoDetails, core::FileRead, core::ImageRead, core::PdfRead,
               core::NotebookRead, core::CommandRan, core::CommandStarted, core::FilesFound,
               core::FilesMatched, core::MatchesCounted, core::LinesMatched, core::DirectoryListed,
               core::PageFetched, core::WebSearched, core::TodosChanged, core::PlanApproved,
               core::QuestionsAnswered, core::BlocksReturned, core::AgentFinished,
               core::AgentLaunched, core::CallFailed, core::CallRejected>;
  return std::visit(
      Overloaded{
          Others{},
          [&](const core::FileEdited& edited) {
            return write_patch(json, absolute(edited.path, cwd), edited.patch, FileIs::there);
          },
          [&](const core::FileEditedInSteps& edited) {
            return write_patch(json, absolute(edited.path, cwd), edited.patch, FileIs::there);
          },
          [&](const core::FileWritten& written) {
            const std::string path = absolute(written.path, cwd);
            if (written.before) return write_patch(json, path, written.patch, FileIs::there);
            if (written.content.size() > k_longest_difference) return false;
            write_new_file(json, path, written.content);
            return true;
          },
          [&](const core::NotebookEdited& edited) {
            if (edited.before.size() + edited.after.size() > k_longest_difference) return false;
            begin_diff(json, absolute(edited.path, cwd));
            json.field("oldText", edited.before).field("newText", edited.after).end_object();
            return true;
          },
      },
      details);
}

// What the call itself says about a file that it will change.
void write_intended_change(JsonWriter& json, const ShownCall& shown, const Json& input) {
  if (shown.change != nullptr) {
    // A patch does not say whether the last line has an end.
    const std::string content = text_at(input, "content");
    const bool is_whole = shown.change->creates && shown.call.name == "Write";
    if (is_whole && content.size() <= k_longest_difference) {
      return write_new_file(json, absolute(shown.change->path, shown.cwd), content);
    }
    const auto file = shown.change->creates ? FileIs::created : FileIs::there;
    write_patch(json, absolute(shown.change->path, shown.cwd), shown.change->patch, file);
    return;
  }
  const std::string path = absolute(text_at(input, "file_path"), shown.cwd);
  const std::string before = text_at(input, "old_string");
  const std::string after = text_at(input, "new_string");
  if (shown.call.name != "Edit" || before.size() + after.size() > k_longest_difference) return;
  begin_diff(json, path);
  json.field("oldText", before).field("newText", after).end_object();
}

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The same for the same id, also in another process: clients meet it again when a session is
// loaded. Ids of our own are hex already; those of a model can be anything.
std::string in_hex(std::string_view id) {
  if (id.starts_with(k_call_prefix)) id.remove_prefix(k_call_prefix.size());
  if (is_hex(id)) return std::string(id);
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

}  // namespace

std::string acp_call_id(const core::ToolCall& call) {
  std::string name = call.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "-" + in_hex(call.id);
}

bool is_acp_plan(std::string_view tool) {
  return tool == "TodoWrite";
}

void write_acp_text_content(JsonWriter& json, std::string_view text) {
  json.begin_object().field("type", "content").key("content").begin_object();
  json.field("type", "text").field("text", text).end_object().end_object();
}

void write_acp_call(JsonWriter& json, const ShownCall& shown) {
  const Json input = read_ordered_json(shown.call.input.text);
  const ToolWords* words = words_of(shown.call.name);
  json.field("title", title_of(shown.call, input));
  json.field("kind", words == nullptr ? std::string_view("other") : words->kind);
  json.key("content").begin_array();
  if (words != nullptr && words->kind == "edit") write_intended_change(json, shown, input);
  if (shown.call.name == "ExitPlanMode") write_acp_text_content(json, text_at(input, "plan"));
  json.end_array();
  write_places(json, places_of(input, shown.cwd));
  json.field("rawInput", fit_input(shown.call.input, acp::k_line_payload / 2).shown);
}

void write_acp_terminal(JsonWriter& json, std::string_view terminal_id) {
  json.begin_object().field("type", "terminal").field("terminalId", terminal_id).end_object();
}

void write_acp_outcome(JsonWriter& json, const ShownOutcome& shown, OverflowStore& overflow) {
  constexpr std::size_t k_most = acp::k_line_payload / 3;
  const core::ToolOutcome& outcome = shown.outcome;
  const std::string text = fit(outcome.content, k_most, shown.call.id, overflow);
  json.field("status", outcome.is_error ? "failed" : "completed");
  json.key("content").begin_array();
  std::size_t room = k_most;
  bool is_shown = !shown.terminal_id.empty();
  if (is_shown) write_acp_terminal(json, shown.terminal_id);
  is_shown |= !outcome.is_error && write_differences(json, outcome.details, shown.cwd);
  for (const core::Media& media : outcome.media) {
    if (!media.mime_type.starts_with("image/") || media.base64.size() > room) continue;
    room -= media.base64.size();
    write_image(json, media);
    is_shown |= outcome.media_is_content;
  }
  if (!is_shown && !text.empty()) {
    const bool verbatim = !outcome.is_error && !is_prose(shown.call.name);
    write_acp_text_content(json, verbatim ? in_fence(text) : text);
  }
  json.end_array();
  json.key("rawOutput").begin_object().field(outcome.is_error ? "error" : "output", text);
  json.end_object();
}

}  // namespace yume::protocol

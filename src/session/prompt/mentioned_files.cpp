// SPDX-License-Identifier: MIT
#include "session/prompt/mentioned_files.h"

#include "tools/path_guard.h"
#include "util/at_mentions.h"
#include "util/path_text.h"

#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace yume::session {
namespace {

constexpr std::size_t k_most_files = 20;
constexpr std::size_t k_most_bytes = 400'000;  // of all texts together

struct FileCall {
  std::string tool;
  RawJson input;
};

std::vector<AtMention> mentions_in(const core::UserMessage& message) {
  std::vector<AtMention> all;
  for (const core::UserBlock& block : message.blocks) {
    const auto* text = std::get_if<std::string>(&block);
    if (text == nullptr) continue;
    std::vector<AtMention> found = find_mentions(*text);
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  return all;
}

// The call that shows it; nothing when there is no such file.
std::optional<FileCall> call_for(const NamedPath& named, const tools::ToolContext& context) {
  const auto file = tools::resolve_path(named.path, context.cwd, context.home, context.files);
  if (!file.ok()) return std::nullopt;
  const auto info = context.files.info(file->given);
  if (!info.ok()) return std::nullopt;
  const bool directory = info->kind == platform::FileKind::directory;
  if (!directory && info->kind != platform::FileKind::regular) return std::nullopt;
  FileCall call{.tool = directory ? "LS" : "Read", .input = {}};
  JsonWriter json(call.input.text);
  json.begin_object().field(directory ? "path" : "file_path", to_utf8(file->given));
  if (!directory && named.lines) {
    json.field("offset", named.lines->first);
    json.field("limit", named.lines->last - named.lines->first + 1);
  }
  json.end_object();
  return call;
}

std::optional<FileCall> call_for(const AtMention& mention, const tools::ToolContext& context) {
  for (const NamedPath& named : mention) {
    if (auto call = call_for(named, context)) return call;
  }
  return std::nullopt;
}

// The text stands in a reminder, which it must not end.
std::string inside_reminder(std::string text) {
  constexpr std::string_view k_end = "</system-reminder";
  for (std::size_t at = text.find(k_end); at != std::string::npos; at = text.find(k_end, at)) {
    text.insert(at + 1, "\\");
  }
  return text;
}

}  // namespace

bool mentions_files(const core::UserMessage& message) {
  return !mentions_in(message).empty();
}

MentionedFiles read_mentioned(const core::UserMessage& message, PromptCalls& calls,
                              const tools::ToolContext& context, core::EventSink& sink) {
  MentionedFiles read;
  std::set<std::string> seen;
  std::size_t bytes = 0;
  for (const AtMention& mention : mentions_in(message)) {
    if (seen.size() >= k_most_files || bytes >= k_most_bytes) break;
    if (context.cancel.stop_requested()) break;
    const auto call = call_for(mention, context);
    if (!call || !calls.offers(call->tool) || !seen.insert(call->input.text).second) continue;
    auto result = calls.run(call->tool, call->input, context, sink);
    auto* outcome = std::get_if<core::ToolOutcome>(&result);
    if (outcome == nullptr) continue;
    std::string text = "The user's message mentions this. Called the " + call->tool +
                       " tool with the following input: " + call->input.text +
                       "\nResult of calling the " + call->tool + " tool:\n" + outcome->content;
    if (!outcome->model_note.empty()) text += "\n\n" + outcome->model_note;
    bytes += text.size();
    read.texts.push_back(inside_reminder(std::move(text)));
    std::move(outcome->media.begin(), outcome->media.end(), std::back_inserter(read.media));
  }
  return read;
}

}  // namespace yume::session

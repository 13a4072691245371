// SPDX-License-Identifier: MIT
#include "protocol/gemini_cli/gemini_cli_plain.h"

#include "protocol/gemini_cli/gemini_cli_failure.h"
#include "protocol/result_fields.h"
#include "util/escape_codes.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

namespace yume::protocol {
namespace {

// What neither format shows nor counts.
using Unseen =
    PassOver<core::PromptTaken, core::PromptMoved, core::MessageStarted, core::ThoughtDelta,
             core::BlockDone, core::UsageUpdated, core::ToolCallStarted, core::ToolArgsDelta,
             core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded, core::AgentStarted,
             core::AgentProgress, core::AgentEnded, core::HookStarted, core::HookEnded,
             core::ModeChanged, core::ModelChanged, core::CompactionStarted, core::Compacted,
             core::ConversationReset, core::StateChanged>;

}  // namespace

void GeminiCliText::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  using Counted = PassOver<core::SessionStarted, core::ToolCallReady, core::ToolFinished,
                           core::PermissionRefused, core::MessageDone, core::RetryScheduled,
                           core::CompactionFailed, core::Notice>;
  std::visit(Overloaded{
                 Unseen{},
                 Counted{},
                 [this](const core::TextDelta& delta) { write(delta.text); },
                 [this](const core::TurnDone& done) { end(done); },
             },
             event);
}

void GeminiCliText::write(std::string_view text) {
  if (text.empty()) return;
  last_ = text.back();
  output_.bytes(reader_ == TextReader::person ? safe_for_terminal(text) : std::string(text));
}

void GeminiCliText::end(const core::TurnDone& done) {
  const auto failure = gemini_cli_failure(done);
  if (done.is_local_command && !failure) write(done.text);
  if (last_ != '\n') output_.bytes("\n");
  last_ = '\n';
  if (failure) errors_.line(gemini_cli_error_line(done, *failure));
}

void GeminiCliJson::on_event(const core::Event& event, platform::SteadyTime now) {
  std::visit(Overloaded{
                 Unseen{},
                 PassOver<core::TextDelta>{},
                 [&](const core::SessionStarted& started) { session_id_ = started.session_id; },
                 [&](const core::ToolCallReady& ready) { stats_.count(ready, now); },
                 [&](const core::ToolFinished& finished) { stats_.count(finished, now); },
                 [&](const core::PermissionRefused& refused) { stats_.count(refused); },
                 [&](const core::MessageDone& done) { stats_.count(done); },
                 [&](const core::RetryScheduled& retry) { stats_.count(retry); },
                 [&](const core::CompactionFailed& failed) { warnings_.push_back(failed.reason); },
                 [&](const core::Notice& notice) { warnings_.push_back(notice.text); },
                 [&](const core::TurnDone& done) { end(done); },
             },
             event);
}

void GeminiCliJson::end(const core::TurnDone& done) {
  const auto failure = gemini_cli_failure(done);
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("session_id", session_id_);
  if (!failure) json.field("response", done.text);
  json.key("stats");
  stats_.write_full(json, done);
  write_files_written(json, done.files_written);
  if (failure) {
    json.key("error").begin_object().field("type", failure->type);
    json.field("message", failure->message).end_object();
  }
  if (!warnings_.empty()) {
    json.key("warnings").begin_array();
    for (const std::string& warning : warnings_) json.string(warning);
    json.end_array();
  }
  json.end_object();
  output_.bytes(write_json(read_ordered_json(text), {.indent = 2, .ascii_only = true}) + "\n");
  if (failure) errors_.line(gemini_cli_error_line(done, *failure));
}

}  // namespace yume::protocol

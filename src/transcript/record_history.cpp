// SPDX-License-Identifier: MIT
#include "transcript/record_history.h"

#include "transcript/convert/iso_milliseconds.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace yume::transcript {
namespace {

class Recorder {
 public:
  Recorder(std::string model, Journal& journal) : model_(std::move(model)), journal_(journal) {}

  void add(core::PastPrompt& prompt) {
    prompt.position = journal_.position();
    set_time(prompt.time);
    const bool typed = !prompt.is_synthetic && !prompt.is_summary;
    journal_.prompt(prompt.message, typed ? PromptKind::typed : PromptKind::synthetic, prompt.uuid);
  }

  void add(core::PastReply& reply) {
    reply.position = journal_.position();
    set_time(reply.time);
    const ReplyHead head{.message_id = reply.message_id, .model = model_, .usage = reply.usage};
    for (const std::string& thought : reply.thoughts) {
      journal_.block(head, BlockKind::thought, thought);
    }
    if (!reply.text.empty()) journal_.block(head, BlockKind::text, reply.text);
    for (const core::RawContent& content : reply.raw) {
      const bool last = &content == &reply.raw.back();
      journal_.content(
          reply.message_id, content,
          last ? std::span<const core::PastCall>(reply.calls) : std::span<const core::PastCall>());
    }
    for (const core::PastCall& call : reply.calls) {
      journal_.call(head, {.id = call.id, .name = call.name, .input = call.input});
    }
  }

  void add(const core::PastResults& answers) {
    for (const core::PastResult& result : answers.results) {
      core::ToolOutcome outcome;
      outcome.is_error = result.is_error;
      outcome.content = result.text;
      outcome.media = result.media;
      journal_.result({.id = result.call_id, .name = {}, .input = {"{}"}}, outcome);
    }
  }

  void finish() { journal_.set_time(std::nullopt); }

 private:
  void set_time(const std::string& iso) {
    const auto since_epoch = iso_milliseconds(iso);
    if (!since_epoch) return journal_.set_time(std::nullopt);
    journal_.set_time(platform::WallTime(std::chrono::milliseconds(*since_epoch)));
  }

  std::string model_;
  Journal& journal_;
};

}  // namespace

void record_history(core::Conversation& conversation, Journal& journal) {
  // Hosts and readers want a name; what has none came from no model they know.
  Recorder recorder(conversation.model.empty() ? "imported" : conversation.model, journal);
  for (core::PastEntry& entry : conversation.entries) {
    std::visit([&recorder](auto& past) { recorder.add(past); }, entry);
  }
  recorder.finish();
}

}  // namespace yume::transcript

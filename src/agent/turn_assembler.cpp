// SPDX-License-Identifier: MIT
#include "agent/turn_assembler.h"

#include "util/json_io.h"
#include "util/uuid.h"

#include <utility>

namespace yume::agent {

using gemini::PartKind;

TurnAssembler::TurnAssembler(std::string model, core::EventSink& sink)
    : model_(std::move(model)), sink_(sink), message_id_("msg_" + random_hex(24)) {}

bool TurnAssembler::announce() {
  if (std::exchange(reply_.announced, true)) return true;
  return sink_.post(core::MessageStarted{.message_id = message_id_, .model = model_});
}

bool TurnAssembler::add_text(std::string text, std::string raw) {
  if (raw.empty()) {
    open_text_ += text;  // unsigned neighbours may be merged
  } else {
    close_text_part();
    reply_.parts.push_back(std::move(raw));
  }
  if (text.empty()) return true;
  if (!std::exchange(in_text_block_, true)) reply_.last_text.clear();
  reply_.last_text += text;
  attempt_text_ += text;
  return announce() && sink_.post(core::TextDelta{std::move(text)});
}

bool TurnAssembler::add(gemini::Chunk chunk) {
  if (chunk.usage) {
    const bool prompt_known = reply_.usage.prompt_tokens == chunk.usage->prompt_tokens;
    reply_.usage = *chunk.usage;
    if (!prompt_known && !sink_.post(core::UsageUpdated{reply_.usage})) return false;
  }
  for (gemini::Part& part : chunk.parts) {
    switch (part.kind) {
      case PartKind::text:
        if (!add_text(std::move(part.text), std::move(part.raw))) return false;
        break;
      case PartKind::thought:
        // Unsigned thoughts are for people; sent back they would be imitated.
        if (!part.raw.empty()) {
          close_text_part();
          reply_.parts.push_back(std::move(part.raw));
        }
        in_text_block_ = false;
        if (part.text.empty()) break;
        if (!announce() || !sink_.post(core::ThoughtDelta{std::move(part.text)})) return false;
        break;
      case PartKind::call:
        close_text_part();
        in_text_block_ = false;
        reply_.parts.push_back(std::move(part.raw));
        reply_.calls.push_back(std::move(part.call));
        break;
      case PartKind::other:
        close_text_part();
        reply_.parts.push_back(std::move(part.raw));
        break;
    }
  }
  if (chunk.finish) reply_.finish = std::move(chunk.finish);
  if (chunk.prompt_blocked) reply_.prompt_blocked = std::move(chunk.prompt_blocked);
  return true;
}

void TurnAssembler::close_text_part() {
  if (open_text_.empty()) return;
  const std::string text = std::exchange(open_text_, std::string());  // and its memory
  std::string part;
  part.reserve(text.size() + text.size() / 8);
  JsonWriter(part).begin_object().field("text", text).end_object();
  reply_.parts.push_back(std::move(part));
}

void TurnAssembler::keep_text_only() {
  earlier_attempts_ += reply_.usage;
  reply_.usage = {};
  reply_.parts.clear();
  reply_.calls.clear();
  reply_.finish.reset();
  // What follows continues the same block of text.
  if (!attempt_text_.empty()) in_text_block_ = true;
  open_text_ = std::exchange(attempt_text_, {});
  close_text_part();
}

void TurnAssembler::finish_parts() {
  close_text_part();
  reply_.billed = std::exchange(earlier_attempts_, {});
  reply_.billed += reply_.usage;
}

}  // namespace yume::agent

// SPDX-License-Identifier: MIT
#include "agent/turn_assembler.h"

#include "gemini/history.h"
#include "tools/aliases.h"
#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/uuid.h"

#include <utility>

namespace yume::agent {
namespace {

using gemini::PartKind;

// A call that came in pieces, as the API would have sent it whole.
std::string call_part(const AskedCall& call, const std::string& signature) {
  std::string part;
  JsonWriter json(part);
  json.begin_object().key("functionCall").begin_object();
  if (call.provider.id) json.field("id", *call.provider.id);
  json.field("name", call.provider.name).field("args", call.input.given).end_object();
  if (!signature.empty()) json.field("thoughtSignature", signature);
  json.end_object();
  return part;
}

// As the API sends it.
constexpr std::string_view k_text_part_begin = R"({"text":")";
constexpr std::string_view k_text_part_end = R"("})";

// Hosts see our names of tools from the start. The arguments of a call that came in pieces are
// shown as the model sends them, under its own field names, because what was shown cannot be taken
// back; those of a call that came whole are already what the `tool_use` line will say. That line,
// in any case, is what counts.
core::ToolCallStarted started(const std::string& id, const ProviderName& provider) {
  return {.id = id, .name = std::string(tools::tool_name_for(provider.name))};
}

}  // namespace

TurnAssembler::TurnAssembler(std::string model, CallIds& ids, core::EventSink& sink)
    : model_(std::move(model)), ids_(ids), sink_(sink) {
  reply_.message_id = "msg_" + random_hex(24);
}

bool TurnAssembler::announce() {
  if (std::exchange(reply_.announced, true)) return true;
  return sink_.post(core::MessageStarted{.message_id = reply_.message_id, .model = model_});
}

bool TurnAssembler::announce_calls() {
  if (!announce()) return false;
  for (const AskedCall& call : reply_.calls) {
    if (call.shown) continue;
    if (!sink_.post(started(call.id, call.provider)) ||
        !sink_.post(core::ToolArgsDelta{call.input.shown().text})) {
      return false;
    }
  }
  return true;
}

bool TurnAssembler::add(gemini::Chunk chunk) {
  if (chunk.usage) {
    const bool prompt_known = reply_.usage.prompt_tokens == chunk.usage->prompt_tokens;
    reply_.usage = *chunk.usage;
    if (!prompt_known && !sink_.post(core::UsageUpdated{reply_.usage})) return false;
  }
  for (gemini::Part& part : chunk.parts) {
    if (!add_part(std::move(part))) return false;
  }
  if (chunk.model_notice) reply_.model_notice = std::move(chunk.model_notice);
  if (chunk.grounding) reply_.grounding = *std::move(chunk.grounding);
  if (chunk.continuation) reply_.continuation = std::move(chunk.continuation);
  if (chunk.finish) reply_.finish = std::move(chunk.finish);
  if (chunk.prompt_blocked) reply_.prompt_blocked = std::move(chunk.prompt_blocked);
  return true;
}

bool TurnAssembler::add_part(gemini::Part part) {
  if (part.kind != PartKind::text || !part.text.empty() || part.is_signed) untouched_ = false;
  reply_.text_bytes += part.text.size();
  switch (part.kind) {
    case PartKind::text:
      return add_text(std::move(part.text), std::move(part.raw));
    case PartKind::thought:
      return add_thought(std::move(part));
    case PartKind::call:
      if (!close_call()) return false;
      add_call(std::move(part));
      return true;
    case PartKind::call_piece:
      return add_piece(std::move(part.piece));
    case PartKind::other:
      keep_part(std::move(part.raw), /*is_call=*/false, part.is_signed);
      return true;
  }
  return true;
}

bool TurnAssembler::add_text(std::string text, std::string raw) {
  if (!raw.empty()) {
    keep_part(std::move(raw), /*is_call=*/false, /*is_signed=*/true);
    text_parts_.push_back(reply_.parts.size() - 1);
  } else if (!text.empty()) {
    // Unsigned neighbours may be merged. Kept in the form it is sent in: a reply may be long, and
    // one copy less of it counts.
    if (open_text_.empty()) open_text_ = k_text_part_begin;
    append_json_characters(open_text_, text);
  }
  if (text.empty()) return true;
  if (!std::exchange(in_text_block_, true)) reply_.last_text.clear();
  reply_.last_text += text;
  return announce() && sink_.post(core::TextDelta{std::move(text)});
}

bool TurnAssembler::add_thought(gemini::Part part) {
  // Unsigned thoughts are for people; sent back they would be imitated.
  if (!part.raw.empty()) keep_part(std::move(part.raw), /*is_call=*/false, /*is_signed=*/true);
  in_text_block_ = false;
  if (part.text.empty()) return true;
  return announce() && sink_.post(core::ThoughtDelta{std::move(part.text)});
}

void TurnAssembler::keep_part(std::string raw, bool is_call, bool is_signed) {
  close_text_part();
  // The server refuses a step whose first call has no signature.
  if (is_call && !std::exchange(call_kept_, true) && !is_signed) {
    raw.pop_back();
    raw.append(R"(,"thoughtSignature":")").append(gemini::k_stand_in_signature).append(R"("})");
  }
  reply_.parts.push_back(std::move(raw));
}

void TurnAssembler::add_call(gemini::Part part) {
  in_text_block_ = false;
  keep_part(std::move(part.raw), /*is_call=*/true, part.is_signed);
  reply_.text_bytes += part.call.args.size();
  std::string id = ids_.next(part.call.id);
  tools::CallInput input = tools::read_call_input(part.call.name, std::move(part.call.args));
  reply_.calls.push_back(
      {.id = std::move(id),
       .provider = {.id = std::move(part.call.id), .name = std::move(part.call.name)},
       .input = std::move(input)});
}

bool TurnAssembler::add_piece(gemini::CallPiece piece) {
  if (!piece.name.empty() && (!close_call() || !open_call(piece))) return false;
  if (!open_call_) return true;  // more of a call that is lost, or of none
  const bool more = piece.will_continue;
  const bool boundary = piece.name.empty() && piece.args.empty() && more;
  if (boundary) return true;
  if (!apply(piece)) return false;
  const bool goes_on =
      more || (open_call_ && !piece.args.empty() && open_call_->args.awaits_more());
  return goes_on || close_call();
}

bool TurnAssembler::open_call(gemini::CallPiece& piece) {
  in_text_block_ = false;
  std::string id = ids_.next(piece.id);
  open_call_.emplace(OpenCall{.id = std::move(id),
                              .provider = {.id = std::move(piece.id), .name = piece.name},
                              .signature = std::move(piece.signature),
                              .args = {}});
  return announce() && sink_.post(started(open_call_->id, open_call_->provider));
}

bool TurnAssembler::apply(const gemini::CallPiece& piece) {
  for (const gemini::PartialArg& arg : piece.args) {
    const auto applied = open_call_->args.apply(arg);
    if (applied.ok()) continue;
    reply_.bad_call = applied.error().message;
    drop_open_call();
    return true;
  }
  std::string delta = open_call_->args.take_delta();
  if (delta.empty()) return true;
  reply_.text_bytes += delta.size();
  return sink_.post(core::ToolArgsDelta{std::move(delta)});
}

void TurnAssembler::drop_open_call() {
  ids_.give_back({open_call_->id});
  open_call_.reset();
}

bool TurnAssembler::close_call() {
  if (!open_call_) return true;
  auto args = open_call_->args.finish();
  if (!args.ok()) {
    reply_.bad_call = args.error().message;
    drop_open_call();
    return true;
  }
  OpenCall done = *std::exchange(open_call_, std::nullopt);
  tools::CallInput input = tools::read_call_input(done.provider.name, std::move(args).value());
  AskedCall& call = reply_.calls.emplace_back(AskedCall{.id = std::move(done.id),
                                                        .provider = std::move(done.provider),
                                                        .input = std::move(input),
                                                        .shown = true});
  keep_part(call_part(call, done.signature), /*is_call=*/true, !done.signature.empty());
  std::string delta = done.args.take_delta();
  return delta.empty() || sink_.post(core::ToolArgsDelta{std::move(delta)});
}

void TurnAssembler::close_text_part() {
  if (open_text_.empty()) return;
  open_text_ += k_text_part_end;
  text_parts_.push_back(reply_.parts.size());
  reply_.parts.push_back(std::exchange(open_text_, std::string()));
}

// All text of this attempt; leaves nothing of its parts.
std::string TurnAssembler::take_text() {
  close_text_part();
  std::string text;
  for (const std::size_t index : std::exchange(text_parts_, {})) {
    const std::string part = std::exchange(reply_.parts[index], std::string());
    text += text_at(read_json(part), "text");
  }
  reply_.parts.clear();
  return text;
}

void TurnAssembler::count_usage() {
  if (!reply_.usage.empty()) reply_.billed.push_back(reply_.usage);
}

void TurnAssembler::try_again() {
  count_usage();
  reply_.usage = {};
  reply_.finish.reset();
  reply_.bad_call.reset();
  reply_.continuation.reset();
}

void TurnAssembler::keep_text_only() {
  try_again();
  untouched_ = true;
  first_hop_.reset();
  const std::string text = take_text();
  call_kept_ = false;
  std::vector<std::string> unused;
  for (const AskedCall& call : reply_.calls) unused.push_back(call.id);
  ids_.give_back(unused);
  reply_.calls.clear();
  if (open_call_) drop_open_call();
  // What follows continues the same block of text.
  if (text.empty()) return;
  in_text_block_ = true;
  std::string& part = reply_.parts.emplace_back();
  JsonWriter(part).begin_object().field("text", text).end_object();
}

void TurnAssembler::next_hop() {
  if (!first_hop_) first_hop_ = reply_.billed.size();
  try_again();
  untouched_ = true;
}

bool TurnAssembler::end_of_reply() {
  if (!open_call_ || !open_call_->args.awaits_more()) return close_call();
  // Half a string is no argument.
  if (reply_.finish && reply_.finish->reason == gemini::FinishReason::max_tokens) {
    reply_.cut_call = open_call_->provider.name;
  } else {
    reply_.bad_call = "its arguments were cut off";
  }
  drop_open_call();
  return true;
}

void TurnAssembler::finish_parts() {
  close_text_part();
  count_usage();
  if (!first_hop_ || *first_hop_ >= reply_.billed.size()) return;
  // Later hops count the output of earlier ones as prompt; the context is the first hop's.
  reply_.usage = reply_.billed[*first_hop_];
  for (std::size_t hop = *first_hop_ + 1; hop < reply_.billed.size(); ++hop) {
    reply_.usage.output_tokens += reply_.billed[hop].output_tokens;
    reply_.usage.thought_tokens += reply_.billed[hop].thought_tokens;
  }
}

}  // namespace yume::agent

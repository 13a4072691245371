// SPDX-License-Identifier: MIT
#include "foreign/turn_flow.h"

#include "foreign/call_details.h"

#include <algorithm>
#include <utility>

namespace yume::foreign {
namespace {

constexpr std::string_view k_no_result = "[interrupted]";

}  // namespace

std::string TurnFlow::next_id() {
  if (options_.make_message_id) return options_.make_message_id();
  return "msg_" + std::to_string(++made_ids_);
}

void TurnFlow::begin_message(std::string_view id, const Emit& emit) {
  if (in_message_ && (id.empty() || id == message_id_)) return;
  end_message(core::StopReason::end_turn, usage_, emit);
  open_ = in_message_ = replied_ = true;
  in_thought_ = false;
  text_ended_ = true;
  message_id_ = id.empty() ? next_id() : std::string(id);
  ++messages_;
  emit(core::MessageStarted{.message_id = message_id_, .model = model_});
}

void TurnFlow::end_message(core::StopReason stop, const core::Usage& usage, const Emit& emit) {
  if (!std::exchange(in_message_, false)) return;
  emit(core::MessageDone{.stop = stop, .usage = usage});
}

void TurnFlow::text(std::string_view text, std::string_view id, const Emit& emit) {
  if (text.empty()) return;
  begin_message(id, emit);
  if (std::exchange(text_ended_, false)) last_text_.clear();
  in_thought_ = false;
  last_text_ += text.substr(0, options_.longest_result - last_text_.size());
  emit(core::TextDelta{std::string(text)});
}

void TurnFlow::thought(std::string_view text, std::string_view id, const Emit& emit) {
  if (text.empty()) return;
  begin_message(id, emit);
  in_thought_ = true;
  text_ended_ = true;
  emit(core::ThoughtDelta{std::string(text)});
}

// Ours are unique in the session; those of others may come again.
std::string TurnFlow::unique_id(const std::string& given) {
  const std::string wanted = given.empty() ? "call" : given;
  std::string id = wanted;
  // Counted on, because an agent may give all of its calls one id.
  while (!used_ids_.insert(id).second) {
    int& count = copies_[wanted];
    count = std::max(count, 1) + 1;
    id = wanted + "-" + std::to_string(count);
  }
  return id;
}

// A call belongs to a message, also when nothing else was said in it.
void TurnFlow::call(const std::string& given, core::ToolCall call, const Emit& emit) {
  if (!replied_) begin_message({}, emit);
  end_message(core::StopReason::tool_use, usage_, emit);
  call.id = unique_id(given);
  calls_.push_back({.given = given, .call = call});
  emit(core::ToolCallReady{.call = std::move(call)});
}

const core::ToolCall* TurnFlow::open_call(std::string_view given) const {
  const auto found = std::find_if(calls_.begin(), calls_.end(),
                                  [given](const OpenCall& one) { return one.given == given; });
  return found == calls_.end() ? nullptr : &found->call;
}

void TurnFlow::result(std::string_view given, core::ToolOutcome outcome, const Emit& emit) {
  const auto found = std::find_if(calls_.begin(), calls_.end(),
                                  [given](const OpenCall& one) { return one.given == given; });
  if (found == calls_.end()) return;
  // What is said next is another reply.
  end_message(core::StopReason::tool_use, usage_, emit);
  replied_ = false;
  ++results_;
  core::ToolCall call = std::move(found->call);
  calls_.erase(found);
  add_details(call, outcome);
  emit(core::ToolFinished{.call = std::move(call), .outcome = std::move(outcome)});
}

void TurnFlow::refused(std::string_view given, std::string message, Refused how, const Emit& emit) {
  const core::ToolCall* call = open_call(given);
  if (call == nullptr) return;
  denials_.push_back(*call);
  core::ToolOutcome outcome{.is_error = true, .content = message, .details = {}};
  if (how == Refused::by_person) {
    outcome.details = core::CallRejected{};
  } else {
    emit(core::PermissionRefused{.call = *call, .message = std::move(message)});
  }
  result(given, std::move(outcome), emit);
}

void TurnFlow::usage(const core::Usage& usage) {
  usage_ = usage;
}

void TurnFlow::answer_open_calls(const Emit& emit) {
  while (!calls_.empty()) {
    const std::string given = calls_.front().given;
    result(given, {.is_error = true, .content = std::string(k_no_result), .details = {}}, emit);
  }
}

void TurnFlow::settle(const Emit& emit) {
  answer_open_calls(emit);
  end_message(core::StopReason::end_turn, usage_, emit);
  forget_turn();
}

void TurnFlow::forget_turn() {
  open_ = in_thought_ = replied_ = false;
  messages_ = results_ = 0;
  usage_ = {};
  last_text_.clear();
  denials_.clear();
}

void TurnFlow::end(core::TurnDone done, const Emit& emit) {
  const bool interrupted = done.outcome == core::TurnOutcome::interrupted;
  done.interrupted_in_tool = interrupted && !calls_.empty();
  done.anything_ran |= messages_ > 0;
  answer_open_calls(emit);
  // Who reports only the sum of the requests reports the only one as well.
  if (messages_ <= 1 && done.last_request.empty()) done.last_request = done.total;
  end_message(done.stop, done.last_request, emit);
  done.num_turns = 1 + results_ + (interrupted ? 1 : 0);
  if (done.text.empty() && done.outcome == core::TurnOutcome::success) done.text = last_text_;
  done.denials = std::exchange(denials_, {});
  any_ended_ = true;
  forget_turn();
  emit(std::move(done));
}

}  // namespace yume::foreign

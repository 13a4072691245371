// SPDX-License-Identifier: MIT
#include "agent/restore.h"

#include "agent/media_guard.h"
#include "util/json_io.h"

#include <algorithm>
#include <utility>

namespace yume::agent {
namespace {

// A call of another program's session, or of a reply whose own form was not kept.
std::string call_part(const core::PastCall& call, bool is_first) {
  std::string part;
  JsonWriter json(part);
  json.begin_object().key("functionCall").begin_object();
  if (call.provider_id) json.field("id", *call.provider_id);
  json.field("name", call.name).field("args", call.input).end_object();
  // The server refuses a step whose first call has no signature.
  if (is_first) json.field("thoughtSignature", gemini::k_stand_in_signature);
  json.end_object();
  return part;
}

std::vector<std::string> parts_of(const core::PastReply& reply) {
  std::vector<std::string> parts;
  if (!reply.text.empty()) {
    JsonWriter(parts.emplace_back()).begin_object().field("text", reply.text).end_object();
  }
  for (const core::PastCall& call : reply.calls) {
    parts.push_back(call_part(call, &call == &reply.calls.front()));
  }
  return parts;
}

class Restorer {
 public:
  Restorer(gemini::History& history, gemini::MediaPlace place) : history_(history), place_(place) {}

  void add(core::PastPrompt& prompt) {
    keep_sendable(prompt.message);
    history_.add_user(prompt.message);
  }

  void add(core::PastReply& reply) {
    calls_ = reply.calls;
    if (reply.raw.empty()) {
      history_.add_model_parts(parts_of(reply));
      return;
    }
    for (core::RawContent& content : reply.raw) {
      if (content.from_model) {
        history_.add_model_parts(content.parts);
      } else {
        history_.add_user_raw(content.parts);
      }
    }
  }

  void add(core::PastResults& answers) {
    std::vector<gemini::FunctionResponse> responses;
    for (core::PastResult& result : answers.results) {
      const auto call =
          std::find_if(calls_.begin(), calls_.end(),
                       [&result](const core::PastCall& one) { return one.id == result.call_id; });
      if (call == calls_.end()) continue;
      keep_sendable(result.text, result.media);
      responses.push_back({.call_id = call->provider_id,
                           .name = call->name,
                           .text = std::move(result.text),
                           .media = std::move(result.media),
                           .is_error = result.is_error});
    }
    history_.add_function_responses(responses, place_);
  }

 private:
  gemini::History& history_;
  gemini::MediaPlace place_;
  std::vector<core::PastCall> calls_;  // of the last reply
};

}  // namespace

void restore(std::vector<core::PastEntry> entries, KeptHistory& kept, gemini::MediaPlace place) {
  Restorer restorer(kept.contents, place);
  std::size_t position = 0;
  for (core::PastEntry& entry : entries) {
    std::visit(
        [&](auto& past) {
          if constexpr (requires { past.position; }) position = past.position;
          restorer.add(past);
        },
        entry);
    kept.note(position);
    entry = core::PastPrompt{};  // free what has been taken over
  }
}

}  // namespace yume::agent

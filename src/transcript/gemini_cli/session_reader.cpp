// SPDX-License-Identifier: MIT
#include "transcript/gemini_cli/session_reader.h"

#include "transcript/gemini_cli/message_reader.h"
#include "transcript/gemini_cli/session_log.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace yume::transcript {
namespace {

// A reply waits for the message behind it, which may bring its calls' results.
class Pairing {
 public:
  explicit Pairing(RecordTarget& target) : target_(target) {}

  void add(SessionRecord record) {
    if (record.speaker == RecordSpeaker::user && reply_) take_results(record);
    if (record.speaker == RecordSpeaker::system && reply_) {
      notes_.push_back(std::move(record));
      return;
    }
    finish();
    if (record.speaker == RecordSpeaker::model) {
      reply_ = std::move(record);
    } else {
      target_.record(std::move(record));
    }
  }

  void finish() {
    if (reply_) target_.record(*std::exchange(reply_, std::nullopt));
    for (SessionRecord& note : std::exchange(notes_, {})) target_.record(std::move(note));
  }

 private:
  static bool answers(const SaidCall& call, const SaidResult& said) {
    return said.call_id.empty() ? !call.result : call.id == said.call_id;
  }

  // What the calls already have, or get here, need not be said again.
  void take_results(SessionRecord& user) {
    std::vector<SaidBlock> left;
    for (SaidBlock& block : user.blocks) {
      auto* said = std::get_if<SaidResult>(&block);
      SaidCall* call = said == nullptr ? nullptr : call_of(*said);
      if (call == nullptr) {
        left.push_back(std::move(block));
      } else if (!call->result) {
        call->result = std::move(said->result);
      }
    }
    const bool covered = left.empty() && !user.blocks.empty();
    user.blocks = std::move(left);
    user.is_for_people = user.is_for_people || covered;
  }

  SaidCall* call_of(const SaidResult& said) {
    for (SaidBlock& block : reply_->blocks) {
      auto* call = std::get_if<SaidCall>(&block);
      if (call != nullptr && answers(*call, said)) return call;
    }
    return nullptr;
  }

  RecordTarget& target_;
  std::optional<SessionRecord> reply_;
  std::vector<SessionRecord> notes_;
};

}  // namespace

Result<ReadSession> read_gemini_session(ByteSource& bytes, RecordTarget& target) {
  YUME_TRY(const SessionLog log, read_session_log(bytes, is_real_message));
  if (!log.is_session) {
    return Error{.code = ErrorCode::protocol, .message = "it is no session of Gemini CLI"};
  }
  ReadSession read{.skipped = log.skipped};
  target.begin(log.facts);
  Pairing pairing(target);
  for (const MessagePlace& place : log.messages.places()) {
    auto record = read_gemini_message(bytes_at(bytes, place));
    if (!record) {
      read.skipped += 1;
      continue;
    }
    read.records += 1;
    pairing.add(*std::move(record));
  }
  pairing.finish();
  target.end();
  return read;
}

}  // namespace yume::transcript

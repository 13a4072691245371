// SPDX-License-Identifier: MIT
// How a turn reaches its session: events for the host, and what must be kept of the conversation
// beside them, so that another process can go on with it. On the session's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/conversation.h"
#include "core/event.h"
#include "core/message.h"

namespace yume::core {

// The conversation goes on from a summary of its older part.
struct Summary {
  CompactionTrigger trigger = CompactionTrigger::automatic;
  std::int64_t pre_tokens = 0;
  std::int64_t post_tokens = 0;
  UserMessage text;
  std::size_t kept_from = 0;  // the records from this position on follow the summary
};

struct SummaryUuids {
  std::string boundary;
  std::string summary;
};

class TurnPort : public EventSink {
 public:
  // Where the next record will stand in the conversation, and where the turn's prompt stands.
  [[nodiscard]] virtual std::size_t next_position() const = 0;
  [[nodiscard]] virtual std::size_t prompt_position() const = 0;
  // Empty when there is none.
  [[nodiscard]] virtual std::string last_record() const = 0;
  [[nodiscard]] virtual std::string record_before_prompt() const = 0;

  // A text of ours for the model, which hosts do not show.
  virtual void add_note(const std::string& text) = 0;
  // What the server must get back of a reply, which the events do not say.
  virtual void keep_content(const std::string& message_id, const RawContent& content,
                            std::span<const PastCall> calls) = 0;
  // The results of these calls are not sent again; `instead` is.
  virtual void withhold_results(std::span<const std::string> call_ids,
                                std::string_view instead) = 0;
  // Pictures and documents of all records behind that one (empty: of all there are) are not sent
  // again; the reason stands in their place.
  virtual void withhold_media(const std::string& after, std::string_view why) = 0;
  // The turn's prompt, and what followed it, never were.
  virtual void take_back_prompt() = 0;
  // The kept records begin at position 1 from now on.
  virtual SummaryUuids sum_up(const Summary& summary) = 0;
};

}  // namespace yume::core

// SPDX-License-Identifier: MIT
// Claude's `stream_event` lines (--include-partial-messages): each reply as the events of the
// Messages API, so that a host can show it while it grows. Off, it writes nothing.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/event.h"
#include "core/usage.h"
#include "util/json_io.h"

namespace yume::protocol {

class StreamEvents {
 public:
  // `write` completes and writes a line whose object has been begun with type and event.
  using Write = std::function<void(JsonWriter& json, std::string& line)>;

  StreamEvents(bool enabled, Write write);

  void begin_message(const core::MessageStarted& started, const core::Usage& usage);
  void begin_text();
  void begin_thinking();
  void begin_call(std::string_view id, std::string_view name);

  void text(std::string_view piece);
  void thinking(std::string_view piece);
  void arguments(std::string_view json_piece);

  // Nothing happens when no block, or no message, is open.
  void end_block();
  void end_message(std::string_view stop_reason, const core::Usage& usage);

 private:
  void event(const std::function<void(JsonWriter&)>& fields);
  void begin_block(const std::function<void(JsonWriter&)>& block);
  void delta(std::string_view type, std::string_view field, std::string_view piece);

  bool enabled_;
  Write write_;
  bool in_message_ = false;
  bool in_block_ = false;
  int index_ = 0;
};

}  // namespace yume::protocol

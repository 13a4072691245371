// SPDX-License-Identifier: MIT
// AgentEvents of one session: text, calls, lists of todos, the end of a turn. A call that keeps the
// list of todos is a list, and no call.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "protocol/emitter.h"
#include "protocol/line_stamps.h"
#include "protocol/overflow.h"
#include "util/json_io.h"

namespace yume::protocol {

class AgentEventsStream final : public Emitter {
 public:
  // `agent_id`: who speaks; the session's id, once it is known.
  AgentEventsStream(Output& output, OverflowStore& overflow, const platform::Clock& clock,
                    std::string agent_id);

  void on_event(const core::Event& event, platform::SteadyTime now) override;

  // Something that is no event of the session.
  void write_error(std::string_view error, std::string_view code);
  void write_text(std::string_view text);

 private:
  void on(const core::SessionStarted& started);
  void on(const core::ToolCallReady& ready);
  void on(const core::ToolFinished& finished);
  void on(const core::TurnDone& done);

  // Whether it was one: without a list in it there is nothing to say.
  bool write_todos(const core::ToolCall& call);
  JsonWriter begin(std::string_view type);
  void end(JsonWriter& json);

  Output& output_;
  OverflowStore& overflow_;
  const platform::Clock& clock_;
  std::string agent_id_;
  LineIds ids_;
  std::string line_;                               // that is being written
  std::set<std::string, std::less<>> todo_calls_;  // whose results are not shown
};

}  // namespace yume::protocol

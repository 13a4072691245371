// SPDX-License-Identifier: MIT
// A compactor over a scripted server, and conversations to compact.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "agent/compactor.h"
#include "support/fake_clock.h"
#include "support/no_hooks.h"
#include "support/recording_port.h"
#include "support/scripted_transport.h"
#include "support/test_access.h"

namespace yume::test {

// Says what it is told to, and remembers what it was asked.
class FakeHooks final : public NoHooks {
 public:
  core::CompactionAdvice before_compaction(const core::PlannedCompaction& plan, core::EventSink&,
                                           const CancelToken&) override {
    asked.push_back(std::string(core::name_of(plan.trigger)) + " " + plan.instructions);
    return advice;
  }

  core::CompactionAdvice advice;
  std::vector<std::string> asked;
};

inline Answer summary(const std::string& text) {
  return stream({R"({"usageMetadata":{"promptTokenCount":50,"candidatesTokenCount":5}})",
                 text_event(text), finish_event()});
}

struct CompactionScene {
  explicit CompactionScene(std::vector<Answer> answers)
      : transport(std::move(answers)),
        access(clock),
        client(access, transport, clock, agent::RetryPolicy(1, [] { return 0.0; }), null_log()),
        compactor(client, model(), {}, hooks) {}

  static gemini::ModelInfo model(std::int64_t window = 1'000'000) {
    gemini::ModelInfo info;
    info.id = "m";
    info.context_window = window;
    return info;
  }

  CancelSource cancel;
  FakeClock clock;
  ScriptedTransport transport;
  TestAccess access;
  agent::ModelClient client;
  FakeHooks hooks;
  RecordingPort port;
  agent::Compactor compactor;
};

// A question of the user and the answer to it. Each content's records begin where it stands.
inline void add_turn(agent::KeptHistory& kept, const std::string& question,
                     const std::string& answer) {
  kept.contents.add_user_text(question);
  kept.note(kept.starts.size());
  kept.contents.add_model_parts({R"({"text":")" + answer + R"("})"});
  kept.note(kept.starts.size());
}

// A call and its result, in the middle of a turn.
inline void add_call(agent::KeptHistory& kept, const std::string& result) {
  kept.contents.add_model_parts({R"({"functionCall":{"name":"Look","args":{}}})"});
  kept.note(kept.starts.size());
  kept.contents.add_function_responses({{.call_id = {}, .name = "Look", .text = result}});
  kept.note(kept.starts.size());
}

inline std::string text_of(const gemini::History& history) {
  std::string text;
  for (const std::string_view segment : history.segments()) text += segment;
  return text;
}

}  // namespace yume::test

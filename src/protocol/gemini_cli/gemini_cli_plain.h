// SPDX-License-Identifier: MIT
// Gemini CLI's other two formats: the text as it comes, and one object at the end. Why a turn
// failed stands on stderr in both, in one line.
#pragma once

#include <string>

#include "protocol/emitter.h"
#include "protocol/gemini_cli/gemini_cli_stats.h"

namespace yume::protocol {

enum class TextReader { program, person };

class GeminiCliText final : public Emitter {
 public:
  // A person's terminal gets nothing that could command it.
  GeminiCliText(Output& output, Output& errors, TextReader reader)
      : output_(output), errors_(errors), reader_(reader) {}
  void on_event(const core::Event& event, platform::SteadyTime now) override;

 private:
  void write(std::string_view text);
  void end(const core::TurnDone& done);

  Output& output_;
  Output& errors_;
  TextReader reader_;
  char last_ = '\n';
};

class GeminiCliJson final : public Emitter {
 public:
  GeminiCliJson(Output& output, Output& errors, std::string session_id)
      : output_(output), errors_(errors), session_id_(std::move(session_id)) {}
  void on_event(const core::Event& event, platform::SteadyTime now) override;

 private:
  void end(const core::TurnDone& done);

  Output& output_;
  Output& errors_;
  std::string session_id_;
  GeminiCliStats stats_;
  std::vector<std::string> warnings_;
};

}  // namespace yume::protocol

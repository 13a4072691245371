// SPDX-License-Identifier: MIT
// Output for people and scripts: the final text, one JSON object (or all lines as an array), or a
// live view on a terminal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "protocol/emitter.h"
#include "protocol/plain/terminal_style.h"

namespace yume::protocol {

enum class Reader { program, person };

// `--output-format text`: nothing but the final text. A program gets it to the byte, a person's
// terminal without what could command it.
class TextOutput final : public Emitter {
 public:
  TextOutput(Output& output, Reader reader) : output_(output), reader_(reader) {}
  void on_event(const core::Event& event, platform::SteadyTime now) override;

 private:
  void write_end(const core::TurnDone& done);

  Output& output_;
  Reader reader_;
};

enum class JsonDetail { result_only, all_lines };

// `--output-format json`: the result line of a dialect, or an array of all its lines.
class JsonOutput final : public Emitter {
 public:
  // Makes the dialect whose lines are collected.
  using MakeDialect = std::function<std::unique_ptr<Emitter>(Output&)>;

  JsonOutput(Output& output, JsonDetail detail, const MakeDialect& make_dialect);
  void on_event(const core::Event& event, platform::SteadyTime now) override;

 private:
  class Collector final : public Output {
   public:
    void line(std::string_view text) override;
    void bytes(std::string_view text) override;
    bool keep_all = false;
    std::string all;     // joined by commas
    std::string result;  // the last result line
  };

  Output& output_;
  JsonDetail detail_;
  Collector collector_;
  std::unique_ptr<Emitter> dialect_;
};

// Text as it comes, tool activity dimmed where escape codes are wanted. Control characters of the
// model do not reach the terminal.
class TerminalOutput final : public Emitter {
 public:
  TerminalOutput(Output& output, EscapeCodes codes) : output_(output), codes_(codes) {}
  void on_event(const core::Event& event, platform::SteadyTime now) override;

  // For who shows something else in between.
  void note(std::string_view text) { dim(text); }
  void start_of_line();
  void leave_line_open() { at_line_start_ = false; }
  void line_was_ended() { at_line_start_ = true; }

 private:
  void dim(std::string_view text);
  void write_end(const core::TurnDone& done);

  Output& output_;
  EscapeCodes codes_;
  bool at_line_start_ = true;
};

// For formats that say nothing before the end: tells the person at a terminal, beside the output,
// what is being waited for.
class ProgressBeside final : public Emitter {
 public:
  ProgressBeside(std::unique_ptr<Emitter> inner, Output& progress)
      : inner_(std::move(inner)), progress_(progress) {}
  void on_event(const core::Event& event, platform::SteadyTime now) override;
  [[nodiscard]] std::optional<platform::SteadyTime> not_before(
      const core::Event& event) const override {
    return inner_->not_before(event);
  }
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override {
    return inner_->wake_at();
  }
  void on_time(platform::SteadyTime now) override { inner_->on_time(now); }

 private:
  std::unique_ptr<Emitter> inner_;
  Output& progress_;
};

}  // namespace yume::protocol

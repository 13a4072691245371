// SPDX-License-Identifier: MIT
// Output for scripts: the final text, or one JSON object (or all lines as an array). What a person
// at a terminal sees is in protocol/terminal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "protocol/emitter.h"

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

// SPDX-License-Identifier: MIT
// The person at a terminal: sees the conversation, and is asked what is neither allowed nor denied,
// if they can type. One question is shown at a time; the others wait.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "protocol/conversation_input.h"
#include "protocol/host.h"
#include "protocol/terminal/dialogue.h"
#include "protocol/terminal/terminal_style.h"
#include "protocol/terminal/terminal_view.h"
#include "protocol/typed_input.h"

namespace yume::protocol {

class TerminalHost final : public Host {
 public:
  // Both may be null: nobody can answer, and there is no conversation.
  TerminalHost(Output& output, TerminalViewLook look, TypedInput* typed,
               ConversationInput* conversation = nullptr)
      : output_(output),
        codes_(look.colours ? EscapeCodes::wanted : EscapeCodes::unwanted),
        typed_(typed),
        conversation_(conversation),
        view_(output, std::move(look)) {}

  // What is typed comes as a TypedLine, and only while a question is shown.
  [[nodiscard]] HostMessage parse(std::string_view /*line*/) const override { return ignored(); }
  [[nodiscard]] HostMessage refuse(const LongLine& /*line*/, std::size_t /*limit*/) const override {
    return ignored();
  }
  void write(const core::Envelope& envelope, platform::SteadyTime now) override;
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override {
    return view_.wake_at();
  }
  void on_time(platform::SteadyTime now) override { view_.on_time(now); }
  void reply(std::string_view /*reply_to*/, const CommandResult& /*result*/) override {}

  [[nodiscard]] bool can_be_asked() const override { return typed_ != nullptr; }
  [[nodiscard]] bool wants_changes() const override { return typed_ != nullptr; }
  [[nodiscard]] bool shows_output() const override { return view_.animated(); }
  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override;
  void withdraw(std::string_view request_id) override;
  [[nodiscard]] std::optional<core::HostAnswer> read_answer(
      const core::HostQuestion& /*question*/, const RawAnswer& /*answer*/) const override {
    return std::nullopt;
  }
  std::optional<core::HostAnswer> take_typed(const TypedLine& line) override;
  void show_typed(std::string_view text) override { view_.show_typed(text); }
  void expect_servers(const std::vector<std::string>& names) override {
    view_.expect_servers(names);
  }
  void show_start() override { view_.show_start(); }
  void take_prompt(std::string_view text) override;
  bool leaves_on_interrupt() override;
  void look_again() override;

 private:
  struct Open {
    std::string id;
    std::unique_ptr<Dialogue> dialogue;
  };

  static HostMessage ignored() { return {.content = core::Command(core::Ignored{})}; }
  void show_first();
  void prompt(Dialogue::Expects expects);
  void start_line();
  void want_prompt();
  [[nodiscard]] bool prompt_is_shown() const;

  Output& output_;
  EscapeCodes codes_;
  TypedInput* typed_;
  ConversationInput* conversation_;
  TerminalView view_;
  std::deque<Open> open_;  // the first is shown
  bool line_open_ = false;
  bool busy_ = false;         // a turn runs, or is about to
  bool would_leave_ = false;  // Ctrl-C was pressed once
};

}  // namespace yume::protocol

// SPDX-License-Identifier: MIT
// The person at a terminal: sees the live view, and is asked what is neither allowed nor denied.
// One question is shown at a time; the others wait.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "protocol/host.h"
#include "protocol/plain/dialogue.h"
#include "protocol/plain/plain_output.h"
#include "protocol/typed_input.h"

namespace yume::protocol {

class TerminalHost final : public Host {
 public:
  TerminalHost(Output& output, EscapeCodes codes, TypedInput& typed)
      : output_(output), codes_(codes), typed_(typed), view_(output, codes) {}

  // What is typed comes as a TypedLine, and only while a question is shown.
  [[nodiscard]] HostMessage parse(std::string_view /*line*/) const override { return ignored(); }
  [[nodiscard]] HostMessage refuse(const LongLine& /*line*/, std::size_t /*limit*/) const override {
    return ignored();
  }
  void write(const core::Envelope& envelope, platform::SteadyTime now) override {
    if (!envelope.address.parent_call_id.empty()) return;  // a subagent: its report is what counts
    view_.on_event(envelope.event, now);
  }
  void reply(std::string_view /*reply_to*/, const CommandResult& /*result*/) override {}

  [[nodiscard]] bool can_be_asked() const override { return true; }
  [[nodiscard]] bool wants_changes() const override { return true; }
  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override;
  void withdraw(std::string_view request_id) override;
  [[nodiscard]] std::optional<core::HostAnswer> read_answer(
      const core::HostQuestion& /*question*/, const RawAnswer& /*answer*/) const override {
    return std::nullopt;
  }
  std::optional<core::HostAnswer> take_typed(const TypedLine& line) override;

 private:
  struct Open {
    std::string id;
    std::unique_ptr<Dialogue> dialogue;
  };

  static HostMessage ignored() { return {.content = core::Command(core::Ignored{})}; }
  void show_first();
  void prompt(Dialogue::Expects expects);

  Output& output_;
  EscapeCodes codes_;
  TypedInput& typed_;
  TerminalOutput view_;
  std::deque<Open> open_;  // the first is shown
};

}  // namespace yume::protocol

// SPDX-License-Identifier: MIT
// A host that a second reader listens to: what happens is written to both, but only the first one
// is asked, answered and waited for. Main thread.
#pragma once

#include <memory>
#include <utility>

#include "protocol/host.h"

namespace yume::protocol {

class TeeHost final : public Host {
 public:
  TeeHost(std::unique_ptr<Host> first, std::unique_ptr<Host> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  [[nodiscard]] HostMessage parse(std::string_view line) const override {
    return first_->parse(line);
  }
  [[nodiscard]] HostMessage refuse(const LongLine& line, std::size_t limit) const override {
    return first_->refuse(line, limit);
  }
  void write(const core::Envelope& envelope, platform::SteadyTime now) override {
    first_->write(envelope, now);
    second_->write(envelope, now);
  }
  void reply(std::string_view reply_to, const CommandResult& result) override {
    first_->reply(reply_to, result);
  }
  [[nodiscard]] bool can_be_asked() const override { return first_->can_be_asked(); }
  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override {
    first_->ask(request_id, from, question);
  }
  [[nodiscard]] bool wants_changes() const override { return first_->wants_changes(); }
  [[nodiscard]] bool shows_output() const override { return first_->shows_output(); }
  [[nodiscard]] bool answers(const core::HostQuestion& question) const override {
    return first_->answers(question);
  }
  void withdraw(std::string_view request_id) override { first_->withdraw(request_id); }
  void settle(std::string_view request_id, Settled how) override {
    first_->settle(request_id, how);
  }
  [[nodiscard]] std::optional<core::HostAnswer> read_answer(
      const core::HostQuestion& question, const RawAnswer& answer) const override {
    return first_->read_answer(question, answer);
  }
  std::optional<core::HostAnswer> take_typed(const TypedLine& line) override {
    return first_->take_typed(line);
  }
  void show_typed(std::string_view text) override { first_->show_typed(text); }
  void expect_servers(const std::vector<std::string>& names) override {
    first_->expect_servers(names);
  }
  void show_start() override { first_->show_start(); }
  void take_prompt(std::string_view text) override { first_->take_prompt(text); }
  bool leaves_on_interrupt() override { return first_->leaves_on_interrupt(); }
  void look_again() override { first_->look_again(); }
  [[nodiscard]] std::optional<platform::SteadyTime> not_before(
      const core::Envelope& envelope) const override {
    return first_->not_before(envelope);
  }
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override {
    return first_->wake_at();
  }
  void on_time(platform::SteadyTime now) override { first_->on_time(now); }

 private:
  std::unique_ptr<Host> first_;
  std::unique_ptr<Host> second_;
};

}  // namespace yume::protocol

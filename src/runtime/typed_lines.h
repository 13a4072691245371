// SPDX-License-Identifier: MIT
// Lines that a person types on the terminal, read one at a time and only when one is expected. Each
// carries the question that was shown when its reading began, so that a line which comes too late
// is not taken for an answer to the next one.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "platform/stdio.h"
#include "protocol/typed_input.h"
#include "runtime/mailbox.h"
#include "util/cancel.h"
#include "util/thread.h"

namespace yume::runtime {

// What the main thread expects. Without a TypedPump nothing is read.
class TypedLines final : public protocol::TypedInput {
 public:
  // `discard` throws away what the terminal holds.
  TypedLines(std::unique_ptr<platform::InputStream> input, std::function<void()> discard);

  void discard() override { discard_(); }
  void expect(std::string_view question_id) override;
  void stop() override;

  // The pump's thread. Returns when the token fires.
  void read_into(Mailbox& mailbox, const CancelToken& cancel);

 private:
  // nullopt: cancelled.
  std::optional<protocol::TypedLine> read_line(std::string question_id, const CancelToken& cancel);

  std::unique_ptr<platform::InputStream> input_;
  std::function<void()> discard_;
  std::mutex mutex_;
  Condition changed_;
  std::optional<std::string> expected_;  // the question whose line is not being read yet
  std::optional<CancelSource> reading_;
};

// The thread that reads them.
class TypedPump {
 public:
  TypedPump(TypedLines& lines, Mailbox& mailbox);

 private:
  Thread thread_;
};

}  // namespace yume::runtime

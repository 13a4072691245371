// SPDX-License-Identifier: MIT
#include "app/mailbox.h"

#include <utility>

namespace yume::app {
namespace {

constexpr std::size_t k_max_letters = 1024;
constexpr std::size_t k_max_bytes = 4U << 20U;

std::size_t weight_of(const core::Event& event) {
  if (const auto* text = std::get_if<core::TextDelta>(&event)) return text->text.size();
  if (const auto* thought = std::get_if<core::ThoughtDelta>(&event)) return thought->text.size();
  if (const auto* tool = std::get_if<core::ToolFinished>(&event)) {
    return tool->outcome.content.size();
  }
  return 0;
}

}  // namespace

void Mailbox::post_control(Control control) {
  const std::lock_guard lock(mutex_);
  control_.push_back(std::move(control));
  to_main_.notify_one();
}

bool Mailbox::push(Data data, std::size_t weight) {
  std::unique_lock lock(mutex_);
  const auto has_room = [this] {
    return closed_ || (data_.size() < k_max_letters && queued_bytes_ < k_max_bytes);
  };
  if (!has_room()) {
    turn_waits_ = true;
    to_turn_.wait(lock, has_room);
    turn_waits_ = false;
  }
  if (closed_) return false;
  data_.push_back(std::move(data));
  queued_bytes_ += weight;
  ++posted_;
  if (main_waits_) to_main_.notify_one();
  return true;
}

bool Mailbox::post(core::Event event) {
  const std::size_t weight = weight_of(event);
  return push(std::move(event), weight);
}

void Mailbox::post_done() {
  const std::lock_guard lock(mutex_);
  data_.emplace_back(TurnThreadDone{});  // also after close(): the main thread waits for it
  ++posted_;
  to_main_.notify_one();
}

bool Mailbox::flush() {
  std::unique_lock lock(mutex_);
  const std::uint64_t target = posted_;
  turn_waits_ = true;
  to_turn_.wait(lock, [&] { return closed_ || written_ >= target; });
  turn_waits_ = false;
  return !closed_;
}

std::optional<Letter> Mailbox::take(std::optional<platform::SteadyTime> until) {
  std::unique_lock lock(mutex_);
  written_ = taken_;
  if (turn_waits_) to_turn_.notify_one();
  const auto has_letter = [this] { return !control_.empty() || !data_.empty(); };
  if (!has_letter()) {
    main_waits_ = true;
    if (until) {
      to_main_.wait_until(lock, *until, has_letter);
    } else {
      to_main_.wait(lock, has_letter);
    }
    main_waits_ = false;
  }
  if (!control_.empty()) {
    Control control = std::move(control_.front());
    control_.pop_front();
    return Letter(std::move(control));
  }
  if (data_.empty()) return std::nullopt;
  Data data = std::move(data_.front());
  data_.pop_front();
  ++taken_;
  if (const auto* event = std::get_if<core::Event>(&data)) queued_bytes_ -= weight_of(*event);
  return Letter(std::move(data));
}

void Mailbox::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  data_.clear();
  queued_bytes_ = 0;
  to_turn_.notify_all();
}

}  // namespace yume::app

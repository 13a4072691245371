// SPDX-License-Identifier: MIT
#include "runtime/mailbox.h"

#include "util/overloaded.h"

#include <algorithm>
#include <utility>

namespace yume::runtime {
namespace {

constexpr std::size_t k_max_items = 1024;
constexpr std::size_t k_max_bytes = 4U << 20U;

// What an item keeps in memory, as far as it can be much.
std::size_t weight_of(const Data& data) {
  const auto* envelope = std::get_if<core::Envelope>(&data);
  return envelope == nullptr ? 0 : core::text_size(envelope->event);
}

}  // namespace

bool Mailbox::has_room() const {
  return data_.size() < k_max_items && queued_bytes_ < k_max_bytes;
}

void Mailbox::post_control(Control control) {
  const std::lock_guard lock(mutex_);
  control_.push_back(std::move(control));
  to_main_.notify_one();
}

bool Mailbox::post(Data data) {
  const std::size_t weight = weight_of(data);
  std::unique_lock lock(mutex_);
  if (!closed_ && !has_room()) {
    ++others_wait_;
    to_others_.wait(lock, [this] { return closed_ || has_room(); });
    --others_wait_;
  }
  if (closed_) return false;
  data_.push_back(std::move(data));
  queued_bytes_ += weight;
  ++posted_;
  if (main_waits_) to_main_.notify_one();
  return true;
}

void Mailbox::post_idle(SessionIdle idle) {
  const std::lock_guard lock(mutex_);
  data_.emplace_back(std::move(idle));
  ++posted_;
  to_main_.notify_one();
}

bool Mailbox::flush(const CancelToken& cancel) {
  std::unique_lock lock(mutex_);
  const std::uint64_t target = posted_;
  const auto done = [&] { return closed_ || written_ >= target; };
  if (!done()) {
    ++others_wait_;
    to_others_.wait(lock, cancel, done);
    --others_wait_;
  }
  return !closed_ && written_ >= target;
}

std::optional<Item> Mailbox::take(std::optional<platform::SteadyTime> until) {
  std::unique_lock lock(mutex_);
  const bool dealt_with_more = std::exchange(written_, taken_) != taken_;
  if (dealt_with_more && others_wait_ > 0) to_others_.notify_all();
  const auto has_item = [this] { return !control_.empty() || !data_.empty(); };
  if (!has_item()) {
    main_waits_ = true;
    if (until) {
      to_main_.wait_until(lock, *until, has_item);
    } else {
      to_main_.wait(lock, has_item);
    }
    main_waits_ = false;
  }
  if (!control_.empty()) {
    Control control = std::move(control_.front());
    control_.pop_front();
    return Item(std::move(control));
  }
  if (data_.empty()) return std::nullopt;
  Data data = std::move(data_.front());
  data_.pop_front();
  ++taken_;
  queued_bytes_ -= weight_of(data);
  if (others_wait_ > 0 && has_room()) to_others_.notify_all();
  return Item(std::move(data));
}

void Mailbox::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  std::erase_if(data_, [](const Data& data) { return !std::holds_alternative<SessionIdle>(data); });
  queued_bytes_ = 0;
  to_others_.notify_all();
}

}  // namespace yume::runtime

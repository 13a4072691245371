// SPDX-License-Identifier: MIT
#include "util/own_cancel.h"

namespace yume::own {

bool StopState::stop() {
  std::unique_lock lock(mutex_);
  if (stopped_.exchange(true, std::memory_order_acq_rel)) return false;
  runner_ = std::this_thread::get_id();
  while (first_ != nullptr) {
    StopCallbackBase& next = *first_;
    first_ = next.next_;
    if (first_ != nullptr) first_->previous_ = nullptr;
    next.waits_ = false;
    running_ = &next;
    lock.unlock();
    next.run();  // may destroy it
    lock.lock();
    running_ = nullptr;
    finished_.notify_all();
  }
  return true;
}

bool StopState::add(StopCallbackBase& callback) {
  const std::lock_guard lock(mutex_);
  if (stopped()) return false;
  callback.next_ = first_;
  if (first_ != nullptr) first_->previous_ = &callback;
  first_ = &callback;
  callback.waits_ = true;
  return true;
}

void StopState::remove(StopCallbackBase& callback) {
  std::unique_lock lock(mutex_);
  if (callback.waits_) {
    if (callback.next_ != nullptr) callback.next_->previous_ = callback.previous_;
    (callback.previous_ != nullptr ? callback.previous_->next_ : first_) = callback.next_;
    callback.waits_ = false;
    return;
  }
  if (running_ != &callback) return;
  if (runner_ == std::this_thread::get_id()) {
    running_ = nullptr;  // it destroys itself: another may soon have its address
  } else {
    finished_.wait(lock, [&] { return running_ != &callback; });
  }
}

}  // namespace yume::own

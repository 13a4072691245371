// SPDX-License-Identifier: MIT
// Cancelling and threads that end with their owner, for standard libraries that have no
// std::stop_token and std::jthread yet (Apple's). The same names and promises as far as this
// project uses them; util/cancel.h and util/thread.h choose between the two. Tested on every
// system.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace yume::own {

class StopCallbackBase;

// What a source and its tokens share.
class StopState {
 public:
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }
  // Runs the callbacks on this thread. False when it had been asked before.
  bool stop();
  // False when it has stopped already: then the caller runs its callback itself.
  bool add(StopCallbackBase& callback);
  // Afterwards the callback neither runs nor will.
  void remove(StopCallbackBase& callback);

 private:
  std::mutex mutex_;
  std::condition_variable finished_;
  std::atomic<bool> stopped_ = false;
  StopCallbackBase* first_ = nullptr;
  StopCallbackBase* running_ = nullptr;
  std::thread::id runner_;
};

class StopToken {
 public:
  StopToken() noexcept = default;

  [[nodiscard]] bool stop_requested() const noexcept { return state_ && state_->stopped(); }
  [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }
  bool operator==(const StopToken&) const noexcept = default;

 private:
  friend class StopSource;
  friend class StopCallbackBase;
  explicit StopToken(std::shared_ptr<StopState> state) noexcept : state_(std::move(state)) {}

  std::shared_ptr<StopState> state_;
};

class StopSource {
 public:
  StopSource() : state_(std::make_shared<StopState>()) {}

  [[nodiscard]] StopToken get_token() const noexcept { return StopToken(state_); }
  [[nodiscard]] bool stop_requested() const noexcept { return state_ && state_->stopped(); }
  // Of a source that was moved from: nothing happens. A callback may destroy the source.
  bool request_stop() const {
    const std::shared_ptr<StopState> kept = state_;
    return kept && kept->stop();
  }

 private:
  std::shared_ptr<StopState> state_;
};

class StopCallbackBase {
 public:
  StopCallbackBase(const StopCallbackBase&) = delete;
  StopCallbackBase& operator=(const StopCallbackBase&) = delete;

 protected:
  explicit StopCallbackBase(const StopToken& token) noexcept : state_(token.state_) {}
  ~StopCallbackBase() = default;

  // From the constructor and the destructor of what can run.
  void begin() {
    if (state_ && !state_->add(*this)) run();
  }
  void end() {
    if (state_) state_->remove(*this);
  }

 private:
  friend class StopState;
  virtual void run() = 0;

  std::shared_ptr<StopState> state_;
  StopCallbackBase* previous_ = nullptr;
  StopCallbackBase* next_ = nullptr;
  bool waits_ = false;
};

template <typename Callback>
class StopCallback final : public StopCallbackBase {
 public:
  template <typename Given>
  StopCallback(const StopToken& token, Given&& callback)
      : StopCallbackBase(token), callback_(std::forward<Given>(callback)) {
    begin();
  }
  ~StopCallback() { end(); }

 private:
  void run() override { callback_(); }

  Callback callback_;
};

// A condition whose waits a token ends.
class Condition {
 public:
  void notify_one() noexcept {
    const std::lock_guard inner(*mutex_);
    changed_.notify_one();
  }
  void notify_all() noexcept {
    const std::lock_guard inner(*mutex_);
    changed_.notify_all();
  }

  template <typename Lock>
  void wait(Lock& lock) {
    sleep(lock, StopToken(), [this](auto& inner) { changed_.wait(inner); });
  }
  template <typename Lock, typename Predicate>
  void wait(Lock& lock, Predicate ready) {
    while (!ready()) wait(lock);
  }
  // False when the token stopped the wait.
  template <typename Lock, typename Predicate>
  bool wait(Lock& lock, const StopToken& token, Predicate ready) {
    const StopCallback<std::function<void()>> wake(token, [this] { notify_all(); });
    while (!ready()) {
      if (token.stop_requested()) return false;
      sleep(lock, token, [this](auto& inner) { changed_.wait(inner); });
    }
    return true;
  }

  template <typename Lock, typename Clock, typename Duration>
  std::cv_status wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& deadline) {
    sleep(lock, StopToken(), [&](auto& inner) { changed_.wait_until(inner, deadline); });
    return Clock::now() < deadline ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <typename Lock, typename Clock, typename Duration, typename Predicate>
  bool wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& deadline,
                  Predicate ready) {
    return wait_until(lock, StopToken(), deadline, std::move(ready));
  }
  template <typename Lock, typename Clock, typename Duration, typename Predicate>
  bool wait_until(Lock& lock, const StopToken& token,
                  const std::chrono::time_point<Clock, Duration>& deadline, Predicate ready) {
    const StopCallback<std::function<void()>> wake(token, [this] { notify_all(); });
    while (!ready()) {
      if (token.stop_requested() || Clock::now() >= deadline) return false;
      sleep(lock, token, [&](auto& inner) { changed_.wait_until(inner, deadline); });
    }
    return true;
  }

  template <typename Lock, typename Rep, typename Period, typename Predicate>
  bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& longest, Predicate ready) {
    return wait_for(lock, StopToken(), longest, std::move(ready));
  }
  template <typename Lock, typename Rep, typename Period, typename Predicate>
  bool wait_for(Lock& lock, const StopToken& token,
                const std::chrono::duration<Rep, Period>& longest, Predicate ready) {
    using Steady = std::chrono::steady_clock;
    // A wait of "for ever" must not overflow the clock.
    const std::chrono::duration<double> most = Steady::time_point::max() - Steady::now();
    const bool fits = std::chrono::duration<double>(longest) < most;
    const auto until = fits ? Steady::now() + std::chrono::ceil<Steady::duration>(longest)
                            : Steady::time_point::max();
    return wait_until(lock, token, until, std::move(ready));
  }

 private:
  // Gives the caller's lock away only while it holds our own, which every notification needs: none
  // is lost. A stop between the caller's look at the token and here is seen, too.
  template <typename Lock, typename Sleep>
  void sleep(Lock& lock, const StopToken& token, Sleep until_changed) {
    const std::shared_ptr<std::mutex> kept = mutex_;
    std::unique_lock inner(*kept);
    if (token.stop_requested()) return;
    lock.unlock();
    until_changed(inner);
    inner.unlock();
    lock.lock();
  }

  // Kept by each waiter: a condition may be destroyed as soon as its last one was woken.
  std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
  std::condition_variable changed_;
};

// Asks its function to stop and waits for it when it is destroyed or replaced.
class Thread {
 public:
  Thread() noexcept = default;
  template <typename Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, Thread>) explicit Thread(
      Function&& function) {
    thread_ =
        std::thread([token = stop_.get_token(), run = std::forward<Function>(function)]() mutable {
          if constexpr (std::is_invocable_v<std::decay_t<Function>, StopToken>) {
            run(token);
          } else {
            run();
          }
        });
  }
  Thread(Thread&&) noexcept = default;
  Thread& operator=(Thread&& other) {
    if (this != &other) {
      finish();
      stop_ = std::move(other.stop_);
      thread_ = std::move(other.thread_);
    }
    return *this;
  }
  ~Thread() { finish(); }

  [[nodiscard]] bool joinable() const noexcept { return thread_.joinable(); }
  void join() { thread_.join(); }
  void detach() { thread_.detach(); }
  bool request_stop() { return stop_.request_stop(); }
  [[nodiscard]] StopToken get_stop_token() const noexcept { return stop_.get_token(); }
  [[nodiscard]] std::thread::id get_id() const noexcept { return thread_.get_id(); }

 private:
  void finish() {
    if (!thread_.joinable()) return;
    stop_.request_stop();
    thread_.join();
  }

  StopSource stop_;
  std::thread thread_;
};

}  // namespace yume::own

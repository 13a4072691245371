// SPDX-License-Identifier: MIT
#include "platform/queued_writer_win32.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "platform/file_status_win32.h"

namespace yume::platform {
namespace {

constexpr std::size_t k_most_queued = 64U << 10U;  // what a pipe holds on other systems
constexpr std::chrono::milliseconds k_last_wait{500};

}  // namespace

struct QueuedWriter::State {
  explicit State(HANDLE to) : stream(to) {}

  void write_all() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return ending || !queued.empty(); });
      if (queued.empty()) return;
      const std::string now = std::exchange(queued, {});
      writing = now.size();
      lock.unlock();
      DWORD written = 0;
      std::string_view rest = now;
      while (!rest.empty() && ::WriteFile(stream, rest.data(), static_cast<DWORD>(rest.size()),
                                          &written, nullptr) != 0) {
        rest.remove_prefix(written);
      }
      lock.lock();
      writing = 0;
      failed = failed || !rest.empty();
      changed.notify_all();
      if (failed) return;
    }
  }

  HANDLE stream;
  std::mutex mutex;
  std::condition_variable changed;
  std::string queued;
  std::size_t writing = 0;
  bool started = false;
  bool ending = false;
  bool failed = false;
};

// shared_ptr: see state_.
QueuedWriter::QueuedWriter(HANDLE stream) : state_(std::make_shared<State>(stream)) {}

QueuedWriter::~QueuedWriter() {
  std::unique_lock lock(state_->mutex);
  state_->ending = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, k_last_wait, [this] {
    return state_->failed || !state_->started || (state_->queued.empty() && state_->writing == 0);
  });
}

QueuedWriter::Taken QueuedWriter::write(std::string_view bytes) {
  const std::lock_guard lock(state_->mutex);
  if (state_->failed) return Taken::reader_gone;
  const std::size_t waiting = state_->queued.size() + state_->writing;
  if (waiting > 0 && waiting + bytes.size() > k_most_queued) return Taken::no_room;
  state_->queued += bytes;
  if (!std::exchange(state_->started, true)) {
    std::thread([state = state_] { state->write_all(); }).detach();
  }
  state_->changed.notify_all();
  return Taken::yes;
}

}  // namespace yume::platform

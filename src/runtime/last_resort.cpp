// SPDX-License-Identifier: MIT
#include "runtime/last_resort.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace yume::runtime {
namespace {

// Enough for the lines of one result and what an allocator takes to hand it out.
constexpr std::size_t k_reserve = 1U << 20U;
// How long a host that reads slowly may take to get the line before it.
constexpr std::chrono::milliseconds k_patience{1'000};

// Stands in a rendered turn where the words go, which hold nothing that a dialect writes otherwise.
constexpr std::string_view k_place = "last-words-go-here";

std::string filled(std::string turn, std::string_view words) {
  for (auto at = turn.find(k_place); at != turn.npos; at = turn.find(k_place, at + words.size())) {
    turn.replace(at, k_place.size(), words);
  }
  return turn;
}

// Handlers of the process are plain functions, so what they need is the process's, too.
std::atomic<void*> the_reserve = nullptr;
std::atomic<LastResort*> the_last_resort = nullptr;

void keep_reserve() {
  if (the_reserve == nullptr) the_reserve = std::malloc(k_reserve);
}

void release_reserve() {
  std::free(the_reserve.exchange(nullptr));
}

[[noreturn]] void on_no_memory() {
  release_reserve();
  throw std::bad_alloc();
}

[[noreturn]] void end_with(const std::exception& failure) {
  LastResort* last = the_last_resort;
  if (last != nullptr) last->end(failure);
  std::fprintf(stderr, "yume-cli: %s\n", breakdown_words(failure));
  std::_Exit(static_cast<int>(ExitCode::failure));
}

[[noreturn]] void on_terminate() {
  release_reserve();
  static std::atomic_flag taken = ATOMIC_FLAG_INIT;
  while (taken.test_and_set()) taken.wait(true);  // another thread is at it; the process ends soon
  try {
    if (const auto failure = std::current_exception()) std::rethrow_exception(failure);
  } catch (const std::exception& failure) {
    end_with(failure);
  } catch (...) {
  }
  end_with(std::exception());
}

}  // namespace

LastResort::LastResort(protocol::LineWriter& writer) : writer_(writer) {
  keep_reserve();
  the_last_resort = this;
  std::set_new_handler(&on_no_memory);
  terminate_before_ = std::set_terminate(&on_terminate);
}

LastResort::~LastResort() {
  std::set_terminate(terminate_before_);
  std::set_new_handler(nullptr);
  the_last_resort = nullptr;
  release_reserve();
}

void LastResort::prepare(const std::function<std::string(const std::string& text)>& render) {
  const std::string turn = render(std::string(k_place));
  Words& words = prepared_.emplace_back();
  for (const auto why : {Breakdown::out_of_memory, Breakdown::no_thread, Breakdown::unknown}) {
    words[static_cast<std::size_t>(why)] = filled(turn, words_for(why));
  }
  words_ = &words;
}

void LastResort::owe_result() {
  owed_ = true;
  keep_reserve();
}

void LastResort::pay_result(ExitCode code, const std::function<void()>& write) {
  const protocol::LineWriter::Hold hold(writer_);
  write();
  paid_code_ = code;
  owed_ = false;
}

void LastResort::end(const std::exception& failure) noexcept {
  release_reserve();
  const Breakdown why = breakdown_of(failure);
  const Words* words = words_;
  // Held until the end: nothing may follow.
  const bool alone = writer_.hold_for(k_patience);
  const bool tells = alone && owed_ && words != nullptr;
  if (tells) writer_.bytes((*words)[static_cast<std::size_t>(why)]);
  if (!tells || why == Breakdown::unknown) {
    std::fprintf(stderr, "yume-cli: %s\n", breakdown_words(failure));
  }
  std::_Exit(static_cast<int>(owed_ ? ExitCode::failure : paid_code_.load()));
}

}  // namespace yume::runtime

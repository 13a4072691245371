// SPDX-License-Identifier: MIT
// How many bytes may wait somewhere at once. Whoever keeps some holds a share of the budget, which
// goes back when the share dies. Thread-safe; the budget outlives its shares.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

namespace yume {

class ByteBudget {
 public:
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() {
      if (budget_ != nullptr) budget_->give_back(bytes_);
    }

   private:
    friend class ByteBudget;
    Share(ByteBudget& budget, std::size_t bytes) : budget_(&budget), bytes_(bytes) {}

    ByteBudget* budget_ = nullptr;
    std::size_t bytes_ = 0;
  };

  explicit ByteBudget(std::size_t limit) : limit_(limit) {}

  // nullopt when others hold so much that this would be over the limit. What comes alone may be
  // larger than the limit: it has one of its own.
  std::optional<Share> take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (held_ > 0 && held_ + bytes > limit_) return std::nullopt;
    held_ += bytes;
    return Share(*this, bytes);
  }

 private:
  void give_back(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    held_ -= bytes;
  }

  const std::size_t limit_;
  std::mutex mutex_;
  std::size_t held_ = 0;
};

}  // namespace yume

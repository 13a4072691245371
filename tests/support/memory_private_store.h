// SPDX-License-Identifier: MIT
// A private store in memory that several stores may share, as processes share a directory. Its
// locks never block: a test that needs two holders uses the real one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "platform/private_store.h"

namespace yume::test {

struct SharedFiles {
  std::map<std::string, std::string> files;
  std::optional<Error> failure;        // of every operation
  std::function<void()> on_lock = {};  // what other processes did while we waited for the lock
};

class MemoryPrivateStore final : public platform::PrivateStore {
 public:
  explicit MemoryPrivateStore(SharedFiles& shared) : shared_(shared) {}

  Result<std::optional<std::string>> read(const std::string& name) const override {
    if (shared_.failure) return *shared_.failure;
    const auto found = shared_.files.find(name);
    if (found == shared_.files.end()) return std::optional<std::string>();
    return std::optional(found->second);
  }
  Result<void> write(const std::string& name, std::string_view bytes) override {
    if (shared_.failure) return *shared_.failure;
    shared_.files[name] = bytes;
    return {};
  }
  Result<void> remove(const std::string& name) override {
    if (shared_.failure) return *shared_.failure;
    shared_.files.erase(name);
    return {};
  }
  Result<std::unique_ptr<platform::StoreLock>> lock(const std::string& /*name*/,
                                                    const CancelToken& cancel) override {
    if (shared_.failure) return *shared_.failure;
    if (cancel.stop_requested()) return Error{.code = ErrorCode::cancelled, .message = "cancelled"};
    if (shared_.on_lock) shared_.on_lock();
    return std::unique_ptr<platform::StoreLock>(std::make_unique<platform::StoreLock>());
  }

 private:
  SharedFiles& shared_;
};

}  // namespace yume::test

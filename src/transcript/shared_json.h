// SPDX-License-Identifier: MIT
// A JSON object on disk that many processes read and change: changed under a lock, replaced as a
// whole. What others put there stays; a file that cannot be read is set aside, never overwritten.
// Private to src/transcript; include it in .cpp files only.
#pragma once

#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

#include "platform/clock.h"
#include "platform/kept_files.h"
#include "util/result.h"

namespace yume::transcript {

using SharedObject = nlohmann::ordered_json;

class SharedJson {
 public:
  // `former`: where an earlier version kept it. What is there still counts, and moves with the
  // first change.
  SharedJson(std::filesystem::path file, std::filesystem::path former,
             platform::Durability durability, const platform::Clock& clock)
      : file_(std::move(file)),
        former_(std::move(former)),
        durability_(durability),
        clock_(clock) {}

  // Neither file is there.
  [[nodiscard]] bool missing() const;
  // Needs no lock. Empty when there is no file, or none that can be read.
  [[nodiscard]] SharedObject read() const;
  // `change` returns whether anything is to be written. Makes the folder if need be.
  Result<void> update(const std::function<bool(SharedObject&)>& change) const;

 private:
  std::filesystem::path file_;
  std::filesystem::path former_;
  platform::Durability durability_;
  const platform::Clock& clock_;
};

}  // namespace yume::transcript

// SPDX-License-Identifier: MIT
// Which files the model has seen, and with which content: a file may only be changed when what the
// model knows of it is still true. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace yume::tools {

// A hash of a file's raw bytes, piece by piece. Detects change, defends against nobody.
class ContentHash {
 public:
  void add(std::string_view bytes);
  [[nodiscard]] std::uint64_t value() const { return hash_ ^ size_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
  std::uint64_t size_ = 0;
};

enum class Knowledge { never_seen, current, changed };

class FileMemory {
 public:
  void remember(const std::filesystem::path& real_path, std::string_view bytes);
  void remember(const std::filesystem::path& real_path, const ContentHash& content);
  [[nodiscard]] Knowledge check(const std::filesystem::path& real_path,
                                std::string_view bytes) const;

  // Survives the process: what an earlier one knew, and what has been learned since it was last
  // asked for. By real path, the content's hash.
  void restore(const std::map<std::string, std::uint64_t>& known);
  std::map<std::string, std::uint64_t> take_changes();
  [[nodiscard]] std::vector<std::string> known_files() const;
  // Nothing is known any more.
  void forget();

 private:
  mutable std::mutex mutex_;
  std::map<std::filesystem::path, std::uint64_t> seen_;  // hash of the raw bytes
  std::map<std::string, std::uint64_t> changes_;
};

}  // namespace yume::tools

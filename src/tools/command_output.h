// SPDX-License-Identifier: MIT
// What a command prints: its beginning and end in memory, all of it in a file once there is too
// much to show. Memory and disk stay bounded however much is printed. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/tool_details.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "util/redactor.h"

namespace yume::tools {

// The first and the last part of a text.
class TextEnds {
 public:
  void add(std::string_view bytes);

  // At most 30,000 characters in all: nothing was lost yet.
  [[nodiscard]] bool is_whole() const { return dropped_ == 0 && tail_.empty(); }
  [[nodiscard]] std::uint64_t total_bytes() const { return total_; }
  // The whole text, or its first and last 15,000 bytes around a note of what is missing. Valid
  // UTF-8, without newlines at the end.
  [[nodiscard]] std::string text() const;
  // Up to 30,000 characters from the beginning.
  [[nodiscard]] std::string_view head() const { return head_; }
  // The end, when it is not in head(). Bytes as they came.
  [[nodiscard]] std::string_view tail() const { return tail_; }

 private:
  std::string head_;
  std::size_t head_characters_ = 0;
  std::string tail_;
  std::uint64_t dropped_ = 0;  // between head and tail
  std::uint64_t total_ = 0;
};

// A private file of at most 64 MB: the beginning, and after finish() also the last MB with a note
// between them of what was dropped. Known secrets do not get into it.
class BoundedFile {
 public:
  // Nothing happens before the first write. `redactor` may be null.
  BoundedFile(platform::FileSystem& files, std::filesystem::path path, const Redactor* redactor);

  void add(std::string_view bytes);
  void finish();  // call once, last

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Empty unless the file could not be written, for example on a full disk.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] std::uint64_t dropped_bytes() const { return dropped_; }

 private:
  void write(std::string_view bytes);

  platform::FileSystem& files_;
  std::filesystem::path path_;
  const Redactor* redactor_;
  std::unique_ptr<platform::GrowingFile> file_;
  std::string failure_;
  std::string held_;  // the end of what came, in case a secret goes on in what comes next
  std::uint64_t written_ = 0;
  std::string tail_;
  std::uint64_t dropped_ = 0;
};

// The output of a command in the foreground.
class CommandOutput final : public platform::ProcessOutput {
 public:
  // Without a directory there is no file. `name` comes from the model.
  CommandOutput(platform::FileSystem& files, const std::filesystem::path& directory,
                std::string_view name, const Redactor* redactor);

  void on_output(std::string_view bytes) override;
  void finish();  // call once, after the command's end

  // What the model reads; empty when nothing was printed. Failures are told by the end of the
  // output, so that is shown too when there is one.
  enum class Shown { beginning, both_ends };
  [[nodiscard]] std::string text(Shown shown) const;
  // What programs get: all of it, or of a long one up to 30,000 characters and where the rest is.
  [[nodiscard]] std::string beginning() const;
  [[nodiscard]] std::optional<core::KeptOutput> kept() const;

 private:
  [[nodiscard]] bool is_in_file() const;

  TextEnds ends_;
  BoundedFile file_;
  bool has_file_;
};

// Where the output of the call with this id is kept. The id may come from the model: only plain
// characters of it become part of the path.
std::filesystem::path output_file(const std::filesystem::path& directory, std::string_view call_id);

// 512 -> "512 bytes", 31027 -> "30.3KB".
std::string size_text(std::uint64_t bytes);

}  // namespace yume::tools

// SPDX-License-Identifier: MIT
#include "platform/append_file.h"

#include "platform/kept_files.h"
#include "platform/locked_file.h"
#include "util/path_text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

// A line longer than this was never ours; looking for its beginning could take minutes.
constexpr std::uint64_t k_longest_tail = 256U << 20U;
constexpr std::size_t k_block = 64U << 10U;

class WholeLines final : public AppendFile {
 public:
  WholeLines(fs::path path, std::unique_ptr<LockedFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  Result<void> repair(const std::function<Tail(std::string_view)>& classify_tail);
  using AppendFile::append;
  Result<void> append(std::span<const std::string_view> pieces) override;
  Result<void> sync() override { return file_->sync(); }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  [[nodiscard]] Result<std::string> read_tail(std::uint64_t end) const;
  Result<void> cut_back();

  fs::path path_;
  std::unique_ptr<LockedFile> file_;
  std::uint64_t size_ = 0;  // of whole lines
  bool overhang_ = false;   // something of a failed write may lie behind them
};

// What follows the last newline, which is looked for backwards block by block.
Result<std::string> WholeLines::read_tail(std::uint64_t end) const {
  for (std::uint64_t at = end; at > 0 && end - at <= k_longest_tail;) {
    const std::uint64_t from = at - std::min<std::uint64_t>(at, k_block);
    YUME_TRY(const std::string block, file_->read(from, at));
    const std::size_t newline = block.rfind('\n');
    if (newline != std::string::npos) return file_->read(from + newline + 1, end);
    at = from;
  }
  if (end <= k_longest_tail) return file_->read(0, end);
  return Error{.code = ErrorCode::too_large,
               .message = "cannot use " + to_utf8(path_) + ": its last line is longer than 256 MB"};
}

Result<void> WholeLines::repair(const std::function<Tail(std::string_view)>& classify_tail) {
  YUME_TRY(size_, file_->size());
  YUME_TRY(const std::string tail, read_tail(size_));
  if (tail.empty()) return {};
  if (classify_tail(tail) == Tail::whole) return append("\n");
  size_ -= tail.size();
  overhang_ = true;
  return cut_back();
}

Result<void> WholeLines::cut_back() {
  if (!overhang_) return {};
  if (const auto cut = file_->cut(size_); !cut) return cut;
  overhang_ = false;
  return {};
}

Result<void> WholeLines::append(std::span<const std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  if (pieces.size() > 1 && size <= k_block) {  // one call for what is short
    std::string joined;
    joined.reserve(size);
    for (const std::string_view piece : pieces) joined += piece;
    return append(std::string_view(joined));
  }
  if (const auto clean = cut_back(); !clean) return clean.error();
  std::uint64_t end = size_;
  for (const std::string_view piece : pieces) {
    if (const auto written = file_->write(end, piece); !written) {
      overhang_ = true;
      (void)cut_back();
      return written.error();
    }
    end += piece.size();
  }
  size_ = end;
  return {};
}

}  // namespace

Result<std::unique_ptr<AppendFile>> open_append_file(const AppendFileSpec& spec) {
  if (spec.purpose == OpenFor::creating) {
    const auto made = make_private_directories(spec.path.parent_path());
    if (!made) return made.error();
  }
  YUME_TRY(auto locked, open_locked_file(spec.path, spec.purpose));
  auto file = std::make_unique<WholeLines>(spec.path, std::move(locked));
  if (const auto repaired = file->repair(spec.classify_tail); !repaired) return repaired.error();
  return std::unique_ptr<AppendFile>(std::move(file));
}

}  // namespace yume::platform

// SPDX-License-Identifier: MIT
#include "session/host_files.h"

#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace yume::session {
namespace {

namespace fs = std::filesystem;

// An editor that does not answer must not hold up the turn.
constexpr std::chrono::milliseconds k_patience{10'000};
// Editors hold no larger texts, and a line of the protocol is limited.
constexpr std::uint64_t k_largest = 8U << 20U;

// Asks as late as possible: whoever only wants to know whether the file is there costs no question.
class FileInEditor final : public platform::OpenFile {
 public:
  using Ask = std::function<std::optional<std::string>()>;

  FileInEditor(std::unique_ptr<platform::OpenFile> on_disk, Ask ask)
      : on_disk_(std::move(on_disk)), ask_(std::move(ask)) {}

  const platform::FileInfo& info() const override { return on_disk_->info(); }
  const platform::FileOwner& owner() const override { return on_disk_->owner(); }

  Result<std::size_t> read(std::span<char> into) override {
    look();
    if (!text_) return on_disk_->read(into);
    const std::size_t count = copy(at_, into);
    at_ += count;
    return count;
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    look();
    if (!text_) return on_disk_->read_at(offset, into);
    return copy(static_cast<std::size_t>(std::min<std::uint64_t>(offset, text_->size())), into);
  }

 private:
  void look() {
    if (!std::exchange(looked_, true) && is_text()) text_ = ask_();
  }

  // What is none would come back damaged.
  [[nodiscard]] bool is_text() {
    std::array<char, 8192> beginning{};
    const auto got = on_disk_->read_at(0, beginning);
    if (!got.ok()) return false;
    const std::string_view bytes(beginning.data(), *got);
    return bytes.find('\0') == std::string_view::npos;
  }

  [[nodiscard]] std::size_t copy(std::size_t from, std::span<char> into) const {
    const std::size_t count = std::min(into.size(), text_->size() - from);
    std::copy_n(text_->data() + from, count, into.begin());
    return count;
  }

  std::unique_ptr<platform::OpenFile> on_disk_;
  Ask ask_;
  bool looked_ = false;
  std::optional<std::string> text_;
  std::size_t at_ = 0;
};

bool is_as_expected(const Result<std::unique_ptr<platform::OpenFile>>& now,
                    const std::optional<platform::Expected>& expected) {
  if (!expected) return now.ok();
  const auto* info = std::get_if<platform::FileInfo>(&*expected);
  if (info == nullptr) return !now.ok() && now.error().code == ErrorCode::not_found;
  return now.ok() && (*now)->info() == *info;
}

}  // namespace

void HostFiles::use(const CancelToken& cancel) {
  const std::lock_guard lock(mutex_);
  cancel_ = cancel;
}

CancelToken HostFiles::cancel() const {
  const std::lock_guard lock(mutex_);
  return cancel_;
}

Result<std::unique_ptr<platform::OpenFile>> HostFiles::open_real(const fs::path& real_path) const {
  YUME_TRY(auto on_disk, disk_.open_real(real_path));
  if (!abilities_.reads_files || on_disk->info().size > k_largest) return on_disk;
  return std::unique_ptr<platform::OpenFile>(
      std::make_unique<FileInEditor>(std::move(on_disk), [this, path = to_utf8(real_path)] {
        std::optional<std::string> text;
        auto answer = host_.ask(core::ReadHostFile{path}, k_patience, cancel());
        if (!answer.ok()) return text;
        if (auto* said = std::get_if<core::HostFileText>(&*answer)) text = std::move(said->content);
        return text;
      }));
}

// What the host refuses, because the file is none of its project or it knows nothing of it, is
// written to the disk: the user has allowed it.
Result<platform::Replaced> HostFiles::replace_real(const fs::path& real_path,
                                                   std::string_view bytes,
                                                   const platform::ReplaceOptions& options) {
  const bool is_for_host =
      abilities_.writes_files && bytes.size() <= k_largest && is_valid_utf8(bytes);
  if (!is_for_host) return disk_.replace_real(real_path, bytes, options);
  // The disk says best what is wrong there.
  if (!is_as_expected(disk_.open_real(real_path), options.expected)) {
    return disk_.replace_real(real_path, bytes, options);
  }
  if (options.new_directories > 0) {
    if (const auto made = disk_.create_directories(real_path.parent_path()); !made) {
      return made.error();
    }
  }
  const auto answer =
      host_.ask(core::WriteHostFile{to_utf8(real_path), std::string(bytes)}, k_patience, cancel());
  if (answer.ok() && std::holds_alternative<core::HostFileWritten>(*answer)) {
    return platform::Replaced{};
  }
  if (!answer.ok() && answer.error().code == ErrorCode::cancelled) return answer.error();
  return disk_.replace_real(real_path, bytes, options);
}

}  // namespace yume::session

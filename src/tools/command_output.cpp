// SPDX-License-Identifier: MIT
#include "tools/command_output.h"

#include "util/path_text.h"
#include "util/plain_name.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace yume::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_shown_characters = 30'000;
// Characters have up to four bytes; garbage that looks like the inside of one counts as none.
constexpr std::size_t k_shown_bytes = 4 * k_shown_characters;
constexpr std::size_t k_end_bytes = 15'000;
constexpr std::size_t k_preview_bytes = 2'000;

constexpr std::uint64_t k_most_at_start = 62U << 20U;
constexpr std::size_t k_most_at_end = 1U << 20U;
constexpr std::size_t k_longest_secret = 4096;

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// How many bytes of `bytes` fit into `room` more characters.
std::size_t fitting(std::string_view bytes, std::size_t room, std::size_t& characters) {
  std::size_t at = 0;
  for (; at < bytes.size(); ++at) {
    if (!begins_character(bytes[at])) continue;
    if (characters == room) break;
    ++characters;
  }
  return at;
}

// Keeps the last `most` bytes; moves the rest only now and then.
std::uint64_t keep_end(std::string& text, std::size_t most, std::size_t slack) {
  if (text.size() <= most + slack) return 0;
  const std::size_t excess = text.size() - most;
  text.erase(0, excess);
  return excess;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// Whole lines, if that does not cost more than half of them.
std::string preview_of_beginning(std::string_view text) {
  std::string_view shown = utf8_prefix(text, k_preview_bytes);
  const std::size_t newline = shown.rfind('\n');
  if (newline != std::string_view::npos && newline > k_preview_bytes / 2) {
    shown = shown.substr(0, newline);
  }
  return to_valid_utf8(shown);
}

std::string preview_of_end(std::string_view text) {
  std::string_view shown = utf8_suffix(text, k_preview_bytes);
  const std::size_t newline = shown.find('\n');
  if (newline < shown.size() / 2) shown = shown.substr(newline + 1);
  return trimmed(to_valid_utf8(shown));
}

}  // namespace

void TextEnds::add(std::string_view bytes) {
  total_ += bytes.size();
  if (tail_.empty() && dropped_ == 0) {
    const std::size_t room = k_shown_bytes - std::min(head_.size(), k_shown_bytes);
    const std::size_t taken = fitting(bytes.substr(0, room), k_shown_characters, head_characters_);
    head_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
  }
  // Only the end of a flood is worth copying.
  if (bytes.size() > k_end_bytes) {
    dropped_ += tail_.size() + bytes.size() - k_end_bytes;
    tail_ = bytes.substr(bytes.size() - k_end_bytes);
    return;
  }
  tail_.append(bytes);
  dropped_ += keep_end(tail_, k_end_bytes, 3 * k_end_bytes);
}

std::string TextEnds::text() const {
  if (is_whole()) return trimmed(to_valid_utf8(head_));
  const std::string_view start = utf8_prefix(head_, k_end_bytes);
  // The end may still lie in the head, if little came after it.
  std::string last(head_.substr(start.size()));
  last = dropped_ == 0 ? last + tail_ : tail_;
  const std::string_view end = utf8_suffix(last, k_end_bytes);
  const std::uint64_t missing = total_ - start.size() - end.size();
  return trimmed(to_valid_utf8(start) + "\n\n... [" + std::to_string(missing) +
                 " bytes of output left out] ...\n\n" + to_valid_utf8(end));
}

BoundedFile::BoundedFile(platform::FileSystem& files, fs::path path, const Redactor* redactor)
    : files_(files), path_(std::move(path)), redactor_(redactor) {}

void BoundedFile::add(std::string_view bytes) {
  if (!failure_.empty()) return;
  if (written_ + held_.size() >= k_most_at_start) {
    if (bytes.size() > k_most_at_end) {
      dropped_ += tail_.size() + bytes.size() - k_most_at_end;
      tail_.clear();
      bytes.remove_prefix(bytes.size() - k_most_at_end);
    }
    tail_.append(bytes);
    dropped_ += keep_end(tail_, k_most_at_end, k_most_at_end);
    return;
  }
  held_.append(bytes);
  if (redactor_ != nullptr) redactor_->clean(held_);
  // A secret has no line breaks; what is held back must not keep whoever looks into the file.
  const std::size_t lines = held_.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t surplus = held_.size() - std::min(held_.size(), k_longest_secret);
  const std::size_t ready = std::max(lines, surplus);
  if (ready == 0) return;
  write(std::string_view(held_).substr(0, ready));
  held_.erase(0, ready);
}

void BoundedFile::finish() {
  dropped_ += keep_end(tail_, k_most_at_end, 0);
  if (dropped_ == 0) {
    held_ += tail_;
    tail_.clear();
  }
  if (redactor_ != nullptr) {
    redactor_->clean(held_);
    redactor_->clean(tail_);
  }
  write(held_);
  if (dropped_ > 0) {
    write("\n\n... [" + std::to_string(dropped_) + " bytes of output left out] ...\n\n");
    write(tail_);
  }
  file_.reset();
}

void BoundedFile::write(std::string_view bytes) {
  if (!failure_.empty()) return;
  if (file_ == nullptr) {
    auto made = files_.create_private(path_);
    if (!made.ok()) {
      failure_ = made.error().message;
      return;
    }
    file_ = std::move(made).value();
  }
  if (const auto appended = file_->append(bytes); !appended.ok()) {
    failure_ = appended.error().message;
    return;
  }
  written_ += bytes.size();
}

CommandOutput::CommandOutput(platform::FileSystem& files, const fs::path& directory,
                             std::string_view name, const Redactor* redactor)
    : file_(files, directory.empty() ? fs::path() : output_file(directory, name), redactor),
      has_file_(!directory.empty()) {}

void CommandOutput::on_output(std::string_view bytes) {
  const bool was_whole = ends_.is_whole();
  const std::size_t head_before = ends_.head().size();
  ends_.add(bytes);
  if (!has_file_ || ends_.is_whole()) return;
  if (was_whole) file_.add(ends_.head().substr(0, head_before));
  file_.add(bytes);
}

void CommandOutput::finish() {
  if (has_file_ && !ends_.is_whole()) file_.finish();
}

bool CommandOutput::is_in_file() const {
  return has_file_ && !ends_.is_whole() && file_.failure().empty();
}

std::string CommandOutput::text(Shown shown) const {
  if (!is_in_file()) return ends_.text();
  const std::uint64_t dropped = file_.dropped_bytes();
  std::string text = "<persisted-output>\nOutput too large (" + size_text(ends_.total_bytes());
  text += dropped == 0
              ? "). Full output saved to: "
              : "). All but " + std::to_string(dropped) + " bytes in the middle saved to: ";
  text += to_utf8(file_.path()) + "\n\nPreview (first 2KB):\n";
  text += preview_of_beginning(ends_.head()) + "\n...\n";
  if (shown == Shown::both_ends) {
    std::string last(ends_.head().substr(
        ends_.head().size() - std::min<std::size_t>(ends_.head().size(), k_preview_bytes)));
    last += ends_.tail();
    text += "\nThe last 2KB:\n" + preview_of_end(last) + "\n";
  }
  return text + "</persisted-output>";
}

std::string CommandOutput::beginning() const {
  return is_in_file() ? to_valid_utf8(ends_.head()) : ends_.text();
}

std::optional<core::KeptOutput> CommandOutput::kept() const {
  if (!is_in_file()) return std::nullopt;
  return core::KeptOutput{.path = to_utf8(file_.path()), .bytes = ends_.total_bytes()};
}

fs::path output_file(const fs::path& directory, std::string_view call_id) {
  return directory / (plain_name(call_id) + ".txt");
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  constexpr std::array k_units = {"KB", "MB", "GB", "TB"};
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < k_units.size()) {
    size /= 1024;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", size);
  std::string number(text.data());
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + k_units[unit];
}

}  // namespace yume::tools

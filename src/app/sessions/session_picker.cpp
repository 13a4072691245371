// SPDX-License-Identifier: MIT
#include "app/sessions/session_picker.h"

#include "app/sessions/call_summary.h"
#include "markdown/styled_lines.h"
#include "util/ascii.h"
#include "util/display_width.h"
#include "util/escape_codes.h"
#include "util/utf8.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace yume::app {
namespace {

constexpr std::size_t k_most_rows = 15;
constexpr std::size_t k_own_rows = 3;  // above and below the sessions, and one to spare
constexpr std::ptrdiff_t k_page = 10;
constexpr std::size_t k_time_width = 16;
constexpr std::size_t k_wide_enough_for_times = 50;

constexpr std::string_view k_up = "\x1b[A";
constexpr std::string_view k_down = "\x1b[B";
constexpr std::string_view k_other_up = "\x1bOA";
constexpr std::string_view k_other_down = "\x1bOB";
constexpr std::string_view k_page_up = "\x1b[5~";
constexpr std::string_view k_page_down = "\x1b[6~";

bool took(std::string_view& keys, std::string_view code) {
  if (!keys.starts_with(code)) return false;
  keys.remove_prefix(code.size());
  return true;
}

// A key that is none of ours, with all of its bytes.
void pass_code(std::string_view& keys) {
  std::size_t end = keys.size() > 1 && (keys[1] == '[' || keys[1] == 'O') ? 2 : 1;
  while (end > 1 && end < keys.size() && (keys[end] < '@' || keys[end] > '~')) ++end;
  keys.remove_prefix(std::min(end + 1, keys.size()));
}

std::string title_of(const transcript::SessionSummary& session) {
  const std::string title = first_line(session.title, session.title.size());
  return title.empty() ? "(no prompt)" : spelled_for_terminal(title);
}

std::string cut(const std::string& text, std::size_t columns, const markdown::TerminalLook& look) {
  if (display_width(text) <= columns) return text;
  const std::string_view mark = look.utf8 ? "…" : "...";
  const std::size_t width = display_width(mark);
  return std::string(prefix_of_width(text, columns > width ? columns - width : 0)).append(mark);
}

}  // namespace

SessionPicker::SessionPicker(std::vector<transcript::SessionSummary> sessions)
    : sessions_(std::move(sessions)) {
  search("");
}

SessionPicker::Step SessionPicker::take(std::string_view keys) {
  while (!keys.empty()) {
    const Step step = take_key(keys);
    if (step != Step::stays) return step;
  }
  return Step::stays;
}

SessionPicker::Step SessionPicker::take_key(std::string_view& keys) {
  constexpr char k_ctrl_d = '\x04';
  constexpr char k_ctrl_n = '\x0e';
  constexpr char k_ctrl_p = '\x10';
  constexpr char k_ctrl_u = '\x15';
  if (took(keys, k_up) || took(keys, k_other_up)) return move(-1), Step::stays;
  if (took(keys, k_down) || took(keys, k_other_down)) return move(1), Step::stays;
  if (took(keys, k_page_up)) return move(-k_page), Step::stays;
  if (took(keys, k_page_down)) return move(k_page), Step::stays;
  const char key = keys.front();
  if (key == '\x1b') {
    if (keys.size() == 1) return Step::left;
    return pass_code(keys), Step::stays;
  }
  const std::string_view character = keys.substr(0, decode_utf8(keys, 0).length);
  keys.remove_prefix(character.size());
  if (key == '\r' || key == '\n') return shown_.empty() ? Step::stays : Step::chosen;
  if (key == k_ctrl_d) return Step::left;
  if (key == k_ctrl_p) return move(-1), Step::stays;
  if (key == k_ctrl_n) return move(1), Step::stays;
  if (key == k_ctrl_u) return search(""), Step::stays;
  if (key == '\x7f' || key == '\b') {
    std::string words = words_;
    while (!words.empty() && (static_cast<unsigned char>(words.back()) & 0xC0U) == 0x80U) {
      words.pop_back();
    }
    if (!words.empty()) words.pop_back();
    return search(std::move(words)), Step::stays;
  }
  if (static_cast<unsigned char>(key) >= 0x20) search(words_ + std::string(character));
  return Step::stays;
}

void SessionPicker::move(std::ptrdiff_t by) {
  if (shown_.empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(shown_.size()) - 1;
  at_ = static_cast<std::size_t>(
      std::clamp(static_cast<std::ptrdiff_t>(at_) + by, std::ptrdiff_t{0}, last));
}

void SessionPicker::search(std::string words) {
  words_ = std::move(words);
  const std::string wanted = ascii_lower(words_);
  shown_.clear();
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    const bool has = ascii_lower(sessions_[i].title).find(wanted) != std::string::npos;
    if (has || sessions_[i].id.starts_with(wanted)) shown_.push_back(i);
  }
  at_ = 0;
}

std::vector<std::string> SessionPicker::rows(const platform::ScreenSize& screen,
                                             const markdown::TerminalLook& look) const {
  const std::size_t room = screen.rows > k_own_rows ? screen.rows - k_own_rows : 1;
  const std::size_t count = std::min({shown_.size(), room, k_most_rows});
  // The chosen one stays in sight.
  const std::size_t first = at_ < count ? 0 : at_ - count + 1;
  std::vector<std::string> rows;
  std::string head = "Which session? ";
  head += words_.empty() ? "type to search" : spelled_for_terminal(words_);
  if (!words_.empty() || shown_.size() > count) {
    head += "  (" + std::to_string(shown_.empty() ? 0 : at_ + 1) + " of " +
            std::to_string(shown_.size()) + ")";
  }
  rows.push_back(cut(head, screen.columns - 1, look));
  for (std::size_t i = first; i < first + count; ++i) {
    rows.push_back(row(i, screen.columns - 1, look));
  }
  if (shown_.empty()) rows.emplace_back("  no title has these words");
  const std::string help = look.utf8 ? "↑ ↓ choose · Enter goes on with it · Esc leaves"
                                     : "Up, Down: choose, Enter: go on with it, Esc: leave";
  rows.push_back(markdown::in_style(cut(help, screen.columns - 1, look), markdown::dim, look));
  return rows;
}

std::string SessionPicker::row(std::size_t index, std::size_t columns,
                               const markdown::TerminalLook& look) const {
  const transcript::SessionSummary& session = sessions_[shown_[index]];
  const bool chosen = index == at_;
  std::string text = chosen ? (look.utf8 ? "❯ " : "> ") : "  ";
  if (columns >= k_wide_enough_for_times) {
    text += padded(local_time_text(session.updated), k_time_width) + "  ";
  }
  text = cut(text + title_of(session), columns, look);
  return chosen ? markdown::in_style(text, markdown::bold, look) : text;
}

std::optional<std::size_t> session_named(std::string_view answer,
                                         const std::vector<transcript::SessionSummary>& sessions) {
  std::size_t number = 0;
  const char* const end = answer.data() + answer.size();
  const auto read = std::from_chars(answer.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end && number >= 1 && number <= sessions.size()) {
    return number - 1;
  }
  if (answer.empty()) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (!sessions[i].id.starts_with(answer)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace yume::app

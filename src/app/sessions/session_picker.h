// SPDX-License-Identifier: MIT
// Which session a person means, chosen from those of a folder by arrows and by words of its title.
// Pure: keys in, rows out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/terminal_look.h"
#include "platform/stdio.h"
#include "transcript/session_summary.h"

namespace yume::app {

class SessionPicker {
 public:
  enum class Step { stays, chosen, left };

  // Newest first; at least one.
  explicit SessionPicker(std::vector<transcript::SessionSummary> sessions);

  // Of several keys those behind the one that chooses or leaves are passed over.
  Step take(std::string_view keys);
  [[nodiscard]] const transcript::SessionSummary& chosen() const { return sessions_[shown_[at_]]; }
  // Without ends; each fits the screen, and together they do.
  [[nodiscard]] std::vector<std::string> rows(const platform::ScreenSize& screen,
                                              const markdown::TerminalLook& look) const;

 private:
  Step take_key(std::string_view& keys);
  void move(std::ptrdiff_t by);
  void search(std::string words);
  [[nodiscard]] std::string row(std::size_t index, std::size_t columns,
                                const markdown::TerminalLook& look) const;

  std::vector<transcript::SessionSummary> sessions_;
  std::vector<std::size_t> shown_;  // of sessions_, that have the words
  std::size_t at_ = 0;              // of shown_
  std::string words_;
};

// A number of the list, from 1; or the beginning of an id. nullopt: neither.
std::optional<std::size_t> session_named(std::string_view answer,
                                         const std::vector<transcript::SessionSummary>& sessions);

}  // namespace yume::app

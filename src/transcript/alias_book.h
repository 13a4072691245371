// SPDX-License-Identifier: MIT
// Names that a host made up for sessions (Yume resumes with ids of its own), and which session each
// stands for: <yume root>/sessions/aliases.json, shared by all processes of the user. Not beside
// Yume's views, where the app takes every file for a conversation.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "platform/clock.h"
#include "util/result.h"

namespace yume::transcript {

class SharedJson;

// Ids that Yume gives its tabs before it knows ours: "syn_" and 22 hex digits, "temp-…",
// "session-…".
bool is_made_up_id(std::string_view id);

class AliasBook {
 public:
  // `views`: the folder of Yume's views.
  AliasBook(const std::filesystem::path& views, const platform::Clock& clock);

  [[nodiscard]] std::optional<std::string> find(const std::string& alias) const;
  Result<void> bind(const std::string& alias, const std::string& id) const;
  // Lets `choose` pick a session while nobody else can: it is told which ones have an alias.
  // Nullopt when it picks none.
  using Choose = std::function<std::optional<std::string>(const std::set<std::string>& taken)>;
  Result<std::optional<std::string>> bind_chosen(const std::string& alias,
                                                 const Choose& choose) const;
  // Forgets every alias of a session.
  Result<void> forget(const std::string& id) const;

 private:
  [[nodiscard]] SharedJson aliases() const;

  std::filesystem::path views_;
  const platform::Clock& clock_;
};

}  // namespace yume::transcript

// SPDX-License-Identifier: MIT
// What a host asks: one user message, texts and media in the order they were given.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/media.h"

namespace yume::core {

using UserBlock = std::variant<std::string, Media>;

struct UserMessage {
  std::vector<UserBlock> blocks;

  UserMessage() = default;
  explicit UserMessage(std::string text) { blocks.emplace_back(std::move(text)); }

  // Nothing in it that could be asked.
  [[nodiscard]] bool blank() const;
  // Its texts, one below the other.
  [[nodiscard]] std::string text() const;
  // Two messages that are asked as one.
  void append(UserMessage more);

  friend bool operator==(const UserMessage&, const UserMessage&) = default;
};

}  // namespace yume::core

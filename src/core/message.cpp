// SPDX-License-Identifier: MIT
#include "core/message.h"

#include <algorithm>
#include <iterator>

namespace yume::core {

bool UserMessage::blank() const {
  return std::all_of(blocks.begin(), blocks.end(), [](const UserBlock& block) {
    const auto* text = std::get_if<std::string>(&block);
    return text != nullptr && text->find_first_not_of(" \t\r\n") == std::string::npos;
  });
}

std::string UserMessage::text() const {
  std::string all;
  for (const UserBlock& block : blocks) {
    const auto* piece = std::get_if<std::string>(&block);
    if (piece != nullptr) all.append(all.empty() ? "" : "\n").append(*piece);
  }
  return all;
}

void UserMessage::append(UserMessage more) {
  auto first = more.blocks.begin();
  auto* last_text = blocks.empty() ? nullptr : std::get_if<std::string>(&blocks.back());
  const auto* next_text = first == more.blocks.end() ? nullptr : std::get_if<std::string>(&*first);
  if (last_text != nullptr && next_text != nullptr) {
    last_text->append("\n\n").append(*next_text);
    ++first;
  }
  std::move(first, more.blocks.end(), std::back_inserter(blocks));
}

}  // namespace yume::core

// SPDX-License-Identifier: MIT
#include "agent/media_guard.h"

#include "core/media_check.h"

#include <optional>
#include <utility>
#include <variant>

namespace yume::agent {
namespace {

void add_line(std::string& text, std::string_view line) {
  text.append(text.empty() ? "" : "\n").append(line);
}

}  // namespace

void keep_sendable(core::UserMessage& message) {
  for (core::UserBlock& block : message.blocks) {
    auto* media = std::get_if<core::Media>(&block);
    const auto fault = media == nullptr ? std::nullopt : core::media_fault(*media);
    if (fault) block = core::withheld_text(*media, *fault);
  }
}

void keep_sendable(std::string& text, std::vector<core::Media>& media) {
  std::erase_if(media, [&text](core::Media& one) {
    const auto fault = core::media_fault(one);
    if (fault) add_line(text, core::withheld_text(one, *fault));
    return fault.has_value();
  });
}

std::size_t withhold_media(core::UserMessage& message, std::string_view why) {
  std::size_t count = 0;
  for (core::UserBlock& block : message.blocks) {
    if (!std::holds_alternative<core::Media>(block)) continue;
    block = core::withheld_text(std::get<core::Media>(block), why);
    ++count;
  }
  return count;
}

std::size_t withhold_media(std::string& text, std::vector<core::Media>& media,
                           std::string_view why) {
  for (const core::Media& one : media) add_line(text, core::withheld_text(one, why));
  return std::exchange(media, {}).size();
}

std::string refused_because(std::string_view failure) {
  return "the server refused the request it was in (" + std::string(failure) +
         "). Go on without it; if there were several, look at one at a time to find the one that "
         "is at fault";
}

}  // namespace yume::agent

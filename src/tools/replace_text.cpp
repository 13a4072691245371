// SPDX-License-Identifier: MIT
#include "tools/replace_text.h"

namespace yume::tools {
namespace {

std::size_t count_matches(std::string_view content, std::string_view needle) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = content.find(needle, at)) != std::string_view::npos;) {
    ++count;
    at += needle.size();
  }
  return count;
}

std::string with_crlf(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) out.push_back('\r');
    out.push_back(text[i]);
  }
  return out;
}

std::string replace_all(std::string_view content, std::string_view old_text,
                        std::string_view new_text) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = content.find(old_text, from)) != std::string_view::npos;) {
    out.append(content.substr(from, at - from)).append(new_text);
    from = at + old_text.size();
  }
  out.append(content.substr(from));
  return out;
}

}  // namespace

std::variant<std::string, NotFound, Ambiguous> replace_text(std::string_view content,
                                                            const Replacement& replacement) {
  std::string old_text(replacement.old_text);
  std::string new_text(replacement.new_text);
  if (old_text.empty()) return NotFound{};
  const std::size_t crlf = count_matches(content, "\r\n");
  const bool only_crlf = crlf > 0 && count_matches(content, "\n") == crlf;
  std::size_t matches = only_crlf ? 0 : count_matches(content, old_text);
  // In a file with both, the text that was matched decides.
  if (matches == 0 && crlf > 0) {
    old_text = with_crlf(old_text);
    new_text = with_crlf(new_text);
    matches = count_matches(content, old_text);
  }
  if (matches == 0) return NotFound{};
  if (matches > 1 && !replacement.all) return Ambiguous{matches};
  return replace_all(content, old_text, new_text);
}

}  // namespace yume::tools

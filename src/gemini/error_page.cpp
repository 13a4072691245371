// SPDX-License-Identifier: MIT
#include "gemini/error_page.h"

#include "util/ascii.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::gemini {
namespace {

constexpr std::size_t k_longest_title = 200;
constexpr std::string_view k_space = " \t\r\n\f";

std::string_view without_start(std::string_view body) {
  constexpr std::string_view k_bom = "\xEF\xBB\xBF";
  if (body.starts_with(k_bom)) body.remove_prefix(k_bom.size());
  body.remove_prefix(std::min(body.find_first_not_of(k_space), body.size()));
  return body;
}

// What is between <name ...> and the next tag; `lower` is the page in lower case.
std::string_view element(std::string_view page, std::string_view lower, std::string_view name) {
  const std::string open = "<" + std::string(name);
  for (std::size_t at = 0; (at = lower.find(open, at)) != lower.npos; at += open.size()) {
    const std::size_t after = at + open.size();
    if (after >= lower.size() ||
        (lower[after] != '>' && k_space.find(lower[after]) == k_space.npos)) {
      continue;  // <titles>, or the end
    }
    const std::size_t begin = lower.find('>', after);
    if (begin == lower.npos) return {};
    return page.substr(begin + 1, page.find('<', begin + 1) - begin - 1);
  }
  return {};
}

std::string decoded(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 7> k_entities = {{{"&amp;", '&'},
                                                                            {"&lt;", '<'},
                                                                            {"&gt;", '>'},
                                                                            {"&quot;", '"'},
                                                                            {"&#39;", '\''},
                                                                            {"&apos;", '\''},
                                                                            {"&nbsp;", ' '}}};
  std::string out;
  while (!text.empty()) {
    const auto entity = std::find_if(k_entities.begin(), k_entities.end(), [text](const auto& one) {
      return text.starts_with(one.first);
    });
    out.push_back(entity == k_entities.end() ? text.front() : entity->second);
    text.remove_prefix(entity == k_entities.end() ? 1 : entity->first.size());
  }
  return out;
}

// One line without anything a terminal would obey.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= 0x20 || c == 0x7F;
    if (!blank) {
      line.push_back(c);
    } else if (!line.empty() && line.back() != ' ') {
      line.push_back(' ');
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

std::optional<std::string> title_of_page(std::string_view body) {
  const std::string_view page = without_start(body);
  if (!page.starts_with('<')) return std::nullopt;
  const std::string lower = ascii_lower(page);
  for (const std::string_view name : {"title", "h1", "h2", "message"}) {
    std::string title = on_one_line(decoded(element(page, lower, name)));
    if (title.empty()) continue;
    return to_valid_utf8(utf8_prefix(title, k_longest_title));
  }
  return std::string();
}

}  // namespace yume::gemini

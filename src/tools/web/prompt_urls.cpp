// SPDX-License-Identifier: MIT
#include "tools/web/prompt_urls.h"

#include <algorithm>

namespace yume::tools::web {
namespace {

constexpr std::string_view k_ends = " \t\r\n\"'<>`|{}";
constexpr std::string_view k_punctuation = ".,;:!?)]*";

bool begins_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

}  // namespace

std::vector<std::string> urls_in(std::string_view text) {
  std::vector<std::string> urls;
  for (std::size_t at = text.find("http"); at != std::string_view::npos;
       at = text.find("http", at + 1)) {
    std::string_view url = text.substr(at);
    if (!begins_url(url)) continue;
    url = url.substr(0, url.find_first_of(k_ends));
    while (!url.empty() && k_punctuation.find(url.back()) != std::string_view::npos) {
      // "(see https://en.wikipedia.org/wiki/C_(language))": the inner one is the address' own.
      const bool paired = url.back() == ')' && std::count(url.begin(), url.end(), '(') >=
                                                   std::count(url.begin(), url.end(), ')');
      if (paired) break;
      url.remove_suffix(1);
    }
    if (std::find(urls.begin(), urls.end(), url) == urls.end()) urls.emplace_back(url);
    at += url.size();
  }
  return urls;
}

}  // namespace yume::tools::web

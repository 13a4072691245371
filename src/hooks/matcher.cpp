// SPDX-License-Identifier: MIT
#include "hooks/matcher.h"

#include <re2/re2.h>

#include <algorithm>

namespace yume::hooks {
namespace {

bool is_list_of_names(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '|';
  });
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('|', start), text.size());
    names.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

}  // namespace

Result<Matcher> Matcher::parse(std::string_view text) {
  Matcher matcher;
  if (text.empty() || text == "*") return matcher;
  matcher.text_ = text;
  if (is_list_of_names(text)) {
    matcher.names_ = split(text);
    return matcher;
  }
  auto pattern =
      std::make_shared<const re2::RE2>(re2::StringPiece(text.data(), text.size()), re2::RE2::Quiet);
  if (!pattern->ok()) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "\"" + std::string(text) +
                            "\" is not a regular expression: " + pattern->error()};
  }
  matcher.pattern_ = std::move(pattern);
  return matcher;
}

bool Matcher::matches(std::string_view name) const {
  if (pattern_) {
    return re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *pattern_);
  }
  return names_.empty() || std::find(names_.begin(), names_.end(), name) != names_.end();
}

}  // namespace yume::hooks

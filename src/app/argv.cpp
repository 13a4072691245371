// SPDX-License-Identifier: MIT
#include "app/argv.h"

#include <algorithm>
#include <utility>

namespace yume::app {
namespace {

// `allowedTools` and `allowed-tools` are the same flag.
std::string kebab(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      out.push_back('-');
      out.push_back(static_cast<char>(c - 'A' + 'a'));
    } else {
      out.push_back(c == '_' ? '-' : c);
    }
  }
  return out;
}

const FlagSpec* find_long(std::string_view name) {
  const std::string wanted = kebab(name);
  const auto& flags = known_flags();
  const auto found = std::find_if(flags.begin(), flags.end(),
                                  [&](const FlagSpec& flag) { return flag.name == wanted; });
  return found == flags.end() ? nullptr : &*found;
}

const FlagSpec* find_short(char name) {
  const auto& flags = known_flags();
  const auto found = std::find_if(flags.begin(), flags.end(), [&](const FlagSpec& flag) {
    return flag.short_name != '\0' && flag.short_name == name;
  });
  return found == flags.end() ? nullptr : &*found;
}

bool looks_like_flag(std::string_view token) {
  return token.size() > 1 && token.front() == '-';
}

}  // namespace

bool Arguments::on(std::string_view flag) const {
  const auto found = values_.find(flag);
  return found != values_.end() && (found->second.empty() || found->second.back() != "false");
}

std::optional<std::string> Arguments::value(std::string_view flag) const {
  const auto found = values_.find(flag);
  if (found == values_.end() || found->second.empty()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> Arguments::list(std::string_view flag) const {
  const auto found = values_.find(flag);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

Result<Arguments> parse_arguments(const std::vector<std::string>& tokens) {
  Arguments result;
  std::size_t at = 0;
  const auto next_is_value = [&] { return at < tokens.size() && !looks_like_flag(tokens[at]); };
  while (at < tokens.size()) {
    const std::string& token = tokens[at++];
    if (token == "--") {
      result.positionals_.insert(result.positionals_.end(),
                                 tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end());
      break;
    }
    if (!looks_like_flag(token)) {
      result.positionals_.push_back(token);
      continue;
    }
    const std::size_t equals = token.find('=');
    const bool is_long = token.starts_with("--");
    const std::string name = token.substr(is_long ? 2 : 1, equals - (is_long ? 2 : 1));
    const FlagSpec* flag = is_long        ? find_long(name)
                           : name.empty() ? nullptr
                                          : find_short(name.front());
    if (flag == nullptr) {
      // Hosts pass new flags every month. A word after one is its value unless it is the last word,
      // which is where prompts stand.
      if (equals == std::string::npos && next_is_value() && at + 1 < tokens.size()) {
        result.doubtful_word_ = tokens[at++];
      }
      continue;
    }
    std::vector<std::string>& values = result.values_[std::string(flag->name)];
    if (equals != std::string::npos) {
      values.push_back(token.substr(equals + 1));
    } else if (flag->kind == ValueKind::one) {
      if (at == tokens.size()) {
        return Error{.code = ErrorCode::invalid_argument,
                     .message = "error: option '--" + std::string(flag->name) + " <" +
                                std::string(flag->value_name) + ">' argument missing"};
      }
      values.push_back(tokens[at++]);
    } else if (flag->kind == ValueKind::optional) {
      if (next_is_value()) values.push_back(tokens[at++]);
    } else if (flag->kind == ValueKind::list) {
      while (next_is_value()) values.push_back(tokens[at++]);
    }
  }
  return result;
}

}  // namespace yume::app

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

bool looks_like_flag(std::string_view token) {
  return token.size() > 1 && token.front() == '-';
}

}  // namespace

const FlagSpec* find_flag(const std::vector<FlagSpec>& flags, std::string_view token) {
  const bool is_long = token.starts_with("--");
  const std::string name =
      kebab(token.substr(is_long ? 2 : 1, token.find('=') - (is_long ? 2 : 1)));
  if (name.empty()) return nullptr;
  const auto found = std::find_if(flags.begin(), flags.end(), [&](const FlagSpec& flag) {
    if (is_long) return flag.name == name;
    return flag.short_name != '\0' && flag.short_name == token[1];
  });
  return found == flags.end() ? nullptr : &*found;
}

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
    const FlagSpec* flag = find_flag(known_flags(), token);
    if (flag == nullptr) {
      result.unknown_flags_.push_back(token.substr(0, equals));
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

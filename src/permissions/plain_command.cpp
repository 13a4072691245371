// SPDX-License-Identifier: MIT
#include "permissions/plain_command.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace yume::permissions {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Outside quotes these mean themselves to every shell, wherever they stand.
bool is_plain(char c) {
  return is_letter_or_digit(c) || std::string_view("_-./,:@%+").find(c) != std::string_view::npos;
}

// In double quotes bash keeps the backslash before these: "\.cpp", "\w+".
bool is_kept_behind_backslash(char c) {
  return is_letter_or_digit(c) ||
         std::string_view(".()[]{}+*?|/-^").find(c) != std::string_view::npos;
}

// Words of bash's grammar, which are no commands where one could stand.
bool is_grammar(std::string_view word) {
  constexpr std::string_view k_grammar[] = {"if",    "then",  "else",   "elif",     "fi",    "for",
                                            "while", "until", "do",     "done",     "case",  "esac",
                                            "in",    "time",  "select", "function", "coproc"};
  return std::find(std::begin(k_grammar), std::end(k_grammar), word) != std::end(k_grammar);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<std::vector<PlainStep>> read() {
    while (ok_ && at_ < text_.size()) step();
    end_word();
    if (step_.argv.empty()) ok_ = false;  // nothing at all, or nothing behind a connector
    if (!ok_) return std::nullopt;
    steps_.push_back(std::move(step_));
    return std::move(steps_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c < 0x20 || c > 0x7e) {
      ok_ = false;
    } else if (c == ' ') {
      end_word();
      ++at_;
    } else if (!in_word_ && (read_connector() || read_redirection())) {
      return;
    } else if (c == ';' && in_word_ && at_ + 1 < text_.size() && text_[at_ + 1] == ' ') {
      end_word();  // `ls; pwd`
    } else if (c == '\'' || c == '"') {
      read_quotes(c);
    } else if (is_plain(c) || is_plain_here(c)) {
      put(c);
      ++at_;
    } else {
      ok_ = false;
    }
  }

  // These mean something at the beginning of a word, or in the first word of a command.
  [[nodiscard]] bool is_plain_here(char c) const {
    if (!in_word_) return false;
    const bool in_argument = !step_.argv.empty();
    const bool behind_letter = !word_.empty() && is_letter_or_digit(word_.back());
    switch (c) {
      case '=':
        return in_argument;
      case '^':
      case '#':
        return in_argument && behind_letter;
      // Behind `NAME=`, bash would put the home directory here.
      case '~':
        return in_argument && behind_letter;
      default:
        return false;
    }
  }

  // Whole tokens only: `a;b` and `a|b` are refused.
  bool read_token(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    const bool whole = end == text_.size() || text_[end] == ' ';
    if (whole) at_ = end;
    return whole;
  }

  bool read_connector() {
    constexpr std::pair<std::string_view, Joint> k_connectors[] = {
        {"&&", Joint::and_then}, {"||", Joint::or_else}, {";", Joint::then}, {"|", Joint::pipe}};
    for (const auto& [token, joint] : k_connectors) {
      if (!read_token(token)) continue;
      end_step(joint);
      return true;
    }
    return false;
  }

  bool read_redirection() {
    bool* const switches[] = {&step_.drops_errors, &step_.drops_output, &step_.errors_to_output};
    constexpr std::string_view k_redirections[] = {"2>/dev/null", ">/dev/null", "2>&1"};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!read_token(k_redirections[i])) continue;
      // Their order matters to a shell: one of them may follow a command, or both in this order.
      const bool both = step_.drops_output && !step_.drops_errors && i == 2;
      if (both) {  // `>/dev/null 2>&1`
        step_.drops_errors = true;
        return true;
      }
      if (step_.argv.empty() || redirected_) ok_ = false;
      *switches[i] = redirected_ = true;
      return true;
    }
    return false;
  }

  void read_quotes(char quote) {
    in_word_ = true;
    quoted_ = true;
    const std::size_t close = text_.find(quote, at_ + 1);
    if (close == std::string_view::npos) {
      ok_ = false;
      return;
    }
    for (std::size_t at = at_ + 1; at < close; ++at) {
      const char c = text_[at];
      const bool expands =
          quote == '"' && (c == '$' || c == '`' || c == '!' ||
                           (c == '\\' && !is_kept_behind_backslash(text_[at + 1])));
      if (c < 0x20 || c > 0x7e || expands) ok_ = false;
      word_.push_back(c);
    }
    at_ = close + 1;
  }

  void put(char c) {
    in_word_ = true;
    word_.push_back(c);
  }

  void end_word() {
    if (!in_word_) return;
    // A number before a redirection is no word; and a command's name is never quoted: `"a b"`.
    if (redirected_ || (step_.argv.empty() && quoted_)) ok_ = false;
    if (step_.argv.empty() && (is_grammar(word_) || word_.starts_with('%'))) ok_ = false;  // %1: fg
    if (step_.argv.size() == k_most_plain_words) ok_ = false;
    step_.argv.push_back(std::exchange(word_, {}));
    in_word_ = quoted_ = false;
  }

  void end_step(Joint next) {
    if (step_.argv.empty() || steps_.size() + 1 == k_most_plain_steps) ok_ = false;
    // The last step's errors and output may go nowhere; inside a pipe that is not looked at.
    steps_.push_back(std::exchange(step_, {}));
    step_.joint = next;
    redirected_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool ok_ = true;
  std::vector<PlainStep> steps_;
  PlainStep step_;
  std::string word_;
  bool in_word_ = false;
  bool quoted_ = false;
  bool redirected_ = false;
};

}  // namespace

std::optional<std::vector<PlainStep>> read_plain_command(std::string_view text) {
  if (text.size() > k_longest_plain_command) return std::nullopt;
  return Reader(text).read();
}

}  // namespace yume::permissions

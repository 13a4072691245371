// SPDX-License-Identifier: MIT
#include "permissions/shell_reader.h"

#include "permissions/ansi_quotes.h"

#include <algorithm>
#include <utility>

namespace yume::permissions {
namespace {

constexpr std::size_t k_deepest = 64;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// `NAME=value`: where the value begins; 0 for every other word.
std::size_t assignment_value(const ShellWord& word) {
  const std::size_t equals = word.text.find('=');
  if (equals == std::string::npos || equals == 0 || is_digit(word.text.front())) return 0;
  const std::string_view name = std::string_view(word.text).substr(0, equals);
  return std::all_of(name.begin(), name.end(), is_name_character) ? equals + 1 : 0;
}

// `NAME+=value` and `NAME[i]=value`.
bool is_other_assignment(const ShellWord& word) {
  const std::size_t equals = word.text.find('=');
  if (equals == std::string::npos || equals < 2) return false;
  const char before = word.text[equals - 1];
  return (before == '+' || before == ']') && is_name_character(word.text.front());
}

// `1`, `2-` and `-` behind `>&`: a copy of another descriptor. `2x` is a file; 0 then.
std::size_t descriptor_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  if (length < text.size() && text[length] == '-') ++length;
  const bool ends = length == text.size() ||
                    std::string_view(" \t\n;&|<>()").find(text[length]) != std::string_view::npos;
  return ends ? length : 0;
}

}  // namespace

void ShellReader::note(std::string_view why) {
  if (!out_.opaque) out_.opaque = std::string(why);
}

void ShellReader::read() {
  while (!at_end()) {
    if (now_.in_quotes) {
      step_quoted();
    } else {
      step_plain();
    }
    if (out_.commands.size() > k_most_commands) {
      note("it has more than 256 commands");
      return;
    }
  }
  if (now_.in_quotes || !outer_.empty()) note("a quote or parenthesis is not closed");
  while (!outer_.empty()) step_close(now_.closer);
  end_command(Joint::then);
}

void ShellReader::begin_word() {
  if (now_.in_word) return;
  now_.in_word = true;
  now_.word = ShellWord{};
  now_.word.begin = at_;
  now_.brace = now_.bracket = false;
}

void ShellReader::put(char c) {
  begin_word();
  now_.word.text.push_back(c);
}

void ShellReader::end_word() {
  if (!now_.in_word) return;
  now_.in_word = false;
  now_.word.end = at_;
  if (!now_.word.literal) note("words in it are known only when it runs");
  place(std::exchange(now_.word, {}));
}

void ShellReader::place(ShellWord word) {
  if (std::exchange(now_.skips_word, false)) return;
  if (now_.redirect) {
    now_.command.redirects.push_back(
        {.kind = *std::exchange(now_.redirect, std::nullopt), .target = std::move(word)});
    return;
  }
  if (now_.command.words.empty()) {
    if (const std::size_t value = assignment_value(word); value > 0) {
      std::string name = word.text.substr(0, value - 1);
      word.text.erase(0, value);
      now_.command.assignments.emplace_back(std::move(name), std::move(word));
      return;
    }
    if (is_other_assignment(word)) note("it changes a variable in place");
  }
  now_.command.words.push_back(std::move(word));
}

void ShellReader::end_command(Joint next) {
  end_word();
  if (now_.redirect) note("a redirection has no target");
  now_.redirect.reset();
  now_.skips_word = false;
  if (!now_.command.empty()) {
    now_.command.depth = outer_.size();
    out_.commands.push_back(std::exchange(now_.command, {}));
  }
  now_.command.joint = next;
}

// What is inside runs before the command that it is a part of, and is listed before it.
void ShellReader::open(char closer) {
  if (outer_.size() >= k_deepest) {
    note("it is nested too deeply");
    at_ = text_.size();
    return;
  }
  outer_.push_back(std::exchange(now_, {}));
  now_.closer = closer;
}

void ShellReader::step_close(char closer) {
  if (outer_.empty() || now_.closer != closer) {
    note("a parenthesis or backtick has no partner");
    end_command(Joint::then);
    return;
  }
  end_command(Joint::then);
  now_ = std::move(outer_.back());
  outer_.pop_back();
}

// `(` begins a group of commands, or belongs to something that this reader does not know.
void ShellReader::step_open() {
  if (now_.in_word || !now_.command.words.empty()) note("a parenthesis stands inside a command");
  // A number's name may hold code: `x='a[$(id)]'; ((x))` runs id.
  if (peek(1) == '(') note("it computes");
  end_word();
  open(')');
}

void ShellReader::step_plain() {
  const char c = peek();
  switch (c) {
    case ' ':
    case '\t':
      end_word();
      ++at_;
      return;
    case '\n':
    case ';':
    case '&':
    case '|':
      return step_separator();
    case '<':
    case '>':
      return step_redirect();
    case '(':
      step_open();
      ++at_;
      return;
    case ')':
      end_word();
      ++at_;
      return step_close(')');
    case '`':
      note("it runs commands inside of others");
      ++at_;
      if (now_.closer == '`') return step_close('`');
      put('$');  // as unknown as a variable
      now_.word.literal = false;
      return open('`');
    case '$':
      return step_dollar();
    case '\\':
      return step_backslash();
    case '\'':
      return read_single_quotes();
    case '"':
      begin_word();
      now_.word.quoted = true;
      now_.in_quotes = true;
      ++at_;
      return;
    case '#':
      if (!now_.in_word) return skip_comment();
      break;
    default:
      break;
  }
  read_word_character(c);
  ++at_;
}

void ShellReader::read_word_character(char c) {
  const bool first = !now_.in_word;
  put(c);
  ShellWord& word = now_.word;
  if (c == '*' || c == '?') word.literal = false;
  if (c == '[') now_.bracket = true;
  if (c == ']' && now_.bracket) word.literal = false;
  if (c == '{') now_.brace = true;
  if (now_.brace && (c == ',' || (c == '.' && word.text.ends_with("..")))) word.literal = false;
  if (first && c == '~') {
    word.tilde = true;
    const char next = peek(1);
    // Another user's home, or a folder that the shell remembers.
    const bool own = next == '/' || next == '\0' ||
                     std::string_view(" \t\n;&|<>)").find(next) != std::string_view::npos;
    if (!own) word.literal = false;
  }
}

void ShellReader::step_separator() {
  const char c = peek();
  const char next = peek(1);
  if (c == '&' && next == '>') {
    ++at_;
    return step_redirect();
  }
  ++at_;
  const bool doubled = next == c && c != '\n';
  const bool pipe_both = c == '|' && next == '&';
  if (doubled || pipe_both) ++at_;
  if (c == '|') return end_command(doubled ? Joint::or_else : Joint::pipe);
  end_command(c == '&' && doubled ? Joint::and_then : Joint::then);
}

// The operator; its target is the next word.
void ShellReader::step_redirect() {
  if (now_.in_word && !now_.word.quoted && is_number(now_.word.text)) {
    now_.in_word = false;  // the number of a descriptor
    now_.word = {};
  }
  end_word();
  const char c = peek();
  ++at_;
  const char next = peek();
  if (next == '(') {
    note("it runs commands inside of others");
    ++at_;
    return open(')');
  }
  if (c == '<' && next == '<') {
    note("a here-document or here-string follows");
    // The word of a here-string stays: it may be code for a shell, or a name for xargs.
    now_.skips_word = peek(1) != '<';
    while (peek() == '<' || peek() == '-') ++at_;
    return;
  }
  const bool writes = c == '>' || next == '>';
  if (next == '&') {
    ++at_;
    if (const std::size_t copied = descriptor_length(text_.substr(at_)); copied > 0) {
      at_ += copied;
      return;
    }
  } else if (next == '>' || next == '|') {
    ++at_;
    if (peek() == '|') ++at_;  // `&>|`, of another shell
  }
  now_.redirect = writes ? RedirectKind::writes : RedirectKind::reads;
}

void ShellReader::step_quoted() {
  const char c = peek();
  if (c == '"') {
    now_.in_quotes = false;
    ++at_;
  } else if (c == '$') {
    step_dollar();
  } else if (c == '`') {
    note("it runs commands inside of others");
    put('$');
    now_.word.literal = false;
    ++at_;
    open('`');
  } else if (c == '\\' && std::string_view("$`\"\\\n").find(peek(1)) != std::string_view::npos &&
             at_ + 1 < text_.size()) {
    if (peek(1) != '\n') put(peek(1));
    at_ += 2;
  } else {
    put(c);
    ++at_;
  }
}

void ShellReader::step_dollar() {
  begin_word();
  const char next = peek(1);
  if (next == '\'' && !now_.in_quotes) {
    ++at_;
    return read_ansi_quotes();
  }
  now_.word.literal = false;
  put('$');
  ++at_;
  if (next == '(') {
    note("it runs commands inside of others");
    ++at_;
    open(')');
  }
}

void ShellReader::step_backslash() {
  if (at_ + 1 >= text_.size()) {
    note("it ends in a backslash");
    ++at_;
    return;
  }
  if (peek(1) != '\n') {
    put(peek(1));
    now_.word.quoted = true;
  }
  at_ += 2;
}

void ShellReader::read_single_quotes() {
  begin_word();
  now_.word.quoted = true;
  const std::size_t close = text_.find('\'', at_ + 1);
  if (close == std::string_view::npos) note("a quote is not closed");
  now_.word.text.append(text_.substr(at_ + 1, close - std::min(close, at_ + 1)));
  at_ = close == std::string_view::npos ? text_.size() : close + 1;
}

// At the quote of `$'...'`. Read, so that denials find it, and never taken for certain.
void ShellReader::read_ansi_quotes() {
  now_.word.quoted = true;
  now_.word.literal = false;
  ++at_;
  at_ += decode_ansi_quotes(text_.substr(at_), now_.word.text);
}

void ShellReader::skip_comment() {
  while (!at_end() && peek() != '\n') ++at_;
}

}  // namespace yume::permissions

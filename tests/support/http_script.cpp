// SPDX-License-Identifier: MIT
#include "support/http_script.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include "util/ascii.h"
#include "util/overloaded.h"

namespace yume::test {
namespace {

constexpr std::string_view k_crlf = "\r\n";
constexpr std::size_t k_status_column = std::string_view("HTTP/1.1 ").size();

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<char> simple_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '0':
      return '\0';
    case '\\':
      return '\\';
    case '"':
      return '"';
    case '\'':
      return '\'';
    default:
      return std::nullopt;
  }
}

// Nullopt when an escape is unknown or cut short.
std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    if (text[i] == 'x') {
      const std::string_view digits = text.substr(i + 1, 2);
      unsigned value = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
      if (error != std::errc{} || digits.size() != 2 || end != digits.data() + 2) {
        return std::nullopt;
      }
      out += static_cast<char>(static_cast<unsigned char>(value));
      i += 2;
      continue;
    }
    const auto plain = simple_escape(text[i]);
    if (!plain) return std::nullopt;
    out += *plain;
  }
  return out;
}

class ScriptParser {
 public:
  explicit ScriptParser(std::string_view text) : rest_(text) {}

  Result<HttpScript> parse() {
    while (!rest_.empty()) {
      if (auto taken = take_line(next_line()); !taken.ok()) return std::move(taken).error();
    }
    if (part_ == Part::start) return fail("expected a status line");
    if (part_ == Part::body) end_stretch();
    if (!raw_) return HttpScript(std::move(script_));
    return HttpScript(raw_script());
  }

 private:
  enum class Part { start, headers, body, ended };

  struct Line {
    std::string_view text;
    bool terminated = false;
  };

  Line next_line() {
    ++line_number_;
    const std::size_t end = rest_.find('\n');
    const bool terminated = end != std::string_view::npos;
    Line line{.text = rest_.substr(0, end), .terminated = terminated};
    rest_.remove_prefix(terminated ? end + 1 : rest_.size());
    if (terminated && line.text.ends_with('\r')) line.text.remove_suffix(1);
    return line;
  }

  Error fail(std::string_view what) const {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "line " + std::to_string(line_number_) + ": " + std::string(what)};
  }

  Result<void> take_line(const Line& line) {
    if (line.text.starts_with("##")) return {};
    switch (part_) {
      case Part::start:
        return take_start(line);
      case Part::headers:
        return take_header(line.text);
      case Part::body:
        return take_body(line);
      case Part::ended:
        break;
    }
    return fail("nothing can follow #close, #reset or #stall");
  }

  Result<void> take_start(const Line& line) {
    if (line.text.starts_with('#')) {  // no head at all: every byte is the author's
      raw_ = true;
      part_ = Part::body;
      return take_body(line);
    }
    if (!line.text.starts_with("HTTP/1.")) return fail("expected a status line or a directive");
    const std::string_view digits =
        line.text.substr(std::min(line.text.size(), k_status_column), 3);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), script_.status);
    if (error != std::errc{} || digits.size() != 3)
      return fail("expected a status of three digits");
    raw_ = line.text.starts_with("HTTP/1.0");
    closes_ = raw_;
    head_ = std::string(line.text) + std::string(k_crlf);
    part_ = Part::headers;
    return {};
  }

  Result<void> take_header(std::string_view line) {
    if (line.empty()) {
      part_ = Part::body;
      return {};
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return fail("expected a header or an empty line");
    const std::string name(trimmed(line.substr(0, colon)));
    const std::string value(trimmed(line.substr(colon + 1)));
    if (ascii_lower(name) == "transfer-encoding") raw_ = true;
    if (ascii_lower(name) == "content-type" && value.starts_with("text/event-stream")) {
      line_end_ = k_crlf;
    }
    if (ascii_lower(name) == "connection" && ascii_lower(value) == "close") closes_ = true;
    script_.headers.push_back({.name = name, .value = value});
    head_ += line;
    head_ += k_crlf;
    return {};
  }

  Result<void> take_body(const Line& line) {
    if (line.text.starts_with('#')) return take_directive(line.text);
    stretch_ += line.text;
    if (line.terminated) stretch_ += line_end_;
    return {};
  }

  Result<void> take_directive(std::string_view line) {
    const std::size_t space = line.find(' ');
    const std::string_view word = line.substr(0, space);
    const std::string_view rest =
        space == std::string_view::npos ? std::string_view{} : line.substr(space + 1);
    if (word == "#raw") return take_raw(rest);
    if (word == "#gate") {
      if (rest.empty()) return fail("#gate needs a name");
      end_stretch();
      script_.steps.emplace_back(demo::WaitForGate{std::string(rest)});
      return {};
    }
    if (!rest.empty()) return fail(std::string(word) + " takes no argument");
    if (word == "#chunk") {
      end_stretch();
      return {};
    }
    if (word == "#lf" || word == "#crlf") {
      line_end_ = word == "#lf" ? "\n" : k_crlf;
      return {};
    }
    if (word == "#close") return end_with(demo::CloseConnection{});
    if (word == "#reset") return end_with(demo::ResetConnection{});
    if (word == "#stall") return end_with(demo::Stall{});
    return fail("unknown directive " + std::string(word));
  }

  Result<void> take_raw(std::string_view text) {
    auto bytes = unescape(text);
    if (!bytes) return fail("#raw knows the escapes \\n \\r \\t \\0 \\\\ \\\" \\' \\xHH");
    stretch_ += *bytes;
    return {};
  }

  Result<void> end_with(demo::Step step) {
    end_stretch();
    script_.steps.push_back(std::move(step));
    part_ = Part::ended;
    return {};
  }

  void end_stretch() {
    if (stretch_.empty()) return;
    script_.steps.emplace_back(demo::SendBytes{std::exchange(stretch_, {})});
  }

  RawScript raw_script() {
    RawScript raw{std::move(script_.steps)};
    if (!head_.empty()) {
      raw.steps.insert(raw.steps.begin(), demo::SendBytes{head_ + std::string(k_crlf)});
    }
    if (closes_ && part_ != Part::ended) raw.steps.emplace_back(demo::CloseConnection{});
    return raw;
  }

  std::string_view rest_;
  std::size_t line_number_ = 0;
  Part part_ = Part::start;
  std::string head_;
  std::string stretch_;
  std::string_view line_end_ = "\n";
  bool raw_ = false;
  bool closes_ = false;
  demo::Script script_;
};

}  // namespace

Result<HttpScript> parse_http_script(std::string_view text) {
  return ScriptParser(text).parse();
}

const std::vector<demo::Step>& steps_of(const HttpScript& script) {
  return std::visit([](const auto& kind) -> const std::vector<demo::Step>& { return kind.steps; },
                    script);
}

demo::Answer to_answer(HttpScript script) {
  return std::visit(Overloaded{
                        [](demo::Script& proper) { return demo::Answer(std::move(proper)); },
                        [](RawScript& raw) { return raw_answer(std::move(raw)); },
                    },
                    script);
}

}  // namespace yume::test

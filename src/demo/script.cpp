// SPDX-License-Identifier: MIT
#include "demo/script.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

namespace yume::demo {
namespace {

constexpr std::string_view k_crlf = "\r\n";
constexpr std::string_view k_final_chunk = "0\r\n\r\n";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

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

  Result<Script> parse() {
    while (!rest_.empty()) {
      if (auto taken = take_line(next_line()); !taken.ok()) return std::move(taken).error();
    }
    if (part_ == Part::start) return fail("expected a status line");
    if (part_ == Part::headers) end_head();
    if (part_ == Part::body) end_body();
    return std::move(script_);
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
      part_ = Part::body;
      return take_body(line);
    }
    if (!line.text.starts_with("HTTP/1.")) return fail("expected a status line or a directive");
    const std::size_t space = line.text.find(' ');
    const std::string_view status =
        space == std::string_view::npos ? "" : line.text.substr(space + 1, 3);
    may_chunk_ = line.text.starts_with("HTTP/1.1") && status != "204" && status != "304";
    close_at_end_ = !line.text.starts_with("HTTP/1.1");
    head_ = std::string(line.text) + std::string(k_crlf);
    part_ = Part::headers;
    return {};
  }

  Result<void> take_header(std::string_view line) {
    if (line.empty()) {
      end_head();
      return {};
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return fail("expected a header or an empty line");
    const std::string name = lower_case(trimmed(line.substr(0, colon)));
    const std::string value = lower_case(trimmed(line.substr(colon + 1)));
    if (name == "content-length" || name == "transfer-encoding") may_chunk_ = false;
    if (name == "content-type" && value.starts_with("text/event-stream")) line_end_ = k_crlf;
    if (name == "connection" && value == "close") close_at_end_ = true;
    head_ += line;
    head_ += k_crlf;
    return {};
  }

  void end_head() {
    chunked_ = may_chunk_;
    if (chunked_) head_ += "Transfer-Encoding: chunked\r\n";
    head_ += k_crlf;
    script_.steps.emplace_back(SendBytes{std::move(head_)});
    part_ = Part::body;
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
      script_.steps.emplace_back(WaitForGate{std::string(rest)});
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
    if (word == "#close") return end_with(CloseConnection{});
    if (word == "#reset") return end_with(ResetConnection{});
    if (word == "#stall") return end_with(Stall{});
    return fail("unknown directive " + std::string(word));
  }

  Result<void> take_raw(std::string_view text) {
    auto bytes = unescape(text);
    if (!bytes) return fail("#raw knows the escapes \\n \\r \\t \\0 \\\\ \\\" \\' \\xHH");
    stretch_ += *bytes;
    return {};
  }

  Result<void> end_with(Step step) {
    end_stretch();
    script_.steps.push_back(std::move(step));
    part_ = Part::ended;
    return {};
  }

  void end_stretch() {
    if (stretch_.empty()) return;
    script_.steps.emplace_back(SendBytes{chunked_ ? http_chunk(stretch_) : stretch_});
    stretch_.clear();
  }

  void end_body() {
    end_stretch();
    if (chunked_) script_.steps.emplace_back(SendBytes{std::string(k_final_chunk)});
    if (close_at_end_) script_.steps.emplace_back(CloseConnection{});
  }

  std::string_view rest_;
  std::size_t line_number_ = 0;
  Part part_ = Part::start;
  std::string head_;
  std::string stretch_;
  std::string_view line_end_ = "\n";
  bool may_chunk_ = false;
  bool chunked_ = false;
  bool close_at_end_ = false;
  Script script_;
};

}  // namespace

Result<Script> parse_script(std::string_view text) {
  return ScriptParser(text).parse();
}

std::string http_chunk(std::string_view payload) {
  std::array<char, 16> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), payload.size(), 16).ptr;
  std::string out(digits.data(), end);
  out.reserve(out.size() + payload.size() + 2 * k_crlf.size());
  out += k_crlf;
  out += payload;
  out += k_crlf;
  return out;
}

Script plain_answer(const PlainAnswer& answer) {
  std::string bytes = "HTTP/1.1 " + std::to_string(answer.status) + " " + answer.reason +
                      "\r\nContent-Type: " + answer.content_type +
                      "\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" +
                      answer.body;
  return Script{{SendBytes{std::move(bytes)}}};
}

Script event_stream(const std::vector<std::string>& events) {
  Script script;
  script.steps.emplace_back(
      SendBytes{"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                "Transfer-Encoding: chunked\r\n\r\n"});
  for (const std::string& event : events) {
    script.steps.emplace_back(SendBytes{http_chunk("data: " + event + "\r\n\r\n")});
  }
  script.steps.emplace_back(SendBytes{std::string(k_final_chunk)});
  return script;
}

}  // namespace yume::demo

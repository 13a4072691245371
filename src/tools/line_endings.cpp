// SPDX-License-Identifier: MIT
#include "tools/line_endings.h"

#include "tools/line_diff.h"

#include <algorithm>

namespace yume::tools {
namespace {

struct Line {
  std::string_view text;
  std::string_view end;  // empty only for the last one
};

Line split_end(std::string_view line) {
  std::size_t size = line.size();
  if (line.ends_with("\r\n")) {
    size -= 2;
  } else if (line.ends_with('\n')) {
    size -= 1;
  }
  return {line.substr(0, size), line.substr(size)};
}

std::vector<Line> split(std::string_view text) {
  std::vector<Line> lines;
  for (const std::string_view line : lines_with_ends(text)) lines.push_back(split_end(line));
  return lines;
}

std::vector<std::string_view> texts_of(const std::vector<Line>& lines) {
  std::vector<std::string_view> texts;
  for (const Line& line : lines) texts.push_back(line.text);
  return texts;
}

std::string with_one_kind(std::string_view given, std::string_view end) {
  if (end == "\n") return std::string(given);
  std::string out;
  out.reserve(given.size());
  for (const char c : given) {
    if (c == '\n') {
      out.append(end);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// For each line of `fresh` the line of `old` it takes its ending from; npos: none.
std::vector<std::size_t> examples(const std::vector<Line>& old, const std::vector<Line>& fresh) {
  std::vector<std::size_t> examples(fresh.size(), std::string_view::npos);
  std::size_t old_at = 0;
  std::size_t new_at = 0;
  const auto equal_until = [&](std::size_t new_end) {
    while (new_at < new_end) examples[new_at++] = old_at++;
  };
  for (const LineChange& change : line_changes(texts_of(old), texts_of(fresh))) {
    equal_until(change.new_begin);
    while (new_at < change.new_end) {
      if (old_at < change.old_end) examples[new_at] = old_at++;
      ++new_at;
    }
    old_at = change.old_end;
  }
  equal_until(fresh.size());
  return examples;
}

std::string with_both_kinds(std::string_view old_text, std::string_view given,
                            std::string_view otherwise) {
  const std::vector<Line> old = split(old_text);
  const std::vector<Line> fresh = split(given);
  const std::vector<std::size_t> example = examples(old, fresh);
  std::string out;
  std::string_view last = otherwise;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    out.append(fresh[i].text);
    if (example[i] < old.size() && !old[example[i]].end.empty()) last = old[example[i]].end;
    if (!fresh[i].end.empty()) out.append(last);
  }
  return out;
}

}  // namespace

LineEnds line_ends_of(std::string_view text) {
  bool lf = false;
  bool crlf = false;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at) {
    (at > 0 && text[at - 1] == '\r' ? crlf : lf) = true;
    if (lf && crlf) return LineEnds::mixed;
  }
  if (lf) return LineEnds::lf;
  if (crlf) return LineEnds::crlf;
  return text.find('\r') == std::string_view::npos ? LineEnds::none : LineEnds::cr;
}

std::string with_line_ends_of(std::string_view old, std::string_view given,
                              std::string_view otherwise) {
  if (given.find('\r') != std::string_view::npos) return std::string(given);
  switch (line_ends_of(old)) {
    case LineEnds::lf:
      return std::string(given);
    case LineEnds::crlf:
      return with_one_kind(given, "\r\n");
    case LineEnds::cr:
      return with_one_kind(given, "\r");
    case LineEnds::none:
      return with_one_kind(given, otherwise);
    case LineEnds::mixed:
      return with_both_kinds(old, given, otherwise);
  }
  return std::string(given);
}

}  // namespace yume::tools

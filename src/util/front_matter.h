// SPDX-License-Identifier: MIT
// The header of a Markdown file as people write it for commands, skills and subagents: lines of
// `key: value` between two lines of three dashes. Reads the part of YAML that such files use: plain
// and quoted texts, `[a, b]`, lists of `- a` lines, and texts over several lines (`|` and `>`).
// Total: what is no header is text. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume {

class FrontMatter {
 public:
  // Empty when there is none; a list's entries joined by ", ".
  [[nodiscard]] std::string text(std::string_view key) const;
  // The entries of a list; a text counts as one entry.
  [[nodiscard]] std::vector<std::string> list(std::string_view key) const;
  // Nothing when it says neither.
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const;
  // As it stands behind the colon, whatever YAML makes of it: `[issue]`.
  [[nodiscard]] std::string written(std::string_view key) const;

  struct Field {
    std::vector<std::string> values;
    std::string written = {};
  };
  void set(std::string key, Field field) { fields_[std::move(key)] = std::move(field); }

 private:
  std::map<std::string, Field, std::less<>> fields_;
};

struct MarkdownFile {
  FrontMatter header;
  std::string body;  // without the header
};

MarkdownFile read_markdown(std::string_view text);

}  // namespace yume

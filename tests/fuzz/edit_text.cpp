// SPDX-License-Identifier: MIT
// Edit and MultiEdit on any bytes. The input is split at NUL bytes: the content, then old and new
// texts in turn; the first byte says whether all matches are meant. What lies outside of the
// matches stays byte for byte, and where nothing can be replaced nothing is.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tools/edit_steps.h"
#include "tools/line_diff.h"
#include "tools/line_endings.h"
#include "tools/replace_text.h"

namespace {

using namespace yume::tools;

std::vector<std::string> parts_of(std::string_view input) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = input.find('\0');
    parts.emplace_back(input.substr(0, end));
    if (end == std::string_view::npos || parts.size() > 16) return parts;
    input.remove_prefix(end + 1);
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

std::string without_cr(std::string text) {
  std::erase(text, '\r');
  return text;
}

// One replacement of one match: what is before and after it is the same.
void check_single(std::string_view content, const std::string& old_text,
                  const std::string& new_text) {
  const auto replaced = replace_text(content, {.old_text = old_text, .new_text = new_text});
  const auto* text = std::get_if<ReplacedText>(&replaced);
  if (text == nullptr) return;
  require(text->matches == 1);
  bool found = false;
  // The matched bytes are the old text up to its line endings, so try each place it may be.
  for (std::size_t begin = 0; begin <= content.size() && !found; ++begin) {
    if (text->content.substr(0, begin) != content.substr(0, begin)) break;
    const std::size_t most = content.size() - begin;
    for (std::size_t size = old_text.size(); size <= most && size <= 2 * old_text.size(); ++size) {
      const std::string_view rest = content.substr(begin + size);
      if (!text->content.ends_with(rest)) continue;
      std::string matched(content.substr(begin, size));
      const bool exact = matched == old_text;
      if (line_ends_of(content) == LineEnds::cr) {
        for (char& c : matched) c = c == '\r' ? '\n' : c;
      }
      const bool is_match = exact || without_cr(matched) == without_cr(old_text);
      if (is_match && text->content.size() >= begin + rest.size()) found = true;
    }
  }
  require(found);
}

void check_endings(std::string_view content, const std::string& given) {
  // Endings alone change, and a text given its own endings is itself.
  const std::string styled = with_line_ends_of(content, given, "\n");
  std::string lf = styled;
  if (given.find('\r') == std::string::npos) {
    if (line_ends_of(content) == LineEnds::cr) {
      for (char& c : lf) c = c == '\r' ? '\n' : c;
    }
    require(without_cr(lf) == given);
  } else {
    require(styled == given);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  const bool all = (data[0] & 1U) != 0;
  const auto parts = parts_of({reinterpret_cast<const char*>(data) + 1, size - 1});
  const std::string& content = parts.front();
  std::vector<EditStep> steps;
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    steps.push_back({parts[i], parts[i + 1], all});
    check_single(content, parts[i], parts[i + 1]);
    check_endings(content, parts[i + 1]);
  }
  const auto edited = apply_edits(content, steps);
  if (const auto* refusal = std::get_if<EditRefusal>(&edited)) {
    require(!refusal->text.empty());
  } else {
    const auto& after = std::get<EditedText>(edited);
    require(after.matches.size() == steps.size());
    require((content == after.content) == patch_between(content, after.content).empty());
  }
  return 0;
}

// SPDX-License-Identifier: MIT
#include "transcript/convert/diff_hunks.h"

#include "transcript/importers/import_json.h"

#include <charconv>
#include <string_view>

namespace yume::transcript {
namespace {

using import::at;
using import::Json;

// "12,3" of "@@ -12,3 +12,4 @@"; a count that is left out is 1.
std::pair<int, int> range_of(std::string_view text) {
  int from = 0;
  int count = 1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), from);
  const std::string_view rest(read.ptr,
                              static_cast<std::size_t>(text.data() + text.size() - read.ptr));
  if (rest.starts_with(',')) std::from_chars(rest.data() + 1, rest.data() + rest.size(), count);
  return {from, count};
}

std::optional<Json> hunk_of(std::string_view header) {
  const std::size_t minus = header.find(" -");
  const std::size_t plus = header.find(" +");
  if (minus == std::string_view::npos || plus == std::string_view::npos) return std::nullopt;
  const auto word = [header](std::size_t from) {
    return header.substr(from, header.find(' ', from) - from);
  };
  const auto [old_from, old_count] = range_of(word(minus + 2));
  const auto [new_from, new_count] = range_of(word(plus + 2));
  return Json{{"oldStart", old_from},
              {"oldLines", old_count},
              {"newStart", new_from},
              {"newLines", new_count},
              {"lines", Json::array()}};
}

Json hunks_of(std::string_view diff) {
  Json hunks = Json::array();
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(line.size() + 1, diff.size()));
    if (line.starts_with("@@")) {
      if (auto hunk = hunk_of(line)) hunks.push_back(*std::move(hunk));
    } else if (!hunks.empty() && !line.empty() &&
               std::string_view(" +-").find(line.front()) != std::string_view::npos) {
      hunks.back()["lines"].push_back(line);
    }
  }
  return hunks;
}

}  // namespace

std::optional<RawJson> edit_details(const RawJson& display) {
  if (display.text.empty()) return std::nullopt;
  const auto shown = import::parse(display.text);
  if (!shown || !at(*shown, {"fileDiff"}).is_string()) return std::nullopt;
  Json details = {{"filePath", at(*shown, {"filePath", "fileName"})}};
  const Json& original = at(*shown, {"originalContent"});
  const Json& now = at(*shown, {"newContent"});
  if (!original.is_null() || !now.is_null()) details["originalFile"] = original;
  if (now.is_string()) details["content"] = now;
  details["structuredPatch"] = hunks_of(import::text_at(*shown, {"fileDiff"}));
  return import::raw(details);
}

}  // namespace yume::transcript

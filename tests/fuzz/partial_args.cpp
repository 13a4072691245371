// SPDX-License-Identifier: MIT
// Any order of pieces gives an error or valid JSON, and the text shown on the way has the same
// value. One piece a line: a letter for its kind (s S string that ends or goes on, n number, t
// true, f false, z null, - nothing), the path, a tab, the text.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "gemini/partial_args.h"
#include "util/json_io.h"

namespace {

yume::gemini::PartialArg piece_of(std::string_view line) {
  yume::gemini::PartialArg piece;
  const char kind = line.empty() ? '-' : line.front();
  if (!line.empty()) line.remove_prefix(1);
  const std::size_t tab = std::min(line.find('\t'), line.size());
  const std::string text(line.substr(std::min(tab + 1, line.size())));
  piece.path = std::string(line.substr(0, tab));
  piece.will_continue = kind == 'S';
  if (kind == 's' || kind == 'S') piece.value = text;
  if (kind == 'n') piece.value = yume::gemini::NumberText{text};
  if (kind == 't' || kind == 'f') piece.value = kind == 't';
  if (kind == 'z') piece.value = nullptr;
  return piece;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  yume::gemini::PartialArgs args;
  std::string shown;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (!args.apply(piece_of(rest.substr(0, end))).ok()) {
      if (args.finish().ok()) std::abort();
      return 0;
    }
    shown += args.take_delta();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto text = args.finish();
  shown += args.take_delta();
  if (!text.ok() || !yume::check_json(*text, 256).ok()) std::abort();
  if (args.streams_exactly() != (shown == *text)) std::abort();
  using Json = nlohmann::json;
  if (Json::parse(shown, nullptr, false) != Json::parse(*text, nullptr, false)) std::abort();
  return 0;
}

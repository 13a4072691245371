// SPDX-License-Identifier: MIT
// Every file converts to valid JSON in every form, or is refused before anything is written; what
// the reader of logs finds lies inside the file.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "transcript/convert/byte_source.h"
#include "transcript/convert/claude_lines.h"
#include "transcript/convert/claude_target.h"
#include "transcript/convert/gemini_target.h"
#include "transcript/convert/unified_target.h"
#include "transcript/gemini_cli/session_reader.h"
#include "util/json_io.h"

namespace {

using namespace yume;
using namespace yume::transcript;

constexpr int k_deep = 1'000;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_lines(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    require(line.size() < text.size() && check_json(line, k_deep).ok());
    text.remove_prefix(line.size() + 1);
  }
}

template <class Read>
void check(Read read) {
  std::string text;
  const auto sink = [&text](std::string_view more) { text += more; };
  for (const JsonForm form : {JsonForm::whole, JsonForm::lines}) {
    text.clear();
    UnifiedTarget unified(form, sink);
    const bool ok = read(unified);
    require(ok || text.empty());
    if (form == JsonForm::lines) require_lines(text);
    if (ok && form == JsonForm::whole) require(check_json(text, k_deep).ok());
    text.clear();
    GeminiTarget gemini(form, sink);
    require(read(gemini) == ok);
    if (form == JsonForm::lines) require_lines(text);
    if (ok && form == JsonForm::whole) require(check_json(text, k_deep).ok());
  }
  text.clear();
  ClaudeTarget claude("1", sink);
  (void)read(claude);
  require_lines(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TextBytes bytes({reinterpret_cast<const char*>(data), size});
  check([&bytes](RecordTarget& target) { return read_gemini_session(bytes, target).ok(); });
  check([&bytes](RecordTarget& target) {
    return read_claude_session(bytes, std::nullopt, target).ok();
  });
  return 0;
}

// SPDX-License-Identifier: MIT
// Every file is a conversation or an error; what comes of it is sound and can be recorded.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "platform/clock.h"
#include "support/memory_append_file.h"
#include "transcript/importers/import_history.h"
#include "transcript/record_history.h"
#include "transcript/shown_session.h"
#include "transcript/transcript_reader.h"

namespace {

using namespace yume;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const core::Conversation& conversation) {
  const core::PastReply* asked = nullptr;
  for (const core::PastEntry& entry : conversation.entries) {
    const auto* answers = std::get_if<core::PastResults>(&entry);
    require((answers != nullptr) == (asked != nullptr));
    if (answers != nullptr) require(answers->results.size() == asked->calls.size());
    const auto* reply = std::get_if<core::PastReply>(&entry);
    asked = reply != nullptr && !reply->calls.empty() ? reply : nullptr;
    for (std::size_t i = 0; asked != nullptr && i < asked->calls.size(); ++i) {
      require(check_json(asked->calls[i].input.text, 1'000).ok());
    }
  }
  require(asked == nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  (void)transcript::read_shown(bytes);
  auto history = transcript::import_history(bytes);
  if (!history.ok()) return 0;
  check(history->conversation);
  std::string records;
  const platform::SystemClock clock;
  transcript::Journal journal(std::make_unique<test::MemoryAppendFile>(records), nullptr,
                              {.session_id = "S", .cwd = "/w", .version = "1"}, {}, clock);
  transcript::record_history(history->conversation, journal);
  const auto again = transcript::read_transcript({.bytes = records});
  require(again.ok() && again->skipped == 0);
  require(again->entries.size() == history->conversation.entries.size());
  return 0;
}

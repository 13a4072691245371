// SPDX-License-Identifier: MIT
// Every way a reply can end (gemini-api.md 3.4, 3.5).
#include "faults/fault_row.h"

namespace yume::faults {
namespace {

Row ends(const std::string& reason, const std::string& what, const std::string& error,
         std::size_t requests) {
  return {.id = "finish " + reason,
          .what = what,
          .backend = std::vector<demo::Answer>(5, stream({finish_event(reason)})),
          .error = error,
          .requests = requests};
}

Row blocked(const std::string& reason) {
  return ends(reason, "nothing but the reason",
              "API Error: the reply was stopped by the model's filters (" + reason + ")", 1);
}

Row malformed(const std::string& reason) {
  return ends(reason, "the model's call cannot be read",
              "the model failed to produce a readable tool call (" + reason + ")", 3);
}

Row with_text(const std::string& reason, const std::string& id) {
  return {.id = id,
          .what = "after text",
          .backend = {stream({text_event("some text", reason)})},
          .lines_with = {"some text"}};
}

}  // namespace

std::vector<Row> finish_rows() {
  std::vector<Row> rows;
  rows.push_back(with_text("STOP", "finish STOP"));
  rows.push_back(
      ends("STOP", "no text, no call", "API Error: the model returned an empty reply (STOP)", 3));
  rows.push_back(
      {.id = "finish MAX_TOKENS",
       .what = "after text",
       .backend = {stream({text_event("one", "MAX_TOKENS")}), stream({text_event("two", "STOP")})},
       .requests = 2,
       .lines_with = {"\"one\"", "\"two\""}});
  rows.push_back(ends("MAX_TOKENS", "thoughts used up the output",
                      "an empty reply (MAX_TOKENS); its output limit was used up by thinking", 2));
  rows.push_back({.id = "finish MAX_TOKENS",
                  .what = "with a call, which may be cut",
                  .backend = {stream({call_event("Write", R"({"file_path":"f","content":"x"})",
                                                 "MAX_TOKENS")}),
                              good()},
                  .requests = 2,
                  .lines_with = {"The call was not run"}});
  rows.push_back(
      {.id = "finish CONTINUATION",
       .what = "a hop of a long reply",
       .backend = {stream({text_event("one "), R"({"candidates":[{"finishReason":"CONTINUATION",)"
                                               R"("continuationToken":"dG9r"}]})"}),
                   stream({text_event("two", "STOP")})},
       .requests = 2,
       .lines_with = {"one two"}});
  for (const char* reason :
       {"SAFETY", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "ESCALATION",
        "MODEL_ARMOR", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
        "IMAGE_OTHER", "NO_IMAGE"}) {
    rows.push_back(blocked(reason));
  }
  rows.push_back(ends("RECITATION", "asked once for other words",
                      "stopped by the model's filters (RECITATION)", 2));
  for (const char* reason :
       {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"}) {
    rows.push_back(malformed(reason));
  }
  rows.push_back(ends("MISSING_THOUGHT_SIGNATURE", "signatures replaced once",
                      "misses a thought signature", 2));
  for (const char* reason :
       {"OTHER", "TOO_MANY_TOOL_CALLS", "FINISH_REASON_UNSPECIFIED", "A_REASON_OF_NEXT_YEAR"}) {
    rows.push_back(with_text(reason, std::string("finish ") + reason));
    rows.push_back(ends(reason, "nothing but the reason: nudged twice",
                        std::string("an empty reply (") + reason + ")", 3));
  }
  rows.push_back({.id = "no finish reason",
                  .what = "the stream ends after text, twice",
                  .backend = {stream({text_event("one")}), stream({text_event("two")})},
                  .error = "the connection broke before the reply was complete",
                  .requests = 2,
                  .lines_with = {"onetwo"}});
  rows.push_back(
      {.id = "no finish reason",
       .what = "the stream ends inside a call",
       .backend = {stream({call_event("Write", R"({"file_path":"f","content":"x"})")}), good()},
       .requests = 2,
       .none_with = {"tool_use\",\"id"}});
  for (const char* reason : {"SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY",
                             "MODEL_ARMOR", "JAILBREAK"}) {
    rows.push_back({.id = std::string("prompt ") + reason,
                    .what = "the prompt is blocked",
                    .backend = {stream({std::string(R"({"promptFeedback":{"blockReason":")") +
                                        reason + R"("}})"})},
                    .error = std::string("blocked by the model's filters (") + reason + ")"});
  }
  return rows;
}

}  // namespace yume::faults

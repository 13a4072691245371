// SPDX-License-Identifier: MIT
#include "gemini/stream_decoder.h"

#include "support/enum_name.h"
#include "support/event_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace yume::gemini {
namespace {

std::string text_of(const PartialArg& arg) {
  std::string text = arg.path;
  if (const auto* value = std::get_if<std::string>(&arg.value)) text += "=\"" + *value + "\"";
  if (const auto* number = std::get_if<NumberText>(&arg.value)) text += "=" + number->text;
  if (const auto* flag = std::get_if<bool>(&arg.value)) text += *flag ? "=true" : "=false";
  if (std::holds_alternative<std::nullptr_t>(arg.value)) text += "=null";
  return text + (arg.will_continue ? "+" : "");
}

// Everything a chunk holds, as text.
std::string text_of(const Chunk& chunk) {
  std::string text;
  for (const Part& part : chunk.parts) {
    switch (part.kind) {
      case PartKind::text:
        text += "[text " + part.text;
        break;
      case PartKind::thought:
        text += "[thought " + part.text;
        break;
      case PartKind::call:
        text += "[call " + part.call.name + "#" + part.call.id.value_or("none") + part.call.args;
        break;
      case PartKind::call_piece:
        text += "[piece " + part.piece.name + "#" + part.piece.id.value_or("none") +
                " sig:" + part.piece.signature;
        for (const PartialArg& arg : part.piece.args) text += " " + text_of(arg);
        if (part.piece.will_continue) text += " ...";
        break;
      case PartKind::other:
        text += "[other";
        break;
    }
    text += part.raw.empty() ? "]" : " raw " + part.raw + "]";
  }
  if (chunk.usage) text += " usage " + test::text_of(*chunk.usage);
  if (chunk.finish) {
    text += " finish " + test::enum_name(chunk.finish->reason) + " " + chunk.finish->name + " " +
            chunk.finish->message;
  }
  if (chunk.prompt_blocked) text += " blocked " + *chunk.prompt_blocked;
  if (chunk.continuation) text += " continuation " + *chunk.continuation;
  if (chunk.model_notice) text += " notice " + *chunk.model_notice;
  if (chunk.error) text += " error " + chunk.error->error.message;
  return text;
}

std::string decoded(std::string_view event) {
  StreamDecoder decoder;
  const auto chunk = decoder.decode(event);
  if (chunk.ok()) return text_of(*chunk);
  EXPECT_EQ(chunk.error().code, ErrorCode::protocol);
  EXPECT_TRUE(
      chunk.error().message.starts_with("the server sent an event that is not a Gemini answer: "))
      << chunk.error().message;
  return "refused";
}

std::string with_parts(const std::string& parts) {
  return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts + "]}}]}";
}

TEST(StreamDecoder, ReadsText) {
  EXPECT_EQ(decoded(with_parts(R"({"text":"Hel\"lo\n\u00e9"})")), "[text Hel\"lo\n\xC3\xA9]");
  EXPECT_EQ(decoded(with_parts(R"({"text":""})")), "[text ]");
}

TEST(StreamDecoder, ReadsThoughts) {
  EXPECT_EQ(decoded(with_parts(R"({"text":"**Hm**","thought":true})")), "[thought **Hm**]");
  EXPECT_EQ(decoded(with_parts(R"({"thought":true,"text":"first"})")), "[thought first]");
  EXPECT_EQ(decoded(with_parts(R"({"text":"plain","thought":false})")), "[text plain]");
}

TEST(StreamDecoder, KeepsSignedPartsVerbatim) {
  EXPECT_EQ(decoded(with_parts(R"({ "text" : "a", "thoughtSignature" : "c2ln" })")),
            R"([text a raw {"text":"a","thoughtSignature":"c2ln"}])");
  EXPECT_EQ(decoded(with_parts(R"({"text":"","thoughtSignature":"c2ln"})")),
            R"([text  raw {"text":"","thoughtSignature":"c2ln"}])");
  EXPECT_EQ(decoded(with_parts(R"({"text":"t","thought":true,"thoughtSignature":"x"})")),
            R"([thought t raw {"text":"t","thought":true,"thoughtSignature":"x"}])");
}

TEST(StreamDecoder, ReadsCallsWithAndWithoutIdAndArgs) {
  EXPECT_EQ(
      decoded(with_parts(R"({"functionCall":{"id":"g1","name":"Read","args":{"a": [1, 2]}}})")),
      R"([call Read#g1{"a": [1, 2]} raw )"
      R"({"functionCall":{"id":"g1","name":"Read","args":{"a":[1,2]}}}])");
  EXPECT_EQ(decoded(with_parts(R"({"functionCall":{"name":"Read"},"thoughtSignature":"s"})")),
            R"([call Read#none{} raw {"functionCall":{"name":"Read"},"thoughtSignature":"s"}])");
  EXPECT_EQ(decoded(with_parts(R"({"functionCall":{"name":"Read","id":"","args":{}}})")),
            R"([call Read#none{} raw {"functionCall":{"name":"Read","id":"","args":{}}}])");
}

TEST(StreamDecoder, ReadsSeveralPartsInOrder) {
  EXPECT_EQ(decoded(with_parts(R"({"text":"a"},{"functionCall":{"name":"X"}},{"text":"b"},)"
                               R"({"functionCall":{"name":"Y"}})")),
            R"([text a][call X#none{} raw {"functionCall":{"name":"X"}}][text b])"
            R"([call Y#none{} raw {"functionCall":{"name":"Y"}}])");
}

TEST(StreamDecoder, KeepsUnknownPartsWholeAndDropsEmptyOnes) {
  EXPECT_EQ(decoded(with_parts(R"({"inlineData":{"mimeType":"image/png","data":"AA=="}},{})")),
            R"([other raw {"inlineData":{"mimeType":"image/png","data":"AA=="}}])");
}

TEST(StreamDecoder, TakesTheFirstCandidateOnly) {
  EXPECT_EQ(decoded(R"({"candidates":[{"content":{"parts":[{"text":"one"}]}},)"
                    R"({"content":{"parts":[{"text":"two"}]},"finishReason":"STOP"}],)"
                    R"("usageMetadata":{"promptTokenCount":3}})"),
            "[text one] usage 3/0/0/0");
}

TEST(StreamDecoder, AcceptsEveryMissingLevel) {
  for (const char* event :
       {"{}", R"({"candidates":[]})", R"({"candidates":[{}]})",
        R"({"candidates":[{"content":{}}]})", R"({"candidates":[{"content":{"parts":[]}}]})",
        R"({"usageMetadata":{}})", R"({"usageMetadata":{"trafficType":"ON_DEMAND"}})",
        R"({"promptFeedback":{}})",
        R"({"modelVersion":"x","responseId":"y","unknown":[{"deep":[1,{"a":null}]}]})"}) {
    EXPECT_EQ(decoded(event), "") << event;
  }
}

TEST(StreamDecoder, ReadsUsageAndSplitsItAsBilled) {
  EXPECT_EQ(decoded(R"({"usageMetadata":{"promptTokenCount":55,"candidatesTokenCount":51,)"
                    R"("thoughtsTokenCount":56,"toolUsePromptTokenCount":89,"totalTokenCount":251,)"
                    R"("cachedContentTokenCount":40,"promptTokensDetails":[{"tokenCount":9}]}})"),
            " usage 144/40/51/56");
}

TEST(StreamDecoder, CountsNothingForUsageThatCannotBeTrue) {
  EXPECT_EQ(decoded(R"({"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":-3}})"),
            " usage 7/0/0/0");
  EXPECT_EQ(decoded(R"({"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":1.5,)"
                    R"("thoughtsTokenCount":"12","cachedContentTokenCount":null}})"),
            " usage 7/0/0/0");
  EXPECT_EQ(
      decoded(
          R"({"usageMetadata":{"promptTokenCount":7,"thoughtsTokenCount":99999999999999999999}})"),
      " usage 7/0/0/0");
  EXPECT_EQ(decoded(R"({"usageMetadata":{"promptTokenCount":5,"cachedContentTokenCount":9}})"),
            " usage 5/5/0/0")
      << "the cached part is never larger than the whole";
  EXPECT_EQ(decoded(R"({"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0}})"), "");
}

TEST(StreamDecoder, NeverLetsHugeCountsOverflow) {
  const std::string huge = "9223372036854775807";
  StreamDecoder decoder;
  const auto chunk = decoder.decode(
      R"({"usageMetadata":{"promptTokenCount":)" + huge + R"(,"toolUsePromptTokenCount":)" + huge +
      R"(,"candidatesTokenCount":)" + huge + R"(,"thoughtsTokenCount":)" + huge +
      R"(,"cachedContentTokenCount":3}})");
  ASSERT_TRUE(chunk.ok());
  // Hosts read counts as 32 bits; what no model can reach counts as nothing.
  EXPECT_FALSE(chunk->usage.has_value());
  core::Usage sum;
  for (int i = 0; i < 1000; ++i) {
    const auto most = decoder.decode(
        R"({"usageMetadata":{"promptTokenCount":4294967295,"toolUsePromptTokenCount":4294967295,)"
        R"("candidatesTokenCount":4294967295,"thoughtsTokenCount":4294967295}})");
    sum += *most->usage;
  }
  EXPECT_EQ(sum.billed_output(), 8'589'934'590'000);
}

TEST(StreamDecoder, ReadsThePiecesOfACall) {
  EXPECT_EQ(
      decoded(with_parts(
          R"({"functionCall":{"name":"Edit","willContinue":true},"thoughtSignature":"c2ln"})")),
      "[piece Edit#none sig:c2ln ...]");
  EXPECT_EQ(
      decoded(with_parts(
          R"({"functionCall":{"partialArgs":[)"
          R"({"jsonPath":"$.a","stringValue":"x","willContinue":true},)"
          R"({"jsonPath":"$.n","numberValue":5},{"jsonPath":"$.f","numberValue": 0.50 },)"
          R"({"jsonPath":"$.t","boolValue":true},{"jsonPath":"$.z","nullValue":"NULL_VALUE"},)"
          R"({"jsonPath":"$.y","nullValue":null},{"jsonPath":"$.e[]"}],"willContinue":true}})")),
      "[piece #none sig: $.a=\"x\"+ $.n=5 $.f=0.50 $.t=true $.z=null $.y=null $.e[] ...]");
  EXPECT_EQ(decoded(with_parts(R"({"functionCall":{}})")), "[piece #none sig:]");
  EXPECT_EQ(
      decoded(with_parts(R"({"functionCall":{"name":"theme"},"thoughtSignature":"c2ln"})")),
      R"([call theme#none{} raw {"functionCall":{"name":"theme"},"thoughtSignature":"c2ln"}])");
}

TEST(StreamDecoder, ReadsTheTokenOfALongReplyAndTheModelsEnd) {
  EXPECT_EQ(
      decoded(R"({"candidates":[{"finishReason":"CONTINUATION","continuationToken":"dG9r"}]})"),
      " finish continuation CONTINUATION  continuation dG9r");
  EXPECT_EQ(decoded(R"({"modelStatus":{"modelStage":"DEPRECATED","message":"use x"}})"),
            " notice the model is marked as DEPRECATED: use x");
  EXPECT_EQ(decoded(R"({"modelStatus":{"modelStage":"STABLE"}})"), "");
}

TEST(StreamDecoder, TakesNullForAbsent) {
  EXPECT_EQ(
      decoded(R"({"candidates":[{"content":{"parts":[{"text":"a","thought":null,)"
              R"("thoughtSignature":null}]},"finishReason":null,"finishMessage":null}],)"
              R"("usageMetadata":null,"promptFeedback":null,"modelStatus":null,"error":null})"),
      "[text a]");
  EXPECT_EQ(decoded(with_parts(R"({"functionCall":{"name":"f","args":null,"id":null}})")),
            R"([call f#none{} raw {"functionCall":{"name":"f","args":null,"id":null}}])");
}

TEST(StreamDecoder, GivesASignatureWithoutDataTheEmptyTextThatTheServerTakesBack) {
  EXPECT_EQ(decoded(with_parts(R"({"thoughtSignature":"c2ln"})")),
            R"([text  raw {"text":"","thoughtSignature":"c2ln"}])");
}

TEST(StreamDecoder, KnowsEveryFinishReason) {
  struct Case {
    const char* name;
    FinishReason reason;
  };
  const std::vector<Case> cases = {
      {"STOP", FinishReason::stop},
      {"MAX_TOKENS", FinishReason::max_tokens},
      {"SAFETY", FinishReason::blocked},
      {"RECITATION", FinishReason::recitation},
      {"LANGUAGE", FinishReason::blocked},
      {"BLOCKLIST", FinishReason::blocked},
      {"PROHIBITED_CONTENT", FinishReason::blocked},
      {"SPII", FinishReason::blocked},
      {"ESCALATION", FinishReason::blocked},
      {"MODEL_ARMOR", FinishReason::blocked},
      {"IMAGE_SAFETY", FinishReason::blocked},
      {"IMAGE_PROHIBITED_CONTENT", FinishReason::blocked},
      {"IMAGE_RECITATION", FinishReason::blocked},
      {"IMAGE_OTHER", FinishReason::blocked},
      {"NO_IMAGE", FinishReason::blocked},
      {"MALFORMED_FUNCTION_CALL", FinishReason::malformed_call},
      {"UNEXPECTED_TOOL_CALL", FinishReason::malformed_call},
      {"MALFORMED_RESPONSE", FinishReason::malformed_call},
      {"OTHER", FinishReason::other},
      {"CONTINUATION", FinishReason::continuation},
      {"TOO_MANY_TOOL_CALLS", FinishReason::other},
      {"MISSING_THOUGHT_SIGNATURE", FinishReason::missing_signature},
      {"FINISH_REASON_UNSPECIFIED", FinishReason::other},
      {"A_REASON_OF_NEXT_YEAR", FinishReason::other},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(decoded(R"({"candidates":[{"finishReason":")" + std::string(one.name) +
                      R"(","finishMessage":"why"}]})"),
              " finish " + test::enum_name(one.reason) + " " + one.name + " why");
  }
  EXPECT_EQ(decoded(R"({"candidates":[{"finishReason":""}]})"), "");
}

TEST(StreamDecoder, ReadsPromptFeedback) {
  EXPECT_EQ(decoded(R"({"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},)"
                    R"("usageMetadata":{"promptTokenCount":4}})"),
            " usage 4/0/0/0 blocked PROHIBITED_CONTENT");
  EXPECT_EQ(decoded(R"({"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"}})"), "");
  EXPECT_EQ(decoded(R"({"promptFeedback":{"blockReason":"BLOCKED_REASON_UNSPECIFIED"}})"), "");
}

TEST(StreamDecoder, ReadsErrorsInsideTheStream) {
  EXPECT_EQ(decoded(R"({"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}})"),
            " error API Error: 503 overloaded");
  EXPECT_EQ(decoded(R"({"error":{"message":"later","status":"UNAVAILABLE"}})"),
            " error API Error: 503 later")
      << "the number follows from the name";
}

TEST(StreamDecoder, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(decoded(with_parts("{\"text\":\"a\xFF\xC3\"}")), "[text a\xEF\xBF\xBD\xEF\xBF\xBD]");
}

TEST(StreamDecoder, ReplacesLoneSurrogates) {
  EXPECT_EQ(decoded(with_parts(R"({"text":"a\ud83d"})")), "[text a\xEF\xBF\xBD]");
  EXPECT_EQ(decoded(with_parts(R"({"text":"\ude00\ud83d\ude00"})")),
            "[text \xEF\xBF\xBD\xF0\x9F\x98\x80]");
}

TEST(StreamDecoder, ReplacesLoneSurrogatesInTheInputOfACall) {
  EXPECT_EQ(decoded(with_parts(R"({"functionCall":{"name":"W","args":{"t":"a\ud83d"}}})")),
            R"([call W#none{"t":"a\ufffd"} raw )"
            R"({"functionCall":{"name":"W","args":{"t":"a\ufffd"}}}])");
}

TEST(StreamDecoder, RefusesWhatIsNotAGeminiAnswer) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::vector<std::string> events = {
      "",
      "not json",
      "<html></html>",
      "[]",
      "[{}]",
      "null",
      "1",
      "\"x\"",
      "{",
      R"({"candidates":)",
      R"({"candidates":{}})",
      R"({"candidates":[[]]})",
      R"({"candidates":["x"]})",
      R"({"candidates":[{"content":[]}]})",
      R"({"candidates":[{"content":{"parts":{}}}]})",
      with_parts("1"),
      with_parts(R"({"text":1})"),
      with_parts(R"({"functionCall":[]})"),
      with_parts(R"({"functionCall":{"name":1}})"),
      with_parts(R"({"functionCall":{"args":{}}})"),
      with_parts(R"({"functionCall":{"name":"","args":{}}})"),
      with_parts(R"({"functionCall":{"name":"x","args":[]}})"),
      with_parts(R"({"functionCall":{"name":"x","args":{"a":)" + deep + "}}}"),
      with_parts(R"({"functionCall":{"name":"x","args":{"a":tru}}})"),
      with_parts(R"({"other":{"a":01}})"),
      R"({"candidates":[{"finishReason":7}]})"};
  for (const std::string& event : events) {
    EXPECT_EQ(decoded(event), "refused") << event.substr(0, 80);
  }
}

TEST(StreamDecoder, IgnoresDeepNestingInFieldsItDoesNotRead) {
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  EXPECT_EQ(decoded(R"({"x":)" + deep + R"(,"usageMetadata":{"promptTokenCount":1}})"),
            " usage 1/0/0/0");
}

TEST(StreamDecoder, KeepsDuplicateKeysFromConfusingIt) {
  EXPECT_EQ(decoded(with_parts(R"({"text":"a","text":"b"})")), "[text b]");
}

TEST(StreamDecoder, ForgetsOneEventBeforeTheNext) {
  StreamDecoder decoder;
  EXPECT_FALSE(decoder.decode("{").ok());
  const auto chunk = decoder.decode(with_parts(R"({"text":"fresh"})"));
  ASSERT_TRUE(chunk.ok());
  EXPECT_EQ(text_of(*chunk), "[text fresh]");
  EXPECT_EQ(text_of(*decoder.decode("{}")), "");
}

TEST(StreamDecoder, SurvivesEveryPrefixAndRandomDamage) {
  const std::string event =
      R"({"candidates":[{"content":{"role":"model","parts":[{"text":"Hé\ud83d\ude00"},)"
      R"({"functionCall":{"id":"a","name":"Read","args":{"file_path":"x","n":[1,2.5,null]}},)"
      R"("thoughtSignature":"c2ln"}]},"finishReason":"STOP"}],)"
      R"("usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":3}})";
  StreamDecoder decoder;
  for (std::size_t at = 0; at < event.size(); ++at) {
    EXPECT_FALSE(decoder.decode(event.substr(0, at)).ok()) << at;
  }
  std::mt19937 random(9);
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = event;
    for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto chunk = decoder.decode(damaged);  // the sanitizers are the judges here
    EXPECT_TRUE(chunk.ok() || chunk.error().code == ErrorCode::protocol);
  }
  EXPECT_EQ(
      text_of(*decoder.decode(event)),
      "[text H\xC3\xA9\xF0\x9F\x98\x80]"
      R"([call Read#a{"file_path":"x","n":[1,2.5,null]} raw {"functionCall":{"id":"a",)"
      R"("name":"Read","args":{"file_path":"x","n":[1,2.5,null]}},"thoughtSignature":"c2ln"}])"
      " usage 12/0/3/0 finish stop STOP ");
}

}  // namespace
}  // namespace yume::gemini

// SPDX-License-Identifier: MIT
#include "gemini/history.h"

#include "util/json_io.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::gemini {
namespace {

std::string joined(const History& history) {
  std::string text;
  for (const std::string_view segment : history.segments()) text += segment;
  EXPECT_TRUE(check_json(text).ok()) << text;
  return text;
}

FunctionResponse answered(std::string text) {
  return {.call_id = "c1", .name = "Read", .text = std::move(text), .is_error = false};
}

TEST(History, IsAnEmptyArrayAtFirst) {
  const History history;
  EXPECT_EQ(history.bytes(), 0U);
  EXPECT_EQ(joined(history), "[]");
}

TEST(History, KeepsAWholeTurnInOrder) {
  History history;
  history.add_user_text("hi \"you\"");
  history.add_model_parts({R"({"text":"a"})", R"({"functionCall":{"name":"Read"}})"});
  history.add_function_responses(
      {answered("found"), {.call_id = {}, .name = "Bash", .text = "no", .is_error = true}});
  history.add_model_parts({R"({"text":"done"})"});
  EXPECT_EQ(joined(history),
            R"([{"role":"user","parts":[{"text":"hi \"you\""}]},)"
            R"({"role":"model","parts":[{"text":"a"},{"functionCall":{"name":"Read"}}]},)"
            R"({"role":"user","parts":[)"
            R"({"functionResponse":{"id":"c1","name":"Read","response":{"output":"found"}}},)"
            R"({"functionResponse":{"name":"Bash","response":{"error":"no"}}}]},)"
            R"({"role":"model","parts":[{"text":"done"}]}])");
}

TEST(History, JoinsUserTextsThatFollowEachOther) {
  History history;
  history.add_user_text("one");
  history.add_user_text("two");
  history.add_user_text("three");
  EXPECT_EQ(joined(history),
            R"([{"role":"user","parts":[{"text":"one"},{"text":"two"},{"text":"three"}]}])");
}

TEST(History, PutsAnInterruptedReplyBetweenResponsesAndText) {
  History history;
  history.add_user_text("go");
  history.add_model_parts({R"({"functionCall":{"name":"Read"}})"});
  history.add_function_responses({answered("x")});
  history.add_user_text("stop that");
  EXPECT_EQ(joined(history),
            R"([{"role":"user","parts":[{"text":"go"}]},)"
            R"({"role":"model","parts":[{"functionCall":{"name":"Read"}}]},)"
            R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"Read",)"
            R"("response":{"output":"x"}}}]},)"
            R"({"role":"model","parts":[{"text":"[My reply was interrupted here.]"}]},)"
            R"({"role":"user","parts":[{"text":"stop that"}]}])");
}

TEST(History, AddsNothingForNothing) {
  History history;
  history.add_model_parts({});
  history.add_function_responses({});
  EXPECT_EQ(joined(history), "[]");
  history.add_user_text("a");
  history.add_model_parts({});
  history.add_user_text("b");
  EXPECT_EQ(joined(history), R"([{"role":"user","parts":[{"text":"a"},{"text":"b"}]}])");
}

TEST(History, MakesNulAndBrokenBytesVisible) {
  History history;
  history.add_user_text(std::string("a\0b", 3));
  history.add_model_parts({R"({"functionCall":{"name":"Bash"}})"});
  history.add_function_responses(
      {{.call_id = {}, .name = "Bash", .text = std::string("\0\xFF", 2), .is_error = false}});
  EXPECT_EQ(joined(history), R"([{"role":"user","parts":[{"text":"a\ufffdb"}]},)"
                             R"({"role":"model","parts":[{"functionCall":{"name":"Bash"}}]},)"
                             R"({"role":"user","parts":[{"functionResponse":{"name":"Bash",)"
                             R"("response":{"output":"\ufffd\ufffd"}}}]}])");
}

TEST(History, SendsModelPartsBackByteForByte) {
  History history;
  history.add_user_text("q");
  const std::string part =
      R"({"text":"x","thoughtSignature":"c2ln+/=","unknown":{"b":1,"a":1.50}})";
  history.add_model_parts({part});
  EXPECT_NE(joined(history).find(part), std::string::npos);
}

TEST(History, KeepsMediaWhereTheyWereGiven) {
  History history;
  core::UserMessage message("before");
  message.blocks.emplace_back(core::Media{.mime_type = "image/png", .base64 = "aGk="});
  message.blocks.emplace_back(std::string("after"));
  message.blocks.emplace_back(std::string());
  history.add_user(message);
  EXPECT_EQ(joined(history),
            R"([{"role":"user","parts":[{"text":"before"},)"
            R"({"inlineData":{"mimeType":"image/png","data":"aGk="}},{"text":"after"}]}])");
}

TEST(History, PutsMediaOfAResultWhereTheModelTakesThem) {
  FunctionResponse picture = answered("a picture");
  picture.media = {{.mime_type = "image/png", .base64 = "aGk="}};
  const std::string media = R"({"inlineData":{"mimeType":"image/png","data":"aGk="}})";
  const std::string text = R"("name":"Read","response":{"output":"a picture"})";
  History newer;
  newer.add_function_responses({picture, answered("b")}, MediaPlace::in_response);
  EXPECT_EQ(joined(newer), R"([{"role":"user","parts":[{"functionResponse":{"id":"c1",)" + text +
                               R"(,"parts":[)" + media + R"(]}},{"functionResponse":{"id":"c1",)" +
                               R"("name":"Read","response":{"output":"b"}}}]}])");
  History older;
  older.add_function_responses({picture, answered("b")}, MediaPlace::beside_response);
  EXPECT_EQ(joined(older), R"([{"role":"user","parts":[{"functionResponse":{"id":"c1",)" + text +
                               R"(}},{"functionResponse":{"id":"c1","name":"Read",)" +
                               R"("response":{"output":"b"}}},)" + media + "]}]");
}

TEST(History, PutsPicturesWhereAnotherModelTakesThem) {
  FunctionResponse picture = answered("a");
  picture.media = {{.mime_type = "image/png", .base64 = "aGk="}};
  History moved;
  moved.add_function_responses({picture, answered("b")}, MediaPlace::in_response);
  History older;
  older.add_function_responses({picture, answered("b")}, MediaPlace::beside_response);
  moved.place_media(MediaPlace::in_response);
  EXPECT_NE(joined(moved), joined(older));
  moved.place_media(MediaPlace::beside_response);
  EXPECT_EQ(joined(moved), joined(older));
  EXPECT_EQ(moved.bytes(), older.bytes());
}

TEST(History, RewindsBehindAReplyThatWasWrittenAnewForAnotherModel) {
  History history;
  history.add_user_text("one");
  history.add_model_parts({R"({"text":"two","thoughtSignature":"c2lnc2lnc2lnc2lnc2lnc2ln"})"});
  const History::Mark mark = history.mark();
  history.replace_signatures();
  const std::string before = joined(history);
  history.add_user_text("three");
  history.rewind(mark);
  EXPECT_EQ(joined(history), before);
}

TEST(History, WithholdsEveryPictureAndSaysSo) {
  const std::string instead = "[image/png of 2 bytes withheld: why]";
  FunctionResponse picture = answered("a");
  picture.media = {{.mime_type = "image/png", .base64 = "aGk="}};
  core::UserMessage message("\"inlineData\": see");
  message.blocks.emplace_back(picture.media.front());
  for (const MediaPlace place : {MediaPlace::in_response, MediaPlace::beside_response}) {
    History history;
    history.add_user(message);
    history.add_model_parts({R"({"text":"ok"})"});
    history.add_function_responses({answered("b"), picture}, place);
    EXPECT_EQ(history.withhold_media("why"), 2U);
    EXPECT_EQ(joined(history),
              R"([{"role":"user","parts":[{"text":"\"inlineData\": see"},{"text":")" + instead +
                  R"("}]},{"role":"model","parts":[{"text":"ok"}]},{"role":"user","parts":[)"
                  R"({"functionResponse":{"id":"c1","name":"Read","response":{"output":"b"}}},)"
                  R"({"functionResponse":{"id":"c1","name":"Read","response":{"output":"a\n)" +
                  instead + R"("}}}]}])");
    EXPECT_EQ(history.withhold_media("why"), 0U);
  }
}

TEST(History, ReplacesEverySignatureOfTheModelAndNothingElse) {
  History history;
  history.add_user_text(R"("thoughtSignature":"mine")");
  history.add_model_parts({R"({"text":"","thoughtSignature":"c2ln"})",
                           R"({"functionCall":{"name":"f","args":{"thoughtSignature":"x"}},)"
                           R"("thoughtSignature":"YQ=="})"});
  const std::size_t before = history.bytes();
  history.replace_signatures();
  EXPECT_EQ(joined(history),
            R"([{"role":"user","parts":[{"text":"\"thoughtSignature\":\"mine\""}]},)"
            R"({"role":"model","parts":[)"
            R"({"text":"","thoughtSignature":"skip_thought_signature_validator"},)"
            R"({"functionCall":{"name":"f","args":{"thoughtSignature":"x"}},)"
            R"("thoughtSignature":"skip_thought_signature_validator"}]}])");
  EXPECT_EQ(history.bytes(), before + 2 * (32 - 4));
}

}  // namespace
}  // namespace yume::gemini

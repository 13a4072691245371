// SPDX-License-Identifier: MIT
#include "jsonrpc/codec.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/key_orders.h"

namespace yume::jsonrpc {
namespace {

// The answer to what is malformed: "code id message".
std::string refusal(std::string_view text) {
  const Incoming incoming = decode(text);
  const auto* malformed = std::get_if<Malformed>(&incoming);
  if (malformed == nullptr) return "taken";
  const auto& error = std::get<ErrorObject>(malformed->answer.reply);
  return std::to_string(error.code) + " " + malformed->answer.id.json + " " + error.message;
}

TEST(Decode, ReadsRequestsNotificationsAndResponses) {
  EXPECT_EQ(decode(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1]}})"),
            Incoming(Request{.id = {"1"}, .method = "m", .params = {R"({"a":[1]})"}}));
  EXPECT_EQ(decode(R"({"jsonrpc":"2.0","id":"x","method":"m","params":[1, 2]})"),
            Incoming(Request{.id = {R"("x")"}, .method = "m", .params = {"[1,2]"}}));
  EXPECT_EQ(decode(R"({"jsonrpc":"2.0","method":"m"})"), Incoming(Notification{.method = "m"}));
  EXPECT_EQ(decode(R"({"jsonrpc":"2.0","id":3,"result":null})"),
            Incoming(Response{.id = {"3"}, .reply = RawJson{"null"}}));
  EXPECT_EQ(decode(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no","data":[1]}})"),
            Incoming(Response{.id = {"3"},
                              .reply = ErrorObject{
                                  .code = k_method_not_found, .message = "no", .data = {"[1]"}}}));
}

TEST(Decode, KeepsIdsAsTheyCame) {
  for (const char* id : {"0", "-1", "1.0", "1e2", "12345678901234567890123", R"("")", R"("1")",
                         R"("\u00e9\ud83d\ude00")", "null"}) {
    const auto incoming =
        decode(R"({"jsonrpc":"2.0","method":"m","id": )" + std::string(id) + " }");
    ASSERT_TRUE(std::holds_alternative<Request>(incoming)) << id;
    EXPECT_EQ(std::get<Request>(incoming).id.json, id);
    EXPECT_EQ(encode(Response{.id = std::get<Request>(incoming).id, .reply = RawJson{"1"}}),
              R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":1})");
  }
}

TEST(Decode, NullParamsAreNone) {
  EXPECT_EQ(decode(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})"),
            Incoming(Request{.id = {"1"}, .method = "m"}));
}

TEST(Decode, WhatIsNotJsonIsAParseError) {
  EXPECT_EQ(refusal("{"), "-32700 null Parse error: not JSON at byte 2");
  for (const char* text : {"", "no json", R"({"jsonrpc":"2.0","method":"m")", "{}{}", "\x01",
                           R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":tru}})"}) {
    EXPECT_TRUE(refusal(text).starts_with("-32700 null Parse error: ")) << text;
  }
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(refusal(deep), "-32700 null Parse error: JSON nested deeper than 128");
}

TEST(Decode, WhatIsNoMessageIsAnInvalidRequest) {
  for (const char* text : {"1", "null", R"("x")", "true"}) {
    EXPECT_EQ(refusal(text), "-32600 null Invalid request: not an object") << text;
  }
  EXPECT_EQ(refusal("{}"), R"(-32600 null Invalid request: there is no "method")");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":4})"),
            R"(-32600 4 Invalid request: there is no "method")");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":4,"method":1})"),
            R"(-32600 4 Invalid request: "method" must be a string)");
  EXPECT_EQ(refusal(R"({"id":4,"method":"m"})"),
            R"(-32600 4 Invalid request: "jsonrpc" must be "2.0")");
  EXPECT_EQ(refusal(R"({"jsonrpc":2.0,"method":"m"})"),
            R"(-32600 null Invalid request: "jsonrpc" must be "2.0")");
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":"a","method":"m","params":"bar"})"),
            R"(-32600 "a" Invalid request: "params" must be an object or an array)");
  for (const char* id : {"true", "false", "{}", "[1]"}) {
    EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(id) + "}"),
              R"(-32600 null Invalid request: "id" must be a string, a number or null)");
  }
}

TEST(Decode, ABatchIsRefusedAsOne) {
  for (const char* text : {"[]", "[1,2]", R"([{"jsonrpc":"2.0","id":1,"method":"m"}])"}) {
    EXPECT_EQ(refusal(text), "-32600 null Invalid request: batches are not supported") << text;
  }
}

// Nobody may answer a response, and somebody waits for it.
TEST(Decode, TakesWhateverAServerMeansByAResponse) {
  const auto reply = [](std::string_view text) {
    const Incoming incoming = decode(text);
    return std::holds_alternative<Response>(incoming) ? std::get<Response>(incoming)
                                                      : Response{{"none"}, RawJson{}};
  };
  EXPECT_EQ(reply(R"({"id":1,"result":{}})"), (Response{{"1"}, RawJson{"{}"}})) << "no version";
  EXPECT_EQ(reply(R"({"id":1,"result":{},"error":null})"), (Response{{"1"}, RawJson{"{}"}}));
  EXPECT_EQ(reply(R"({"id":1,"result":null,"error":"broken"})"),
            (Response{{"1"}, ErrorObject{.code = k_internal_error, .message = "broken"}}));
  EXPECT_EQ(reply(R"({"id":1,"error":{"message":"m"}})"),
            (Response{{"1"}, ErrorObject{.code = k_internal_error, .message = "m"}}));
  EXPECT_EQ(reply(R"({"id":1,"error":{"code":7}})"),
            (Response{{"1"}, ErrorObject{.code = 7, .message = R"({"code":7})"}}));
  EXPECT_EQ(reply(R"({"id":null,"error":{"code":-32700,"message":"m"}})"),
            (Response{{"null"}, ErrorObject{.code = k_parse_error, .message = "m"}}));
  EXPECT_EQ(reply(R"({"error":{"code":-32700,"message":"m"}})"),
            (Response{{"null"}, ErrorObject{.code = k_parse_error, .message = "m"}}));
}

TEST(Decode, RepairsBytesThatAreNotUtf8AndLoneSurrogates) {
  EXPECT_EQ(decode("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\xFF\"}"),
            Incoming(Response{.id = {"1"}, .reply = RawJson{R"("a\ufffd")"}}));
  EXPECT_EQ(decode(R"({"jsonrpc":"2.0","id":1,"result":"a\ud83d"})"),
            Incoming(Response{.id = {"1"}, .reply = RawJson{R"("a\ufffd")"}}));
  EXPECT_EQ(decode("\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"method\":\"m\"}"),
            Incoming(Notification{.method = "m"}));
}

TEST(Decode, ReadsEveryKindWhateverTheOrderOfMembers) {
  for (const char* text :
       {R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"result":3}})",
        R"({"jsonrpc":"2.0","method":"m","params":[{"id":2}]})",
        R"({"jsonrpc":"2.0","id":1,"result":{"method":"no"}})",
        R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x","data":{"id":9}}})"}) {
    const Incoming expected = decode(text);
    for (const std::string& order : test::key_orders(text)) {
      EXPECT_EQ(decode(order), expected) << order;
    }
  }
}

TEST(Encode, WritesOneLineInAscii) {
  EXPECT_EQ(encode(Request{.id = {"7"}, .method = "a/b", .params = {"{ \"x\" :\n1.50}"}}),
            R"({"jsonrpc":"2.0","id":7,"method":"a/b","params":{"x":1.50}})");
  EXPECT_EQ(encode(Notification{.method = "n\xC3\xA9\n"}),
            R"({"jsonrpc":"2.0","method":"n\u00e9\n"})");
  EXPECT_EQ(encode(Response{.id = {R"("é")"}, .reply = RawJson{R"("日")"}}),
            R"({"jsonrpc":"2.0","id":"\u00e9","result":"\u65e5"})");
  EXPECT_EQ(encode(Response{.id = {}, .reply = ErrorObject{.code = 5, .message = "m"}}),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":5,"message":"m"}})");
}

TEST(Encode, NamesAMethodThatIsNotThere) {
  EXPECT_EQ(
      encode(Response{.id = {"1"}, .reply = method_not_found("a\"b")}),
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"\"Method not found\": a\"b","data":{"method":"a\"b"}}})");
}

}  // namespace
}  // namespace yume::jsonrpc

// SPDX-License-Identifier: MIT
#include "auth/api_key_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace yume::auth {
namespace {

// "variable header=key", or "none".
std::string found(const std::map<std::string, std::string, std::less<>>& variables) {
  platform::Environment environment;
  environment.variables = variables;
  ApiKeySource source(environment);
  const auto fetched = source.fetch({}, CancelToken());
  EXPECT_TRUE(fetched.ok());
  if (!*fetched) {
    EXPECT_EQ(source.variable(), std::nullopt);
    return "none";
  }
  EXPECT_EQ(source.variable(), (*fetched)->source);
  return (*fetched)->source + " " + (*fetched)->header.name + "=" +
         std::string((*fetched)->header.value.reveal());
}

TEST(ApiKeySource, PrefersTheGeminiKey) {
  EXPECT_EQ(found({{"GEMINI_API_KEY", "a"}, {"GOOGLE_API_KEY", "b"}}),
            "GEMINI_API_KEY x-goog-api-key=a");
  EXPECT_EQ(found({{"GOOGLE_API_KEY", "b"}}), "GOOGLE_API_KEY x-goog-api-key=b");
}

TEST(ApiKeySource, TakesAnEmptyKeyForNone) {
  EXPECT_EQ(found({}), "none");
  EXPECT_EQ(found({{"GEMINI_API_KEY", ""}, {"GOOGLE_API_KEY", " \t\r\n"}}), "none");
  EXPECT_EQ(found({{"GEMINI_API_KEY", " "}, {"GOOGLE_API_KEY", "b"}}),
            "GOOGLE_API_KEY x-goog-api-key=b");
}

TEST(ApiKeySource, TrimsWhatShellsLeaveAround) {
  EXPECT_EQ(found({{"GEMINI_API_KEY", " \tkey\r\n"}}), "GEMINI_API_KEY x-goog-api-key=key");
}

TEST(ApiKeySource, RefusesAKeyThatCouldAddAHeader) {
  for (const char* key : {"a\r\nX-Evil: 1", "a\nb", "a\x01", "a\x7F"}) {
    platform::Environment environment;
    environment.variables["GEMINI_API_KEY"] = key;
    ApiKeySource source(environment);
    const auto fetched = source.fetch({}, CancelToken());
    ASSERT_FALSE(fetched.ok()) << "configured but broken is never skipped silently";
    EXPECT_EQ(fetched.error().code, ErrorCode::auth);
    EXPECT_NE(fetched.error().message.find("GEMINI_API_KEY"), std::string::npos);
    EXPECT_EQ(fetched.error().message.find("X-Evil"), std::string::npos);
  }
}

}  // namespace
}  // namespace yume::auth

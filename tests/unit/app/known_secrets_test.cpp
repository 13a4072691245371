// SPDX-License-Identifier: MIT
#include "app/known_secrets.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::app {
namespace {

std::string cleaned(const std::string& name, const std::string& value, std::string text) {
  platform::Environment environment;
  environment.variables = {{name, value}};
  Redactor redactor;
  learn_secrets(environment, redactor);
  redactor.clean(text);
  return text;
}

TEST(KnownSecrets, LearnsBothKeys) {
  for (const char* name : {"GEMINI_API_KEY", "GOOGLE_API_KEY"}) {
    EXPECT_EQ(cleaned(name, "AIza-0123456789-key", "is AIza-0123456789-key."), "is [redacted].");
  }
  EXPECT_EQ(cleaned("EDITOR", "a-very-long-editor-name", "a-very-long-editor-name"),
            "a-very-long-editor-name");
}

TEST(KnownSecrets, LearnsAProxysLoginAndNotItsAddress) {
  const std::string proxy = "http://me:a-rather-long-word@proxy.example.com:3128";
  EXPECT_EQ(cleaned("HTTPS_PROXY", proxy, "HTTPS_PROXY=" + proxy), "HTTPS_PROXY=http://[redacted]");
  EXPECT_EQ(cleaned("all_proxy", proxy, "it was a-rather-long-word"), "it was [redacted]");
  EXPECT_EQ(cleaned("https_proxy", proxy, "cannot reach proxy.example.com:3128"),
            "cannot reach proxy.example.com:3128");
  EXPECT_EQ(cleaned("http_proxy", "http://proxy.example.com:3128/", "proxy.example.com:3128"),
            "proxy.example.com:3128");
  EXPECT_EQ(cleaned("http_proxy", "me:word@proxy.example.com", "me:word@proxy.example.com/"),
            "[redacted]/");
}

TEST(KnownSecrets, LearnsTheValuesOfAGatewaysHeaders) {
  const std::string headers =
      "X-Team: blue, X-Gate: Bearer gate-0123456789-token,X-Id:another-0123456789";
  EXPECT_EQ(cleaned("GEMINI_CLI_CUSTOM_HEADERS", headers, headers),
            "X-Team: blue, X-Gate: Bearer [redacted],X-Id:[redacted]");
  EXPECT_EQ(cleaned("GEMINI_CLI_CUSTOM_HEADERS", ",:,", "text"), "text");
}

}  // namespace
}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "gemini/endpoint.h"

#include <gtest/gtest.h>

namespace yume::gemini {
namespace {

TEST(StreamUrl, AppendsVersionModelAndMethod) {
  EXPECT_EQ(*stream_url(k_developer_api, "gemini-3.8-flash"),
            "https://generativelanguage.googleapis.com/v1beta/models/"
            "gemini-3.8-flash:streamGenerateContent?alt=sse");
  EXPECT_EQ(
      *stream_url("http://127.0.0.1:8080/gateway//", "tuned_x:1@2"),
      "http://127.0.0.1:8080/gateway/v1beta/models/tuned_x:1@2:streamGenerateContent?alt=sse");
}

TEST(StreamUrl, RefusesAModelThatCouldChangeThePath) {
  for (const char* model :
       {"", "a/b", "../x", "a..b", "a?b", "a#b", "a b", "a%2f", "\xC3\xA9", "a\nb", "a&b"}) {
    const auto url = stream_url(k_developer_api, model);
    ASSERT_FALSE(url.ok()) << model;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(url.error().message,
              "'" + std::string(model) + "' is not a model id; choose one with --model");
  }
}

}  // namespace
}  // namespace yume::gemini

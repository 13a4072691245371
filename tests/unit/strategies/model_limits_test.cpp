// SPDX-License-Identifier: MIT
#include "strategies/model_limits.h"

#include "support/fake_clock.h"
#include "support/memory_file_system.h"
#include "support/scripted_transport.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace yume::strategies {
namespace {

using namespace std::chrono_literals;

constexpr const char* k_answer =
    R"({"name":"models/gemini-9","inputTokenLimit":5000,"outputTokenLimit":700})";

struct Scene {
  explicit Scene(std::vector<test::Answer> answers) : transport(std::move(answers)) {}

  std::string learn(const std::filesystem::path& cache = "/cache") {
    gemini::ModelInfo known;
    known.id = "gemini-9";
    const agent::Route route{.endpoint = *gemini::Endpoint::choose({.api_base = "http://s"}, {}),
                             .headers = {},
                             .credentials = {}};
    const auto info = learn_limits(
        known, route, cache,
        {.files = files, .transport = transport, .clock = clock, .log = null_log()}, {});
    return std::to_string(info.context_window) + "/" + std::to_string(info.max_output_tokens);
  }

  test::ScriptedTransport transport;
  test::MemoryFileSystem files;
  test::FakeClock clock;
};

TEST(LearnLimits, TakesTheServersWord) {
  Scene scene({test::error_answer(200, k_answer)});
  EXPECT_EQ(scene.learn(""), "5000/700");
  EXPECT_EQ(scene.transport.urls, std::vector<std::string>{"http://s/v1beta/models/gemini-9"});
}

TEST(LearnLimits, KeepsTheGuessWhenTheServerDoesNotHelp) {
  for (const test::Answer& answer :
       {test::error_answer(404, k_answer), test::error_answer(200, "<html>"),
        test::error_answer(200, std::string(70'000, ' ') + k_answer),
        test::no_connection({.code = ErrorCode::network, .message = "down"})}) {
    Scene scene({answer});
    EXPECT_EQ(scene.learn(), "1048576/65536");
  }
}

TEST(LearnLimits, AsksOnceADay) {
  const auto other = R"({"name":"models/gemini-9","inputTokenLimit":6000,"outputTokenLimit":800})";
  Scene scene({test::error_answer(200, k_answer), test::error_answer(200, other)});
  EXPECT_EQ(scene.learn(), "5000/700");
  scene.clock.advance(24h - 1min);
  EXPECT_EQ(scene.learn(), "5000/700");
  EXPECT_EQ(scene.transport.urls.size(), 1U);
  scene.clock.advance(2min);
  EXPECT_EQ(scene.learn(), "6000/800");
  EXPECT_EQ(scene.transport.urls.size(), 2U);
}

TEST(LearnLimits, AsksAgainWhenWhatItKeptIsBroken) {
  Scene scene({test::error_answer(200, k_answer)});
  ASSERT_TRUE(scene.files.create_directories("/cache").ok());
  ASSERT_TRUE(scene.files.replace("/cache/gemini-9.json", "{").ok());
  EXPECT_EQ(scene.learn(), "5000/700");
}

}  // namespace
}  // namespace yume::strategies

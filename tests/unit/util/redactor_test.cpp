// SPDX-License-Identifier: MIT
#include "util/redactor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume {
namespace {

const std::string k_token = "ya29.0123456789-live-token";

std::string cleaned(const Redactor& redactor, std::string text) {
  redactor.clean(text);
  return text;
}

TEST(Redactor, ReplacesEveryPlaceAndNothingElse) {
  Redactor redactor;
  redactor.learn(k_token);
  EXPECT_EQ(cleaned(redactor, k_token + " a " + k_token + k_token + " ya29."),
            "[redacted] a [redacted][redacted] ya29.");
  EXPECT_EQ(cleaned(redactor, ""), "");
  EXPECT_EQ(cleaned(redactor, "ya29.0123456789-live-toke"), "ya29.0123456789-live-toke");
}

TEST(Redactor, KnowsSeveralValues) {
  Redactor redactor;
  redactor.learn(k_token);
  redactor.learn("another-live-secret");
  redactor.learn(k_token);
  EXPECT_EQ(cleaned(redactor, "another-live-secret=" + k_token), "[redacted]=[redacted]");
}

TEST(Redactor, LeavesShortValuesAlone) {
  Redactor redactor;
  redactor.learn("fifteen-letters");
  EXPECT_EQ(cleaned(redactor, "fifteen-letters"), "fifteen-letters");
}

TEST(Redactor, FindsAValueInsideJson) {
  Redactor redactor;
  redactor.learn("quote\"and\\slash-in-it");
  EXPECT_EQ(cleaned(redactor, R"({"a":"quote\"and\\slash-in-it"})"), R"({"a":"[redacted]"})");
}

TEST(Redactor, AReplacementIsNotSearchedAgain) {
  Redactor redactor;
  redactor.learn("[redacted][redacted]");
  EXPECT_EQ(cleaned(redactor, "[redacted][redacted][redacted]"), "[redacted][redacted]");
}

class KeptLines final : public Log {
 public:
  void write(std::string_view area, std::string_view message) override {
    lines.push_back(std::string(area) + ": " + std::string(message));
  }
  std::vector<std::string> lines;
};

TEST(RedactingLog, PassesOnCleanLines) {
  Redactor redactor;
  KeptLines kept;
  RedactingLog log(kept, redactor);
  redactor.learn(k_token);
  log.write("auth", "got " + k_token);
  EXPECT_EQ(kept.lines, std::vector<std::string>{"auth: got [redacted]"});
}

}  // namespace
}  // namespace yume

// SPDX-License-Identifier: MIT
#include "agent/reply_end.h"

#include <gtest/gtest.h>

namespace yume::agent {
namespace {

using gemini::FinishReason;
using Kind = FollowUp::Kind;

constexpr ReplySoFar k_text{.has_text = true, .answered = true, .own_output_limit = false};
constexpr ReplySoFar k_silence{.has_text = false, .answered = false, .own_output_limit = false};

ModelReply ended(FinishReason reason, std::string name = "NAME") {
  ModelReply reply;
  reply.finish = gemini::Finish{.reason = reason, .name = std::move(name), .message = {}};
  return reply;
}

// How many times the model is asked before the turn ends.
int asked(const ModelReply& reply, const ReplySoFar& so_far, Kind last) {
  FollowUpCounts follow_ups;
  for (int times = 0; times < 10; ++times) {
    const FollowUp next = follow_up(reply, so_far, follow_ups);
    if (next.kind == Kind::done || next.kind == Kind::failed) {
      EXPECT_EQ(next.kind, last);
      return times;
    }
  }
  return 10;
}

TEST(ReplyEnd, AnAnswerIsTheEnd) {
  EXPECT_EQ(asked(ended(FinishReason::stop), k_text, Kind::done), 0);
}

TEST(ReplyEnd, NoPushIsRepeatedForEver) {
  EXPECT_EQ(asked(ended(FinishReason::stop), k_silence, Kind::failed), 2);
  EXPECT_EQ(asked(ended(FinishReason::max_tokens), k_text, Kind::done), 3);
  EXPECT_EQ(asked(ended(FinishReason::max_tokens), k_silence, Kind::failed), 1);
  EXPECT_EQ(asked(ended(FinishReason::recitation), k_text, Kind::failed), 1);
  EXPECT_EQ(asked(ended(FinishReason::blocked), k_text, Kind::failed), 0);
}

TEST(ReplyEnd, ALimitOfTheUsersOwnIsNotPassed) {
  FollowUpCounts follow_ups;
  const ReplySoFar own{.has_text = true, .answered = true, .own_output_limit = true};
  EXPECT_EQ(follow_up(ended(FinishReason::max_tokens), own, follow_ups).kind, Kind::done);
}

TEST(ReplyEnd, SilenceAfterAContinuedAnswerIsItsEnd) {
  FollowUpCounts follow_ups{.continuations = 1};
  const ReplySoFar so_far{.has_text = false, .answered = true, .own_output_limit = false};
  EXPECT_EQ(follow_up(ended(FinishReason::stop), so_far, follow_ups).kind, Kind::done);
}

TEST(FailureText, SaysWhatToDoWithoutANetwork) {
  gemini::ApiError failure;
  failure.error = {.code = ErrorCode::not_found, .message = "API Error: cannot resolve host a"};
  EXPECT_EQ(failure_text(failure, {}),
            "API Error: cannot resolve host a \xC2\xB7 Is this machine offline? `yume-cli doctor` "
            "says what is wrong");
  failure.error.http_status = 404;  // the server has answered
  EXPECT_EQ(failure_text(failure, {}), "API Error: cannot resolve host a");
}

TEST(ReplyEnd, ARefusalNamesTheFilter) {
  FollowUpCounts follow_ups;
  const FollowUp next = follow_up(ended(FinishReason::blocked, "SAFETY"), k_text, follow_ups);
  EXPECT_EQ(next.failure, core::FailureKind::refusal);
  EXPECT_EQ(next.text, "API Error: the reply was stopped by the model's filters (SAFETY)");
}

}  // namespace
}  // namespace yume::agent

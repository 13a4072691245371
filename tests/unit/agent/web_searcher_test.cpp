// SPDX-License-Identifier: MIT
#include "agent/web_searcher.h"

#include "gemini/model_catalog.h"
#include "support/fake_clock.h"
#include "support/scripted_transport.h"
#include "support/test_access.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::agent {
namespace {

using test::Answer;
using tools::web::SearchAnswer;
using tools::web::SearchRequest;
using tools::web::SearchSource;

class Searching : public testing::Test {
 protected:
  Result<SearchAnswer> search(const SearchRequest& request, std::vector<Answer> answers) {
    test::ScriptedTransport transport(std::move(answers));
    ModelClient client(access_, transport, clock_, RetryPolicy(1, [] { return 0.5; }), null_log());
    GroundedSearcher searcher(client, gemini::model_info("gemini-3.8-flash"), {});
    auto answer = searcher.search(request, source_.get_token());
    sent_ = transport.bodies;
    billed_ = searcher.take_billed();
    EXPECT_TRUE(searcher.take_billed().empty());
    return answer;
  }

  test::FakeClock clock_;
  test::TestAccess access_{clock_};
  CancelSource source_;
  std::vector<std::string> sent_;
  std::vector<core::Usage> billed_;
};

Answer found() {
  return test::stream({test::text_event("It is 4.1."),
                       R"({"candidates":[{"groundingMetadata":{"groundingChunks":[)"
                       R"({"web":{"uri":"https://r/1","title":"Docs","domain":"docs.a.com"}},)"
                       R"({"web":{"uri":"https://r/2","title":"b.com"}}],)"
                       R"("groundingSupports":[{"segment":{"endIndex":10,"text":"It is 4.1."},)"
                       R"("groundingChunkIndices":[0,1]}]}}],)"
                       R"("usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}})",
                       test::finish_event()});
}

TEST_F(Searching, AsksTheModelWithNothingButTheServersSearch) {
  const auto answer = search({.query = "newest cmake"}, {found()});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->text, "It is 4.1.[1][2]");
  EXPECT_EQ(answer->sources,
            (std::vector<SearchSource>{{"Docs", "https://r/1"}, {"b.com", "https://r/2"}}));
  ASSERT_EQ(sent_.size(), 1U);
  EXPECT_NE(sent_[0].find(R"("tools":[{"googleSearch":{}}])"), std::string::npos);
  EXPECT_NE(sent_[0].find(R"("text":"newest cmake")"), std::string::npos);
  EXPECT_EQ(sent_[0].find("functionDeclarations"), std::string::npos);
  EXPECT_EQ(billed_, (std::vector<core::Usage>{{.prompt_tokens = 7, .output_tokens = 3}}));
}

TEST_F(Searching, ShowsOnlySourcesOfWantedDomains) {
  const auto only = search({.query = "q", .allowed_domains = {"a.com", "c.com"}}, {found()});
  ASSERT_TRUE(only.ok());
  EXPECT_EQ(only->text, "It is 4.1.[1]");
  EXPECT_EQ(only->sources, (std::vector<SearchSource>{{"Docs", "https://r/1"}}));
  EXPECT_NE(sent_[0].find(R"~("text":"q (site:a.com OR site:c.com)")~"), std::string::npos);
  const auto without = search({.query = "q", .blocked_domains = {"a.com"}}, {found()});
  ASSERT_TRUE(without.ok());
  EXPECT_EQ(without->sources, (std::vector<SearchSource>{{"b.com", "https://r/2"}}));
  EXPECT_NE(sent_[0].find(R"("text":"q -site:a.com")"), std::string::npos);
}

TEST_F(Searching, FailsWithTheServersWords) {
  const auto answer = search(
      {.query = "q"}, {test::error_answer(400, R"({"error":{"code":400,"message":"no search"}})")});
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("no search"), std::string::npos);
  EXPECT_FALSE(search({.query = "q"}, {test::stream({test::finish_event()})}).ok());
}

TEST_F(Searching, IsBilledAlsoWhenItIsInterrupted) {
  Answer answer = found();
  answer.before_end = [this] { source_.request_stop(); };
  answer.body.pop_back();
  const auto result = search({.query = "q"}, {answer});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  EXPECT_EQ(billed_.size(), 1U);
}

}  // namespace
}  // namespace yume::agent

// SPDX-License-Identifier: MIT
#include "app/sessions/session_stats.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace yume::app {
namespace {

transcript::ShownSession session(const std::string& cwd,
                                 std::vector<transcript::ShownRequest> requests) {
  transcript::ShownSession out;
  out.cwd = cwd;
  out.requests = std::move(requests);
  return out;
}

transcript::ShownRequest request(const std::string& time, const std::string& model, std::int64_t in,
                                 std::int64_t out) {
  return {.message_id = time,
          .time = time,
          .model = model,
          .usage = {.prompt_tokens = in, .cached_tokens = in / 2, .output_tokens = out}};
}

SessionStats two_days() {
  const auto& catalog = gemini::ModelCatalog::built_in();
  SessionStats stats;
  stats.add(
      session("/home/p/a", {request("2026-03-01T10:00:00.000Z", "gemini-3.8-flash", 1000, 10),
                            request("2026-03-02T10:00:00.000Z", "gemini-3.8-flash", 3000, 30)}),
      catalog);
  stats.add(session("/home/p/b\x1b[31m", {request("", "claude-x", 4, 1)}), catalog);
  return stats;
}

TEST(SessionStats, AddUpByDayModelAndProject) {
  const SessionStats stats = two_days();
  EXPECT_EQ(stats.sessions, 2U);
  EXPECT_EQ(stats.total.usage.prompt_tokens, 4004);
  EXPECT_EQ(stats.total.requests, 3U);
  EXPECT_EQ(stats.total.unpriced, 1U);
  EXPECT_EQ(stats.by_day.size(), 3U);
  EXPECT_EQ(stats.by_model.at("gemini-3.8-flash").usage.output_tokens, 40);
  EXPECT_EQ(stats.by_project.at("/home/p/a").requests, 2U);
  EXPECT_GT(stats.by_project.at("/home/p/a").cost_usd, 0);
  EXPECT_EQ(stats.by_model.at("claude-x").cost_usd, 0);
}

TEST(SessionStats, AreATableForPeople) {
  const std::string text = stats_text(two_days(), {.width = 110, .utf8 = false});
  EXPECT_NE(text.find("2 sessions, 3 requests: 4,004 tokens in"), std::string::npos) << text;
  EXPECT_NE(text.find("at least $"), std::string::npos);
  EXPECT_NE(text.find("\nDAY "), std::string::npos);
  EXPECT_NE(text.find("(unknown)"), std::string::npos);
  EXPECT_NE(text.find("/home/p/b<U+001B>[31m"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 112U) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(SessionStats, AreJsonForPrograms) {
  SessionStats stats;
  stats.add(session("/w", {request("", "claude-x", 4, 1)}), gemini::ModelCatalog::built_in());
  const std::string spending =
      R"("requests":1,"inputTokens":4,"cachedTokens":2,"outputTokens":1,"costUSD":0,)"
      R"("requestsWithoutPrice":1)";
  EXPECT_EQ(stats_json(stats), R"({"sessions":1,"subagents":0,)" + spending +
                                   R"(,"days":[{"day":"",)" + spending +
                                   R"(}],"models":[{"model":"claude-x",)" + spending +
                                   R"(}],"projects":[{"cwd":"/w",)" + spending + "}]}\n");
}

TEST(SessionStats, AreAPageWithAChart) {
  const std::string html = stats_html(two_days());
  EXPECT_NE(html.find("<svg class=\"chart\""), std::string::npos);
  EXPECT_NE(html.find("<title>2026-03-0"), std::string::npos);
  EXPECT_NE(html.find("<i>unknown</i>"), std::string::npos);
  EXPECT_EQ(html.find('\x1b'), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
}

TEST(SessionStats, CountSubagentsToTheProjectOfTheirSession) {
  SessionStats stats = two_days();
  const auto& catalog = gemini::ModelCatalog::built_in();
  const auto more = request("2026-03-02T11:00:00.000Z", "gemini-3.8-flash", 500, 5);
  stats.add_subagent(session("/home/p/a/worktree", {more}), "/home/p/a", catalog);
  EXPECT_EQ(stats.subagents, 1U);
  EXPECT_EQ(stats.by_project.at("/home/p/a").usage.prompt_tokens, 4500);
  EXPECT_FALSE(stats.by_project.contains("/home/p/a/worktree"));
  EXPECT_TRUE(stats_text(stats, {}).starts_with("2 sessions, 1 subagent, 4 requests: 4,504 "));
  EXPECT_NE(stats_html(stats).find("2 sessions, 1 subagent, 4 requests"), std::string::npos);
}

TEST(SessionStats, CountRequestsThatTwoSessionsHaveOnce) {
  SessionStats stats = two_days();
  stats.add(
      session("/home/p/copy", {request("2026-03-01T10:00:00.000Z", "gemini-3.8-flash", 1000, 10)}),
      gemini::ModelCatalog::built_in());
  EXPECT_EQ(stats.sessions, 3U);
  EXPECT_EQ(stats.total.usage.prompt_tokens, 4004);
}

TEST(SessionStats, WithoutSessionsAreEmpty) {
  EXPECT_EQ(stats_text({}, {}), "0 sessions, 0 requests: 0 tokens in, 0 out\n");
  EXPECT_EQ(stats_html({}).find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "permissions/hosts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "permissions/policy.h"
#include "support/event_text.h"

namespace yume::permissions {
namespace {

struct Match {
  std::string pattern;
  std::string host;
  bool matches;
};

TEST(HostMatches, ComparesLabelsAndNeverPiecesOfText) {
  using namespace std::string_literals;
  const std::vector<Match> table = {
      {"a.com", "a.com", true},
      {"A.com", "a.COM", true},
      {"a.com", "a.com.", true},
      {"a.com.", "a.com", true},
      {"a.com", "a.com.evil.com", false},
      {"a.com", "nota.com", false},
      {"a.com", "www.a.com", false},
      {"a.com", "a.com@evil", false},
      {"a.com", "evil.com#a.com", false},
      {"a.com", "a.com\0.evil.com"s, false},
      {"a.com", "\xC3\xA0.com", false},
      {"a.com", "xn--0ca.com", false},
      {"xn--0ca.com", "XN--0CA.com", true},
      {"a.com", "a.com..", false},
      {"a.com", "", false},
      {"", "", false},
      {"*.a.com", "www.a.com", true},
      {"*.a.com", "x.y.a.com", true},
      {"*.a.com", "a.com", false},
      {"*.a.com", "nota.com", false},
      {"*.a.com", ".a.com", false},
      {"*.a.com", "www.a.com.evil.com", false},
      {"*.", "a.com", false},
      {"a.*", "a.com", false},
      {"*", "a.com", true},
      {"::1", "::1", true},
      {"[::1]", "::1", true},
      {"127.0.0.1", "127.0.0.1", true},
      {"0.0.1", "127.0.0.1", false},
      {"*.0.0.1", "127.0.0.1", true},
  };
  for (const Match& one : table) {
    EXPECT_EQ(host_matches(one.pattern, one.host), one.matches) << one.pattern << " " << one.host;
  }
}

// Those that cannot be read allow nothing.
std::vector<Rule> rules(RuleEffect effect, std::string_view list) {
  std::vector<Rule> out;
  for (const std::string& text : split_rules(list)) {
    if (auto rule = parse_rule(text, effect); rule.ok()) out.push_back(*rule);
  }
  return out;
}

PolicySettings policy(core::PermissionMode mode, const char* allow, const char* deny,
                      HostTrust trust = HostTrust::ask) {
  return {
      .mode = mode,
      .trust = trust,
      .roots = {"/w"},
      .home = "/home/u",
      .rules = {.deny = rules(RuleEffect::deny, deny), .allow = rules(RuleEffect::allow, allow)}};
}

std::string fetches(const PolicySettings& with, const std::string& host) {
  const std::string text = yume::test::text_of(ModePolicy(with).decide(
      {.id = "x", .name = "WebFetch", .input = {"{}"}}, core::ReachesHost{host}));
  return text.substr(0, text.find(':'));
}

std::string searches(const PolicySettings& with) {
  const std::string text = yume::test::text_of(ModePolicy(with).decide(
      {.id = "x", .name = "WebSearch", .input = {"{}"}}, core::SearchesWeb{"q"}));
  return text.substr(0, text.find(':'));
}

TEST(WebPolicy, DecidesInEveryMode) {
  using core::PermissionMode;
  struct Row {
    PermissionMode mode;
    HostTrust trust;
    const char* without_rule;
    const char* with_rule;
  };
  for (const Row& row :
       {Row{PermissionMode::default_mode, HostTrust::ask, "ask", "allow"},
        Row{PermissionMode::accept_edits, HostTrust::ask, "ask", "allow"},
        Row{PermissionMode::plan, HostTrust::ask, "ask", "allow"},
        Row{PermissionMode::dont_ask, HostTrust::ask, "deny", "allow"},
        Row{PermissionMode::bypass, HostTrust::ask, "allow", "allow"},
        Row{PermissionMode::default_mode, HostTrust::runs_tools, "allow", "allow"}}) {
    const auto plain = policy(row.mode, "", "", row.trust);
    const auto ruled = policy(row.mode, "WebFetch(domain:a.com) WebSearch", "", row.trust);
    EXPECT_EQ(fetches(plain, "a.com"), row.without_rule) << to_string(row.mode);
    EXPECT_EQ(searches(plain), row.without_rule) << to_string(row.mode);
    EXPECT_EQ(fetches(ruled, "a.com"), row.with_rule) << to_string(row.mode);
    EXPECT_EQ(fetches(ruled, "a.com.evil.com"), row.without_rule) << to_string(row.mode);
    EXPECT_EQ(searches(ruled), row.with_rule) << to_string(row.mode);
    EXPECT_EQ(fetches(policy(row.mode, "WebFetch", "WebFetch(domain:a.com)", row.trust), "a.com"),
              "deny")
        << to_string(row.mode);
  }
}

TEST(WebPolicy, RefusesADenyRuleItCannotRead) {
  const auto rule = parse_rule("WebFetch(https://evil.com/*)", RuleEffect::deny);
  ASSERT_FALSE(rule.ok());
  EXPECT_EQ(rule.error().message,
            "the rule 'WebFetch(https://evil.com/*)' is not of the form WebFetch(domain:HOST)");
  EXPECT_EQ(
      fetches(policy(core::PermissionMode::default_mode, "WebFetch(https://a.com/*)", ""), "a.com"),
      "ask");
}

TEST(WebPolicy, OpensTheOwnNetworkOnlyForAHostThatIsNamedSo) {
  using core::PermissionMode;
  const auto names = [](const char* allow, const char* host) {
    return ModePolicy(policy(PermissionMode::bypass, allow, "")).names_host(host);
  };
  EXPECT_TRUE(names("WebFetch(domain:localhost)", "localhost"));
  EXPECT_FALSE(names("WebFetch(domain:localhost)", "127.0.0.1"));
  EXPECT_TRUE(names("WebFetch(domain:127.0.0.1)", "127.0.0.1"));
  EXPECT_FALSE(names("WebFetch(domain:docs.example.com)", "docs.example.com"))
      << "the name says nothing about where it leads";
  EXPECT_TRUE(names("WebFetch(local:docs.example.com)", "docs.example.com"));
  EXPECT_FALSE(names("WebFetch(local:docs.example.com)", "example.com"));
  for (const char* wide : {"WebFetch", "WebFetch(domain:*)", "WebFetch(domain:*.localhost)",
                           "Bash(domain:localhost)"}) {
    EXPECT_FALSE(names(wide, "localhost")) << wide;
    EXPECT_FALSE(names(wide, "x.localhost")) << wide;
  }
}

}  // namespace
}  // namespace yume::permissions

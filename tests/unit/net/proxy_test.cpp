// SPDX-License-Identifier: MIT
#include "net/proxy.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace yume::net {
namespace {

ProxySettings settings_of(std::map<std::string, std::string, std::less<>> variables) {
  platform::Environment environment;
  environment.variables = std::move(variables);
  return read_proxy_settings(environment);
}

bool goes_direct(std::string_view exceptions, std::string_view host) {
  ProxySettings settings = settings_of({{"https_proxy", "http://proxy:1"}});
  settings.exceptions = exceptions;
  return choose_proxy(settings, "https", host) == nullptr;
}

TEST(ProxySettings, LowerCaseWinsAndAllProxyStandsIn) {
  const ProxySettings both = settings_of({{"HTTPS_PROXY", "upper"}, {"https_proxy", "lower"}});
  EXPECT_EQ(both.for_https.address.reveal(), "lower");
  EXPECT_EQ(both.for_https.variable, "https_proxy");
  const ProxySettings all = settings_of({{"ALL_PROXY", "all"}, {"NO_PROXY", "x"}});
  EXPECT_EQ(all.for_https.address.reveal(), "all");
  EXPECT_EQ(all.for_http.variable, "ALL_PROXY");
  EXPECT_EQ(all.exceptions, "x");
}

TEST(ProxySettings, UpperCaseHttpProxyIsNotBelieved) {
  EXPECT_TRUE(settings_of({{"HTTP_PROXY", "http://evil"}}).for_http.address.empty());
}

TEST(ChooseProxy, TakesTheOneOfTheScheme) {
  const ProxySettings settings = settings_of({{"https_proxy", "s"}, {"http_proxy", "p"}});
  EXPECT_EQ(choose_proxy(settings, "https", "example.com")->address.reveal(), "s");
  EXPECT_EQ(choose_proxy(settings, "http", "example.com")->address.reveal(), "p");
  EXPECT_EQ(choose_proxy({}, "https", "example.com"), nullptr);
}

TEST(ChooseProxy, ReachesThisMachineAndItsLinkDirectly) {
  for (const char* host : {"localhost", "127.0.0.1", "127.8.9.1", "[::1]", "169.254.169.254"}) {
    EXPECT_TRUE(goes_direct("", host)) << host;
  }
  for (const char* host : {"0.0.0.0", "127.example.com", "128.0.0.1", "127.1.1.1.1", "[::2]"}) {
    EXPECT_FALSE(goes_direct("", host)) << host;
  }
}

TEST(ChooseProxy, ExceptsNamesWithTheirSubdomains) {
  EXPECT_TRUE(goes_direct("other.org, Example.com", "example.COM"));
  EXPECT_TRUE(goes_direct("example.com", "api.example.com"));
  EXPECT_TRUE(goes_direct(".example.com\tother.org", "api.example.com"));
  EXPECT_TRUE(goes_direct("example.com", "example.com."));
  EXPECT_FALSE(goes_direct("example.com", "notexample.com"));
  EXPECT_FALSE(goes_direct("api.example.com", "example.com"));
  EXPECT_FALSE(goes_direct(",, .", "example.com"));
}

TEST(ChooseProxy, ExceptsAddressesAndNetworks) {
  EXPECT_TRUE(goes_direct("10.1.2.3", "10.1.2.3"));
  EXPECT_FALSE(goes_direct("1.2.3", "10.1.2.3"));
  EXPECT_FALSE(goes_direct("2.3", "10.1.2.3"));
  EXPECT_TRUE(goes_direct("10.0.0.0/8", "10.1.2.3"));
  EXPECT_FALSE(goes_direct("10.0.0.0/16", "10.1.2.3"));
  EXPECT_TRUE(goes_direct("0.0.0.0/0", "10.1.2.3"));
  EXPECT_FALSE(goes_direct("10.0.0.0/33", "10.1.2.3"));
  EXPECT_FALSE(goes_direct("10.0.0.0/8", "example.com"));
  EXPECT_TRUE(goes_direct("fd00::1", "[fd00::1]"));
}

TEST(ChooseProxy, ExceptsEverythingForAStar) {
  EXPECT_TRUE(goes_direct("*", "example.com"));
  EXPECT_TRUE(goes_direct("a, *", "example.com"));
}

}  // namespace
}  // namespace yume::net

// SPDX-License-Identifier: MIT
#include "net/public_address.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::net {
namespace {

TEST(PublicAddress, IsNoneOfThisMachineItsNetworkOrNobody) {
  const std::vector<std::string> refused = {
      "0.0.0.0",
      "0.1.2.3",
      "10.0.0.1",
      "10.255.255.255",
      "100.64.0.1",
      "100.127.255.255",
      "127.0.0.1",
      "127.255.255.254",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.1",
      "192.0.2.1",
      "192.88.99.1",
      "192.168.1.1",
      "198.18.0.1",
      "198.19.255.255",
      "198.51.100.1",
      "203.0.113.1",
      "224.0.0.1",
      "239.255.255.255",
      "240.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "::7f00:1",
      "::ffff:127.0.0.1",
      "::ffff:10.0.0.1",
      "::ffff:169.254.169.254",
      "64:ff9b::7f00:1",
      "64:ff9b::a9fe:a9fe",
      "64:ff9b:1::1",
      "fe80::1",
      "febf::1",
      "fec0::1",
      "fc00::1",
      "fd00:ec2::254",
      "ff02::1",
      "2001::1",
      "2001:db8::1",
      "2002:7f00:1::",
      "2002:a9fe:a9fe::1",
      "3fff::1",
      "100::1",
      "5f00::1",
  };
  for (const std::string& text : refused) {
    const auto address = platform::parse_ip_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_FALSE(is_public(*address)) << text;
  }
}

TEST(PublicAddress, IsEverythingElse) {
  const std::vector<std::string> taken = {
      "1.1.1.1",      "8.8.8.8",        "9.255.255.255",    "11.0.0.0",        "100.63.0.1",
      "100.128.0.1",  "126.0.0.1",      "128.0.0.1",        "169.253.0.1",     "169.255.0.1",
      "172.15.0.1",   "172.32.0.1",     "192.0.1.1",        "192.167.0.1",     "192.169.0.1",
      "198.17.0.1",   "198.20.0.1",     "223.255.255.255",  "2001:4860::8888", "2606:4700::1111",
      "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
  };
  for (const std::string& text : taken) {
    const auto address = platform::parse_ip_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_TRUE(is_public(*address)) << text;
  }
}

TEST(PublicAddress, KnowsTheNamesOfThisMachine) {
  EXPECT_TRUE(is_local_name("localhost"));
  EXPECT_TRUE(is_local_name("app.localhost"));
  EXPECT_FALSE(is_local_name("localhost.example.com"));
  EXPECT_FALSE(is_local_name("notlocalhost"));
}

}  // namespace
}  // namespace yume::net

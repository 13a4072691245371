// SPDX-License-Identifier: MIT
#include "auth/jwt.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "support/test_key.h"

namespace yume::auth {
namespace {

constexpr platform::WallTime k_now{std::chrono::milliseconds(1'700'000'000'900)};

Result<Secret> make(const std::string& pem) {
  return make_jwt({.issuer = "robot@p.iam.gserviceaccount.com",
                   .audience = "https://oauth2.googleapis.com/token",
                   .scope = "s"},
                  "key-1", Secret(pem), k_now);
}

TEST(Jwt, SaysWhoForWhomAndWhenAndIsSigned) {
  const test::TestKey key = test::TestKey::rsa();
  const auto jwt = make(key.private_pem());
  ASSERT_TRUE(jwt.ok()) << jwt.error().message;
  const std::string text(jwt->reveal());
  const std::size_t first = text.find('.');
  const std::size_t second = text.rfind('.');
  ASSERT_LT(first, second);
  EXPECT_EQ(test::decode_base64_url(text.substr(0, first)),
            R"({"alg":"RS256","typ":"JWT","kid":"key-1"})");
  EXPECT_EQ(test::decode_base64_url(text.substr(first + 1, second - first - 1)),
            R"({"iss":"robot@p.iam.gserviceaccount.com","scope":"s",)"
            R"("aud":"https://oauth2.googleapis.com/token","iat":1699999970,"exp":1700003570})");
  const std::string signature = test::decode_base64_url(text.substr(second + 1));
  EXPECT_TRUE(key.verifies(text.substr(0, second), signature));
  EXPECT_FALSE(key.verifies(text.substr(0, second) + "x", signature));
  EXPECT_FALSE(test::TestKey::rsa().verifies(text.substr(0, second), signature));
}

TEST(Jwt, RefusesWhatIsNotAnRsaKeyWithoutShowingIt) {
  const test::TestKey key = test::TestKey::rsa();
  const std::string pem = key.private_pem();
  const std::string cut = pem.substr(0, pem.size() / 2);
  const std::string other = test::TestKey::elliptic().private_pem();
  for (const std::string& bad : {std::string(), std::string("no key"), cut, other}) {
    const auto jwt = make(bad);
    ASSERT_FALSE(jwt.ok());
    EXPECT_EQ(jwt.error().code, ErrorCode::auth);
    EXPECT_TRUE(jwt.error().message.starts_with("private_key is not a")) << jwt.error().message;
    EXPECT_LT(jwt.error().message.size(), 60U);
  }
  EXPECT_EQ(make(other).error().message, "private_key is not an RSA key");
}

}  // namespace
}  // namespace yume::auth

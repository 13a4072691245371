// SPDX-License-Identifier: MIT
#include "auth/rsa_key_text.h"

#include <gtest/gtest.h>

#include <string>

#include "util/base64.h"

namespace yume::auth {
namespace {

std::string der(char kind, const std::string& value) {
  EXPECT_LT(value.size(), 128U);
  return std::string(1, kind) + static_cast<char>(value.size()) + value;
}

std::string number(const std::string& bytes) {
  return der('\x02', bytes);
}

std::string pem(const std::string& name, const std::string& bytes) {
  return "-----BEGIN " + name + "-----\n" + base64(bytes) + "\n-----END " + name + "-----\n";
}

// Numbers that no key has, but which are told apart.
std::string key_bytes() {
  return der('\x30', number(std::string(1, '\0')) + number(std::string("\0\x91mod", 5)) +
                         number("e") + number("d") + number("p") + number("q") + number("1"));
}

std::string wrapped(const std::string& object_id) {
  return der('\x30', number(std::string(1, '\0')) + der('\x30', der('\x06', object_id)) +
                         der('\x04', key_bytes()));
}

const std::string k_rsa("\x2A\x86\x48\x86\xF7\x0D\x01\x01\x01", 9);
const std::string k_elliptic("\x2A\x86\x48\xCE\x3D\x02\x01", 7);

void expect_parts(const Result<RsaKeyParts>& key) {
  ASSERT_TRUE(key.ok()) << key.error().message;
  EXPECT_EQ(key->modulus, "\x91mod");
  EXPECT_EQ(key->public_exponent, "e");
  EXPECT_EQ(key->first_prime, "p");
  EXPECT_EQ(key->second_prime, "q");
}

TEST(RsaKeyText, ReadsBothForms) {
  expect_parts(read_rsa_key(pem("PRIVATE KEY", wrapped(k_rsa))));
  expect_parts(read_rsa_key(pem("RSA PRIVATE KEY", key_bytes())));
}

TEST(RsaKeyText, ReadsLinesThatEndInTwoCharactersAndTextAround) {
  std::string text = pem("PRIVATE KEY", wrapped(k_rsa));
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2)) {
    text.replace(at, 1, "\r\n");
  }
  expect_parts(read_rsa_key("for robot@example\r\n" + text + "the end"));
}

TEST(RsaKeyText, SaysWhatKindOfKeyItIsNot) {
  const auto other = read_rsa_key(pem("PRIVATE KEY", wrapped(k_elliptic)));
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().message, "private_key is not an RSA key");
  EXPECT_EQ(read_rsa_key(pem("EC PRIVATE KEY", "x")).error().message,
            "private_key is not an RSA key");
}

// Every beginning of a key, and every key with one byte changed, is read or refused, and nothing
// else.
TEST(RsaKeyText, RefusesBrokenKeysWithoutShowingThem) {
  const std::string whole = wrapped(k_rsa);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = read_rsa_key(pem("PRIVATE KEY", whole.substr(0, length)));
    ASSERT_FALSE(cut.ok()) << length;
    EXPECT_EQ(cut.error().code, ErrorCode::auth);
    EXPECT_TRUE(cut.error().message.starts_with("private_key is not ")) << cut.error().message;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x80);
    const auto key = read_rsa_key(pem("PRIVATE KEY", changed));
    if (!key.ok()) {
      EXPECT_EQ(key.error().code, ErrorCode::auth) << at;
    }
  }
  for (const char* text : {"", "no key", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
                           "-----BEGIN PRIVATE KEY-----\n!!!\n-----END PRIVATE KEY-----"}) {
    EXPECT_EQ(read_rsa_key(text).error().message, "private_key is not a private key in PEM form")
        << text;
  }
}

}  // namespace
}  // namespace yume::auth

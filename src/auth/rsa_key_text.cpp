// SPDX-License-Identifier: MIT
#include "auth/rsa_key_text.h"

#include <optional>

#include "util/base64.h"

namespace yume::auth {
namespace {

constexpr unsigned char k_integer = 0x02;
constexpr unsigned char k_octets = 0x04;
constexpr unsigned char k_object_id = 0x06;
constexpr unsigned char k_sequence = 0x30;
constexpr std::string_view k_rsa_id("\x2A\x86\x48\x86\xF7\x0D\x01\x01\x01",
                                    9);  // 1.2.840.113549.1.1.1

Error bad_key(const char* why) {
  return {.code = ErrorCode::auth, .message = std::string("private_key ") + why};
}

// Values of DER one after the other. A wrong one makes everything after it wrong as well.
class DerReader {
 public:
  explicit DerReader(std::optional<std::string_view> bytes) : rest_(bytes) {}

  // What a value of this kind holds.
  std::optional<std::string_view> take(unsigned char kind) {
    if (!rest_ || rest_->size() < 2 || byte(0) != kind) return fail();
    std::size_t length = byte(1);
    std::size_t head = 2;
    if (length >= 0x80) {
      const std::size_t digits = length & 0x7FU;
      if (digits == 0 || digits > 4 || rest_->size() < 2 + digits) return fail();
      length = 0;
      for (std::size_t i = 0; i < digits; ++i) length = length << 8U | byte(head++);
    }
    if (rest_->size() - head < length) return fail();
    const std::string_view value = rest_->substr(head, length);
    rest_->remove_prefix(head + length);
    return value;
  }

  // A positive number, without the zero that keeps its highest bit from being a sign.
  std::string number() {
    std::string_view value = take(k_integer).value_or("");
    while (!value.empty() && value.front() == '\0') value.remove_prefix(1);
    return std::string(value);
  }

 private:
  [[nodiscard]] unsigned char byte(std::size_t at) const {
    return static_cast<unsigned char>((*rest_)[at]);
  }
  std::optional<std::string_view> fail() {
    rest_.reset();
    return std::nullopt;
  }

  std::optional<std::string_view> rest_;
};

// The bytes between the lines that name what they are; nullopt when there are none of that name.
std::optional<std::string> body_of(std::string_view pem, std::string_view name) {
  const std::string begin = "-----BEGIN " + std::string(name) + "-----";
  const std::string end = "-----END " + std::string(name) + "-----";
  const std::size_t from = pem.find(begin);
  const std::size_t to = pem.find(end);
  if (from == std::string_view::npos || to == std::string_view::npos || to < from)
    return std::nullopt;
  std::string digits;
  for (const char c : pem.substr(from + begin.size(), to - from - begin.size())) {
    if (c != '\n' && c != '\r' && c != ' ' && c != '\t') digits += c;
  }
  return from_base64(digits);
}

// PKCS #1: version, modulus, public exponent, private exponent, the two primes, and what follows
// from them.
std::optional<RsaKeyParts> parts_of(std::optional<std::string_view> key) {
  DerReader fields(DerReader(key).take(k_sequence));
  fields.take(k_integer);
  RsaKeyParts parts;
  parts.modulus = fields.number();
  parts.public_exponent = fields.number();
  fields.take(k_integer);
  parts.first_prime = fields.number();
  parts.second_prime = fields.number();
  // Empty too when one before it was missing.
  return parts.second_prime.empty() ? std::nullopt : std::optional(parts);
}

}  // namespace

Result<RsaKeyParts> read_rsa_key(std::string_view pem) {
  constexpr const char* k_no_key = "is not a private key in PEM form";
  if (const auto plain = body_of(pem, "RSA PRIVATE KEY")) {
    if (auto parts = parts_of(*plain)) return *std::move(parts);
    return bad_key(k_no_key);
  }
  const auto wrapped = body_of(pem, "PRIVATE KEY");
  if (!wrapped) {
    const bool elliptic = body_of(pem, "EC PRIVATE KEY").has_value();
    return bad_key(elliptic ? "is not an RSA key" : k_no_key);
  }
  // PKCS #8: version, what kind of key it is, the key.
  DerReader fields(DerReader(*wrapped).take(k_sequence));
  fields.take(k_integer);
  const auto kind = DerReader(fields.take(k_sequence)).take(k_object_id);
  const auto key = fields.take(k_octets);
  if (!kind || !key) return bad_key(k_no_key);
  if (*kind != k_rsa_id) return bad_key("is not an RSA key");
  if (auto parts = parts_of(*key)) return *std::move(parts);
  return bad_key(k_no_key);
}

}  // namespace yume::auth

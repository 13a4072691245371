// SPDX-License-Identifier: MIT
// A key of the test's own: its private half in PEM form, its public half to check signatures.
#pragma once

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <string>
#include <string_view>

namespace yume::test {

class TestKey {
 public:
  static TestKey rsa() { return TestKey(EVP_RSA_gen(2048)); }
  static TestKey elliptic() { return TestKey(EVP_EC_gen("P-256")); }

  std::string private_pem() const {
    const std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &bytes);
    return {bytes, static_cast<std::size_t>(size)};
  }

  // RS256.
  bool verifies(std::string_view text, std::string_view signature) const {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> digest(EVP_MD_CTX_new(),
                                                                    EVP_MD_CTX_free);
    const auto bytes = [](std::string_view view) {
      return reinterpret_cast<const unsigned char*>(view.data());
    };
    return EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
           EVP_DigestVerify(digest.get(), bytes(signature), signature.size(), bytes(text),
                            text.size()) == 1;
  }

 private:
  explicit TestKey(EVP_PKEY* key) : key_(key, EVP_PKEY_free) {}

  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key_;
};

// The bytes of unpadded base64url, by OpenSSL and not by the code under test.
inline std::string decode_base64_url(std::string text) {
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  const std::size_t padding = (4 - text.size() % 4) % 4;
  text.append(padding, '=');
  std::string bytes(text.size(), '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size) - padding);
  return bytes;
}

}  // namespace yume::test

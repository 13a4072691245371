// SPDX-License-Identifier: MIT
#include "auth/rs256.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>

namespace yume::auth {
namespace {

template <auto free_function>
struct Free {
  template <class T>
  void operator()(T* object) const {
    free_function(object);
  }
};
using Bio = std::unique_ptr<BIO, Free<BIO_free>>;
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Digest = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;

// OpenSSL would ask for the password of an encrypted key on the terminal.
int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*context*/) {
  return -1;
}

// OpenSSL's own messages may quote the key's text; they are dropped.
Error bad_key(const char* why) {
  ERR_clear_error();
  return {.code = ErrorCode::auth, .message = std::string("private_key ") + why};
}

}  // namespace

Result<std::string> sign_rs256(const Secret& private_key, std::string_view text) {
  const std::string_view pem = private_key.reveal();
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const Key key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr) : nullptr);
  if (!key) return bad_key("is not a private key in PEM form");
  if (EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA) return bad_key("is not an RSA key");
  const Digest digest(EVP_MD_CTX_new());
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  if (!digest || EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(digest.get(), nullptr, &size, bytes, text.size()) != 1) {
    return bad_key("cannot sign");
  }
  std::string signature(size, '\0');
  if (EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                     text.size()) != 1) {
    return bad_key("cannot sign");
  }
  signature.resize(size);
  return signature;
}

}  // namespace yume::auth

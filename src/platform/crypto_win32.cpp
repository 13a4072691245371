// SPDX-License-Identifier: MIT
#include "platform/crypto_win32.h"

#include "platform/handle_win32.h"

#include <bcrypt.h>

#include <algorithm>
#include <vector>

namespace yume::platform {
namespace {

constexpr std::size_t k_digest_bytes = 32;

PUCHAR writable(std::string_view bytes) {  // the calls only read it
  return reinterpret_cast<PUCHAR>(const_cast<char*>(bytes.data()));
}

class Algorithm {
 public:
  explicit Algorithm(LPCWSTR name) { ::BCryptOpenAlgorithmProvider(&handle_, name, nullptr, 0); }
  ~Algorithm() {
    if (handle_ != nullptr) ::BCryptCloseAlgorithmProvider(handle_, 0);
  }
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;

  [[nodiscard]] BCRYPT_ALG_HANDLE get() const { return handle_; }

 private:
  BCRYPT_ALG_HANDLE handle_ = nullptr;
};

// The private key in the system's own layout: lengths, then the numbers.
std::vector<UCHAR> key_blob(const RsaNumbers& key) {
  const BCRYPT_RSAKEY_BLOB lengths{.Magic = BCRYPT_RSAPRIVATE_MAGIC,
                                   .BitLength = static_cast<ULONG>(key.modulus.size() * 8),
                                   .cbPublicExp = static_cast<ULONG>(key.public_exponent.size()),
                                   .cbModulus = static_cast<ULONG>(key.modulus.size()),
                                   .cbPrime1 = static_cast<ULONG>(key.first_prime.size()),
                                   .cbPrime2 = static_cast<ULONG>(key.second_prime.size())};
  const auto* begin = reinterpret_cast<const UCHAR*>(&lengths);
  std::vector<UCHAR> blob(begin, begin + sizeof lengths);
  for (const std::string* number :
       {&key.public_exponent, &key.modulus, &key.first_prime, &key.second_prime}) {
    blob.insert(blob.end(), number->begin(), number->end());
  }
  return blob;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  const Algorithm algorithm(BCRYPT_SHA256_ALGORITHM);
  std::string digest(k_digest_bytes, '\0');
  const NTSTATUS failed =
      ::BCryptHash(algorithm.get(), nullptr, 0, writable(bytes), static_cast<ULONG>(bytes.size()),
                   writable(digest), k_digest_bytes);
  return failed == 0 ? digest : std::string();
}

std::string sign_digest(const RsaNumbers& key, std::string_view digest) {
  const Algorithm algorithm(BCRYPT_RSA_ALGORITHM);
  std::vector<UCHAR> blob = key_blob(key);
  BCRYPT_KEY_HANDLE handle = nullptr;
  const NTSTATUS refused =
      ::BCryptImportKeyPair(algorithm.get(), nullptr, BCRYPT_RSAPRIVATE_BLOB, &handle, blob.data(),
                            static_cast<ULONG>(blob.size()), 0);
  ::SecureZeroMemory(blob.data(), blob.size());
  if (refused != 0) return {};
  BCRYPT_PKCS1_PADDING_INFO padding{.pszAlgId = BCRYPT_SHA256_ALGORITHM};
  std::string signature(key.modulus.size(), '\0');
  ULONG size = 0;
  const NTSTATUS failed = ::BCryptSignHash(
      handle, &padding, writable(digest), static_cast<ULONG>(digest.size()), writable(signature),
      static_cast<ULONG>(signature.size()), &size, BCRYPT_PAD_PKCS1);
  ::BCryptDestroyKey(handle);
  if (failed != 0) return {};
  signature.resize(size);
  return signature;
}

}  // namespace yume::platform

// SPDX-License-Identifier: MIT
// RSASSA-PKCS1-v1_5 with SHA-256, by OpenSSL or by Windows itself.
#pragma once

#include <string>
#include <string_view>

#include "util/result.h"
#include "util/secret.h"

namespace yume::auth {

// The raw signature. auth when `private_key` is not an unencrypted RSA key in PEM form.
Result<std::string> sign_rs256(const Secret& private_key, std::string_view text);

}  // namespace yume::auth

// SPDX-License-Identifier: MIT
// A file of application default credentials, read and checked: afterwards every field a fetcher
// needs is there and every address is one we may talk to. Errors name the field, never its value.
// Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "net/http.h"
#include "util/result.h"
#include "util/secret.h"

namespace yume::auth {

// A person, as logged in by `gcloud auth application-default login`.
struct AuthorizedUser {
  std::string client_id;
  Secret client_secret;
  Secret refresh_token;
  std::string token_url;
};

struct ServiceAccount {
  std::string client_email;
  std::string private_key_id;
  Secret private_key;
  std::string token_url;
};

// An identity of another cloud or company, exchanged for one of Google's.
struct ExternalAccount {
  std::string file;  // the subject token is in this file,
  std::string url;   // or answered here, when asked with these headers
  std::vector<net::SecretHeader> headers;
  std::string json_field;  // the token is this field of a JSON object; empty: the whole text
  std::string audience;
  std::string subject_token_type;
  std::string token_url;
  std::string client_id;
  Secret client_secret;
  std::string workforce_project;
};

// The token so far is exchanged for one of a service account.
struct Impersonation {
  std::string url;
  std::vector<std::string> delegates;
  std::chrono::seconds lifetime{3600};

  // The account, as the address names it; empty when it does not.
  [[nodiscard]] std::string account() const;
};

struct AdcFile {
  std::variant<AuthorizedUser, ServiceAccount, ExternalAccount> identity;
  std::optional<Impersonation> impersonation;
  std::string account;  // what the file says about itself
  std::string project;
  std::string quota_project;
};

Result<AdcFile> parse_adc_file(std::string_view text);

}  // namespace yume::auth

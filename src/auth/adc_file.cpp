// SPDX-License-Identifier: MIT
#include "auth/adc_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "auth/url_rules.h"
#include "util/json_io.h"
#include "util/json_tree.h"

namespace yume::auth {
namespace {

using nlohmann::json;

constexpr int k_deepest = 16;
constexpr const char* k_token_url = "https://oauth2.googleapis.com/token";

Error fault(std::string why) {
  return {.code = ErrorCode::auth, .message = std::move(why)};
}

bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

// One object of the file. Remembers the first thing that is wrong, so that reading stays a list.
class Fields {
 public:
  Fields(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

  std::string required(const char* name) {
    std::string value = optional(name);
    if (value.empty()) fail(where_ + " has no " + name);
    return value;
  }

  std::string optional(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end() || found->is_null()) return {};
    if (!found->is_string()) {
      fail(std::string(name) + " is not a string");
      return {};
    }
    return found->get<std::string>();
  }

  // The same, for what may end up in a message, a header or an address.
  std::string printable(const char* name) {
    std::string value = optional(name);
    if (!is_printable(value)) fail(std::string(name) + " holds a control character");
    return value;
  }

  std::string google_url(const char* name, const char* fallback) {
    std::string value = optional(name);
    if (value.empty() && fallback == nullptr) fail(where_ + " has no " + name);
    if (value.empty()) return fallback == nullptr ? "" : fallback;
    if (const auto checked = check_google_url(value, name); !checked) fail(checked.error().message);
    return value;
  }

  // Null when absent.
  const json* object(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end()) return nullptr;
    if (found->is_object()) return &*found;
    fail(std::string(name) + " is not an object");
    return nullptr;
  }

  const json* find(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }

  void fail(std::string why) {
    if (!problem_) problem_ = fault(std::move(why));
  }

  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  const json& object_;
  std::string where_;
  std::optional<Error> problem_;
};

AuthorizedUser read_user(Fields& fields) {
  return {.client_id = fields.required("client_id"),
          .client_secret = Secret(fields.required("client_secret")),
          .refresh_token = Secret(fields.required("refresh_token")),
          .token_url = fields.google_url("token_uri", k_token_url)};
}

ServiceAccount read_service_account(Fields& fields) {
  return {.client_email = fields.required("client_email"),
          .private_key_id = fields.optional("private_key_id"),
          .private_key = Secret(fields.required("private_key")),
          .token_url = fields.google_url("token_uri", k_token_url)};
}

void read_headers(const json& headers, Fields& fields, ExternalAccount& account) {
  for (const auto& [name, value] : headers.items()) {
    const bool fine = value.is_string() && !name.empty() && is_printable(name) &&
                      name.find(':') == std::string::npos &&
                      is_printable(value.get_ref<const std::string&>());
    if (!fine) return fields.fail("credential_source.headers has one that cannot be sent");
    account.headers.push_back({.name = name, .value = Secret(value.get<std::string>())});
  }
}

void read_format(const json& format, Fields& fields, ExternalAccount& account) {
  Fields inner(format, "credential_source.format");
  const std::string type = inner.optional("type");
  if (type == "json") account.json_field = inner.required("subject_token_field_name");
  if (!type.empty() && type != "json" && type != "text") {
    inner.fail("credential_source.format.type is neither text nor json");
  }
  if (inner.problem()) fields.fail(inner.problem()->message);
}

void read_subject_source(const json& source, Fields& fields, ExternalAccount& account) {
  Fields inner(source, "credential_source");
  account.file = inner.optional("file");
  account.url = inner.optional("url");
  // AWS names a url as well, but what it answers must be signed.
  const bool other_kind = inner.find("environment_id") != nullptr;
  if (other_kind || account.file.empty() == account.url.empty()) {
    inner.fail("credential_source is neither a file nor a url; other kinds are not supported");
  }
  if (!account.url.empty()) {
    if (const auto ok = check_subject_url(account.url); !ok) inner.fail(ok.error().message);
  }
  if (const json* headers = inner.object("headers")) read_headers(*headers, inner, account);
  if (const json* format = inner.object("format")) read_format(*format, inner, account);
  if (inner.problem()) fields.fail(inner.problem()->message);
}

ExternalAccount read_external_account(Fields& fields) {
  ExternalAccount account;
  account.audience = fields.required("audience");
  account.subject_token_type = fields.required("subject_token_type");
  account.token_url = fields.google_url("token_url", nullptr);
  account.client_id = fields.optional("client_id");
  account.client_secret = Secret(fields.optional("client_secret"));
  account.workforce_project = fields.optional("workforce_pool_user_project");
  if (const json* source = fields.object("credential_source")) {
    read_subject_source(*source, fields, account);
  } else {
    fields.fail("external_account has no credential_source");
  }
  return account;
}

std::optional<Impersonation> read_impersonation(Fields& fields) {
  Impersonation impersonation;
  if (fields.find("service_account_impersonation_url") == nullptr) return std::nullopt;
  impersonation.url = fields.google_url("service_account_impersonation_url", nullptr);
  if (const json* delegates = fields.find("delegates");
      delegates != nullptr && delegates->is_array()) {
    for (const json& name : *delegates) {
      if (!name.is_string()) fields.fail("delegates holds something that is not a string");
      if (name.is_string()) impersonation.delegates.push_back(name.get<std::string>());
    }
  }
  if (const json* settings = fields.object("service_account_impersonation")) {
    const auto lifetime = settings->find("token_lifetime_seconds");
    if (lifetime != settings->end() && lifetime->is_number_integer()) {
      // Google takes ten minutes to twelve hours; what is beyond is its to refuse.
      const auto seconds = std::clamp<std::int64_t>(lifetime->get<std::int64_t>(), 1, 43'200);
      impersonation.lifetime = std::chrono::seconds(seconds);
    }
  }
  return impersonation;
}

void read_identity(const std::string& type, Fields& fields, AdcFile& file) {
  if (type == "authorized_user") {
    file.identity = read_user(fields);
  } else if (type == "service_account") {
    file.identity = read_service_account(fields);
    file.account = fields.printable("client_email");
  } else if (type == "external_account") {
    file.identity = read_external_account(fields);
  } else if (type.empty()) {
    fields.fail("it has no type");
  } else {
    // The word itself may be anything; the known ones are more useful to read.
    fields.fail(
        "its type is not authorized_user, service_account, external_account or "
        "impersonated_service_account");
  }
}

void read_source(Fields& fields, AdcFile& file) {
  const json* source = fields.object("source_credentials");
  if (source == nullptr)
    return fields.fail("impersonated_service_account has no source_credentials");
  Fields inner(*source, "source_credentials");
  if (inner.find("service_account_impersonation_url") != nullptr) {
    return fields.fail("source_credentials that impersonate are not supported");
  }
  read_identity(inner.optional("type"), inner, file);
  if (inner.problem()) fields.fail("source_credentials: " + inner.problem()->message);
}

}  // namespace

std::string Impersonation::account() const {
  constexpr std::string_view k_before = "/serviceAccounts/";
  const std::size_t start = url.rfind(k_before);
  const std::size_t end = url.rfind(':');
  if (start == std::string::npos || end == std::string::npos || end < start) return {};
  const std::size_t name = start + k_before.size();
  return end > name ? url.substr(name, end - name) : "";
}

Result<AdcFile> parse_adc_file(std::string_view text) {
  if (!check_json(text, k_deepest).ok()) return fault("it is not valid JSON");
  const json object = read_json(text);
  if (!object.is_object()) return fault("it is not a JSON object");
  Fields fields(object, "it");
  AdcFile file;
  const std::string type = fields.optional("type");
  file.account = fields.printable("account");
  file.project = fields.printable("project_id");
  file.quota_project = fields.printable("quota_project_id");
  file.impersonation = read_impersonation(fields);
  if (type == "impersonated_service_account") {
    if (!file.impersonation) fields.fail("it has no service_account_impersonation_url");
    read_source(fields, file);
  } else {
    read_identity(type, fields, file);
  }
  if (file.impersonation) file.account = file.impersonation->account();
  if (fields.problem()) return *fields.problem();
  return file;
}

}  // namespace yume::auth

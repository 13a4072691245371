// SPDX-License-Identifier: MIT
#include "auth/adc_file.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::auth {
namespace {

std::string fault_of(const std::string& text) {
  const auto file = parse_adc_file(text);
  return file.ok() ? "none" : file.error().message;
}

TEST(AdcFile, ReadsAUser) {
  const auto file = parse_adc_file(
      R"({"type":"authorized_user","client_id":"i","client_secret":"s","refresh_token":"r",)"
      R"("account":"a@b.c","quota_project_id":"q"})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto& user = std::get<AuthorizedUser>(file->identity);
  EXPECT_EQ(user.client_id, "i");
  EXPECT_EQ(user.client_secret.reveal(), "s");
  EXPECT_EQ(user.refresh_token.reveal(), "r");
  EXPECT_EQ(user.token_url, "https://oauth2.googleapis.com/token");
  EXPECT_EQ(file->account, "a@b.c");
  EXPECT_EQ(file->quota_project, "q");
}

TEST(AdcFile, ReadsAServiceAccount) {
  const auto file = parse_adc_file(
      R"({"type":"service_account","project_id":"p","private_key_id":"k","private_key":"pem",)"
      R"("client_email":"r@p","token_uri":"https://x.googleapis.com/t"})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto& account = std::get<ServiceAccount>(file->identity);
  EXPECT_EQ(account.client_email, "r@p");
  EXPECT_EQ(account.private_key_id, "k");
  EXPECT_EQ(account.private_key.reveal(), "pem");
  EXPECT_EQ(account.token_url, "https://x.googleapis.com/t");
  EXPECT_EQ(file->account, "r@p");
  EXPECT_EQ(file->project, "p");
}

constexpr const char* k_external =
    R"({"type":"external_account","audience":"//iam","subject_token_type":"jwt",)"
    R"("token_url":"https://sts.googleapis.com/v1/token",)"
    R"("service_account_impersonation_url":"https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/r@p:generateAccessToken",)"
    R"("service_account_impersonation":{"token_lifetime_seconds":600},)"
    R"("credential_source":{"url":"https://ci.example/t","headers":{"Authorization":"Bearer x"},)"
    R"("format":{"type":"json","subject_token_field_name":"value"}}})";

TEST(AdcFile, ReadsAnExternalAccount) {
  const auto file = parse_adc_file(k_external);
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto& account = std::get<ExternalAccount>(file->identity);
  EXPECT_EQ(account.url, "https://ci.example/t");
  ASSERT_EQ(account.headers.size(), 1U);
  EXPECT_EQ(account.headers[0].name, "Authorization");
  EXPECT_EQ(account.json_field, "value");
  ASSERT_TRUE(file->impersonation.has_value());
  EXPECT_EQ(file->impersonation->lifetime, std::chrono::seconds(600));
  EXPECT_EQ(file->account, "r@p");
}

TEST(AdcFile, ReadsAnImpersonatedAccount) {
  const auto file = parse_adc_file(
      R"({"type":"impersonated_service_account","delegates":["d"],)"
      R"("service_account_impersonation_url":"https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/r@p:generateAccessToken",)"
      R"("source_credentials":{"type":"authorized_user","client_id":"i","client_secret":"s","refresh_token":"r"}})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(std::holds_alternative<AuthorizedUser>(file->identity));
  ASSERT_TRUE(file->impersonation.has_value());
  EXPECT_EQ(file->impersonation->delegates, std::vector<std::string>{"d"});
  EXPECT_EQ(file->account, "r@p");
}

TEST(AdcFile, NamesTheFault) {
  EXPECT_EQ(fault_of(""), "it is not valid JSON");
  EXPECT_EQ(fault_of("{"), "it is not valid JSON");
  EXPECT_EQ(fault_of("[]"), "it is not a JSON object");
  EXPECT_EQ(fault_of(std::string(100'000, '[')), "it is not valid JSON");
  EXPECT_EQ(fault_of("{}"), "it has no type");
  EXPECT_EQ(fault_of(R"({"type":7})"), "type is not a string");
  EXPECT_EQ(fault_of(R"({"type":"gdch_service_account"})"),
            "its type is not authorized_user, service_account, external_account or "
            "impersonated_service_account");
  EXPECT_EQ(fault_of(R"({"type":"authorized_user","client_id":"i","client_secret":"s"})"),
            "it has no refresh_token");
  EXPECT_EQ(fault_of(R"({"type":"authorized_user","client_id":"i","client_secret":"s",)"
                     R"("refresh_token":["r"]})"),
            "refresh_token is not a string");
  EXPECT_EQ(fault_of(R"({"type":"service_account","client_email":"r@p"})"),
            "it has no private_key");
  EXPECT_EQ(fault_of(R"({"type":"external_account","audience":"a","subject_token_type":"t",)"
                     R"("token_url":"https://sts.googleapis.com/"})"),
            "external_account has no credential_source");
  EXPECT_EQ(fault_of(R"({"type":"impersonated_service_account"})"),
            "it has no service_account_impersonation_url");
}

TEST(AdcFile, SendsNoSecretToStrangers) {
  EXPECT_EQ(fault_of(R"({"type":"authorized_user","client_id":"i","client_secret":"s",)"
                     R"("refresh_token":"r","token_uri":"https://evil.example/"})"),
            "token_uri is not an address of Google's");
  std::string text = k_external;
  text.replace(text.find("https://sts.googleapis.com"), 26, "https://sts.googleapis.evil");
  EXPECT_EQ(fault_of(text), "token_url is not an address of Google's");
  text = k_external;
  text.replace(text.find("https://iamcredentials.googleapis.com"), 37,
               "http://iamcredentials.googleapis.com");
  EXPECT_EQ(fault_of(text), "service_account_impersonation_url is not an https address");
  text = k_external;
  text.replace(text.find("https://ci.example"), 18, "http://ci.example");
  EXPECT_EQ(fault_of(text), "credential_source.url is not an https address");
}

TEST(AdcFile, RefusesHeadersThatCouldAddOthers) {
  std::string text = k_external;
  text.replace(text.find("Bearer x"), 8, "x\\r\\nX-Evil: 1");
  EXPECT_EQ(fault_of(text), "credential_source.headers has one that cannot be sent");
}

TEST(AdcFile, RefusesProgramsAndSignedRequestsAsSource) {
  for (const char* source : {R"({"executable":{"command":"/bin/sh"}})",
                             R"({"environment_id":"aws1","url":"http://127.0.0.1/"})",
                             R"({"file":"/a","url":"https://b/"})", "{}"}) {
    EXPECT_EQ(fault_of(std::string(R"({"type":"external_account","audience":"a",)") +
                       R"("subject_token_type":"t","token_url":"https://sts.googleapis.com/",)" +
                       R"("credential_source":)" + source + "}"),
              "credential_source is neither a file nor a url; other kinds are not supported");
  }
}

}  // namespace
}  // namespace yume::auth

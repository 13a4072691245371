// SPDX-License-Identifier: MIT
#include "auth/adc_source.h"

#include <utility>

#include "auth/adc_file.h"
#include "auth/gcloud_config.h"
#include "auth/token_fetchers.h"
#include "util/path_text.h"

namespace yume::auth {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_file = 64U * 1024U;
constexpr const char* k_variable = "GOOGLE_APPLICATION_CREDENTIALS";

Result<AccessToken> fetch_identity_token(const AdcFile& file, OauthClient& client,
                                         const platform::FileSystem& files, platform::WallTime now,
                                         const CancelToken& cancel) {
  if (const auto* user = std::get_if<AuthorizedUser>(&file.identity)) {
    return fetch_user_token(*user, client, cancel);
  }
  if (const auto* account = std::get_if<ServiceAccount>(&file.identity)) {
    return fetch_service_account_token(*account, client, now, cancel);
  }
  return fetch_external_token(std::get<ExternalAccount>(file.identity), client, files, cancel);
}

Error named(const fs::path& path, const Error& error) {
  return {.code = ErrorCode::auth,
          .message = "cannot use " + to_utf8(path) + ": " + error.message,
          .http_status = error.http_status};
}

}  // namespace

AdcSource::AdcSource(const platform::Environment& environment, const platform::FileSystem& files,
                     net::Transport& transport, const platform::Clock& clock)
    : environment_(environment), files_(files), client_(transport, clock) {}

AdcSource::Place AdcSource::locate() const {
  if (const auto named_file = environment_.get(k_variable)) {
    return environment_.cwd / *named_file;
  }
  const fs::path directory = gcloud_directory(environment_);
  if (!directory.empty()) {
    fs::path well_known = directory / "application_default_credentials.json";
    const auto info = files_.info(well_known);
    // There but not to be looked at is broken, not absent: reading it will tell.
    if (info.ok() || info.error().code != ErrorCode::not_found) return well_known;
  }
  if (auto server = find_metadata_server(environment_, files_)) return *std::move(server);
  return std::monostate();
}

bool AdcSource::seems_configured() const {
  return !std::holds_alternative<std::monostate>(locate());
}

std::optional<TokenIdentity> AdcSource::identity() const {
  const Place place = locate();
  if (const auto* path = std::get_if<fs::path>(&place)) {
    return TokenIdentity{.place = to_utf8(*path), .version = file_version(files_, *path)};
  }
  if (const auto* server = std::get_if<MetadataServer>(&place)) {
    return TokenIdentity{.place = server->base_url, .version = "metadata"};
  }
  return std::nullopt;
}

Result<std::variant<Token, NoToken>> AdcSource::fetch(platform::WallTime now,
                                                      const CancelToken& cancel) {
  using Answer = std::variant<Token, NoToken>;
  const Place place = locate();
  if (const auto* server = std::get_if<MetadataServer>(&place)) {
    return fetch_metadata_token(*server, client_, cancel);
  }
  if (const auto* path = std::get_if<fs::path>(&place)) {
    YUME_TRY(Token token, fetch_from_file(*path, now, cancel));
    return Answer(std::move(token));
  }
  return Answer(NoToken{});
}

Result<Token> AdcSource::fetch_from_file(const fs::path& path, platform::WallTime now,
                                         const CancelToken& cancel) {
  auto text = files_.read(path, k_largest_file);
  if (!text.ok()) {
    std::string why = text.error().message;
    if (environment_.get(k_variable)) why += std::string(", named by ") + k_variable;
    return Error{.code = ErrorCode::auth, .message = why};
  }
  const Secret content(std::move(text).value());
  const auto file = parse_adc_file(content.reveal());
  if (!file.ok()) return named(path, file.error());
  auto token = fetch_identity_token(*file, client_, files_, now, cancel);
  if (token.ok() && file->impersonation) {
    token = impersonate(*file->impersonation, token->value, client_, cancel);
  }
  if (!token.ok()) return named(path, token.error());
  const bool user = std::holds_alternative<AuthorizedUser>(file->identity) && !file->impersonation;
  return Token{.value = std::move(token->value),
               .lifetime = token->lifetime,
               .account = file->account,
               .project = file->project,
               .quota_project = file->quota_project,
               .owner = user ? TokenOwner::user : TokenOwner::service};
}

}  // namespace yume::auth

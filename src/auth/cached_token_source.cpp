// SPDX-License-Identifier: MIT
#include "auth/cached_token_source.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <variant>

#include "auth/credential_chain.h"

namespace yume::auth {
namespace {

using platform::WallTime;
using Kind = TokenRecord::Kind;

// A file that promises more has been written under another date.
constexpr std::chrono::minutes k_longest_shared{60};
constexpr std::chrono::minutes k_clock_tolerance{5};

std::string bearer(const Secret& token) {
  return "Bearer " + std::string(token.reveal());
}

// The value goes into a header.
bool is_project_id(std::string_view text) {
  return text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.' || c == ':' || c == '_';
         });
}

const std::string& first_set(const std::string& a, const std::string& b) {
  return a.empty() ? b : a;
}

bool usable_from_file(const TokenRecord& record, const TokenIdentity& identity, WallTime now) {
  return record.kind != Kind::failed && record.version == identity.version &&
         record.made <= now + k_clock_tolerance && now < stale_at(record) &&
         record.expires <= now + k_longest_shared + k_clock_tolerance;
}

}  // namespace

CachedTokenSource::CachedTokenSource(std::unique_ptr<TokenSource> source, CacheSettings settings,
                                     const platform::Clock& clock, Log& log)
    : source_(std::move(source)), settings_(std::move(settings)), clock_(clock), log_(log) {}

Result<std::optional<Credential>> CachedTokenSource::fetch(WallTime now,
                                                           const CancelToken& cancel) {
  const auto identity = source_->identity();
  if (!identity) return std::optional<Credential>();
  if (remembers(*identity, now)) return credential(remembered_->record);
  YUME_TRY(const TokenRecord record, settings_.store != nullptr ? ask_shared(*identity, now, cancel)
                                                                : ask(*identity, cancel));
  remember(record);
  return credential(record);
}

Result<TokenRecord> CachedTokenSource::ask_shared(const TokenIdentity& identity, WallTime now,
                                                  const CancelToken& cancel) {
  const auto known = look_up(identity);
  if (known && usable_from_file(*known, identity, now)) return *known;
  const auto lock = settings_.store->lock(entry_name(identity), cancel);
  if (!lock.ok()) {
    if (lock.error().code == ErrorCode::cancelled) return lock.error();
    log_.write("auth", lock.error().message);
    return ask(identity, cancel);
  }
  // While we waited, another process may have found the answer, or somebody logged in.
  const TokenIdentity current = source_->identity().value_or(identity);
  if (auto found = found_meanwhile(current, now)) return *std::move(found);
  auto asked = ask(current, cancel);
  if (cancel.stop_requested()) return asked;
  // Asking may have changed the source's own files. Under another name we hold no lock.
  const TokenIdentity after = source_->identity().value_or(current);
  if (after.place == identity.place) publish(after, asked);
  return asked;
}

std::optional<Result<TokenRecord>> CachedTokenSource::found_meanwhile(const TokenIdentity& identity,
                                                                      WallTime since) const {
  const WallTime now = clock_.wall_now();
  auto found = look_up(identity);
  if (!found) return std::nullopt;
  if (usable_from_file(*found, identity, now)) return *std::move(found);
  const bool our_answer = found->kind == Kind::failed && found->version == identity.version &&
                          found->made >= since && found->made <= now;
  if (!our_answer) return std::nullopt;
  return Error{.code = ErrorCode::auth, .message = std::move(found->message)};
}

Result<TokenRecord> CachedTokenSource::ask(const TokenIdentity& identity,
                                           const CancelToken& cancel) {
  // Counted from before the request: better too early than too late.
  const WallTime now = clock_.wall_now();
  YUME_TRY(auto answer, source_->fetch(now, cancel));
  if (const auto* none = std::get_if<NoToken>(&answer)) {
    return TokenRecord{.kind = Kind::absent,
                       .version = identity.version,
                       .made = now,
                       .expires = now + none->remember};
  }
  Token token = std::get<Token>(std::move(answer));
  const WallTime expires = now + token.lifetime;
  return TokenRecord{.kind = Kind::token,
                     .version = identity.version,
                     .made = now,
                     .expires = expires,
                     .token = std::move(token)};
}

std::optional<TokenRecord> CachedTokenSource::look_up(const TokenIdentity& identity) const {
  const auto text = settings_.store->read(entry_name(identity));
  if (!text.ok()) log_.write("auth", text.error().message);
  if (!text.ok() || !*text) return std::nullopt;
  return decode(**text);
}

void CachedTokenSource::publish(const TokenIdentity& identity, const Result<TokenRecord>& asked) {
  TokenRecord shared;
  if (asked.ok()) {
    shared = *asked;
    shared.expires = std::min(shared.expires, shared.made + k_longest_shared);
  } else {
    shared.kind = Kind::failed;
    shared.made = shared.expires = clock_.wall_now();
    shared.message = asked.error().message;
  }
  shared.version = identity.version;
  const Secret text(encode(shared));
  const auto written = settings_.store->write(entry_name(identity), text.reveal());
  if (!written.ok()) log_.write("auth", written.error().message);
}

bool CachedTokenSource::remembers(const TokenIdentity& identity, WallTime now) const {
  return remembered_ && remembered_->record.version == identity.version &&
         clock_.steady_now() < remembered_->stale && now < stale_at(remembered_->record);
}

void CachedTokenSource::remember(const TokenRecord& record) {
  remembered_.reset();
  if (settings_.memory == TokenMemory::forget) return;
  remembered_ = {.record = record,
                 .stale = clock_.steady_now() + (stale_at(record) - clock_.wall_now())};
  // Asking may have changed the source's own files.
  if (const auto identity = source_->identity()) remembered_->record.version = identity->version;
}

std::string CachedTokenSource::entry_name(const TokenIdentity& identity) const {
  return (origin() == CredentialOrigin::gcloud ? "gcloud-" : "adc-") + fingerprint(identity.place) +
         ".json";
}

Result<std::optional<Credential>> CachedTokenSource::credential(const TokenRecord& record) const {
  if (record.kind != Kind::token) return std::optional<Credential>();
  const Token& token = record.token;
  Credential made{
      .kind = CredentialKind::access_token,
      .origin = origin(),
      .source = name_of(origin()),
      .header = {.name = "Authorization", .value = Secret(bearer(token.value))},
      .account = token.account,
      .expires = record.expires,
      .project = first_set(settings_.projects.project, token.project),
      .quota_project = first_set(settings_.projects.quota_project, token.quota_project)};
  if (made.quota_project.empty() && token.owner == TokenOwner::user) {
    made.quota_project = made.project;
  }
  if (!is_project_id(made.project) || !is_project_id(made.quota_project)) {
    return Error{.code = ErrorCode::auth,
                 .message =
                     "the project or quota project is not a project id; check "
                     "GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_QUOTA_PROJECT"};
  }
  return std::optional(std::move(made));
}

void CachedTokenSource::invalidate(const Credential& refused) {
  const auto is_refused = [&refused](const TokenRecord& record) {
    return record.kind == Kind::token &&
           bearer(record.token.value) == refused.header.value.reveal();
  };
  if (remembered_ && is_refused(remembered_->record)) remembered_.reset();
  const auto identity = source_->identity();
  if (settings_.store == nullptr || !identity) return;
  const auto shared = look_up(*identity);
  if (!shared || !is_refused(*shared)) return;
  const auto removed = settings_.store->remove(entry_name(*identity));
  if (!removed.ok()) log_.write("auth", removed.error().message);
}

}  // namespace yume::auth

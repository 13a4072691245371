// SPDX-License-Identifier: MIT
// A token source that remembers: in memory, and, because hosts start one process per turn, in the
// user's runtime directory, where many processes that start at once wait for the first one's token
// instead of each making its own. Not thread-safe by itself; the chain lets one caller in at a
// time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "auth/credential_source.h"
#include "auth/token_record.h"
#include "auth/token_source.h"
#include "platform/clock.h"
#include "platform/private_store.h"
#include "util/log.h"

namespace yume::auth {

enum class TokenMemory {
  keep,
  forget,  // every fetch makes a new token
};

// Of the environment; each beats what the credential names.
struct ProjectSettings {
  std::string project;
  std::string quota_project;
};

struct CacheSettings {
  TokenMemory memory = TokenMemory::keep;
  std::unique_ptr<platform::PrivateStore> store = nullptr;  // null: this process alone
  ProjectSettings projects = {};
};

class CachedTokenSource final : public CredentialSource {
 public:
  // Clock and log are borrowed.
  CachedTokenSource(std::unique_ptr<TokenSource> source, CacheSettings settings,
                    const platform::Clock& clock, Log& log);

  [[nodiscard]] CredentialOrigin origin() const override { return source_->origin(); }
  [[nodiscard]] bool seems_configured() const override { return source_->seems_configured(); }
  Result<std::optional<Credential>> fetch(platform::WallTime now,
                                          const CancelToken& cancel) override;
  void invalidate(const Credential& credential) override;

 private:
  // In this process the steady clock counts as well: the wall clock may be set.
  struct Remembered {
    TokenRecord record;
    platform::SteadyTime stale;
  };

  Result<TokenRecord> ask_shared(const TokenIdentity& identity, platform::WallTime now,
                                 const CancelToken& cancel);
  Result<TokenRecord> ask(const TokenIdentity& identity, const CancelToken& cancel);
  std::optional<TokenRecord> look_up(const TokenIdentity& identity) const;
  // What a process that held the lock before us found out since we began to wait.
  std::optional<Result<TokenRecord>> found_meanwhile(const TokenIdentity& identity,
                                                     platform::WallTime since) const;
  void publish(const TokenIdentity& identity, const Result<TokenRecord>& asked);
  [[nodiscard]] bool remembers(const TokenIdentity& identity, platform::WallTime now) const;
  void remember(const TokenRecord& record);
  [[nodiscard]] std::string entry_name(const TokenIdentity& identity) const;
  Result<std::optional<Credential>> credential(const TokenRecord& record) const;

  std::unique_ptr<TokenSource> source_;
  CacheSettings settings_;
  const platform::Clock& clock_;
  Log& log_;
  std::optional<Remembered> remembered_;
};

}  // namespace yume::auth

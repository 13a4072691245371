// SPDX-License-Identifier: MIT
// Builds the credential chain from options, settings and environment. Runs and reads nothing by
// itself.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/options.h"
#include "auth/credential_chain.h"
#include "config/settings_stack.h"
#include "net/transport.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "util/log.h"

namespace yume::app {

// Whose credentials are used, and how they are found.
struct CredentialChoice {
  AuthChoice auth = AuthChoice::automatic;
  std::string gcloud_path = {};  // empty: from PATH
  TokenCacheMode token_cache = TokenCacheMode::runtime;
  std::string project = {};  // of a flag or a variable
};
CredentialChoice credential_choice(const Options& options, const config::SettingsStack& settings);

// Borrowed for the chain's life.
struct CredentialDeps {
  const platform::Environment& environment;
  platform::FileSystem& files;
  platform::ProcessRunner& processes;
  const platform::Clock& clock;
  net::Transport& transport;
  Log& log;
};

// Those that the choice allows, in order of preference. `workspace`: the real paths of
// directories whose programs are never run for a credential.
std::vector<std::unique_ptr<auth::CredentialSource>> make_credential_sources(
    const CredentialChoice& choice, const std::vector<std::filesystem::path>& workspace,
    const CredentialDeps& deps);

auth::CredentialChain make_credential_chain(const CredentialChoice& choice,
                                            const std::vector<std::filesystem::path>& workspace,
                                            const CredentialDeps& deps);

// For the init line, before anything was fetched: the API key's variable when that is what will be
// used, else "none".
std::string credential_source_label(const auth::CredentialChain& chain,
                                    const platform::Environment& environment);

}  // namespace yume::app

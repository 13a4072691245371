// SPDX-License-Identifier: MIT
// The first run of a person who has no login yet: says which two ways there are, and lets gcloud
// log in at once. Only for a person at a terminal; hosts never get here, and pay nothing for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/credentials.h"
#include "app/options.h"
#include "net/curl_transport.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "platform/stdio.h"
#include "protocol/line_writer.h"

namespace yume::app {

// Whether a login may be offered before the turn of these options: a person is at the terminal, a
// request will be sent, and a login of gcloud's would be used for it. Looks at no credential.
bool may_offer_login(const Options& options);

struct LoginWays {
  bool gcloud = false;   // it is installed
  bool windows = false;  // variables are set in PowerShell
};
// At most five lines of 80 columns; with gcloud the last one is a question without its choice of
// answers.
std::string first_login_text(const LoginWays& ways);

struct FirstLoginDeps {
  const platform::Environment& environment;
  const std::vector<std::filesystem::path>& workspace;  // real paths
  const net::CurlOptions& network;
  platform::FileSystem& files;
  platform::ProcessRunner& processes;
  protocol::Output& out;  // the terminal
  platform::OutputStream& err;
};

enum class FirstLogin {
  not_needed,  // there is a login, or one that is broken, which the turn will report
  done,
  declined,  // or it failed: what to do has been said
};

// Blocks for the person's answer and while gcloud runs. Signals must be blocked.
FirstLogin offer_login(const CredentialChoice& choice, const FirstLoginDeps& deps);

}  // namespace yume::app

// SPDX-License-Identifier: MIT
// Which servers a credential file may send us to. The file may come from somebody else: its secrets
// and ours go to Google only, or stay on this machine.
#pragma once

#include <string>

#include "util/result.h"

namespace yume::auth {

// https on *.googleapis.com, or loopback (tests and gateways). `field` names it in the error.
Result<void> check_google_url(const std::string& url, const std::string& field);

// Where a federated identity's own token comes from: https anywhere, or http to loopback or to the
// link-local address of a cloud's metadata server.
Result<void> check_subject_url(const std::string& url);

// True when the address may be given headers that hold secrets.
bool is_https_or_loopback(const std::string& url);

}  // namespace yume::auth

// SPDX-License-Identifier: MIT
// Every credential source by itself: absent, broken, or working; and which one a turn would use.
#pragma once

#include <memory>
#include <vector>

#include "app/doctor/finding.h"
#include "auth/credential_source.h"
#include "platform/clock.h"
#include "util/cancel.h"

namespace yume::app::doctor {

struct Logins {
  Findings findings = {};
  std::unique_ptr<auth::CredentialSource> used = nullptr;  // null: none works
};

enum class Choice {
  first_that_works,
  named,  // with --auth: there is one source, and it must work
};

// `sources` in order of preference. Each may take five seconds.
Logins check_logins(std::vector<std::unique_ptr<auth::CredentialSource>> sources, Choice choice,
                    const platform::Clock& clock, const CancelToken& cancel);

}  // namespace yume::app::doctor

// SPDX-License-Identifier: MIT
// The profile exists (sandbox_profile.h); what starts commands with it does not yet.
#include "platform/sandbox_posix.h"

namespace yume::platform {

bool has_sandbox() {
  return false;
}

SandboxSupport sandbox_support() {
  return {};
}

std::filesystem::path sandbox_folder(const Environment& environment) {
  return environment.get("TMPDIR").value_or("/tmp") + "/yume-commands";
}

namespace {

class NoSandbox final : public SandboxMaker {
  Result<std::unique_ptr<PreparedSandbox>> prepare(const Sandbox& /*sandbox*/) override {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "there is no sandbox for commands on this system yet"};
  }
};

}  // namespace

std::unique_ptr<SandboxMaker> make_sandbox_maker() {
  return std::make_unique<NoSandbox>();
}

}  // namespace yume::platform

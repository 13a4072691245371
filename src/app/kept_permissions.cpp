// SPDX-License-Identifier: MIT
#include "app/kept_permissions.h"

#include "app/trust.h"
#include "config/permission_file.h"
#include "config/permission_layers.h"
#include "config/places.h"
#include "platform/kept_files.h"
#include "util/overloaded.h"

#include <chrono>
#include <memory>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using core::PermissionMode;
using core::UpdateDestination;

constexpr std::uint64_t k_largest_file = 2U << 20U;
constexpr std::chrono::milliseconds k_patience{2000};

UpdateDestination destination_of(const core::PermissionUpdate& update) {
  return std::visit([](const auto& one) { return one.destination; }, update);
}

bool is_of_folder(UpdateDestination destination) {
  return destination == UpdateDestination::local_settings ||
         destination == UpdateDestination::project_settings;
}

// What no file should say by itself.
Result<void> check(const core::PermissionUpdate& update) {
  const auto* mode = std::get_if<core::ModeUpdate>(&update);
  if (mode == nullptr) return {};
  const auto refused = [](std::string why) {
    return Error{.code = ErrorCode::permission_denied, .message = std::move(why)};
  };
  if (mode->mode == PermissionMode::bypass) {
    return refused("bypassPermissions is for one session; only a person writes it into a file");
  }
  if (mode->mode == PermissionMode::accept_edits && is_of_folder(mode->destination)) {
    return refused("a folder's settings cannot raise the permission mode");
  }
  return {};
}

}  // namespace

Result<KeptPermissions::Grants> KeptPermissions::grants() const {
  const TrustStore trust(files_, environment_);
  YUME_TRY(const config::PermissionLayers layers,
           config::read_permission_layers(
               config::SettingsStack{},
               {.cwd = cwd_,
                .user_files = false,
                .is_trusted = [&](const std::string& text) { return trust.trusts(cwd_, text); }},
               files_, environment_));
  return Grants{.text = layers.granted, .trusted = layers.granted.empty() || layers.trusted};
}

Result<void> KeptPermissions::write(const fs::path& file,
                                    const core::PermissionUpdate& update) const {
  if (auto made = files_.create_directories(file.parent_path()); !made.ok()) return made.error();
  const fs::path own_folder = config::yume_folder(environment_);
  std::unique_ptr<platform::FileLock> lock;
  if (!own_folder.empty()) {
    // Two processes that add a rule each must both find theirs.
    if (auto made = files_.create_directories(own_folder); !made.ok()) return made.error();
    YUME_TRY(lock, platform::lock_file(own_folder / "settings.lock", k_patience, clock_));
  }
  auto text = files_.read(file, k_largest_file);
  if (!text.ok() && text.error().code != ErrorCode::not_found) return text.error();
  YUME_TRY(const std::string changed,
           config::with_permission_update(text.ok() ? *text : std::string(), update));
  return files_.replace(file, changed);
}

Result<void> KeptPermissions::keep(const core::PermissionUpdate& update) const {
  const UpdateDestination destination = destination_of(update);
  if (destination == UpdateDestination::session) return {};
  if (auto allowed = check(update); !allowed.ok()) return allowed.error();
  if (destination == UpdateDestination::user_settings) {
    const fs::path file = config::settings_file(environment_);
    if (file.empty()) {
      return Error{.code = ErrorCode::not_found, .message = "there is no home directory"};
    }
    return write(file, update);
  }
  YUME_TRY(const Grants before, grants());
  const bool local = destination == UpdateDestination::local_settings;
  const fs::path file = cwd_ / ".yume" / (local ? "settings.local.json" : "settings.json");
  if (auto written = write(file, update); !written.ok()) return written.error();
  YUME_TRY(const Grants after, grants());
  if (after.text == before.text || after.text.empty()) return {};
  if (before.trusted) return TrustStore(files_, environment_).trust(cwd_, after.text);
  return Error{.code = ErrorCode::permission_denied,
               .message = "this folder's settings are not trusted; run yume-cli trust"};
}

}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "app/hosts/host_writer.h"

#include "platform/kept_files.h"
#include "util/path_text.h"

#include <optional>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_file = 8U << 20U;
constexpr std::string_view k_backup_ending = ".before-yume-cli";
constexpr int k_most_backups = 9;
// Of a program that was installed and never started.
constexpr int k_new_directories = 3;

// What is to be done with a file, worked out from what it was.
struct Plan {
  fs::path file;                                 // real
  std::optional<platform::FileInfo> old_file{};  // absent: there is none
  std::string old_text;
  std::optional<std::string> new_text{};  // absent: nothing to do
};

Result<std::string> read_all(platform::OpenFile& file) {
  if (file.info().size > k_largest_file) {
    return Error{.code = ErrorCode::too_large, .message = "it is larger than 8 MB"};
  }
  std::string text(file.info().size, '\0');
  YUME_TRY(const std::size_t got, file.read_at(0, text));
  text.resize(got);
  return text;
}

Result<Plan> make_plan(const HostSetup& setup, platform::FileSystem& files) {
  Plan plan;
  YUME_TRY(plan.file, files.real_path(setup.file));
  auto opened = files.open_real(plan.file);
  if (!opened.ok() && opened.error().code != ErrorCode::not_found) return opened.error();
  if (opened.ok()) {
    plan.old_file = (*opened)->info();
    YUME_TRY(plan.old_text, read_all(**opened));
  }
  YUME_TRY(plan.new_text, with_entry(plan.old_text, *setup.entry));
  if (!plan.new_text) return plan;
  // The text that is written has the entry, and reads back.
  YUME_TRY(const auto again, with_entry(*plan.new_text, *setup.entry));
  if (again) {
    return Error{.code = ErrorCode::internal, .message = "the entry could not be placed in it"};
  }
  return plan;
}

// For this user only: a settings file may hold keys. An older backup is never replaced.
Result<fs::path> keep_old(const Plan& plan, const platform::FileSystem& files) {
  for (int i = 1; i <= k_most_backups; ++i) {
    fs::path backup = plan.file;
    backup +=
        path_from_utf8(std::string(k_backup_ending) + (i == 1 ? "" : "-" + std::to_string(i)));
    const auto there = files.read(backup, k_largest_file);
    if (there.ok() && *there == plan.old_text) return backup;
    if (there.ok() || there.error().code != ErrorCode::not_found) continue;
    const auto kept =
        platform::replace_private(backup, plan.old_text, platform::Durability::survives_power_cut);
    if (!kept) return kept.error();
    return backup;
  }
  return Error{.code = ErrorCode::io,
               .message = "there are too many backups beside it; remove those that end in " +
                          std::string(k_backup_ending)};
}

Result<fs::path> carry_out(const Plan& plan, platform::FileSystem& files) {
  fs::path backup;
  platform::Expected expected = platform::NothingThere();
  if (plan.old_file) {
    YUME_TRY(backup, keep_old(plan, files));
    expected = *plan.old_file;
  }
  YUME_TRY(const auto replaced,
           files.replace_real(plan.file, *plan.new_text,
                              {.expected = expected, .new_directories = k_new_directories}));
  (void)replaced;
  return backup;
}

HostReport refused(HostSetup setup, std::string why) {
  return {.setup = std::move(setup), .state = HostState::refused, .reason = std::move(why)};
}

}  // namespace

HostReport examine_host(HostSetup setup, platform::FileSystem& files) {
  if (!setup.entry) return {.setup = std::move(setup)};
  const auto plan = make_plan(setup, files);
  if (!plan.ok()) return refused(std::move(setup), plan.error().message);
  return {.setup = std::move(setup),
          .state = plan->new_text ? HostState::missing : HostState::there};
}

HostReport write_host(HostSetup setup, platform::FileSystem& files) {
  if (!setup.entry) return {.setup = std::move(setup)};
  const auto plan = make_plan(setup, files);
  if (!plan.ok()) return refused(std::move(setup), plan.error().message);
  if (!plan->new_text) return {.setup = std::move(setup), .state = HostState::there};
  auto backup = carry_out(*plan, files);
  if (!backup.ok()) return refused(std::move(setup), backup.error().message);
  return {
      .setup = std::move(setup), .state = HostState::written, .backup = std::move(backup).value()};
}

}  // namespace yume::app

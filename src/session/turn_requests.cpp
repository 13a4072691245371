// SPDX-License-Identifier: MIT
// What a host wants to know or have of a session beside its turns.
#include "session/turn_runner.h"

#include "tools/path_guard.h"
#include "util/base64.h"
#include "util/json_io.h"
#include "util/overloaded.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::session {
namespace {

namespace fs = std::filesystem;

// What fits into one line, with room for the rest of it.
constexpr std::size_t k_most_text = 900'000;
constexpr std::size_t k_most_binary = 690'000;  // grows by a third
constexpr std::size_t k_task_output = 8U << 10U;
constexpr std::uint64_t k_largest_known_file = 64U << 20U;

std::string_view source_name(permissions::RuleSource source) {
  switch (source) {
    case permissions::RuleSource::managed:
      return "policySettings";
    case permissions::RuleSource::command_line:
      return "cliArg";
    case permissions::RuleSource::local_file:
      return "localSettings";
    case permissions::RuleSource::project_file:
      return "projectSettings";
    case permissions::RuleSource::user_file:
      return "userSettings";
    case permissions::RuleSource::session:
      break;
  }
  return "session";
}

core::ToolCall read_call(const std::string& path) {
  core::ToolCall call{.id = "host_read", .name = "Read", .input = {}};
  JsonWriter(call.input.text).begin_object().field("file_path", path).end_object();
  return call;
}

struct ReadBytes {
  std::string bytes;
  bool more = false;
};

Result<ReadBytes> read_beginning(platform::OpenFile& file, std::size_t most) {
  ReadBytes read;
  std::array<char, 64U << 10U> buffer{};
  for (;;) {
    YUME_TRY(const std::size_t count, file.read(buffer));
    if (count == 0) return read;
    read.bytes.append(buffer.data(), count);
    if (read.bytes.size() <= most) continue;
    read.bytes.resize(most);
    read.more = true;
    return read;
  }
}

Error refused(std::string why) {
  return {.code = ErrorCode::permission_denied, .message = std::move(why)};
}

}  // namespace

core::RulesReport TurnRunner::rules_report() const {
  using permissions::RuleEffect;
  core::RulesReport report;
  const permissions::RuleSet rules = policy_.rules();
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    for (const permissions::Rule& rule : rules.of(effect)) {
      report.rules.push_back({.behavior = std::string(to_string(effect)),
                              .source = std::string(source_name(rule.origin.source)),
                              .rule = rule.text()});
    }
  }
  for (const fs::path& root : policy_.roots()) report.directories.push_back(to_utf8(root));
  return report;
}

core::HooksReport TurnRunner::hooks_report() const {
  core::HooksReport report;
  for (const auto& [event, hooks] : spec_.hooks.settings.commands) {
    for (const hooks::CommandHook& hook : hooks) {
      report.hooks.push_back(
          {.event = std::string(core::name_of(event)),
           .matcher = hook.matcher.text(),
           .source = hook.is_of_folder ? "projectSettings" : "userSettings",
           .command = hook.command,
           .timeout_seconds =
               std::chrono::duration_cast<std::chrono::seconds>(hook.timeout).count()});
    }
  }
  return report;
}

// The real path is what is decided on and what is opened.
Result<core::FileContents> TurnRunner::read_file(const core::ReadFile& wanted) {
  YUME_TRY(const tools::NamedFile file,
           tools::resolve_path(wanted.path, spec_.cwd, spec_.home, services_.files));
  const core::Decision decision = policy_.decide(
      read_call(wanted.path), core::ReadsFile{.path = file.real, .given = file.given});
  if (const auto* deny = std::get_if<core::Deny>(&decision)) return refused(deny->message);
  if (const auto* ask = std::get_if<core::Ask>(&decision)) return refused(ask->message);
  YUME_TRY(const auto opened, services_.files.open_real(file.real));
  const std::size_t most = std::min(wanted.max_bytes, wanted.base64 ? k_most_binary : k_most_text);
  YUME_TRY(ReadBytes read, read_beginning(*opened, most));
  core::FileContents contents{.contents = {},
                              .absolute_path = to_utf8(file.given),
                              .base64 = wanted.base64,
                              .truncated = read.more};
  services_.redactor.clean(read.bytes);
  contents.lossy = !wanted.base64 && !is_valid_utf8(read.bytes);
  contents.contents = wanted.base64 ? base64(read.bytes) : to_valid_utf8(read.bytes);
  return contents;
}

Result<void> TurnRunner::seed_read_state(const core::SeedReadState& seen) {
  YUME_TRY(const tools::NamedFile file,
           tools::resolve_path(seen.path, spec_.cwd, spec_.home, services_.files));
  YUME_TRY(const auto opened, services_.files.open_real(file.real));
  constexpr std::int64_t k_ns_per_ms = 1'000'000;
  if (opened->info().modified_ns / k_ns_per_ms != seen.modified_ms) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = to_utf8(file.given) +
                            " has changed since then. It must be read before it is edited."};
  }
  YUME_TRY(const ReadBytes read, read_beginning(*opened, k_largest_known_file));
  if (!read.more) work_.files().remember(file.real, read.bytes);
  return {};
}

Result<core::TaskOutput> TurnRunner::task_output(const std::string& task_id) {
  const auto view = work_.shell().background().look(task_id);
  if (!view) {
    return Error{.code = ErrorCode::not_found,
                 .message = "No background command of this session has the id " + task_id + "."};
  }
  core::TaskOutput output;
  const auto real = services_.files.real_path(view->file);
  auto opened = real.ok() ? services_.files.open_real(*real)
                          : Result<std::unique_ptr<platform::OpenFile>>(real.error());
  if (!opened.ok()) return output;  // it has printed nothing yet
  std::array<char, 64U << 10U> buffer{};
  for (;;) {
    const auto count = (*opened)->read(buffer);
    if (!count.ok() || *count == 0) break;
    output.total_bytes += *count;
    output.output.append(buffer.data(), *count);
    const std::string_view end = utf8_suffix(output.output, k_task_output);
    output.truncated |= end.size() < output.output.size();
    output.output = std::string(end);
  }
  output.output = to_valid_utf8(output.output);
  return output;
}

// What restricts comes first: where one of them cannot be, nothing has been allowed yet.
std::optional<std::string> TurnRunner::apply(const core::ApplySettings& settings) {
  const auto allows = [](const core::PermissionUpdate& update) {
    const auto* rules = std::get_if<core::RulesUpdate>(&update);
    return rules == nullptr || rules->effect == "allow";
  };
  for (const bool allowing : {false, true}) {
    for (const core::PermissionUpdate& update : settings.updates) {
      if (allows(update) != allowing) continue;
      permissions::UpdateOutcome outcome = policy_.apply(update);
      if (!outcome.holds) return std::move(outcome.problem);
    }
  }
  return settings.mode ? set_mode(*settings.mode) : std::nullopt;
}

Result<void> TurnRunner::rename(const core::RenameSession& wanted) {
  if (!wanted.session_id.empty() && wanted.session_id != opened_.id) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "This is session " + opened_.id + ", not " + wanted.session_id + "."};
  }
  if (!opened_.journal->is_kept()) {
    return Error{.code = ErrorCode::invalid_argument, .message = "This session is not kept."};
  }
  opened_.journal->title(wanted.title);
  return {};
}

}  // namespace yume::session

// SPDX-License-Identifier: MIT
// A host as one dialect knows it, both ways: its lines become commands and answers, and events,
// replies and questions become its lines. One implementation per dialect, which holds all of that
// dialect's JSON. Main thread only, but for parse() and refuse(), which depend on nothing but the
// line, and can_be_asked().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/command.h"
#include "core/envelope.h"
#include "core/host_question.h"
#include "core/session_report.h"
#include "core/slash_command.h"
#include "platform/clock.h"
#include "util/line_framer.h"

namespace yume::protocol {

// The host's answer to a question of ours, before anybody has looked up what was asked.
struct RawAnswer {
  std::string request_id;           // empty: it is known by the call that it is about
  std::optional<RawJson> response;  // absent: it could not answer
  std::string error = {};           // why
  std::string call_id = {};
  friend bool operator==(const RawAnswer&, const RawAnswer&) = default;
};

// One line from a host.
struct HostMessage {
  std::variant<core::Command, RawAnswer> content;
  std::string reply_to = {};    // the request that wants a reply; empty: none is wanted
  std::string session_id = {};  // empty: the only session
  friend bool operator==(const HostMessage&, const HostMessage&) = default;
};

// A line that a person typed after a question was shown. What it means depends on what they see.
struct TypedLine {
  std::string question_id;          // that was shown
  std::optional<std::string> text;  // without its line end; absent: the end of input
  friend bool operator==(const TypedLine&, const TypedLine&) = default;
};

// What a command led to, for its reply.
struct InterruptDone {
  std::vector<std::string> still_queued = {};  // uuids of prompts
  std::vector<std::string> cancelled = {};
};
struct InitializeDone {
  std::vector<core::ModelOffer> models = {};
  std::vector<core::SlashCommandInfo> commands = {};
  std::vector<core::AgentSummary> agents = {};
  core::PermissionMode mode = core::PermissionMode::default_mode;
  std::string credential_source = {};
  bool hooks_registered = false;  // there were some
  bool all_hooks_served = true;
  bool busy = false;            // a turn runs
  std::int64_t process_id = 0;  // 0: unknown
};
struct ModeSet {
  core::PermissionMode mode = core::PermissionMode::default_mode;
};
struct ModelSet {
  std::string model;
};
struct ModelsListed {
  std::vector<core::ModelOffer> models;
};
struct VersionTold {};
struct CostTold {
  std::string text;
};
struct McpStatusReport {
  std::vector<core::McpServerReport> servers;
};
struct McpServersWereSet {
  core::McpServersSet outcome;
};
// What a server has answered, word for word.
struct McpReturned {
  RawJson result;
};
struct PromptCancelled {
  bool cancelled = false;
};
// There is no file with a plan: plans are shown when they are made.
struct NoPlan {};
// Nothing is to be said beside that it is done.
struct CommandDone {};
struct NotSupported {
  std::string what;
};
struct RequestRefused {
  std::string why;
  std::string code;
};
// The program is there.
struct Greeted {
  core::Greet said;
};
// The prompt waits for its turn, which tells of it under this uuid.
struct PromptQueued {
  std::string uuid;
};
// How a session is that was opened.
struct SessionShown {
  core::SessionStarted info;
  bool may_bypass = false;  // a host may switch to bypassPermissions
  std::optional<std::int64_t> max_thinking_tokens = std::nullopt;
  std::vector<core::ModelOffer> models = {};
  std::vector<core::SlashCommandInfo> commands = {};
  std::vector<core::Event> past = {};  // what was said before, if it is to be shown
};
struct SessionGone {};
struct SessionsListed {
  std::vector<core::SessionEntry> sessions = {};
  std::string next_cursor = {};  // empty: there are no more
};
using CommandResult =
    std::variant<InterruptDone, InitializeDone, ModeSet, ModelSet, ModelsListed,
                 core::ContextReport, core::SettingsReport, core::RewindReport, core::RulesReport,
                 core::HooksReport, core::FileContents, core::TaskOutput, VersionTold, CostTold,
                 McpStatusReport, McpServersWereSet, McpReturned, PromptCancelled, NoPlan,
                 CommandDone, Greeted, PromptQueued, SessionShown, SessionGone, SessionsListed,
                 NotSupported, RequestRefused>;

class Host {
 public:
  virtual ~Host() = default;

  [[nodiscard]] virtual HostMessage parse(std::string_view line) const = 0;
  // What becomes of a line that was not read because it is longer than `limit`.
  [[nodiscard]] virtual HostMessage refuse(const LongLine& line, std::size_t limit) const = 0;

  virtual void write(const core::Envelope& envelope, platform::SteadyTime now) = 0;
  virtual void reply(std::string_view reply_to, const CommandResult& result) = 0;

  // Where a dialect has no way to ask, there is no channel, and nothing may wait for an answer.
  [[nodiscard]] virtual bool can_be_asked() const = 0;
  virtual void ask(std::string_view request_id, const core::Address& from,
                   const core::HostQuestion& question) = 0;
  // Whether MCP servers can be inside this host.
  [[nodiscard]] virtual bool carries_mcp() const { return false; }
  // Whether questions are to say what a call would change; a host that shows it itself wants none.
  [[nodiscard]] virtual bool wants_changes() const { return false; }
  // Whether it shows what commands write while they run.
  [[nodiscard]] virtual bool shows_output() const { return false; }
  // Whether it can be asked just this; else the question fails at once. Here: all but files.
  [[nodiscard]] virtual bool answers(const core::HostQuestion& question) const;
  // The question need not be answered any more.
  virtual void withdraw(std::string_view request_id) = 0;
  // What the answer says about the question; nullopt: nothing at all, and one that does may come.
  [[nodiscard]] virtual std::optional<core::HostAnswer> read_answer(
      const core::HostQuestion& question, const RawAnswer& answer) const = 0;

  // Its answer has been taken.
  enum class Settled { allowed, otherwise };
  virtual void settle(std::string_view /*request_id*/, Settled /*how*/) {}

  // What the line says about the question; nullopt: nothing, or not enough yet.
  virtual std::optional<core::HostAnswer> take_typed(const TypedLine& /*line*/) {
    return std::nullopt;
  }

  // For a host that is a person with a conversation. What they have typed while something is done;
  // a prompt of theirs that is taken; whether Ctrl-C, when nothing is done, ends it all; the
  // terminal has another size, or was somebody else's for a while.
  virtual void show_typed(std::string_view /*text*/) {}
  // The first turn begins only when these MCP servers are there or have failed; and, that it has
  // been sent.
  virtual void expect_servers(const std::vector<std::string>& /*names*/) {}
  virtual void show_start() {}
  virtual void take_prompt(std::string_view /*text*/) {}
  virtual bool leaves_on_interrupt() { return true; }
  virtual void look_again() {}

  // The event should not be handed over before this time. Waiting a few milliseconds here keeps
  // lines apart that a host would otherwise mix up.
  [[nodiscard]] virtual std::optional<platform::SteadyTime> not_before(
      const core::Envelope& /*envelope*/) const {
    return std::nullopt;
  }
  // When on_time() wants to be called, if at all.
  [[nodiscard]] virtual std::optional<platform::SteadyTime> wake_at() const { return std::nullopt; }
  virtual void on_time(platform::SteadyTime /*now*/) {}
};

// Hands the event over when the host wants it.
void write_when_due(Host& host, const core::Envelope& envelope, const platform::Clock& clock);

}  // namespace yume::protocol

// SPDX-License-Identifier: MIT
#include "app/host_choice.h"

#include "app/terminal_look.h"
#include "gemini/model_catalog.h"
#include "platform/stdio.h"
#include "protocol/agent_events/agent_events_host.h"
#include "protocol/claude/claude_host.h"
#include "protocol/gemini_cli/gemini_cli_host.h"
#include "protocol/gemini_cli/gemini_cli_plain.h"
#include "protocol/insights/insights_host.h"
#include "protocol/plain/plain_host.h"
#include "protocol/plain/plain_output.h"
#include "protocol/terminal/terminal_host.h"
#include "protocol/yume/yume_host.h"
#include "protocol/yume_app/yume_app_host.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::app {
namespace {

// The Agent SDK's variable, and that of claude-agent-acp, which waits for `idle`.
bool wants_state(const platform::Environment& environment) {
  constexpr std::array k_names = {"CLAUDE_CODE_SDK_READS_SESSION_STATE",
                                  "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"};
  return std::any_of(k_names.begin(), k_names.end(),
                     [&](const char* name) { return environment.get(name) == "1"; });
}

protocol::ClaudeLook claude_look(const Options& options, const platform::Environment& environment) {
  protocol::ClaudeLook look;
  if (options.dialect == DialectName::yume_app) look = protocol::yume_app_look();
  if (is_yume_server(environment)) look.usage_is_context = true;
  look.replays_prompts = options.replays_prompts;
  look.reports_state = options.dialect == DialectName::claude && wants_state(environment);
  if (options.partial_messages) look.partial = protocol::PartialMessages::yes;
  return look;
}

// How often at most the app is shown a text that still grows; nullopt: never. Yume's server makes a
// row of each line, whatever its id.
std::optional<std::chrono::milliseconds> live_text_gap(const Options& options,
                                                       const platform::Environment& environment) {
  const config::LiveText wanted = options.live_text.value_or(config::LiveText{});
  if (!wanted.on || is_yume_server(environment)) return std::nullopt;
  return wanted.gap.value_or(k_live_text_gap);
}

std::unique_ptr<protocol::Host> make_line_host(const Options& options, const HostStreams& streams,
                                               const std::string& session_id,
                                               const platform::Environment& environment) {
  switch (options.dialect) {
    case DialectName::yume:
      return std::make_unique<protocol::YumeHost>(streams.lines, streams.overflow);
    case DialectName::yume_app:
      return std::make_unique<protocol::YumeAppHost>(
          streams.lines, streams.overflow,
          protocol::YumeAppTiming{.listens_at = streams.listens_at,
                                  .live_text_gap = live_text_gap(options, environment)});
    case DialectName::gemini:
      return std::make_unique<protocol::GeminiCliHost>(streams.lines, streams.progress,
                                                       streams.overflow, streams.clock);
    case DialectName::insights:
      return std::make_unique<protocol::InsightsHost>(streams.lines, streams.overflow,
                                                      streams.clock, session_id);
    case DialectName::agent_events:
      return std::make_unique<protocol::AgentEventsHost>(streams.lines, streams.overflow,
                                                         streams.clock);
    case DialectName::claude:
      break;
  }
  return std::make_unique<protocol::ClaudeHost>(streams.lines, streams.overflow,
                                                claude_look(options, environment));
}

// The lines of a dialect that end up in one JSON value.
std::unique_ptr<protocol::Emitter> make_lines(const Options& options, protocol::Output& output,
                                              protocol::OverflowStore& overflow,
                                              const std::string& session_id,
                                              const platform::Environment& environment) {
  if (options.dialect == DialectName::yume) {
    return std::make_unique<protocol::YumeStream>(output, overflow, session_id);
  }
  return std::make_unique<protocol::ClaudeStream>(
      output, overflow, core::Address{.session_id = session_id}, claude_look(options, environment));
}

std::unique_ptr<protocol::Emitter> make_json(const Options& options, const HostStreams& streams,
                                             const std::string& session_id,
                                             const platform::Environment& environment) {
  const auto detail =
      options.verbose ? protocol::JsonDetail::all_lines : protocol::JsonDetail::result_only;
  return std::make_unique<protocol::JsonOutput>(
      streams.lines, detail, [&](protocol::Output& inner) {
        return make_lines(options, inner, streams.overflow, session_id, environment);
      });
}

// All of it as Gemini CLI writes it: without a screen, whoever looks.
std::unique_ptr<protocol::Host> make_gemini_host(const Options& options, const HostStreams& streams,
                                                 const std::string& session_id,
                                                 const platform::Environment& environment) {
  switch (options.output_format.value_or(OutputFormat::text)) {
    case OutputFormat::stream_json:
      return make_line_host(options, streams, session_id, environment);
    case OutputFormat::json:
      return std::make_unique<protocol::PlainHost>(
          std::make_unique<protocol::GeminiCliJson>(streams.lines, streams.progress, session_id));
    case OutputFormat::text:
      break;
  }
  const bool person = platform::is_terminal(platform::StandardStream::output);
  return std::make_unique<protocol::PlainHost>(std::make_unique<protocol::GeminiCliText>(
      streams.lines, streams.progress,
      person ? protocol::TextReader::person : protocol::TextReader::program));
}

protocol::TerminalViewLook view_look(const Options& options,
                                     const platform::Environment& environment) {
  const TerminalLook look = terminal_look(environment);
  return {.colours = look.colours,
          .utf8 = look.utf8 && !options.ascii,
          .animation = look.colours && options.person_answers
                           ? protocol::Screen::Animation::wanted
                           : protocol::Screen::Animation::unwanted,
          .size = [] { return platform::screen_size().value_or(platform::ScreenSize()); },
          .context_window =
              [](const std::string& model) {
                return gemini::ModelCatalog::built_in().info(model).context_window;
              },
          .cost =
              [today = std::chrono::floor<std::chrono::days>(platform::SystemClock().wall_now())](
                  const std::string& model, const core::Usage& usage) {
                return gemini::cost_usd(gemini::ModelCatalog::built_in().info(model, today), usage);
              }};
}

// Text and JSON come at the end only: whoever watches stderr on a terminal is told of waits there.
// Hosts keep their empty stderr.
std::unique_ptr<protocol::Emitter> with_progress(std::unique_ptr<protocol::Emitter> emitter,
                                                 protocol::Output& progress) {
  if (!platform::is_terminal(platform::StandardStream::error)) return emitter;
  return std::make_unique<protocol::ProgressBeside>(std::move(emitter), progress);
}

}  // namespace

bool is_yume_server(const platform::Environment& environment) {
  return environment.get("CLAUDE_INSTANCE").has_value();
}

bool asks_person(const Options& options) {
  return options.person_answers && platform::is_terminal(platform::StandardStream::input) &&
         platform::is_terminal(platform::StandardStream::output);
}

std::unique_ptr<protocol::Host> make_result_host(const Options& options, protocol::Output& output,
                                                 protocol::OverflowStore& overflow,
                                                 const std::string& session_id,
                                                 const platform::Environment& environment) {
  Options wanted = options;
  wanted.dialect = DialectName::claude;
  wanted.verbose = false;
  const platform::SystemClock clock;
  const HostStreams streams{
      .lines = output, .progress = output, .overflow = overflow, .clock = clock};
  return std::make_unique<protocol::PlainHost>(make_json(wanted, streams, session_id, environment));
}

std::unique_ptr<protocol::Host> make_host(const Options& options, const HostStreams& streams,
                                          const std::string& session_id,
                                          const platform::Environment& environment) {
  const auto plain = [](std::unique_ptr<protocol::Emitter> emitter) {
    return std::make_unique<protocol::PlainHost>(std::move(emitter));
  };
  if (options.dialect == DialectName::gemini) {
    return make_gemini_host(options, streams, session_id, environment);
  }
  const bool terminal = platform::is_terminal(platform::StandardStream::output);
  if (!options.output_format && terminal) {
    return std::make_unique<protocol::TerminalHost>(
        streams.lines, view_look(options, environment),
        streams.conversation != nullptr ? streams.conversation : streams.typed,
        streams.conversation);
  }
  switch (options.output_format.value_or(OutputFormat::text)) {
    case OutputFormat::stream_json:
      return make_line_host(options, streams, session_id, environment);
    case OutputFormat::json:
      return plain(
          with_progress(make_json(options, streams, session_id, environment), streams.progress));
    case OutputFormat::text:
      break;
  }
  const auto reader = terminal ? protocol::Reader::person : protocol::Reader::program;
  return plain(with_progress(std::make_unique<protocol::TextOutput>(streams.lines, reader),
                             streams.progress));
}

}  // namespace yume::app

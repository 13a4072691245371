// SPDX-License-Identifier: MIT
#include "app/translate/translation_parts.h"

#include "foreign/acp_decoder.h"
#include "foreign/claude_lines_decoder.h"
#include "foreign/gemini_lines_decoder.h"
#include "protocol/agent_events/agent_events_host.h"
#include "protocol/claude/claude_host.h"
#include "protocol/gemini_cli/gemini_cli_host.h"
#include "protocol/insights/insights_host.h"
#include "protocol/yume/yume_host.h"
#include "util/uuid.h"

namespace yume::app {
namespace {

// The result of a turn repeats its last text up to here; lines cannot carry more.
constexpr std::size_t k_longest_result = 1'000'000;

// A failure stands in the lines; stderr is for the command's own.
class Unheard final : public protocol::Output {
 public:
  void line(std::string_view /*text*/) override {}
  void bytes(std::string_view /*text*/) override {}
};

protocol::Output& unheard() {
  static Unheard output;
  return output;
}

protocol::InsightsProvider provider_of(ForeignLines from) {
  switch (from) {
    case ForeignLines::gemini:
      return protocol::InsightsProvider::gemini;
    case ForeignLines::claude:
      return protocol::InsightsProvider::claude;
    case ForeignLines::acp:
      break;
  }
  return protocol::InsightsProvider::acp;
}

foreign::DecoderOptions decoder_options(const TranslationSpec& spec) {
  const bool as_given = spec.to == DialectName::gemini || spec.to == DialectName::agent_events;
  return {.words = as_given ? foreign::CallWords::as_given : foreign::CallWords::ours,
          .make_message_id = [] { return "msg_" + random_hex(24); },
          .longest_result = k_longest_result};
}

}  // namespace

std::unique_ptr<foreign::LineDecoder> make_decoder(const TranslationSpec& spec) {
  switch (spec.from) {
    case ForeignLines::claude:
      return std::make_unique<foreign::ClaudeLinesDecoder>(decoder_options(spec));
    case ForeignLines::acp:
      return std::make_unique<foreign::AcpDecoder>(decoder_options(spec));
    case ForeignLines::gemini:
      break;
  }
  return std::make_unique<foreign::GeminiLinesDecoder>(decoder_options(spec));
}

std::unique_ptr<protocol::Host> make_translated_host(const TranslationSpec& spec,
                                                     protocol::Output& output,
                                                     protocol::OverflowStore& overflow,
                                                     const platform::Clock& clock) {
  switch (spec.to) {
    case DialectName::yume:
    case DialectName::yume_app:
      return std::make_unique<protocol::YumeHost>(output, overflow);
    case DialectName::gemini:
      return std::make_unique<protocol::GeminiCliHost>(output, unheard(), overflow, clock);
    case DialectName::insights:
      return std::make_unique<protocol::InsightsHost>(output, overflow, clock, spec.session_id,
                                                      provider_of(spec.from));
    case DialectName::agent_events:
      return std::make_unique<protocol::AgentEventsHost>(output, overflow, clock);
    case DialectName::claude:
      break;
  }
  return std::make_unique<protocol::ClaudeHost>(output, overflow, protocol::ClaudeLook{});
}

void report_bad_line(protocol::Host& host, const core::Address& address,
                     const foreign::BadLine& bad, platform::SteadyTime now) {
  if (auto* team = dynamic_cast<protocol::AgentEventsHost*>(&host)) {
    return team->write_error(address, foreign::text_of(bad), "JSONL_PARSE_ERROR");
  }
  host.write({.address = address, .event = core::Notice{foreign::text_of(bad)}}, now);
}

}  // namespace yume::app

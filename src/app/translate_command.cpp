// SPDX-License-Identifier: MIT
#include "app/translate_command.h"

#include "app/commands/command_table.h"
#include "app/dialect_choice.h"
#include "app/overflow_files.h"
#include "app/translate/translation.h"
#include "config/places.h"
#include "platform/file_system.h"
#include "platform/stdio.h"
#include "protocol/buffered_output.h"
#include "util/line_splitter.h"
#include "util/nearest_word.h"
#include "util/uuid.h"

#include <array>
#include <utility>
#include <variant>

namespace yume::app {
namespace {

constexpr std::size_t k_read_at_once = 256U << 10U;
// Longer ones are skipped, so that memory stays bounded whatever comes.
constexpr std::size_t k_longest_line = 32U << 20U;

constexpr std::array<std::pair<std::string_view, ForeignLines>, 3> k_sources = {
    {{"gemini", ForeignLines::gemini},
     {"acp", ForeignLines::acp},
     {"claude", ForeignLines::claude}}};
constexpr std::array<std::pair<std::string_view, DialectName>, 5> k_targets = {
    {{"claude", DialectName::claude},
     {"yume", DialectName::yume},
     {"gemini", DialectName::gemini},
     {"insights", DialectName::insights},
     {"agent-events", DialectName::agent_events}}};

template <class Table>
auto choice(const CommandSpec& command, const Arguments& arguments, std::string_view flag,
            const Table& table) -> Result<typename Table::value_type::second_type> {
  std::vector<std::string_view> names;
  std::string list;
  const auto given = arguments.value(flag);
  for (const auto& [name, value] : table) {
    if (given == name) return value;
    names.push_back(name);
    list.append(list.empty() ? "" : ", ").append(name);
  }
  if (!given) {
    return wrong_usage(command, "--" + std::string(flag) + " is missing; it can be " + list);
  }
  return wrong_usage(command,
                     "--" + std::string(flag) + " cannot be '" + *given + "'; it can be " + list,
                     nearest_word(*given, names).value_or(""));
}

Result<TranslationSpec> read_spec(const CommandSpec& command, const Arguments& arguments) {
  YUME_TRY(const ForeignLines from, choice(command, arguments, "from", k_sources));
  YUME_TRY(const DialectName to, choice(command, arguments, "to", k_targets));
  return TranslationSpec{.from = from, .to = to, .session_id = make_uuid()};
}

// What has come is written before more is waited for.
void pump(platform::InputStream& input, Translation& translation, protocol::BufferedOutput& lines,
          const protocol::LineWriter& out) {
  LineSplitter splitter(k_longest_line);
  std::vector<char> buffer(k_read_at_once);
  const auto on_line = [&](std::string_view line) { translation.feed(line); };
  const auto on_too_long = [&](std::string_view beginning, std::size_t bytes) {
    translation.skip(beginning, bytes);
  };
  while (!out.broken()) {
    const auto count = input.read(buffer, {});
    if (!count.ok() || *count == 0) break;
    splitter.feed({buffer.data(), *count}, on_line, on_too_long);
    lines.flush();
  }
  splitter.finish(on_line, on_too_long);
  translation.finish();
  lines.flush();
}

}  // namespace

ExitCode run_translate(const std::vector<std::string>& tokens,
                       const platform::Environment& environment, protocol::LineWriter& out) {
  const CommandSpec& command = translate_command();
  const auto line = read_command_line(command, tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const auto spec = read_spec(command, std::get<Arguments>(line));
  if (!spec.ok()) return refuse_usage(spec.error());
  const auto files = platform::make_system_file_system();
  OverflowFiles overflow(*files, config::overflow_folder(environment));
  const platform::SystemClock clock;
  const auto input = platform::stdin_stream();
  protocol::BufferedOutput lines(out);
  Translation translation(*spec, lines, overflow, clock);
  pump(*input, translation, lines, out);
  const bool good = translation.outcome() == core::TurnOutcome::success && !out.broken();
  return good ? ExitCode::success : ExitCode::failure;
}

}  // namespace yume::app

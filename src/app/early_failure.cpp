// SPDX-License-Identifier: MIT
#include "app/early_failure.h"

#include "app/dialect_choice.h"
#include "app/host_choice.h"
#include "app/overflow_files.h"
#include "app/rejection.h"
#include "config/places.h"
#include "util/uuid.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace yume::app {
namespace {

// The value behind the flag, in either form; nullopt: the flag is not there.
std::optional<std::string> value_of(const std::vector<std::string>& tokens, std::string_view flag) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    if (token == "--") return std::nullopt;
    if (token == flag) return i + 1 < tokens.size() ? tokens[i + 1] : std::string();
    if (token.starts_with(flag) && token.substr(flag.size()).starts_with("=")) {
      return std::string(token.substr(flag.size() + 1));
    }
  }
  return std::nullopt;
}

// What the options would say of it, by what can be read of them.
bool is_for_the_app(const std::vector<std::string>& tokens,
                    const std::vector<std::string>& ancestors,
                    const platform::Environment& environment) {
  if (value_of(tokens, "--output-format") != "stream-json") return false;
  auto named = value_of(tokens, "--dialect");
  if (!named) named = environment.get("YUME_CLI_DIALECT");
  if (named) return parse_dialect(*named) == DialectName::yume_app;
  return value_of(tokens, "--provider") && has_yume_app(ancestors);
}

}  // namespace

ExitCode report_early_failure(const std::vector<std::string>& tokens,
                              const std::vector<std::string>& ancestors,
                              protocol::LineWriter& writer, Surroundings& around,
                              const std::string& message, ExitCode code) {
  if (!is_for_the_app(tokens, ancestors, around.environment)) {
    (void)around.err->write(message + "\n");
    return code;
  }
  Options options;
  options.dialect = DialectName::yume_app;
  options.output_format = OutputFormat::stream_json;
  OverflowFiles overflow(*around.files, config::overflow_folder(around.environment));
  const std::string id = make_uuid();
  const auto host = make_host(options,
                              {.lines = writer,
                               .progress = writer,
                               .overflow = overflow,
                               .listens_at = around.clock.steady_now() + k_app_listens_after},
                              id, around.environment);
  (void)Rejection(options, *host, *around.err, around.clock).report(id, message);
  return code;
}

}  // namespace yume::app

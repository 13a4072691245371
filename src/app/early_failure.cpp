// SPDX-License-Identifier: MIT
#include "app/early_failure.h"

#include "app/dialect_choice.h"
#include "app/host_choice.h"
#include "app/overflow_files.h"
#include "app/rejection.h"
#include "config/places.h"
#include "config/settings_stack.h"
#include "util/uuid.h"

namespace yume::app {
namespace {

// What the options and the settings would say of it, by what can be read of them.
bool is_for_the_app(const Result<Arguments>& arguments, const std::vector<std::string>& ancestors,
                    const Surroundings& around) {
  if (!arguments.ok() || arguments->value("output-format") != "stream-json") return false;
  auto named = arguments->value("dialect");
  if (!named) named = around.environment.get("YUME_CLI_DIALECT");
  if (named) return parse_dialect(*named) == DialectName::yume_app;
  const auto in_settings = config::find_dialect(*around.files, around.environment,
                                                {.added = arguments->value("settings")});
  if (const auto dialect = in_settings ? parse_dialect(*in_settings) : std::nullopt) {
    return *dialect == DialectName::yume_app;
  }
  return arguments->has("provider") && has_yume_app(ancestors);
}

}  // namespace

ExitCode report_early_failure(Face face, const Result<Arguments>& arguments,
                              const std::vector<std::string>& ancestors,
                              protocol::LineWriter& writer, Surroundings& around,
                              const std::string& message, ExitCode code) {
  const bool is_gemini = face == Face::gemini;
  if (is_gemini || !is_for_the_app(arguments, ancestors, around)) {
    (void)around.err->write(message + "\n");
    return is_gemini && code == ExitCode::usage ? ExitCode::failure : code;
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
                               .clock = around.clock,
                               .listens_at = around.clock.steady_now() + k_app_listens_after},
                              id, around.environment);
  (void)Rejection(options, *host, *around.err, around.clock).report(id, message);
  return code;
}

}  // namespace yume::app

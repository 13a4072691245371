// SPDX-License-Identifier: MIT
#include "app/host_parts.h"

#include "app/host_choice.h"
#include "app/terminal_look.h"
#include "platform/stdio.h"
#include "protocol/tee_host.h"

#include <chrono>
#include <utility>

namespace yume::app {
namespace {

// Yume's server names its rows by the millisecond.
constexpr std::chrono::milliseconds k_row_gap{2};

}  // namespace

HostParts::HostParts(const Options& options, const std::string& session_id, const Deps& deps)
    : progress_(*deps.around.err),
      spaced_(deps.writer, deps.around.clock, k_row_gap),
      result_file_(deps.around.environment.cwd / options.cwd / options.output_file.value_or(""),
                   *deps.around.files, *deps.around.err) {
  Surroundings& around = deps.around;
  const platform::Environment& environment = around.environment;
  if (options.converses) {
    conversation_.emplace(make_keyboard({.cwd = environment.cwd / options.cwd,
                                         .commands = commands_,
                                         .edits = terminal_look(environment).colours},
                                        environment, *around.files));
  } else if (asks_person(options)) {
    typed_.emplace(platform::stdin_stream(), platform::discard_typed_input);
  }
  const bool spaces = is_yume_server(environment) && options.dialect == DialectName::claude;
  host_ = make_host(options,
                    {.lines = spaces ? static_cast<protocol::Output&>(spaced_) : deps.writer,
                     .progress = progress_,
                     .overflow = deps.overflow,
                     .clock = around.clock,
                     .listens_at = around.clock.steady_now() + k_app_listens_after,
                     .typed = typed(),
                     .conversation = conversation()},
                    session_id, environment);
  if (!options.output_file) return;
  host_ = std::make_unique<protocol::TeeHost>(
      std::move(host_),
      make_result_host(options, result_file_, deps.overflow, session_id, environment));
}

}  // namespace yume::app

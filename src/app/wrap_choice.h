// SPDX-License-Identifier: MIT
// The other agent that a session wraps: which one the flags name, where its program is, and what it
// is started with. Nothing is looked for unless one is to be wrapped.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/option_reader.h"
#include "app/options.h"
#include "app/session_setup.h"
#include "config/wrap_spec.h"

namespace yume::app {

void read_strategy(const Arguments& arguments, OptionReader& reader, Options& options);

// A command line as words: blanks part them, quotes and backslashes keep them; nullopt when a quote
// is open at the end. Nothing is expanded.
std::optional<std::vector<std::string>> split_command(std::string_view text);

// `cwd`: of the session.
config::WrapSpec choose_wrap(const Options& options, const std::filesystem::path& cwd,
                             const SpecDeps& deps);

}  // namespace yume::app

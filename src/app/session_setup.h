// SPDX-License-Identifier: MIT
// From options to what a session is opened with. Reads files, changes nothing.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/model_choice.h"
#include "app/options.h"
#include "config/session_spec.h"
#include "net/curl_transport.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "transcript/session_store.h"
#include "util/result.h"

namespace yume::app {

struct SpecDeps {
  platform::FileSystem& files;
  const platform::Environment& environment;
  const platform::Clock& clock;
};

// All that the options, the settings and the environment say about a session. `models` outlives it.
// The error's message is for the host.
Result<config::SessionSpec> make_session_spec(const Options& options, const ModelChoice& models,
                                              const SpecDeps& deps);

// The store of a working directory.
transcript::SessionStore make_session_store(config::HostKind host, const std::filesystem::path& cwd,
                                            platform::FileSystem& files,
                                            const platform::Environment& environment,
                                            const platform::Clock& clock);

// Where Yume's own files about sessions lie; empty when there is no home directory.
std::filesystem::path views_folder(const platform::Environment& environment);

// Every tool there can be.
std::vector<std::string> known_tool_names();

// The real paths of the working directory and of what --add-dir names.
std::vector<std::filesystem::path> workspace_of(const Options& options,
                                                const platform::Environment& environment,
                                                const platform::FileSystem& files);

// A variable that is a positive number of milliseconds; nullopt for anything else.
std::optional<std::chrono::milliseconds> milliseconds_in(const platform::Environment& environment,
                                                         const char* variable);

net::CurlOptions curl_options(const platform::Environment& environment);

}  // namespace yume::app

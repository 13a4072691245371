// SPDX-License-Identifier: MIT
// From options to what a session is made of: its directory and prompts, its tools, its permissions,
// its strategy and its network. Reads files, changes nothing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/options.h"
#include "gemini/model_info.h"
#include "hooks/hook_settings.h"
#include "net/curl_transport.h"
#include "permissions/policy.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "session/view_text.h"
#include "strategies/gemini_rest.h"
#include "tools/registry.h"
#include "util/result.h"

namespace yume::app {

struct PreparedSession {
  std::filesystem::path cwd;  // real
  std::string system_prompt;  // of the file that was named
  std::string appended_prompt;
  gemini::ModelInfo model = {};
  bool model_is_guessed = false;                 // the catalog does not list it
  std::optional<double> compact_threshold = {};  // of the settings
  session::Price price = {};
  hooks::HookSettings hooks = {};
};

// The model is chosen by the caller. The error's message is for the host.
Result<PreparedSession> prepare_session(const Options& options, const platform::FileSystem& files,
                                        const platform::Environment& environment);

// The built-in tools that are neither left out nor denied as a whole.
tools::Registry choose_tools(const Options& options);

// The real paths of the working directory and of what --add-dir names.
std::vector<std::filesystem::path> workspace_of(const Options& options,
                                                const platform::Environment& environment,
                                                const platform::FileSystem& files);

// Where a session that is not kept puts outputs that are too long to show; empty when no home is
// known.
std::filesystem::path output_directory(const platform::Environment& environment,
                                       std::string_view session_id);

permissions::PolicySettings policy_settings(const Options& options,
                                            const platform::FileSystem& files,
                                            const platform::Environment& environment);

strategies::GeminiSettings gemini_settings(const Options& options, const PreparedSession& session,
                                           const platform::Environment& environment);

net::CurlOptions curl_options(const platform::Environment& environment);

}  // namespace yume::app

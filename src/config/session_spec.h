// SPDX-License-Identifier: MIT
// Everything that a session is opened with: what flags, environment, settings and a host's requests
// come to. Plain values; whoever needs a part of it takes that part.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/places.h"
#include "core/permission.h"
#include "core/usage.h"
#include "gemini/endpoint.h"
#include "gemini/model_info.h"
#include "gemini/request.h"
#include "hooks/hook_settings.h"
#include "net/http.h"
#include "permissions/policy.h"
#include "tools/shell.h"

namespace yume::config {

// What becomes of a session id that nothing is known about, when Yume is the host.
enum class ResumeFallback { alias, fresh, error };

// Which conversation to have.
struct SessionChoice {
  HostKind host = HostKind::claude;
  std::optional<std::string> id = {};         // for a new session
  std::optional<std::string> resume_id = {};  // to go on with
  bool resume_newest = false;                 // of the working directory
  bool fork = false;                          // go on in a copy
  std::optional<std::string> resume_at = {};  // only up to this message
  bool persisted = true;
  std::optional<std::string> history_file = {};  // a new session begins with it
  ResumeFallback fallback = ResumeFallback::alias;
};

struct ModelSpec {
  gemini::ModelInfo info = {};
  bool ask_for_limits = false;              // the catalog does not list it
  std::filesystem::path limits_cache = {};  // where the server's answers about limits are kept
  gemini::RequestSettings request = {};     // without prompt and tools
};

// Which server, and how it is spoken to.
struct AccessSpec {
  gemini::EndpointRequest endpoint = {};
  std::vector<net::Header> extra_headers = {};
  bool key_as_bearer = false;  // gateways want `Authorization: Bearer KEY`
  net::Deadlines deadlines = {};
  int max_retries = 5;
};

struct PromptSpec {
  std::optional<std::string> replacement = std::nullopt;  // set (even to nothing): instead of ours
  std::string appended = {};                              // the host's addition
  std::string os_name = {};
};

struct LimitSpec {
  int max_turns = 0;  // model requests per user message; 0: no limit
  std::optional<double> max_budget_usd = std::nullopt;  // of this process, over all its turns
  bool own_output_limit = false;  // the user chose it: a reply that reaches it is not continued
  std::optional<double> compaction_share = std::nullopt;  // of the window; else by model
};

struct ToolChoice {
  std::optional<std::vector<std::string>> only = std::nullopt;  // absent: all there are
  bool host_answers = false;  // a host can be asked: tools that put questions to it make sense
};

struct HookSpec {
  hooks::HookSettings settings = {};
  bool reports_events = false;  // the host wants to know what runs
};

// The session as Yume's server reads it back.
struct YumeViewSpec {
  std::filesystem::path folder = {};
  // For views that are made anew.
  std::function<double(const std::string& model, const core::Usage&)> price = {};
  std::string made_by = {};  // the process that started us, as the index names it
};

struct SessionSpec {
  std::filesystem::path cwd = {};   // real
  std::filesystem::path home = {};  // empty: none is known
  ModelSpec model = {};
  AccessSpec access = {};
  PromptSpec prompt = {};
  LimitSpec limits = {};
  permissions::PolicySettings permissions = {};
  ToolChoice tools = {};
  HookSpec hooks = {};
  tools::ShellSettings shell = {};
  std::vector<std::string> child_environment = {};  // "NAME=value", already cleaned of secrets
  // For the long outputs of a session that is not kept; empty: nowhere.
  std::filesystem::path output_directory = {};
  std::optional<YumeViewSpec> yume_view = std::nullopt;
  std::string credential_source = {};     // for the init line
  std::vector<std::string> notices = {};  // to be shown with the first turn
};

}  // namespace yume::config

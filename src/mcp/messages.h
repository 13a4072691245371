// SPDX-License-Identifier: MIT
// What is said to servers and what they answer, as values. All JSON of the protocol is in the .cpp
// files of this header and of call_result.h. Lenient with what servers send: what is missing has a
// default, what is none of its kind is passed over, and every list has a limit. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mcp.h"
#include "core/message.h"
#include "util/json_io.h"
#include "util/result.h"

namespace yume::mcp {

// The newest revision of the protocol that is spoken here; older ones are taken as well.
inline constexpr std::string_view k_protocol_version = "2025-11-25";
bool is_known_version(std::string_view version);

struct ClientFacts {
  std::string version;      // of Claude Code, as which we introduce ourselves
  bool can_elicit = false;  // there is a host that can be asked
};
RawJson initialize_params(const ClientFacts& client);

// What a server says about itself.
struct ServerHello {
  std::string protocol_version;
  std::string name;
  std::string version;
  std::string instructions;  // for the model
  bool has_tools = false;
  bool has_prompts = false;
  bool has_resources = false;
  bool has_logging = false;

  friend bool operator==(const ServerHello&, const ServerHello&) = default;
};
Result<ServerHello> read_hello(const RawJson& result);

struct ToolInfo {
  std::string name;
  std::string description;
  RawJson input_schema = {"{}"};
  core::McpToolFacts facts = {};
  bool needs_task = false;  // it is called as a task, whose result is fetched

  friend bool operator==(const ToolInfo&, const ToolInfo&) = default;
};
struct PromptArgument {
  std::string name;
  std::string description;
  bool required = false;

  friend bool operator==(const PromptArgument&, const PromptArgument&) = default;
};
struct PromptInfo {
  std::string name;
  std::string description;
  std::vector<PromptArgument> arguments = {};

  friend bool operator==(const PromptInfo&, const PromptInfo&) = default;
};
struct ResourceInfo {
  std::string uri;
  std::string name;
  std::string description;
  std::string mime_type;

  friend bool operator==(const ResourceInfo&, const ResourceInfo&) = default;
};

template <class T>
struct Page {
  std::vector<T> items = {};
  std::string next = {};  // empty: it was the last
};
Result<Page<ToolInfo>> read_tools(const RawJson& result);
Result<Page<PromptInfo>> read_prompts(const RawJson& result);
Result<Page<ResourceInfo>> read_resources(const RawJson& result);

// The params of a list; empty cursor: the first page.
RawJson list_params(const std::string& cursor);

struct CallParams {
  std::string tool;
  RawJson arguments;
  std::string call_id;         // the host's
  std::string progress_token;  // empty: none
  bool as_task = false;
};
RawJson call_params(const CallParams& call);
// The id of the task that a call has become; empty: it has become none.
std::string read_task(const RawJson& result);
RawJson task_params(const std::string& task_id);
RawJson prompt_params(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& arguments);
RawJson resource_params(const std::string& uri);
RawJson cancelled_params(const std::string& request_id, std::string_view reason);

// The text of a prompt that a server has filled in.
Result<core::UserMessage> read_prompt(const RawJson& result);

// The folders that a server may take for ours, as file:// addresses.
RawJson roots_result(const std::vector<std::string>& uris);

struct Progress {
  std::string token;
  std::string message;
};
std::optional<Progress> read_progress(const RawJson& params);

// A line for the debug log.
std::string log_text(const RawJson& params);

// What a server wants to know of the user.
struct Elicitation {
  std::string message;
  std::string mode;  // "form" or "url"
  std::string url;
  RawJson schema;
};
Elicitation read_elicitation(const RawJson& params);

}  // namespace yume::mcp

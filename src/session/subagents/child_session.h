// SPDX-License-Identifier: MIT
// A subagent at work: a session of its own (history, transcript, file memory, shell, transport)
// with the parent's permissions, hooks and host. One task, one turn, on the thread that calls
// run().
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/web_fetcher.h"
#include "config/session_spec.h"
#include "core/agent_definition.h"
#include "core/hooks.h"
#include "core/host_port.h"
#include "hooks/hook_runner.h"
#include "permissions/policy.h"
#include "session/services.h"
#include "session/subagents/agent_policy.h"
#include "session/subagents/child_sink.h"
#include "session/work_state.h"
#include "tools/registry.h"
#include "transcript/session_store.h"

namespace yume::session {

// What a subagent has of the session that it works for. All of it outlives the subagent.
struct ParentSession {
  const config::SessionSpec& spec;
  Services& services;
  core::HostPort& host;
  std::string session_id;
  std::filesystem::path session_file;  // empty: not kept
  transcript::LineHead head;           // of its transcript
  std::filesystem::path long_outputs;  // empty: nowhere
  permissions::ModePolicy& policy;
  const tools::Registry& tools;  // changes between turns
  tools::Shell& shell;
  platform::FileSystem* host_files = nullptr;  // as the host's editor has them; null: the disk's
  // New objects for the tools of MCP servers that it has now.
  std::function<std::vector<std::unique_ptr<tools::Tool>>()> remote_tools = {};
  // What the host has registered.
  std::function<std::vector<core::HostHookGroup>()> host_hooks;
};

// What the model wants of a subagent.
struct AgentOrder {
  core::AgentDefinition definition = {};
  std::string description = {};  // for people
  std::string prompt = {};
  std::string model = {};  // empty: the definition's
  bool in_background = false;
};

struct ChildEnd {
  core::TurnDone done = {};
  core::AgentWork work = {};
};

class ChildSession {
 public:
  ChildSession(const AgentOrder& order, std::string agent_id, std::string call_id,
               const ParentSession& parent);
  ~ChildSession();
  ChildSession(const ChildSession&) = delete;
  ChildSession& operator=(const ChildSession&) = delete;

  [[nodiscard]] const std::string& model() const { return spec_.model.info.id; }
  [[nodiscard]] const std::filesystem::path& transcript() const { return transcript_; }

  // Once. Blocks until the report is there, or the token fires.
  ChildEnd run(const CancelToken& cancel);

 private:
  [[nodiscard]] tools::ToolContext tool_context(const CancelToken& cancel);

  const ParentSession& parent_;
  std::string prompt_;
  config::SessionSpec spec_;
  core::SessionPort parents_port_;
  core::SessionPort port_;
  ChildSink sink_;
  std::filesystem::path transcript_;  // empty: not kept
  std::unique_ptr<transcript::Journal> journal_;
  AgentPolicy policy_;
  tools::Registry tools_;
  std::unique_ptr<net::Transport> transport_;
  agent::WebFetcher web_;
  WorkState work_;
  hooks::HookRunner hooks_;
  std::unique_ptr<strategies::Strategy> strategy_;
};

// Of the parent's tools, those that a subagent with this definition has; `remote`: of MCP servers.
tools::Registry child_tools(const core::AgentDefinition& agent, const tools::Registry& parents,
                            std::vector<std::unique_ptr<tools::Tool>> remote = {});

}  // namespace yume::session

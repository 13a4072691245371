// SPDX-License-Identifier: MIT
// MCP servers as everybody else knows them: how one is reached, how it is, and what hosts want of
// them. What is said to them is in src/mcp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "util/json_io.h"

namespace yume::core {

// A child process of ours.
struct McpProgram {
  std::string command;
  std::vector<std::string> args = {};
  std::vector<std::pair<std::string, std::string>> env = {};

  friend bool operator==(const McpProgram&, const McpProgram&) = default;
};
// Somewhere else, over HTTP.
struct McpRemote {
  enum class Form { streamable, sse };  // sse: the transport of the protocol's first revision
  Form form = Form::streamable;
  std::string url;
  // Their values may be secrets: they are shown nowhere.
  std::vector<std::pair<std::string, std::string>> headers = {};

  friend bool operator==(const McpRemote&, const McpRemote&) = default;
};
// A part of the host, reached through its control channel.
struct McpInHost {
  friend bool operator==(const McpInHost&, const McpInHost&) = default;
};

struct McpServerConfig {
  std::string name;
  std::variant<McpProgram, McpRemote, McpInHost> how;
  std::string scope = "dynamic";  // who wrote it: "dynamic" (a flag or a host), "user", "project"

  friend bool operator==(const McpServerConfig&, const McpServerConfig&) = default;
};

// What a server says about how it wants to be used.
struct McpInstructions {
  std::string server;
  std::string text;

  friend bool operator==(const McpInstructions&, const McpInstructions&) = default;
};

enum class McpStatus { pending, connected, failed, needs_auth, disabled };
std::string_view to_string(McpStatus status);

// One server, in the line that begins a turn.
struct McpServerState {
  std::string name;
  McpStatus status = McpStatus::pending;
  std::string scope = {};

  friend bool operator==(const McpServerState&, const McpServerState&) = default;
};

struct McpToolFacts {
  std::string name;  // as the server calls it
  bool read_only = false;
  bool destructive = false;
  bool open_world = false;

  friend bool operator==(const McpToolFacts&, const McpToolFacts&) = default;
};

// One server, for whoever asks how it is.
struct McpServerReport {
  McpServerConfig config;
  McpStatus status = McpStatus::pending;
  std::string error = {};        // of one that failed
  std::string server_name = {};  // as it calls itself
  std::string server_version = {};
  std::vector<McpToolFacts> tools = {};
};

// What a host can want of the servers.
struct McpQueryStatus {
  friend bool operator==(const McpQueryStatus&, const McpQueryStatus&) = default;
};
// These instead of those that a host has set before.
struct McpSetServers {
  RawJson servers;  // an object, by name
  friend bool operator==(const McpSetServers&, const McpSetServers&) = default;
};
struct McpReconnect {
  std::string server;
  friend bool operator==(const McpReconnect&, const McpReconnect&) = default;
};
struct McpToggle {
  std::string server;
  bool enabled = true;
  friend bool operator==(const McpToggle&, const McpToggle&) = default;
};
// What a server inside the host says of itself: a JSON-RPC message.
struct McpFromHost {
  std::string server;
  RawJson message;
  friend bool operator==(const McpFromHost&, const McpFromHost&) = default;
};

// Calls a tool without the model, in the host's own name.
struct McpCallTool {
  std::string tool;  // "mcp__server__tool"
  RawJson arguments;
  friend bool operator==(const McpCallTool&, const McpCallTool&) = default;
};
struct McpReadResource {
  std::string server;
  std::string uri;
  friend bool operator==(const McpReadResource&, const McpReadResource&) = default;
};

struct McpServersSet {
  std::vector<std::string> added = {};
  std::vector<std::string> removed = {};
  std::map<std::string, std::string> errors = {};  // by server
};

}  // namespace yume::core

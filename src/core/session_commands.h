// SPDX-License-Identifier: MIT
// What a host can want of a program that has several sessions, or none yet. Plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mcp.h"

namespace yume::core {

// What a host does for the sessions it opens.
struct HostAbilities {
  bool reads_files = false;  // as they are in its editors, saved or not
  bool writes_files = false;
  bool shows_terminals = false;  // in which its user sees commands run

  friend bool operator==(const HostAbilities&, const HostAbilities&) = default;
};

// The first that a host says; needs no session, no credentials and no network.
struct Greet {
  HostAbilities abilities = {};
  bool takes_notices = false;
  friend bool operator==(const Greet&, const Greet&) = default;
};

// Finds out whether there are credentials that work, by one of the ways that were offered.
struct Authenticate {
  std::string method;
  std::string api_key = {};  // the host brings it, for the sessions to come; empty: it does not
  friend bool operator==(const Authenticate&, const Authenticate&) = default;
};

struct OpenSession {
  enum class Past {
    none,      // a new session
    replayed,  // goes on; the host wants to see all that was said
    silent,    // goes on
  };
  Past past = Past::none;
  std::string id = {};  // of the one to go on with
  std::string cwd;      // absolute
  std::vector<std::string> more_directories = {};
  std::vector<McpServerConfig> servers = {};
  friend bool operator==(const OpenSession&, const OpenSession&) = default;
};

// Ends what it does; what was said stays on disk.
struct CloseSession {
  friend bool operator==(const CloseSession&, const CloseSession&) = default;
};

// What was said goes, too.
struct DeleteSession {
  std::string id;
  friend bool operator==(const DeleteSession&, const DeleteSession&) = default;
};

// Those on disk, newest first.
struct ListSessions {
  std::string cwd = {};     // of this directory alone; empty: all
  std::string cursor = {};  // behind this one; empty: from the first
  friend bool operator==(const ListSessions&, const ListSessions&) = default;
};

}  // namespace yume::core

// SPDX-License-Identifier: MIT
// What a session asks its host, and what the host may answer: closed variants. Dialects write the
// questions and read the answers; between them only these types travel.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/permission.h"
#include "core/tool_call.h"
#include "util/json_io.h"

namespace yume::core {

// What a call would make of a file.
struct FileChange {
  std::string path;       // as the call names it, absolute
  std::string real_path;  // with its symbolic links resolved
  bool creates = false;   // there is no such file yet
  Patch patch = {};       // empty: the file stays as it is

  friend bool operator==(const FileChange&, const FileChange&) = default;
};

// A call that is neither allowed nor denied.
struct MayRun {
  ToolCall call;            // exactly what would run
  std::string reason = {};  // why it is asked, and how to permit it by flags; for hosts
  std::string why = {};     // why it is asked, in a few words; for the person at the terminal
  std::optional<FileChange> change = std::nullopt;  // for those who want it (wants_changes())
  bool needs_person = false;  // the answer is the person's own, not a permission
  std::vector<PermissionUpdate> suggestions = {};  // what may be said for the future as well
  // Whether it must still be asked, after permissions have changed; empty: it must.
  std::function<bool()> still_needed = {};
};

// A function that the host has registered is to be called.
struct CallHook {
  std::string callback_id;
  RawJson input;
  std::string subject_id;  // of the call it is about, or one of its own
};

// A JSON-RPC message to an MCP server inside the host.
struct McpMessage {
  std::string server;
  RawJson message;
};

// An MCP server wants to know something of the user.
struct Elicit {
  std::string server;
  std::string message;
  std::string mode;      // "form" or "url"
  std::string url = {};  // to be opened, with mode "url"
  RawJson schema;        // of the answer, with mode "form"
};

// A text file as the host's editor has it, saved or not.
struct ReadHostFile {
  std::string path;  // absolute
};
// A text file is to have this content, in the editor and on the disk.
struct WriteHostFile {
  std::string path;
  std::string content;
};

// One step with a terminal of the host, in which its user sees a command run.
struct UseTerminal {
  enum class Step { create, wait, output, kill, release };
  Step step = Step::create;
  std::string id = {};  // of the terminal; empty: it is to be made
  // Of the one to be made.
  std::vector<std::string> argv = {};
  std::vector<std::string> environment = {};  // "NAME=value", beside the host's own
  std::string cwd = {};
  std::uint64_t output_limit = 0;  // bytes, of which the last are kept
};

using HostQuestion =
    std::variant<MayRun, CallHook, McpMessage, Elicit, ReadHostFile, WriteHostFile, UseTerminal>;

struct HostAllows {
  std::optional<RawJson> input = std::nullopt;  // to run with instead
  std::vector<PermissionUpdate> updates = {};   // from now on

  friend bool operator==(const HostAllows&, const HostAllows&) = default;
};
struct HostDenies {
  std::string message;                         // for the model, word for word
  bool interrupt = false;                      // and the turn ends
  std::vector<PermissionUpdate> updates = {};  // from now on

  friend bool operator==(const HostDenies&, const HostDenies&) = default;
};
// What a hook's function returned, in the form of hooks.
struct HookReturned {
  RawJson output;

  friend bool operator==(const HookReturned&, const HookReturned&) = default;
};
// The server's reply; to a message that gets none, anything.
struct McpAnswered {
  RawJson message;

  friend bool operator==(const McpAnswered&, const McpAnswered&) = default;
};
// What the user said, in the protocol's form: `{"action":"accept","content":{}}`.
struct Elicited {
  RawJson result;

  friend bool operator==(const Elicited&, const Elicited&) = default;
};
struct HostFileText {
  std::string content;

  friend bool operator==(const HostFileText&, const HostFileText&) = default;
};
struct HostFileWritten {
  friend bool operator==(const HostFileWritten&, const HostFileWritten&) = default;
};
// What the host says about a terminal: to each step what belongs to it.
struct HostTerminal {
  std::string id = {};
  std::string output = {};
  bool lost_beginning = false;                  // of the output
  std::optional<int> exit_code = std::nullopt;  // the command has ended so,
  std::string signal = {};                      // or by this signal

  friend bool operator==(const HostTerminal&, const HostTerminal&) = default;
};
// The host reports that it could not answer.
struct HostFailed {
  std::string why;

  friend bool operator==(const HostFailed&, const HostFailed&) = default;
};
using HostAnswer = std::variant<HostAllows, HostDenies, HookReturned, McpAnswered, Elicited,
                                HostFileText, HostFileWritten, HostTerminal, HostFailed>;

}  // namespace yume::core

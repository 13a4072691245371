// SPDX-License-Identifier: MIT
// The seam every tool stands behind. A tool first reads its input and says what it would do (so
// that permission can be decided on facts), and only then runs. Failures are outcomes for the
// model.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/event.h"
#include "core/host_question.h"
#include "core/permission.h"
#include "core/tool_call.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "tools/file_memory.h"
#include "tools/shell.h"
#include "tools/terminals.h"
#include "tools/todo_list.h"
#include "tools/web/web_client.h"
#include "tools/web/web_searcher.h"
#include "util/cancel.h"

namespace yume::tools {

// Everything a tool can reach. Shared by tools that run at the same time.
struct ToolContext {
  std::filesystem::path cwd;
  std::filesystem::path home;
  std::vector<std::string> child_environment;  // "NAME=value", already cleaned of secrets
  platform::FileSystem& files;
  platform::ProcessRunner& processes;
  Terminals* terminals = nullptr;  // of the host, for commands that are waited for; null: none
  const platform::Clock& clock;
  FileMemory& memory;
  CancelToken cancel;
  // What a search must pass over, by real path; empty: nothing.
  std::function<bool(const std::filesystem::path&)> hides = {};
  Shell& shell;
  std::filesystem::path output_directory = {};  // for long outputs, private; empty: nowhere
  const Redactor* redactor = nullptr;           // for what is written there
  TodoList* todos = nullptr;
  // Of the call that runs, set for each call; for progress.
  std::string call_id = {};
  // Of a command that was proven harmless: what to start, without a shell. Empty: the command's
  // text.
  std::vector<core::CommandStep> proven_steps = {};
  // Called with the real path of a file before a tool changes it; empty: nobody wants to know.
  std::function<void(const std::filesystem::path&)> before_change = {};
  core::EventSink* events = nullptr;
  bool shows_output = false;  // progress brings the end of what a command writes
  // The web; null where there is none.
  web::WebClient* web = nullptr;
  web::WebSearcher* search = nullptr;
  // Whether the user allowed this very host, which may then be in this machine's own network.
  std::function<bool(std::string_view host)> names_host = {};
};

// Read-only calls of one reply may run side by side, and so may those that only have others work;
// all others run alone, in order.
enum class Effect { reads_only, delegates, changes_things };

enum class SchemaForm {
  any,    // from elsewhere: the server may not know all that it uses
  plain,  // as the server takes it, which a test proves of ours
};

struct ToolSpec {
  std::string name;
  std::string description;  // for the model
  RawJson input_schema;
  SchemaForm schema_form = SchemaForm::any;
  Effect effect = Effect::changes_things;
};

// What a call would change, or the outcome with which it would end before it changes anything.
using Preview = std::variant<core::FileChange, core::ToolOutcome>;

struct PlannedCall {
  core::Action action;
  std::function<core::ToolOutcome(const ToolContext&)> run;
  // Of a call that changes a file; changes nothing. Empty: the input shows all that there is.
  std::function<Preview(const ToolContext&)> preview = {};
};

// A call that cannot run gets its outcome right away.
using Plan = std::variant<PlannedCall, core::ToolOutcome>;

class Tool {
 public:
  virtual ~Tool() = default;
  [[nodiscard]] virtual const ToolSpec& spec() const = 0;
  // Reads the input and resolves paths; changes nothing. `input` is a JSON object.
  [[nodiscard]] virtual Plan plan(const nlohmann::json& input,
                                  const ToolContext& context) const = 0;
};

}  // namespace yume::tools

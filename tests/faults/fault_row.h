// SPDX-License-Identifier: MIT
// One fault and what must come of it: what the program says at the end, how many requests it made,
// and its exit code. The rows are the table that docs/gemini.md describes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "demo/script.h"
#include "demo/scripted_server.h"
#include "support/child_process.h"

namespace yume::faults {

// The folders of one run.
struct Place {
  std::filesystem::path root;
  [[nodiscard]] std::filesystem::path workspace() const { return root / "work"; }
  [[nodiscard]] std::filesystem::path home() const { return root / "home"; }
  [[nodiscard]] std::filesystem::path sdk() const { return root / "sdk"; }
};

struct Row {
  std::string id;    // "N-04", "finish SAFETY", "400 API_KEY_INVALID"
  std::string what;  // the fault
  std::vector<demo::Answer> backend = {};

  // `%{url}`, `%{host}` and the folders' names are replaced; nullopt removes a variable.
  std::map<std::string, std::optional<std::string>> environment = {};
  std::vector<std::string> arguments = {};  // after the usual ones
  std::function<void(const Place&)> prepare = {};
  // Each time there is more on stdout.
  std::function<void(test::ChildProcess&, demo::ScriptedServer&)> on_stdout = {};
  std::string url = {};  // instead of the scripted server's

  // Empty: the turn ends well. Else part of the text of its error result.
  std::string error = {};
  std::size_t requests = 1;
  std::string exit = {};                     // default: 0, or 1 with an error
  std::vector<std::string> lines_with = {};  // each is part of some line
  std::vector<std::string> none_with = {};   // none of these is part of any output
};

// What came of it, as text for the table; `problems` is empty when it is as the row says.
struct Seen {
  std::string outcome;
  std::size_t requests = 0;
  std::string exit;
  std::vector<std::string> problems;
};

Seen run(const Row& row);

// Each in the order of the specification.
std::vector<Row> finish_rows();
std::vector<Row> error_rows();
std::vector<Row> network_rows();
std::vector<Row> auth_rows();

// Scripts.
demo::Script stream(const std::vector<std::string>& events);
demo::Script answer(int status, const std::string& body,
                    const std::string& content_type = "application/json",
                    const std::vector<demo::Header>& headers = {});
// {"error":{...}}
std::string error_body(int code, const std::string& status, const std::string& message,
                       const std::string& details = "");
std::string text_event(const std::string& text, const std::string& finish = "");
std::string call_event(const std::string& name, const std::string& args,
                       const std::string& finish = "");
std::string finish_event(const std::string& reason);
demo::Script good();  // "fine", STOP

}  // namespace yume::faults

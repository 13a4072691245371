// SPDX-License-Identifier: MIT
// One golden case as its folder describes it (docs/golden-tests.md): case.json, the stdin file and
// where the rest lies. Loading is strict: an unknown key or a wrong type is an error.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/runner/standard_values.h"
#include "support/child_process.h"

namespace yume::golden {

enum class TriggerAction { signal, close_stdout, close_stdin, stdin_line, create_file };

// Happens once, as soon as stdout contains the text.
struct Trigger {
  std::string contains;
  TriggerAction action = TriggerAction::signal;
  int signal = 0;
  std::string line = {};  // for stdin_line, without its newline; the name for create_file
};

enum class RequestDetail { contents, full, none };
enum class StdinEnd { close_after_file, stay_open };

struct GoldenCase {
  std::string name;  // "area/claim"
  std::filesystem::path folder;
  std::vector<std::string> args = {};
  std::map<std::string, std::optional<std::string>> environment = {};  // nullopt removes
  std::string exit = "0";  // "143", or "SIGKILL" for a death by signal
  test::ChildStdin stdin_kind = test::ChildStdin::null;
  StdinEnd stdin_end = StdinEnd::close_after_file;
  std::string stdin_text = {};
  std::vector<Trigger> triggers = {};
  RequestDetail requests = RequestDetail::contents;
  std::vector<std::string> platforms = {};  // where it runs; empty: everywhere
  std::string why = {};                     // not elsewhere
  bool needs_sandbox = false;               // skipped where the system has none
  bool compares_home = false;               // what it left in its home directory is compared too
  std::vector<StandardValue> defines = {};  // the values that are taken from here
};

// Throws std::runtime_error that says what is wrong with the case.
GoldenCase load_case(const std::filesystem::path& root, const std::filesystem::path& folder);

// Folders below `root` that have a case.json, sorted.
std::vector<std::filesystem::path> find_cases(const std::filesystem::path& root);

// backend/01.http, 02.http, … in order; throws when the numbering has a hole or a stray file.
std::vector<std::string> read_backend(const std::filesystem::path& case_folder);

// Replaces each `%{name}` that `macros` knows and leaves the others.
std::string expand(std::string text, const std::map<std::string, std::string>& macros);

// "01", "02", …: how requests and answers are numbered.
std::string two_digits(std::size_t number);

}  // namespace yume::golden

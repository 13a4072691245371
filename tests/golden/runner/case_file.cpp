// SPDX-License-Identifier: MIT
#include "golden/runner/case_file.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "golden/runner/file_tree.h"

namespace yume::golden {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("case.json: " + what);
}

std::string text_of(const Json& value, const std::string& what) {
  if (!value.is_string()) fail(what + " must be a string");
  return value.get<std::string>();
}

Trigger read_trigger(const Json& value) {
  if (!value.is_object() || value.size() != 2 || !value.contains("contains")) {
    fail("on_stdout: each entry has `contains` and one action");
  }
  Trigger trigger{.contains = text_of(value["contains"], "contains")};
  if (trigger.contains.empty()) fail("on_stdout: `contains` is empty");
  for (const auto& [key, action] : value.items()) {
    if (key == "contains") continue;
    if (key == "signal") {
      trigger.signal = test::signal_number(text_of(action, "signal"));
      if (trigger.signal == 0) fail("unknown signal " + action.dump());
    } else if (key == "stdin_line") {
      trigger.action = TriggerAction::stdin_line;
      trigger.line = text_of(action, "stdin_line");
    } else if (key == "create_file") {
      trigger.action = TriggerAction::create_file;
      trigger.line = text_of(action, "create_file");
    } else if (key == "close_stdout" || key == "close_stdin") {
      if (action != true) fail(key + " must be true");
      trigger.action =
          key == "close_stdout" ? TriggerAction::close_stdout : TriggerAction::close_stdin;
    } else {
      fail("unknown on_stdout action `" + key + "`");
    }
  }
  return trigger;
}

std::optional<std::string> read_stdin_file(const fs::path& folder) {
  const bool lines = fs::exists(folder / "stdin.ndjson");
  const bool text = fs::exists(folder / "stdin.txt");
  if (lines && text) fail("both stdin.ndjson and stdin.txt");
  if (!lines && !text) return std::nullopt;
  return read_file(folder / (lines ? "stdin.ndjson" : "stdin.txt"));
}

void read_stdin(const std::string& kind, GoldenCase& golden) {
  const auto file = read_stdin_file(golden.folder);
  if (kind == "null" || kind == "closed") {
    if (file) fail("a stdin file needs \"stdin\": \"file\" or \"open\"");
    golden.stdin_kind = kind == "null" ? test::ChildStdin::null : test::ChildStdin::closed;
    return;
  }
  if (kind != "file" && kind != "open") fail("unknown stdin `" + kind + "`");
  if (kind == "file" && !file) fail("no stdin.ndjson or stdin.txt");
  golden.stdin_kind = test::ChildStdin::pipe;
  golden.stdin_end = kind == "file" ? StdinEnd::close_after_file : StdinEnd::stay_open;
  golden.stdin_text = file.value_or("");
}

void read_exit(const Json& value, GoldenCase& golden) {
  if (value.is_number_unsigned()) {
    golden.exit = value.dump();
  } else if (value.is_string() && test::signal_number(value.get<std::string>()) != 0) {
    golden.exit = value.get<std::string>();
  } else {
    fail("exit must be a number or a signal's name");
  }
}

void read_environment(const Json& value, GoldenCase& golden) {
  if (!value.is_object()) fail("env must be an object");
  for (const auto& [name, text] : value.items()) {
    golden.environment[name] =
        text.is_null() ? std::nullopt : std::optional(text_of(text, "env." + name));
  }
}

RequestDetail read_detail(const std::string& word) {
  if (word == "contents") return RequestDetail::contents;
  if (word == "full") return RequestDetail::full;
  if (word == "none") return RequestDetail::none;
  fail("unknown requests `" + word + "`");
}

void read_key(const std::string& key, const Json& value, GoldenCase& golden) {
  if (key == "args") {
    if (!value.is_array()) fail("args must be an array");
    for (const Json& argument : value) golden.args.push_back(text_of(argument, "args"));
  } else if (key == "env") {
    read_environment(value, golden);
  } else if (key == "exit") {
    read_exit(value, golden);
  } else if (key == "on_stdout") {
    if (!value.is_array()) fail("on_stdout must be an array");
    for (const Json& entry : value) golden.triggers.push_back(read_trigger(entry));
  } else if (key == "requests") {
    golden.requests = read_detail(text_of(value, key));
  } else if (key == "home") {
    if (value != "compared") fail("home can only be \"compared\"");
    golden.compares_home = true;
  } else if (key == "sandbox") {
    if (value != "needed") fail("sandbox can only be \"needed\"");
    golden.needs_sandbox = true;
  } else if (key == "defines") {
    if (!value.is_array()) fail("defines must be an array");
    for (const Json& name : value) golden.defines.push_back(standard_value(text_of(name, key)));
  } else if (key == "platforms") {
    if (!value.is_array() || value.empty()) fail("platforms must be an array of names");
    for (const Json& name : value) golden.platforms.push_back(text_of(name, key));
  } else if (key == "why") {
    golden.why = text_of(value, key);
  } else if (key == "note") {
    (void)text_of(value, key);
  } else if (key != "stdin") {
    fail("unknown key `" + key + "`");
  }
}

}  // namespace

GoldenCase load_case(const fs::path& root, const fs::path& folder) {
  GoldenCase golden{.name = folder.lexically_relative(root).generic_string(), .folder = folder};
  const Json json = Json::parse(read_file(folder / "case.json"), nullptr, false);
  if (!json.is_object()) fail("not a JSON object");
  if (!json.contains("args")) fail("no args");
  for (const auto& [key, value] : json.items()) read_key(key, value, golden);
  if (golden.platforms.empty() != golden.why.empty()) fail("platforms and why go together");
  read_stdin(json.contains("stdin") ? text_of(json["stdin"], "stdin") : "null", golden);
  for (const Trigger& trigger : golden.triggers) {
    const bool writes =
        trigger.action == TriggerAction::stdin_line || trigger.action == TriggerAction::close_stdin;
    if (writes && golden.stdin_end != StdinEnd::stay_open) {
      fail("stdin_line and close_stdin need \"stdin\": \"open\"");
    }
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    constexpr std::array known{"case.json", "backend",   "files",       "home",
                               "expect",    "stdin.txt", "stdin.ndjson"};
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw std::runtime_error("unknown file " + name);
    }
  }
  return golden;
}

std::vector<fs::path> find_cases(const fs::path& root) {
  std::vector<fs::path> folders;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::end(it); ++it) {
    if (!it->is_directory() || !fs::exists(it->path() / "case.json")) continue;
    folders.push_back(it->path());
    it.disable_recursion_pending();
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<std::string> read_backend(const fs::path& case_folder) {
  const fs::path folder = case_folder / "backend";
  std::vector<std::string> texts;
  while (fs::exists(folder / (two_digits(texts.size() + 1) + ".http"))) {
    texts.push_back(read_file(folder / (two_digits(texts.size() + 1) + ".http")));
  }
  if (const FileTree all = read_tree(folder); all.size() != texts.size()) {
    throw std::runtime_error("backend/ must hold 01.http, 02.http, … and nothing else");
  }
  return texts;
}

std::string expand(std::string text, const std::map<std::string, std::string>& macros) {
  for (const auto& [name, value] : macros) {
    const std::string macro = "%{" + name + "}";
    for (std::size_t at = text.find(macro); at != std::string::npos;
         at = text.find(macro, at + value.size())) {
      text.replace(at, macro.size(), value);
    }
  }
  return text;
}

std::string two_digits(std::size_t number) {
  const std::string digits = std::to_string(number);
  return digits.size() < 2 ? "0" + digits : digits;
}

}  // namespace yume::golden

// SPDX-License-Identifier: MIT
#include "faults/fault_row.h"

#include "golden/runner/system_path.h"
#include "support/temporary_directory.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <utility>

namespace yume::faults {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// In a test each wait of the back-off would be real time.
constexpr const char* k_retries = "2";

std::string replaced(std::string text, const std::map<std::string, std::string>& macros) {
  for (const auto& [name, value] : macros) {
    const std::string macro = "%{" + name + "}";
    for (std::size_t at = 0; (at = text.find(macro, at)) != std::string::npos;) {
      text.replace(at, macro.size(), value);
      at += value.size();
    }
  }
  return text;
}

std::vector<std::string> environment_of(const Row& row, const Place& place,
                                        const std::map<std::string, std::string>& macros) {
  std::map<std::string, std::optional<std::string>> variables = {
      {"PATH", golden::path_without_gcloud()},
      {"HOME", place.home().string()},
      {"TMPDIR", place.root.string()},
      {"XDG_RUNTIME_DIR", place.root.string()},
      {"LANG", "C.UTF-8"},
      {"GEMINI_API_KEY", "test-key"},
      {"METADATA_SERVER_DETECTION", "none"},
      {"YUME_MAX_RETRIES", k_retries}};
  for (const char* passed : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(passed)) variables[passed] = value;
  }
  for (const auto& [name, value] : row.environment) variables[name] = value;
  std::vector<std::string> list;
  for (const auto& [name, value] : variables) {
    if (value) list.push_back(name + "=" + replaced(*value, macros));
  }
  return list;
}

// The one `result` line; problems when there is not exactly one, or a line is no JSON object.
json result_line(const std::string& output, Seen& seen) {
  json result;
  int results = 0;
  std::size_t begin = 0;
  while (begin < output.size()) {
    const std::size_t end = output.find('\n', begin);
    if (end == std::string::npos) {
      seen.problems.push_back("the last line has no end");
      break;
    }
    const json line = json::parse(output.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (!line.is_object() || !line.contains("type")) {
      seen.problems.push_back("a line is not an object with a type");
    } else if (line["type"] == "result") {
      result = line;
      ++results;
    }
  }
  if (results != 1) seen.problems.push_back(std::to_string(results) + " result lines");
  return result;
}

void compare(const Row& row, const std::string& output, const std::string& errors, Seen& seen) {
  const json result = result_line(output, seen);
  if (result.is_object()) {
    const bool failed = result.value("is_error", false);
    const std::string text = result.value("result", std::string());
    seen.outcome = failed ? text : "ok: " + text;
    if (failed == row.error.empty()) seen.problems.push_back("outcome is \"" + seen.outcome + "\"");
    if (failed && text.find(row.error) == std::string::npos) {
      seen.problems.push_back("error text is \"" + text + "\"");
    }
    if (result.value("duration_ms", 0) < 1) seen.problems.push_back("no duration");
  }
  if (seen.requests != row.requests) {
    seen.problems.push_back(std::to_string(seen.requests) + " requests instead of " +
                            std::to_string(row.requests));
  }
  const std::string exit = !row.exit.empty() ? row.exit : row.error.empty() ? "0" : "1";
  if (seen.exit != exit) seen.problems.push_back("exit " + seen.exit + " instead of " + exit);
  for (const std::string& part : row.lines_with) {
    if (output.find(part) == std::string::npos) seen.problems.push_back("no line has: " + part);
  }
  for (const std::string& part : row.none_with) {
    if ((output + errors).find(part) != std::string::npos) {
      seen.problems.push_back("a line has: " + part);
    }
  }
  if (!errors.empty()) seen.problems.push_back("stderr: " + errors);
}

}  // namespace

Seen run(const Row& row) {
  Seen seen;
  const test::TemporaryDirectory scratch;
  const Place place{scratch.path()};
  for (const fs::path& folder : {place.workspace(), place.home(), place.sdk()}) {
    fs::create_directories(folder);
  }
  auto server =
      demo::ScriptedServer::start({.responder = demo::answer_in_order(row.backend)}).value();
  const std::string url = row.url.empty() ? server->base_url() : row.url;
  const std::map<std::string, std::string> macros = {{"url", url},
                                                     {"host", server->base_url().substr(7)},
                                                     {"work", place.workspace().string()},
                                                     {"home", place.home().string()},
                                                     {"sdk", place.sdk().string()}};
  if (row.prepare) row.prepare(place);

  std::vector<std::string> argv = {YUME_BINARY,   "-p",        "hi",      "--output-format",
                                   "stream-json", "--verbose", "--model", "gemini-3.8-flash",
                                   "--api-base",  url};
  for (const std::string& argument : row.arguments) argv.push_back(replaced(argument, macros));
  auto child = test::ChildProcess::spawn({.argv = argv,
                                          .environment = environment_of(row, place, macros),
                                          .cwd = place.workspace(),
                                          .watchdog = std::chrono::seconds(90)})
                   .value();
  const test::ChildExit ended = child->run([&](test::ChildProcess& process) {
    if (row.on_stdout) row.on_stdout(process, *server);
  });
  seen.exit = ended.status;
  if (ended.hang) seen.problems.push_back("hang");
  seen.requests = server->requests().size();
  compare(row, child->stdout_text(), child->stderr_text(), seen);
  return seen;
}

demo::Script stream(const std::vector<std::string>& events) {
  return demo::event_stream(events);
}

demo::Script answer(int status, const std::string& body, const std::string& content_type,
                    const std::vector<demo::Header>& headers) {
  demo::Script script =
      demo::plain_answer({.status = status, .content_type = content_type, .body = body});
  script.headers.insert(script.headers.end(), headers.begin(), headers.end());
  return script;
}

std::string error_body(int code, const std::string& status, const std::string& message,
                       const std::string& details) {
  json error = {{"code", code}, {"message", message}, {"status", status}};
  if (!details.empty()) error["details"] = json::parse("[" + details + "]");
  return json{{"error", error}}.dump();
}

std::string text_event(const std::string& text, const std::string& finish) {
  json candidate = {{"content", {{"role", "model"}, {"parts", {{{"text", text}}}}}}};
  if (!finish.empty()) candidate["finishReason"] = finish;
  return json{{"candidates", {candidate}}}.dump();
}

std::string call_event(const std::string& name, const std::string& args,
                       const std::string& finish) {
  const json call = {{"functionCall", {{"name", name}, {"args", json::parse(args)}}},
                     {"thoughtSignature", "c2ln"}};
  json candidate = {{"content", {{"role", "model"}, {"parts", {call}}}}};
  if (!finish.empty()) candidate["finishReason"] = finish;
  return json{{"candidates", {candidate}}}.dump();
}

std::string finish_event(const std::string& reason) {
  return R"({"candidates":[{"finishReason":")" + reason + R"("}]})";
}

demo::Script good() {
  return stream({text_event("fine"), finish_event("STOP")});
}

}  // namespace yume::faults

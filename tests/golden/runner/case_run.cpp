// SPDX-License-Identifier: MIT
#include "golden/runner/case_run.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <future>
#include <set>
#include <stdexcept>

#include "app/doctor/machine_checks.h"
#include "golden/runner/process_leaks.h"
#include "golden/runner/system_path.h"
#include "platform/environment.h"
#include "platform/sandbox.h"
#include "support/http_script.h"
#include "transcript/session_paths.h"

namespace yume::golden {
namespace {

namespace fs = std::filesystem;
using Macros = std::map<std::string, std::string>;

// Fresh folders for one run, removed with it.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::canonical(fs::temp_directory_path()) / "golden-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("cannot make a scratch folder like " + pattern);
    }
    root_ = pattern;
    for (const fs::path& folder : {work(), home(), tmp()}) fs::create_directory(folder);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  const fs::path& root() const { return root_; }
  fs::path work() const { return root_ / "work"; }
  fs::path home() const { return root_ / "home"; }
  fs::path tmp() const { return root_ / "tmp"; }

 private:
  fs::path root_;
};

std::vector<test::HttpScript> parse_backend(const GoldenCase& golden, const Macros& macros) {
  std::vector<test::HttpScript> scripts;
  for (const std::string& text : read_backend(golden.folder)) {
    auto script = test::parse_http_script(expand(text, macros));
    if (!script.ok()) {
      throw std::runtime_error("backend/" + two_digits(scripts.size() + 1) +
                               ".http: " + script.error().message);
    }
    scripts.push_back(std::move(script).value());
  }
  return scripts;
}

std::vector<demo::Answer> to_answers(const std::vector<test::HttpScript>& scripts) {
  std::vector<demo::Answer> answers;
  for (const test::HttpScript& script : scripts) answers.push_back(test::to_answer(script));
  return answers;
}

std::vector<std::string> gate_names(const std::vector<test::HttpScript>& scripts) {
  std::set<std::string> names;
  for (const test::HttpScript& script : scripts) {
    for (const demo::Step& step : test::steps_of(script)) {
      if (const auto* gate = std::get_if<demo::WaitForGate>(&step)) names.insert(gate->name);
    }
  }
  return {names.begin(), names.end()};
}

std::string expand_strictly(const std::string& text, const Macros& macros) {
  std::string expanded = expand(text, macros);
  if (expanded.find("%{") != std::string::npos) {
    throw std::runtime_error("case.json: unknown macro in " + text);
  }
  return expanded;
}

Variables child_environment(const GoldenCase& golden, const Scratch& scratch, const Macros& macros,
                            const Target& target) {
  Variables environment = system_variables({.home = scratch.home(), .tmp = scratch.tmp()}, target);
  environment.merge(Variables{{"LANG", "C.UTF-8"},
                              {"TZ", "UTC"},
                              {"METADATA_SERVER_DETECTION", "none"},
                              // How often a growing text is shown depends on the time, unless a
                              // case says otherwise.
                              {"YUME_CLI_LIVE_TEXT", "off"},
                              {"GEMINI_API_KEY", "test-key"}});
  for (const char* name :
       {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "LLVM_PROFILE_FILE"}) {
    if (const char* value = ::getenv(name)) environment[name] = value;
  }
  for (const auto& [name, value] : golden.environment) {
    if (value) {
      environment[name] = expand_strictly(*value, macros);
    } else {
      environment.erase(name);
    }
  }
  return environment;
}

// Watches stdout for one text without searching the same bytes twice.
class Watch {
 public:
  explicit Watch(std::string needle) : needle_(std::move(needle)) {}

  // Where the text ends when it has come for the first time; npos otherwise.
  std::size_t look(const std::string& text) {
    if (found_) return std::string::npos;
    const std::size_t at = text.find(needle_, searched_);
    found_ = at != std::string::npos;
    if (found_) return at + needle_.size();
    searched_ = text.size() < needle_.size() ? 0 : text.size() - needle_.size() + 1;
    return std::string::npos;
  }

  bool found() const { return found_; }
  const std::string& needle() const { return needle_; }

 private:
  std::string needle_;
  std::size_t searched_ = 0;
  bool found_ = false;
};

// Where the text that follows the last `mark` begins; npos: there is none.
std::size_t behind_last(const std::string& text, std::string_view mark) {
  const std::size_t at = text.rfind(mark);
  return at == std::string::npos ? at : at + mark.size();
}

std::string up_to_quote(const std::string& text, std::size_t begin) {
  return begin == std::string::npos ? "" : text.substr(begin, text.find('"', begin) - begin);
}

// The id of the last question that the program asked its host; only it knows it beforehand. Those
// of JSON-RPC are requests whose id is a text.
std::string last_question(const std::string& text) {
  // In Claude's dialect, and in that of InsightsEvents.
  for (const std::string_view question :
       {std::string_view(R"({"type":"control_request","request_id":")"),
        std::string_view(R"(,"requestId":")")}) {
    const std::size_t asked = behind_last(text, question);
    if (asked != std::string::npos) return up_to_quote(text, asked);
  }
  const std::size_t method = text.rfind(R"(","method":")");
  if (method == std::string::npos) return "";
  return up_to_quote(text, behind_last(text.substr(0, method), R"({"jsonrpc":"2.0","id":")"));
}

// The session that was opened last.
std::string last_session(const std::string& text) {
  return up_to_quote(text, behind_last(text, R"("result":{"sessionId":")"));
}

// What happens when something appears on stdout: first the case's actions in their order, then the
// gates, so that a signal or a closed pipe is there before the server goes on.
class StdoutReactions {
 public:
  StdoutReactions(const GoldenCase& golden, const Macros& macros,
                  const std::vector<std::string>& gates, demo::ScriptedServer& server)
      : server_(server) {
    for (Trigger trigger : golden.triggers) {
      trigger.line = expand(trigger.line, macros);
      Watch watch(expand(trigger.contains, macros));
      triggers_.emplace_back(std::move(watch), std::move(trigger));
    }
    for (const std::string& gate : gates) gates_.emplace_back(gate);
  }

  void react(test::ChildProcess& child) {
    for (auto& [watch, trigger] : triggers_) {
      const std::size_t end = watch.look(child.stdout_text());
      if (end != std::string::npos) act(trigger, end, child);
    }
    for (Watch& gate : gates_) {
      if (gate.look(child.stdout_text()) != std::string::npos) server_.open_gate(gate.needle());
    }
  }

  std::vector<std::string> never_happened() const {
    std::vector<std::string> problems;
    for (const auto& [watch, trigger] : triggers_) {
      if (!watch.found()) {
        problems.push_back("on_stdout: stdout never contained " + watch.needle());
      }
    }
    return problems;
  }

  std::string closed_gates() const {
    std::string names;
    for (const Watch& gate : gates_) {
      if (!gate.found()) names += "\n  gate never opened: " + gate.needle();
    }
    return names;
  }

 private:
  static void act(const Trigger& trigger, std::size_t match_end, test::ChildProcess& child) {
    switch (trigger.action) {
      case TriggerAction::signal:
        child.send_signal(trigger.signal);
        break;
      case TriggerAction::close_stdin:
        child.close_stdin();
        break;
      case TriggerAction::stdin_line:
        child.write_stdin(expand(trigger.line, {{"request_id", last_question(child.stdout_text())},
                                                {"session", last_session(child.stdout_text())}}) +
                          "\n");
        break;
      case TriggerAction::create_file:
        std::ofstream(trigger.line).put('\n');
        break;
      case TriggerAction::close_stdout: {
        const std::size_t newline = child.stdout_text().find('\n', match_end);
        child.close_stdout(newline == std::string::npos ? match_end : newline + 1);
        break;
      }
    }
  }

  demo::ScriptedServer& server_;
  std::vector<std::pair<Watch, Trigger>> triggers_;
  std::vector<Watch> gates_;
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &utc)};
}

std::string sandbox_here() {
  static const std::string text =
      app::doctor::sandbox_in_words(platform::sandbox_support());  // tried out only once
  return text;
}

std::vector<Literal> run_literals(const Macros& macros, const Scratch& scratch,
                                  const Target& target) {
  std::vector<Literal> literals{{today(), "%{date}"},
                                {platform::read_environment().os_name, "%{os}"},
                                {sandbox_here(), "%{sandbox}"}};
  const std::map<std::string, fs::path> folders{{"scratch", scratch.root()},
                                                {"cwd", scratch.work()},
                                                {"home", scratch.home()},
                                                {"tmp", scratch.tmp()}};
  for (const auto& [name, path] : folders) {
    for (Literal& form : path_literals(path, "%{" + name + "}", target))
      literals.push_back(std::move(form));
  }
  for (const auto& [name, value] : macros) {
    if (!folders.contains(name)) literals.push_back({value, "%{" + name + "}"});
  }
  return literals;
}

// Where there is no sandbox, commands run without it as they would behind it, but for a notice.
void leave_sandbox_out(std::vector<std::string>& args, const Target& target) {
  const auto provider = std::find(args.begin(), args.end(), "--provider");
  const bool is_said = std::find(args.begin(), args.end(), "--sandbox") != args.end();
  if (can_wall_commands(target) || is_said || args.end() - provider < 2) return;
  args.insert(provider + 2, {"--sandbox", "off"});
}

void run_child(const GoldenCase& golden, const Target& target, const Scratch& scratch,
               const Macros& macros, StdoutReactions& reactions, Observation& seen) {
  std::vector<std::string> args;
  for (const std::string& arg : golden.args) args.push_back(expand_strictly(arg, macros));
  leave_sandbox_out(args, target);
  Start start = start_of(target, args, child_environment(golden, scratch, macros, target));
  const test::ChildOptions options{.argv = std::move(start.argv),
                                   .environment = std::move(start.environment),
                                   .cwd = scratch.work(),
                                   .stdin_kind = golden.stdin_kind};
  auto spawned = test::ChildProcess::spawn(options);
  if (!spawned.ok()) throw std::runtime_error(spawned.error().message);
  test::ChildProcess& child = **spawned;
  child.write_stdin(expand(golden.stdin_text, macros));
  if (golden.stdin_end == StdinEnd::close_after_file) child.close_stdin();
  const test::ChildExit exit =
      child.run([&](test::ChildProcess& running) { reactions.react(running); });
  seen.exit = exit.status;
  seen.stdout_text = child.stdout_text();
  seen.stderr_text = child.stderr_text();
  if (exit.hang) {
    seen.problems.push_back("hang: killed by the watchdog" + reactions.closed_gates());
  }
  for (std::string& leak :
       find_and_kill_leaks({.session = child.pid(), .marker = scratch.root().string()})) {
    seen.problems.push_back(std::move(leak));
  }
  for (std::string& problem : reactions.never_happened()) {
    seen.problems.push_back(std::move(problem));
  }
}

// Names and texts of `home/` may have macros: a session lies in a folder named after the run's own.
void fill_home(const GoldenCase& golden, const Scratch& scratch, const Macros& macros) {
  // Settings for all cases: prices change on days that the table knows, expectations must not.
  const fs::path settings = golden.folder.parent_path().parent_path() / "config" / "settings.json";
  if (fs::exists(settings)) {
    fs::create_directory(scratch.home() / ".yume");
    fs::copy_file(settings, scratch.home() / ".yume" / "settings.json");
  }
  FileTree home;
  for (auto& [name, state] : read_tree(golden.folder / "home")) {
    home[expand(name, macros)] = {.bytes = expand(state.bytes, macros),
                                  .executable = state.executable};
  }
  write_tree(scratch.home(), home);
}

}  // namespace

// Emulators do not know Landlock.
bool can_wall_commands(const Target& target) {
  return target.platform == Platform::native && target.emulator.empty() && platform::has_sandbox();
}

Observation run_case(const GoldenCase& golden, const Target& target) {
  const Scratch scratch;
  if (fs::exists(golden.folder / "files")) {
    fs::copy(golden.folder / "files", scratch.work(),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }
  // The answers may name the server's own address, so they come after its start.
  std::promise<demo::Responder> answers;
  auto started = demo::ScriptedServer::start(
      {.responder = [ready = answers.get_future().share()](const demo::RecordedRequest& request,
                                                           std::size_t index) {
        return ready.get()(request, index);
      }});
  if (!started.ok()) throw std::runtime_error(started.error().message);
  demo::ScriptedServer& server = **started;
  const std::string url = server.base_url();
  const Macros macros{{"url", url},
                      {"host", url.substr(url.rfind('/') + 1)},
                      {"cwd", path_text(scratch.work(), target)},
                      {"home", path_text(scratch.home(), target)},
                      {"tmp", path_text(scratch.tmp(), target)},
                      {"project", transcript::project_key(path_text(scratch.work(), target))}};
  const std::vector<test::HttpScript> scripts = parse_backend(golden, macros);
  answers.set_value(demo::answer_in_order(to_answers(scripts)));

  Observation seen;
  seen.literals = run_literals(macros, scratch, target);
  fill_home(golden, scratch, macros);
  const auto tree_of = [&target](const fs::path& folder) {
    FileTree tree = read_tree(folder);
    return target.platform == Platform::windows ? without_modes(std::move(tree)) : tree;
  };
  seen.files_before = tree_of(scratch.work());
  seen.home_before = tree_of(scratch.home());
  StdoutReactions reactions(golden, macros, gate_names(scripts), server);
  run_child(golden, target, scratch, macros, reactions, seen);
  server.close();
  seen.literals.push_back({today(), "%{date}"});  // again: midnight may have passed
  seen.requests = server.requests();
  seen.files_after = tree_of(scratch.work());
  seen.home_after = tree_of(scratch.home());
  for (std::size_t i = seen.requests.size(); i < scripts.size(); ++i) {
    seen.problems.push_back("backend/" + two_digits(i + 1) + ".http was never asked for");
  }
  for (std::size_t i = scripts.size(); i < seen.requests.size(); ++i) {
    seen.problems.push_back("request " + std::to_string(i + 1) + " has no answer in backend/");
  }
  return seen;
}

}  // namespace yume::golden

// SPDX-License-Identifier: MIT
#include "strategies/acp_agent/agent_terminals.h"

#include "jsonrpc/codec.h"
#include "tools/wall.h"
#include "util/json_tree.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace yume::strategies {
namespace {

using nlohmann::json;
using platform::ProcessEnd;
using platform::ProcessEndKind;

constexpr std::size_t k_most_open = 32;
constexpr std::uint64_t k_usual_output = 1U << 20U;
constexpr std::uint64_t k_largest_output = 8U << 20U;
constexpr std::size_t k_most_released = 32;
constexpr int k_could_not_start = 127;

std::string quoted(const std::string& word) {
  constexpr std::string_view k_plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  if (!word.empty() && word.find_first_not_of(k_plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

bool is_variable_name(std::string_view name) {
  constexpr std::string_view k_characters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(k_characters) == std::string_view::npos;
}

bool is_shell(const std::string& program) {
  const std::string name = program.substr(program.find_last_of('/') + 1);
  return name == "sh" || name == "bash" || name == "zsh" || name == "dash";
}

std::vector<std::string> words_in(const json& params) {
  std::vector<std::string> words;
  const auto args = params.find("args");
  if (args == params.end() || !args->is_array()) return words;
  for (const json& word : *args) words.push_back(word.is_string() ? word.get<std::string>() : "");
  return words;
}

// `A=b `: what the agent adds to the environment is judged with the command. Error: a name that a
// shell would take for something else.
Result<std::string> variables_in(const json& params) {
  std::string text;
  const auto given = params.find("env");
  if (given == params.end() || !given->is_array()) return text;
  for (const json& one : *given) {
    const std::string name = one.is_object() ? text_at(one, "name") : "";
    if (!is_variable_name(name)) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "env has a name that is no variable's: '" + name + "'"};
    }
    text += name + "=" + quoted(text_at(one, "value")) + " ";
  }
  return text;
}

void write_end(JsonWriter& writer, const Result<ProcessEnd>& end) {
  writer.key("exitCode");
  if (!end.ok() || end->kind == ProcessEndKind::exited) {
    writer.integer(end.ok() ? end->exit_code : k_could_not_start);
    writer.key("signal").null();
    return;
  }
  const bool has_signal = end->kind == ProcessEndKind::signalled;
  writer.null().field("signal", has_signal ? platform::signal_name(end->signal) : "SIGTERM");
}

RawJson end_json(const Result<ProcessEnd>& end) {
  RawJson result;
  JsonWriter writer(result.text);
  writer.begin_object();
  write_end(writer, end);
  writer.end_object();
  return result;
}

}  // namespace

Result<TerminalCommand> read_terminal_command(const json& params,
                                              const std::filesystem::path& session_cwd) {
  const std::string program = params.is_object() ? text_at(params, "command") : "";
  if (program.empty()) {
    return Error{.code = ErrorCode::invalid_argument, .message = "there is no command"};
  }
  const std::vector<std::string> words = words_in(params);
  YUME_TRY(const std::string variables, variables_in(params));
  TerminalCommand command{.text = program, .cwd = session_cwd, .output_limit = k_usual_output};
  if (!words.empty()) {
    command.text = quoted(program);
    for (const std::string& word : words) command.text += " " + quoted(word);
    const bool has_line = words.size() == 2 && (words[0] == "-c" || words[0] == "-lc");
    if (variables.empty() && is_shell(program) && has_line) command.inner = words[1];
  }
  command.text.insert(0, variables);
  if (command.text.find('\0') != std::string::npos) {
    return Error{.code = ErrorCode::invalid_argument, .message = "the command has a NUL byte"};
  }
  if (const std::string cwd = text_at(params, "cwd"); !cwd.empty())
    command.cwd = path_from_utf8(cwd);
  if (!command.cwd.is_absolute()) {
    return Error{.code = ErrorCode::invalid_argument, .message = "cwd is not absolute"};
  }
  const auto limit = params.find("outputByteLimit");
  if (limit != params.end() && limit->is_number_unsigned()) {
    command.output_limit = std::min(limit->get<std::uint64_t>(), k_largest_output);
  }
  return command;
}

class AgentTerminals::Terminal final : private platform::ProcessOutput {
 public:
  using Waiter = std::shared_ptr<jsonrpc::Responder>;

  Terminal(std::unique_ptr<platform::RunningProcess> process, std::uint64_t limit,
           const Redactor* redactor)
      : process_(std::move(process)),
        limit_(static_cast<std::size_t>(limit)),
        redactor_(redactor),
        reader_([this] { read(); }) {}
  ~Terminal() override {
    process_->stop();
    reader_.join();
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void stop() { process_->stop(); }

  void answer_at_end(const Waiter& waiter) {
    const std::lock_guard lock(mutex_);
    if (end_) {
      waiter->reply(end_json(*end_));
    } else {
      waiters_.push_back(waiter);
    }
  }

  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    return shown();
  }

  [[nodiscard]] RawJson so_far() const {
    const std::lock_guard lock(mutex_);
    RawJson result;
    JsonWriter writer(result.text);
    writer.begin_object().field("output", shown());
    writer.field("truncated", lost_ || text_.size() > limit_);
    if (end_) {
      writer.key("exitStatus").begin_object();
      write_end(writer, *end_);
      writer.end_object();
    }
    writer.end_object();
    return result;
  }

 private:
  void read() {
    for (;;) {
      auto end = process_->wait(*this, std::nullopt);
      if (!end) continue;
      std::vector<Waiter> waiters;
      {
        const std::lock_guard lock(mutex_);
        if (!end->ok()) text_ += end->error().message + "\n";
        end_ = std::move(*end);
        waiters.swap(waiters_);
      }
      for (const Waiter& waiter : waiters) waiter->reply(end_json(*end_));
      return;
    }
  }

  void on_output(std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    text_ += bytes;
    // Twice as much, so that it is not moved for each piece.
    if (text_.size() <= 2 * limit_) return;
    text_.erase(0, text_.size() - limit_);
    lost_ = true;
  }

  [[nodiscard]] std::string shown() const {
    std::string text = to_valid_utf8(utf8_suffix(text_, limit_));
    if (redactor_ != nullptr) redactor_->clean(text);
    return text;
  }

  std::unique_ptr<platform::RunningProcess> process_;
  const std::size_t limit_;
  const Redactor* redactor_;
  mutable std::mutex mutex_;
  std::string text_;
  bool lost_ = false;  // the beginning of the text
  std::optional<Result<ProcessEnd>> end_;
  std::vector<Waiter> waiters_;
  std::thread reader_;  // last: it uses all of the above
};

AgentTerminals::AgentTerminals() = default;
AgentTerminals::~AgentTerminals() = default;

Result<std::string> AgentTerminals::start(const TerminalCommand& command,
                                          const tools::ToolContext& context) {
  if (open_.size() >= k_most_open) {
    return Error{.code = ErrorCode::busy,
                 .message = "there are " + std::to_string(k_most_open) + " terminals already"};
  }
  auto shell = platform::shell_command(context.shell.settings().command_shell, command.text);
  platform::ProcessSpec spec{.argv = std::move(shell.argv),
                             .cwd = command.cwd,
                             .environment = context.child_environment,
                             .input = std::move(shell.input)};
  const tools::CommandWall* wall =
      context.shell.wall_for(command.text, command.cwd, context.events);
  if (wall != nullptr) tools::put_behind(*wall, spec);
  YUME_TRY(auto process, context.processes.start(spec));
  const std::string id = "terminal-" + std::to_string(++count_);
  open_.emplace(
      id, std::make_unique<Terminal>(std::move(process), command.output_limit, context.redactor));
  return id;
}

void AgentTerminals::answer(const jsonrpc::Request& request,
                            const std::shared_ptr<jsonrpc::Responder>& responder) {
  const json params = read_json(request.params.text);
  const std::string id = params.is_object() ? text_at(params, "terminalId") : "";
  const auto found = open_.find(id);
  if (found == open_.end()) {
    return responder->reply(jsonrpc::ErrorObject{.code = jsonrpc::k_invalid_params,
                                                 .message = "there is no terminal '" + id + "'"});
  }
  Terminal& terminal = *found->second;
  if (request.method == "terminal/output") return responder->reply(terminal.so_far());
  if (request.method == "terminal/wait_for_exit") return terminal.answer_at_end(responder);
  if (request.method == "terminal/kill") {
    terminal.stop();
    return responder->reply(RawJson{"{}"});
  }
  if (request.method != "terminal/release") {
    return responder->reply(jsonrpc::method_not_found(request.method));
  }
  if (released_.size() >= k_most_released) released_.clear();
  const auto taken = open_.extract(found);
  taken.mapped()->stop();
  released_[id] = taken.mapped()->text();
  responder->reply(RawJson{"{}"});
}

std::string AgentTerminals::output(const std::string& id) const {
  if (const auto open = open_.find(id); open != open_.end()) return open->second->text();
  const auto released = released_.find(id);
  return released == released_.end() ? std::string() : released->second;
}

void AgentTerminals::kill_all() {
  for (const auto& [id, terminal] : open_) terminal->stop();
}

}  // namespace yume::strategies

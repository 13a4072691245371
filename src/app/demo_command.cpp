// SPDX-License-Identifier: MIT
#include "app/demo_command.h"

#include "app/commands/command_table.h"
#include "app/run.h"
#include "demo/scripted_server.h"
#include "platform/command_system.h"
#include "platform/file_system.h"
#include "platform/stdio.h"
#include "platform/temporary_directory.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_program =
    "def greet(name):\n    return \"Helo, \" + name\n\nprint(greet(\"world\"))\n";

// Shows the file's line, in the language of whichever shell there is.
std::string look_again(const platform::Environment& environment) {
  switch (platform::command_system(environment).shell.kind) {
    case platform::ShellKind::bash:
    case platform::ShellKind::git_bash:
      return "grep -n Hello greet.py";
    case platform::ShellKind::powershell:
    case platform::ShellKind::cmd:
      break;
  }
  return "type greet.py";
}

// What the "model" says: look, repair, try, report.
std::vector<demo::Answer> scripts(const std::string& command) {
  return {
      demo::event_stream(
          {R"({"candidates":[{"content":{"role":"model","parts":[{"text":"**Looking**\n\nI should read the file first.","thought":true}]}}],"usageMetadata":{"promptTokenCount":1200,"totalTokenCount":1212,"thoughtsTokenCount":12},"modelVersion":"gemini-demo"})",
           R"({"candidates":[{"content":{"role":"model","parts":[{"text":"I'll look at greet.py. "}]}}],"usageMetadata":{"promptTokenCount":1200,"candidatesTokenCount":6,"totalTokenCount":1218,"thoughtsTokenCount":12}})",
           R"({"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"demo-1","name":"Read","args":{"file_path":"greet.py"}},"thoughtSignature":"ZGVtby0x"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1200,"candidatesTokenCount":18,"totalTokenCount":1230,"thoughtsTokenCount":12}})"}),
      demo::event_stream(
          {R"({"candidates":[{"content":{"role":"model","parts":[{"text":"There is a typing error in the greeting. "},{"functionCall":{"id":"demo-2","name":"Edit","args":{"file_path":"greet.py","old_string":"Helo","new_string":"Hello"}},"thoughtSignature":"ZGVtby0y"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1290,"candidatesTokenCount":40,"totalTokenCount":1330}})"}),
      demo::event_stream(
          {R"({"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"demo-3","name":"Bash","args":{"command":")" +
           command +
           R"(","description":"Check the repaired line"}},"thoughtSignature":"ZGVtby0z"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1380,"candidatesTokenCount":22,"totalTokenCount":1402}})"}),
      demo::event_stream(
          {R"({"candidates":[{"content":{"role":"model","parts":[{"text":"Done: greet.py now says "}]}}],"usageMetadata":{"promptTokenCount":1450,"candidatesTokenCount":8,"totalTokenCount":1458}})",
           R"({"candidates":[{"content":{"role":"model","parts":[{"text":"\"Hello\"."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1450,"candidatesTokenCount":11,"totalTokenCount":1461}})"}),
  };
}

// A folder of our own that goes away with the demo.
class ScratchFolder {
 public:
  explicit ScratchFolder(const platform::Environment& environment)
      : path_(platform::temporary_directory(environment) / ("yume-demo-" + random_hex(16))) {
    std::error_code failure;
    fs::create_directories(path_, failure);
    std::ofstream(path_ / "greet.py", std::ios::binary) << k_program;
  }
  ~ScratchFolder() {
    std::error_code failure;
    fs::remove_all(path_, failure);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// What a person at the terminal is told first; anybody else gets lines alone.
constexpr std::string_view k_introduction =
    "A model that only repeats what is written for it repairs a file in a folder of its own.\n"
    "Nothing leaves this machine. Before it changes the file you are asked, as always: y lets "
    "it.\n\n";

bool is_watched(const Arguments& arguments) {
  return platform::is_terminal(platform::StandardStream::input) &&
         platform::is_terminal(platform::StandardStream::output) &&
         !arguments.has("output-format") && !arguments.has("dialect");
}

}  // namespace

ExitCode run_demo(const std::vector<std::string>& tokens, platform::Environment environment,
                  protocol::Output& out) {
  const auto line = read_command_line(demo_command(), tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  auto server = demo::ScriptedServer::start(
      {.responder = demo::answer_in_order(scripts(look_again(environment)))});
  if (!server.ok()) {
    (void)platform::stderr_stream()->write("Error: " + server.error().message + "\n");
    return ExitCode::failure;
  }
  const ScratchFolder folder(environment);
  environment.variables["GEMINI_API_KEY"] = "demo";
  std::vector<std::string> arguments = {"--no-session-persistence",
                                        "--model",
                                        "gemini-3.8-flash",
                                        "--cwd",
                                        to_utf8(folder.path()),
                                        "--prompt",
                                        "Fix the greeting in greet.py",
                                        "--auth",
                                        "api-key",
                                        "--api-base",
                                        server.value()->base_url()};
  if (is_watched(std::get<Arguments>(line))) {
    out.bytes(k_introduction);
  } else {
    for (const char* flag :
         {"--provider", "gemini", "--output-format", "stream-json", "--verbose"}) {
      arguments.emplace_back(flag);
    }
  }
  arguments.insert(arguments.end(), tokens.begin(), tokens.end());
  return run_session(arguments, environment);
}

}  // namespace yume::app

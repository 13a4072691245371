// SPDX-License-Identifier: MIT
#include "app/wrap_choice.h"

#include "app/agents/agent_search.h"
#include "app/agents/gemini_outputs.h"
#include "platform/access.h"
#include "platform/program_search.h"
#include "util/path_text.h"

#include <array>
#include <memory>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using config::StrategyName;

// A script in our place could start us again, and again.
constexpr std::string_view k_guard = "YUME_CLI_WRAPS";
constexpr std::string_view k_how_to_install =
    "Install it with `npm install -g @google/gemini-cli`, or name its file with --gemini-path or "
    "GEMINI_CLI_PATH.";

std::vector<std::string> environment_for(const platform::Environment& environment) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : environment.variables) {
    // The launcher would start itself once more, and not hand on signals.
    if (name == k_guard || name == "GEMINI_CLI_NO_RELAUNCH") continue;
    lines.push_back(name + "=" + value);
  }
  lines.emplace_back("GEMINI_CLI_NO_RELAUNCH=true");
  lines.push_back(std::string(k_guard) + "=1");
  return lines;
}

bool is_this_program(const fs::path& path, const SpecDeps& deps) {
  const auto real = deps.files.real_path(path);
  const auto self = deps.files.real_path(deps.environment.executable);
  return real.ok() && self.ok() && *real == *self;
}

void choose_gemini(const Options& options, const SpecDeps& deps, config::WrapSpec& wrap) {
  if (deps.environment.get(k_guard)) {
    wrap.problem = "The program that --strategy gemini-cli found is yume-cli itself. " +
                   std::string(k_how_to_install);
    return;
  }
  fs::path program;
  if (options.gemini_path.empty()) {
    program = find_program_of(*find_agent("gemini"), deps.environment, deps.files).path;
    if (program.empty()) {
      wrap.problem = "The Gemini CLI is not installed: no `gemini` was found. " +
                     std::string(k_how_to_install);
      return;
    }
  } else {
    program = deps.environment.cwd / path_from_utf8(options.gemini_path);
    if (!deps.files.info(program).ok()) {
      wrap.problem = "There is no file " + to_utf8(program) + ", which --gemini-path names. " +
                     std::string(k_how_to_install);
      return;
    }
  }
  if (is_this_program(program, deps)) {
    wrap.problem = to_utf8(program) + " is yume-cli itself, which cannot wrap itself. " +
                   std::string(k_how_to_install);
    return;
  }
  wrap.argv = {to_utf8(program)};
}

fs::path find_command(const std::string& name, const SpecDeps& deps) {
  const fs::path path = path_from_utf8(name);
  if (path.has_parent_path()) return deps.environment.cwd / path;
  for (const fs::path& folder : platform::path_directories(deps.environment)) {
    fs::path file = folder / path;
    const auto info = deps.files.info(file);
    const bool is_file = info.ok() && info->kind == platform::FileKind::regular;
    if (is_file && platform::is_executable_file(file)) return file;
  }
  return {};
}

void choose_agent(const Options& options, const SpecDeps& deps, config::WrapSpec& wrap) {
  const std::string& name = options.agent_command.front();
  const fs::path program = find_command(name, deps);
  if (program.empty() || !deps.files.info(program).ok()) {
    wrap.problem = "The agent of --agent-command was not found: there is no `" + name +
                   "`. Install it, or name its file with its path.";
    return;
  }
  wrap.argv = options.agent_command;
  wrap.argv.front() = to_utf8(program);
}

}  // namespace

std::optional<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote != '\0') {
      const bool escapes = quote == '"' && c == '\\' && at + 1 < text.size() &&
                           (text[at + 1] == '"' || text[at + 1] == '\\');
      if (escapes) {
        word += text[++at];
      } else if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == '\\' && at + 1 < text.size()) {
      word += text[++at];
      in_word = true;
    } else if (!blank) {
      word += c;
      in_word = true;
    } else if (in_word) {
      words.push_back(std::exchange(word, {}));
      in_word = false;
    }
  }
  if (quote != '\0') return std::nullopt;
  if (in_word) words.push_back(std::move(word));
  return words;
}

void read_strategy(const Arguments& arguments, OptionReader& reader, Options& options) {
  constexpr std::array k_names = {StrategyName::gemini_rest, StrategyName::gemini_cli,
                                  StrategyName::acp_agent};
  const auto chosen = reader.choice("strategy", "name", {"gemini-rest", "gemini-cli", "acp-agent"},
                                    ExitCode::usage);
  if (chosen) options.strategy = k_names.at(*chosen);
  const auto refuse = [&reader](const char* why) { reader.fail(why, ExitCode::usage); };
  options.gemini_path = arguments.value("gemini-path").value_or("");
  if (arguments.has("gemini-path") && options.strategy != StrategyName::gemini_cli) {
    refuse("error: --gemini-path is for --strategy gemini-cli");
  }
  if (!arguments.has("agent-command")) {
    if (options.strategy == StrategyName::acp_agent) {
      refuse(
          "error: --strategy acp-agent needs --agent-command, such as "
          "--agent-command \"gemini --acp\"");
    }
    return;
  }
  if (options.strategy != StrategyName::acp_agent) {
    refuse("error: --agent-command is for --strategy acp-agent");
  }
  auto words = split_command(arguments.value("agent-command").value_or(""));
  if (!words || words->empty()) {
    refuse("error: --agent-command is no command: it is empty, or a quote in it has no end");
    return;
  }
  options.agent_command = *std::move(words);
}

config::WrapSpec choose_wrap(const Options& options, const fs::path& cwd, const SpecDeps& deps) {
  config::WrapSpec wrap{.strategy = options.strategy};
  if (wrap.strategy == StrategyName::gemini_rest) return wrap;
  wrap.environment = environment_for(deps.environment);
  if (wrap.strategy == StrategyName::acp_agent) {
    choose_agent(options, deps, wrap);
    return wrap;
  }
  choose_gemini(options, deps, wrap);
  const auto outputs = std::make_shared<GeminiOutputs>(cwd, deps.environment, deps.files);
  wrap.recorded_output = [outputs](const std::string& session, const std::string& call) {
    return outputs->find(session, call);
  };
  return wrap;
}

}  // namespace yume::app

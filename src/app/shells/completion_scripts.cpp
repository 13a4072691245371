// SPDX-License-Identifier: MIT
#include "app/shells/completion_scripts.h"

#include "app/shells/program_grammar.h"

#include <fmt/format.h>

#include <vector>

namespace yume::app {
namespace {

using Words = std::vector<std::string_view>;

// What is done with a word's value where it has no list of choices.
enum class ValueIs { file, directory, something };

ValueIs value_of(const FlagSpec& flag) {
  const std::string_view name = flag.value_name;
  if (name == "dir" || name == "dirs") return ValueIs::directory;
  return name.find("file") != std::string_view::npos || name == "configs" ? ValueIs::file
                                                                          : ValueIs::something;
}

std::string joined(const Words& words, std::string_view with) {
  return fmt::format("{}", fmt::join(words, with));
}

std::string flag_words(const ProgramCommand& command) {
  std::string text;
  for (const FlagSpec& flag : command.flags) {
    text.append(text.empty() ? "--" : " --").append(flag.name);
  }
  return text;
}

// Every character that ends a quoted text of the shell, with what stands for it.
std::string quoted(std::string_view text, char quote, std::string_view inside) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) {
      out.append(inside);
    } else {
      out.push_back(c == '\n' ? ' ' : c);
    }
  }
  out.push_back(quote);
  return out;
}

std::string in_shell_quotes(std::string_view text) {
  return quoted(text, '\'', R"('\'')");
}

// Commands of one word, and first words of those of two.
void sort_first_words(Words& alone, Words& groups) {
  for (const std::string_view word : first_words()) {
    (second_words(word).empty() ? alone : groups).push_back(word);
  }
}

// Bash takes `=` for a word of its own. Where nothing is said here, it completes file names.
std::string bash_script() {
  Words alone;
  Words groups;
  sort_first_words(alone, groups);
  std::string flags;
  std::string values;
  for (const ProgramCommand& command : program_grammar()) {
    const Words operands = choices_of_operand(command);
    flags += fmt::format("    '{}') flags='{}' words='{}' ;;\n", command.name, flag_words(command),
                         takes_session(command) ? "@" : joined(operands, " "));
    for (const FlagSpec& flag : command.flags) {
      if (flag.kind == ValueKind::none) continue;
      const std::string choices = is_session(flag) ? "@" : joined(choices_of(flag), " ");
      values += fmt::format("    '{} --{}') value='{}' ;;\n", command.name, flag.name,
                            choices.empty() ? "?" : choices);
      if (flag.short_name != '\0') {
        values += fmt::format("    '{} -{}') value='{}' ;;\n", command.name, flag.short_name,
                              choices.empty() ? "?" : choices);
      }
    }
  }
  for (const std::string_view group : groups) {
    flags += fmt::format("    '{}') words='{}' ;;\n", group, joined(second_words(group), " "));
  }
  return fmt::format(R"sh(# bash completion for yume-cli, made by `yume-cli completions bash`
_yume_cli_sessions() {{
  local id
  "${{COMP_WORDS[0]}}" sessions list 2> /dev/null | while read -r id _; do
    [ "$id" = ID ] || printf '%s\n' "$id"
  done
}}
_yume_cli() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command= flags= words= value=
  if [ "$word" = '=' ]; then
    word=
  elif [ "$before" = '=' ]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if [ "$COMP_CWORD" -gt 1 ]; then
    case ${{COMP_WORDS[1]}} in
    {}) command=${{COMP_WORDS[1]}} ;;
    {})
      command=${{COMP_WORDS[1]}}
      [ "$COMP_CWORD" -gt 2 ] && command="$command ${{COMP_WORDS[2]}}"
      ;;
    esac
  fi
  case $command in
{}  esac
  [ "$COMP_CWORD" -eq 1 ] && words='{}'
  case "$command $before" in
{}  esac
  COMPREPLY=()
  case $value in
  '') [ "${{word:0:1}}" = - ] && words=$flags ;;
  '?') return ;;
  *) words=$value ;;
  esac
  [ "$words" = @ ] && words=$(_yume_cli_sessions)
  # shellcheck disable=SC2207
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _yume_cli yume-cli
)sh",
                     joined(alone, " | "), joined(groups, " | "), flags, joined(first_words(), " "),
                     values);
}

// `--flag[what it does]:value:(a b)`, as _arguments has it.
std::string zsh_flag(const FlagSpec& flag) {
  std::string help;
  for (const char c : flag.help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') help.push_back('\\');
    help.push_back(c);
  }
  std::string value;
  if (flag.kind != ValueKind::none) {
    const Words choices = choices_of(flag);
    std::string action = choices.empty() ? std::string(" ") : "(" + joined(choices, " ") + ")";
    if (is_session(flag)) action = "_yume_cli_sessions";
    if (choices.empty() && value_of(flag) == ValueIs::file) action = "_files";
    if (choices.empty() && value_of(flag) == ValueIs::directory) action = "_files -/";
    value = fmt::format("{}:{}:{}", flag.kind == ValueKind::optional ? ":" : "", flag.value_name,
                        action);
  }
  const std::string_view repeated = flag.kind == ValueKind::list ? "*" : "";
  std::string text =
      "      " + in_shell_quotes(fmt::format("{}--{}[{}]{}", repeated, flag.name, help, value));
  if (flag.short_name != '\0') {
    text += " \\\n      " +
            in_shell_quotes(fmt::format("{}-{}[{}]{}", repeated, flag.short_name, help, value));
  }
  return text;
}

std::string zsh_script() {
  Words alone;
  Words groups;
  sort_first_words(alone, groups);
  std::string cases;
  for (const ProgramCommand& command : program_grammar()) {
    cases += fmt::format("    ({}) _arguments -s \\\n", in_shell_quotes(command.name));
    for (const FlagSpec& flag : command.flags) cases += zsh_flag(flag) + " \\\n";
    const Words operands = choices_of_operand(command);
    if (takes_session(command)) {
      cases += "      '1: :_yume_cli_sessions'";
    } else {
      cases +=
          operands.empty() ? "      '*: :_files'" : "      '1: :(" + joined(operands, " ") + ")'";
    }
    cases += " ;;\n";
  }
  for (const std::string_view group : groups) {
    cases += fmt::format("    ({}) compadd {} ;;\n", group, joined(second_words(group), " "));
  }
  return fmt::format(R"sh(#compdef yume-cli
# zsh completion for yume-cli, made by `yume-cli completions zsh`
_yume_cli_sessions() {{
  local -a ids titles
  local line
  for line in ${{(f)"$(yume-cli sessions list 2> /dev/null)"}}; do
    [[ $line == 'ID '* ]] && continue
    ids+=(${{line%% *}}) titles+=("$line")
  done
  compadd -l -d titles -a ids
}}
_yume_cli() {{
  local command=
  if (( CURRENT > 2 )); then
    case $words[2] in
      ({}) command=$words[2]; shift words; (( CURRENT-- )) ;;
      ({})
        command=$words[2]; shift words; (( CURRENT-- ))
        if (( CURRENT > 2 )); then
          command="$command $words[2]"; shift words; (( CURRENT-- ))
        fi ;;
    esac
  elif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    compadd {}
  fi
  case $command in
{}  esac
}}
if [[ $funcstack[1] == _yume_cli ]]; then _yume_cli "$@"; else compdef _yume_cli yume-cli; fi
)sh",
                     joined(alone, "|"), joined(groups, "|"), joined(first_words(), " "), cases);
}

std::string fish_flag(const FlagSpec& flag, const std::string& when) {
  std::string line =
      fmt::format("complete -c yume-cli -n {} -l {}", in_shell_quotes(when), flag.name);
  if (flag.short_name != '\0') line += fmt::format(" -s {}", flag.short_name);
  const Words choices = choices_of(flag);
  const bool names_files = choices.empty() && value_of(flag) != ValueIs::something;
  if (flag.kind == ValueKind::one || flag.kind == ValueKind::list) {
    line += names_files ? " -r -F" : " -x";
  }
  if (is_session(flag)) line += " -x -a '(__yume_cli_sessions)'";
  if (!choices.empty()) line += " -a " + in_shell_quotes(joined(choices, " "));
  return line + " -d " + quoted(flag.help, '\'', R"(\')") + "\n";
}

std::string fish_script() {
  std::string out =
      "# fish completion for yume-cli, made by `yume-cli completions fish`\n"
      "function __yume_cli_is\n"
      "    set -l words (commandline -opc)\n"
      "    set -e words[1]\n"
      "    test (count $words) -ge (count $argv); or return 1\n"
      "    for i in (seq (count $argv))\n"
      "        test \"$words[$i]\" = \"$argv[$i]\"; or return 1\n"
      "    end\n"
      "end\n"
      "function __yume_cli_is_turn\n"
      "    set -l words (commandline -opc)\n"
      "    set -q words[2]; or return 0\n"
      "    not contains -- $words[2] " +
      joined(first_words(), " ") +
      "\n"
      "end\n"
      "function __yume_cli_first\n"
      "    test (count (commandline -opc)) -eq 1\n"
      "end\n"
      "function __yume_cli_sessions\n"
      "    set -l words (commandline -opc)\n"
      "    $words[1] sessions list 2> /dev/null | string match -rv '^ID ' "
      "| string replace -r '^(\\S+) +' '$1'\\t\n"
      "end\n"
      "function __yume_cli_second\n"
      "    test (count (commandline -opc)) -eq 2; and __yume_cli_is $argv\n"
      "end\n";
  for (const std::string_view word : first_words()) {
    out += fmt::format("complete -c yume-cli -n __yume_cli_first -a {}\n", word);
    for (const std::string_view second : second_words(word)) {
      out += fmt::format("complete -c yume-cli -f -n '__yume_cli_second {}' -a {}\n", word, second);
    }
  }
  for (const ProgramCommand& command : program_grammar()) {
    const std::string when =
        command.name.empty() ? "__yume_cli_is_turn" : "__yume_cli_is " + std::string(command.name);
    for (const FlagSpec& flag : command.flags) out += fish_flag(flag, when);
    if (takes_session(command)) {
      out += fmt::format("complete -c yume-cli -f -n '{}' -a '(__yume_cli_sessions)'\n", when);
    }
    const Words operands = choices_of_operand(command);
    if (operands.empty()) continue;
    out += fmt::format("complete -c yume-cli -f -n '{}' -a '{}'\n", when, joined(operands, " "));
  }
  return out;
}

std::string powershell_list(const Words& words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + quoted(word, '\'', "''");
  }
  return "@(" + text + ")";
}

std::string powershell_script() {
  std::string flags;
  std::string values;
  Words with_session;
  for (const ProgramCommand& command : program_grammar()) {
    if (takes_session(command)) with_session.push_back(command.name);
    std::vector<std::string> names;
    for (const FlagSpec& flag : command.flags) {
      names.push_back("--" + std::string(flag.name));
      const Words choices = choices_of(flag);
      if (choices.empty()) continue;
      values +=
          fmt::format("    '{} --{}' = {}\n", command.name, flag.name, powershell_list(choices));
    }
    flags +=
        fmt::format("    '{}' = {}\n", command.name, powershell_list({names.begin(), names.end()}));
  }
  std::string seconds;
  for (const std::string_view word : first_words()) {
    seconds += fmt::format("    '{}' = {}\n", word, powershell_list(second_words(word)));
  }
  return fmt::format(
      R"ps(# PowerShell completion for yume-cli, made by `yume-cli completions powershell`
Register-ArgumentCompleter -Native -CommandName yume-cli, yume-cli.exe -ScriptBlock {{
  param($word, $line, $position)
  $commands = @{{
{}  }}
  $flags = @{{
{}  }}
  $values = @{{
{}  }}
  $sessions = {}
  $words = @($line.CommandElements | Where-Object {{ $_.Extent.EndOffset -lt $position }} | ForEach-Object {{ $_.ToString() }})
  $command = ''
  if ($words.Count -gt 1 -and $commands.ContainsKey($words[1])) {{
    $command = $words[1]
    if ($words.Count -gt 2 -and $commands[$command] -contains $words[2]) {{ $command += ' ' + $words[2] }}
  }}
  $choices = $values["$command $($words[-1])"]
  if ($words[-1] -eq '--resume' -or ($sessions -contains $command -and $words.Count -eq 3)) {{
    $choices = @(& $words[0] sessions list 2>$null | Select-Object -Skip 1 | ForEach-Object {{ ($_ -split ' ')[0] }})
  }} elseif (-not $choices) {{
    $choices = @($flags[$command])
    if ($words.Count -eq 1) {{ $choices += $commands.Keys }}
    if ($words.Count -eq 2 -and $command) {{ $choices += $commands[$command] }}
  }}
  $choices | Where-Object {{ $_ -like "$word*" }} | Sort-Object | ForEach-Object {{
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }}
}}
)ps",
      seconds, flags, values, powershell_list(with_session));
}

}  // namespace

std::optional<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  if (shell == "powershell") return powershell_script();
  return std::nullopt;
}

}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "app/commands/command_spec.h"

#include "app/commands/command_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::app {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view k_see = "see `yume-cli try --help`";

const CommandSpec& command() {
  static const CommandSpec spec = {
      .name = "try",
      .help_at = "try",
      .summary = "Tries.\n",
      .operand = "<id>",
      .flags = {{.name = "json", .help = "One line"},
                {.name = "output", .short_name = 'o', .kind = ValueKind::one, .value_name = "file"},
                {.name = "add-dir", .kind = ValueKind::list, .value_name = "dirs"},
                {.name = "debug", .kind = ValueKind::optional, .value_name = "filter"}}};
  return spec;
}

std::string parsed(const Strings& tokens) {
  const auto arguments = parse_command_line(command(), tokens);
  if (!arguments.ok()) return arguments.error().message;
  std::string text;
  for (const std::string& word : arguments->positionals()) text += word + " ";
  for (const FlagSpec& flag : command().flags) {
    if (!arguments->has(flag.name)) continue;
    text.append("--").append(flag.name);
    for (const std::string& value : arguments->list(flag.name)) text += "=" + value;
    text += " ";
  }
  return arguments->on("help") ? "help" : text;
}

TEST(CommandLine, TakesWhatTheCommandHas) {
  EXPECT_EQ(parsed({}), "");
  EXPECT_EQ(parsed({"a", "--json"}), "a --json ");
  EXPECT_EQ(parsed({"-o", "-x", "a"}), "a --output=-x ");
  EXPECT_EQ(parsed({"--output=x"}), "--output=x ");
  EXPECT_EQ(parsed({"--addDir", "a", "b", "--json"}), "--json --add-dir=a=b ");
  EXPECT_EQ(parsed({"--debug", "--json"}), "--json --debug ");
  EXPECT_EQ(parsed({"--", "--json"}), "--json ") << "a word";
  EXPECT_EQ(parsed({"-"}), "- ");
}

TEST(CommandLine, RefusesTheRestWithTheNearestWord) {
  const std::string see(k_see);
  EXPECT_EQ(parsed({"--jsn"}), "`try` has no --jsn; did you mean --json? Else " + see);
  EXPECT_EQ(parsed({"--nothing-like-it"}), "`try` has no --nothing-like-it; " + see);
  EXPECT_EQ(parsed({"--jsn=1"}), "`try` has no --jsn; did you mean --json? Else " + see);
  EXPECT_EQ(parsed({"-x"}), "`try` has no -x; " + see);
  EXPECT_EQ(parsed({"-ox"}), "`try` has no -ox; " + see);
  EXPECT_EQ(parsed({"a", "b"}), "'b' is one word too many; " + see);
  EXPECT_EQ(parsed({"a", "json"}), "'json' is one word too many; did you mean --json? Else " + see);
  EXPECT_EQ(parsed({""}), "<id> is empty; " + see);
  EXPECT_EQ(parsed({"--json=1"}), "--json takes no value; " + see);
  EXPECT_EQ(parsed({"--output"}), "--output needs a value; " + see);
  EXPECT_EQ(parsed({"--output="}), "--output needs a value; " + see);
  EXPECT_EQ(parsed({"--add-dir", "--json"}), "--add-dir needs a value; " + see);
}

TEST(CommandLine, AnswersACallForHelpWhateverElseIsThere) {
  EXPECT_EQ(parsed({"--nope", "--help"}), "help");
  EXPECT_EQ(parsed({"a", "b", "-h"}), "help");
  EXPECT_EQ(parsed({"--", "--help"}), "--help ");
}

TEST(CommandGroup, NamesTheNearestVerb) {
  const auto chosen = [](const Strings& tokens) {
    const auto command = choose_command(auth_commands(), tokens);
    return command.ok() ? std::string((*command)->name) : command.error().message;
  };
  EXPECT_EQ(chosen({"status", "--json"}), "auth status");
  EXPECT_EQ(chosen({"stat"}),
            "there is no `auth stat`; did you mean `auth status`? Else see `yume-cli auth --help`");
  EXPECT_EQ(chosen({"login"}), "there is no `auth login`, only status; see `yume-cli auth --help`");
  EXPECT_EQ(chosen({}), "`auth` needs to know what to do: status; see `yume-cli auth --help`");
}

TEST(CommandTable, TakesOnlyFlagsThatTheHelpOfTurnsShows) {
  for (const CommandSpec* spec :
       {&models_command(), &auth_commands().commands.front(), &doctor_command(), &demo_command()}) {
    EXPECT_FALSE(spec->flags.empty()) << spec->name;
    const std::string help = command_help(*spec);
    for (const FlagSpec& flag : spec->flags) {
      EXPECT_FALSE(flag.help.empty()) << flag.name;
      EXPECT_NE(help.find("--" + std::string(flag.name)), std::string::npos);
    }
    EXPECT_NE(help.find("-h, --help"), std::string::npos);
  }
  // A name that is not known would be left out in silence.
  EXPECT_EQ(models_command().flags.size(), 3U);
  EXPECT_EQ(auth_commands().commands.front().flags.size(), 9U);
  EXPECT_EQ(doctor_command().flags.size(), 13U);
  EXPECT_EQ(demo_command().flags.size(), 7U);
}

}  // namespace
}  // namespace yume::app

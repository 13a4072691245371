// SPDX-License-Identifier: MIT
#include "session/commands/slash_commands.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::session {
namespace {

std::optional<LocalCommand> command(const std::string& text) {
  return local_command(core::UserMessage(text));
}

TEST(SlashCommands, AreOneTextThatBeginsWithTheirName) {
  EXPECT_EQ(read_slash_line(core::UserMessage(" /compact  the tests \n")),
            (SlashLine{.name = "compact", .arguments = "the tests"}));
  EXPECT_EQ(command("/cost"), LocalCommand::cost);
  EXPECT_EQ(command("/usage"), LocalCommand::cost);
  EXPECT_EQ(command("\n/help\t"), LocalCommand::help);
  EXPECT_EQ(command("/model opus"), LocalCommand::model);
  EXPECT_EQ(command("/clear"), LocalCommand::clear);
  EXPECT_EQ(command("/context"), LocalCommand::context);
  EXPECT_EQ(command("/permissions"), LocalCommand::permissions);
  EXPECT_EQ(command("/mcp"), LocalCommand::mcp);
}

TEST(SlashCommands, LeaveTheRestToTheModel) {
  for (const char* text : {"", "/", "/foo", "/costs", "/Cost", "cost", "what is /cost?", "//cost",
                           "/compact", "/etc/hosts has a mistake"}) {
    EXPECT_EQ(command(text), std::nullopt) << text;
  }
  core::UserMessage with_picture("/cost");
  with_picture.blocks.emplace_back(core::Media{.mime_type = "image/png", .base64 = "QUJD"});
  EXPECT_EQ(local_command(with_picture), std::nullopt);
}

SessionFacts facts() {
  return {.model = "m", .context_tokens = 12'345, .window = 1'048'576, .compaction_share = 0.8};
}

TEST(SlashCommands, CostAddsUpWhatTheProcessUsed) {
  SessionFacts now = facts();
  EXPECT_EQ(answer_of(LocalCommand::cost, now), "This process has not asked a model yet: $0.0000.");
  now.by_model["a"] = {.usage = {.prompt_tokens = 12'000,
                                 .cached_tokens = 2'000,
                                 .output_tokens = 30,
                                 .thought_tokens = 10,
                                 .web_searches = 2},
                       .cost_usd = 0.5};
  now.by_model["m"] = {.usage = {.prompt_tokens = 1, .estimated = true}, .cost_usd = 0.25};
  EXPECT_EQ(
      answer_of(LocalCommand::cost, now),
      "Cost of this process so far: $0.7500\n"
      "  a: 12,000 input tokens (2,000 from the cache), 40 output tokens (10 for thinking), 2 "
      "web searches, $0.5000\n"
      "  m: 1 input tokens (0 from the cache), 0 output tokens (0 for thinking), partly "
      "estimated, $0.2500");
  now.price_known = false;
  EXPECT_TRUE(answer_of(LocalCommand::cost, now)
                  .ends_with("\nThe price of m is not known, so it counts as nothing; `models` in "
                             "settings.json can name it."));
}

TEST(SlashCommands, ContextTellsTheShareOfTheWindow) {
  EXPECT_EQ(answer_of(LocalCommand::context, facts()),
            "The next request takes about 12,345 of the 1,048,576 tokens of m (1.2%). The "
            "conversation is summed up at 838,860 tokens (80%); /compact does it now.");
  SessionFacts unknown = facts();
  unknown.window = 0;
  EXPECT_EQ(answer_of(LocalCommand::context, unknown),
            "The next request takes about 12,345 tokens. How many m takes is not known.");
}

TEST(SlashCommands, NameTheModel) {
  EXPECT_TRUE(
      answer_of(LocalCommand::model, facts()).starts_with("The model is m. `/model NAME` "));
}

TEST(SlashCommands, HelpListsAllThatCanBeTyped) {
  SessionFacts now = facts();
  now.commands = {
      {.name = "compact", .description = "Sum up", .argument_hint = "[focus]"},
      {.name = "fix", .description = "Fix it", .source = core::SlashCommandInfo::Source::user},
      {.name = "pdf",
       .description = "Read",
       .source = core::SlashCommandInfo::Source::project,
       .is_skill = true}};
  EXPECT_EQ(answer_of(LocalCommand::help, now),
            "Commands that a prompt can begin with:\n"
            "  /compact [focus]  Sum up\n"
            "  /fix              Fix it (yours)\n"
            "  /pdf              Read (the project's skill)\n"
            "All other texts go to the model. `yume-cli --help` lists the options.");
}

TEST(SlashCommands, AreAllListed) {
  for (const core::SlashCommandInfo& ours : builtin_commands()) {
    EXPECT_TRUE(ours.name == "compact" || command("/" + ours.name)) << ours.name;
  }
}

TEST(SlashCommands, PermissionsTellModeAndRules) {
  SessionFacts now = facts();
  now.mode = "default";
  EXPECT_EQ(answer_of(LocalCommand::permissions, now),
            "The permission mode is default. There are no rules.");
  now.rules = {"deny: Read(x) (--disallowedTools)"};
  EXPECT_EQ(answer_of(LocalCommand::permissions, now),
            "The permission mode is default. Rules, and where they come from:\n"
            "  deny: Read(x) (--disallowedTools)");
}

}  // namespace
}  // namespace yume::session

// SPDX-License-Identifier: MIT
#include "app/gemini_face/gemini_arguments.h"

#include "app/gemini_face/face_choice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::app {
namespace {

using Words = std::vector<std::string>;

GeminiArguments parsed(const Words& tokens) {
  auto arguments = parse_gemini_arguments(tokens);
  EXPECT_TRUE(arguments.ok()) << (arguments.ok() ? "" : arguments.error().message);
  return arguments.ok() ? std::move(arguments).value() : GeminiArguments();
}

std::string refused(const Words& tokens) {
  const auto arguments = parse_gemini_arguments(tokens);
  return arguments.ok() ? "" : arguments.error().message;
}

TEST(GeminiArguments, TakeWhatProgramsPass) {
  const Arguments ours =
      parsed({"-o", "stream-json", "-y", "-m", "gemini-x", "-s", "--include-directories", "a, b",
              "--include-directories=c", "--allowed-tools", "run_shell_command(git),read_file",
              "-p", "fix it"})
          .ours;
  EXPECT_EQ(ours.value("output-format"), "stream-json");
  EXPECT_EQ(ours.value("permission-mode"), "bypassPermissions");
  EXPECT_EQ(ours.value("model"), "gemini-x");
  EXPECT_EQ(ours.value("sandbox"), "workspace-write");
  EXPECT_EQ(ours.list("add-dir"), (Words{"a", "b", "c"}));
  EXPECT_EQ(ours.list("allowed-tools"), (Words{"Bash(git:*)", "read_file"}));
  EXPECT_EQ(ours.value("prompt"), "fix it");
}

TEST(GeminiArguments, ReadNamesAsItsParserDoes) {
  const Arguments ours = parsed({"--outputFormat", "json", "--approvalMode=plan", "--no-sandbox",
                                 "--includeDirectories", "a", "-p", "x"})
                             .ours;
  EXPECT_EQ(ours.value("output-format"), "json");
  EXPECT_EQ(ours.value("permission-mode"), "plan");
  EXPECT_EQ(ours.list("add-dir"), Words{"a"});
  EXPECT_FALSE(ours.has("sandbox"));
  EXPECT_EQ(refused({"--no-model"}).find("Error: Unknown argument: no-model"), 0U);
}

TEST(GeminiArguments, TakeOnlyIdsThatAFileCanHave) {
  EXPECT_EQ(parsed({"--session-id", "Run_1-a"}).ours.value("session-id"), "Run_1-a");
  EXPECT_EQ(refused({"--session-id", "../x"}).find("Error: Invalid session ID \"../x\""), 0U);
}

TEST(GeminiArguments, HaveNoScreen) {
  EXPECT_EQ(parsed({"-i", "x"}).action, GeminiAction::refuse_screen);
  EXPECT_EQ(parsed({"-i", "x", "--help"}).action, GeminiAction::show_help);
}

TEST(GeminiArguments, MapApprovalModes) {
  const auto mode = [](const std::string& name) {
    return parsed({"--approval-mode", name}).ours.value("permission-mode");
  };
  EXPECT_EQ(mode("default"), "default");
  EXPECT_EQ(mode("auto_edit"), "acceptEdits");
  EXPECT_EQ(mode("yolo"), "bypassPermissions");
  EXPECT_EQ(mode("plan"), "plan");
  EXPECT_NE(refused({"--approval-mode", "auto"}).find("\"auto_edit\""), std::string::npos);
}

TEST(GeminiArguments, KeepThePromptWhateverItLooksLike) {
  EXPECT_EQ(parsed({"-p", "- list"}).ours.value("prompt"), "- list");
  EXPECT_EQ(parsed({"-p", "-x is odd"}).ours.value("prompt"), "-x is odd");
  EXPECT_EQ(parsed({"-p", ""}).ours.value("prompt"), "");
  EXPECT_EQ(parsed({"--prompt=--yolo"}).ours.value("prompt"), "--yolo");
  EXPECT_EQ(parsed({"say", "hi"}).ours.positionals(), (Words{"say", "hi"}));
  EXPECT_EQ(parsed({"-y", "--", "--nope"}).ours.positionals(), (Words{"--nope"}));
}

TEST(GeminiArguments, ReadShortFlagsThatStandTogether) {
  const Arguments ours = parsed({"-yojson", "-m=gemini-x", "-dp", "hi"}).ours;
  EXPECT_EQ(ours.value("permission-mode"), "bypassPermissions");
  EXPECT_EQ(ours.value("output-format"), "json");
  EXPECT_EQ(ours.value("model"), "gemini-x");
  EXPECT_TRUE(ours.has("debug"));
  EXPECT_EQ(ours.value("prompt"), "hi");
}

TEST(GeminiArguments, NameSessions) {
  EXPECT_EQ(parsed({"-r"}).ours.value("resume"), "latest");
  EXPECT_EQ(parsed({"--resume", "-p", "hi"}).ours.value("resume"), "latest");
  EXPECT_EQ(parsed({"-r", "3"}).ours.value("resume"), "3");
  EXPECT_EQ(parsed({"--list-sessions"}).action, GeminiAction::list_sessions);
  EXPECT_EQ(parsed({"--delete-session", "2"}).session, "2");
}

TEST(GeminiArguments, RefuseWhatIsWrong) {
  EXPECT_EQ(refused({"--nope"}),
            "Error: Unknown argument: nope `gemini --help` lists the options.");
  EXPECT_NE(refused({"--yol"}).find("--yolo"), std::string::npos);
  EXPECT_NE(refused({"-Z"}).find("Unknown argument"), std::string::npos);
  EXPECT_NE(refused({"-p"}).find("Not enough arguments"), std::string::npos);
  EXPECT_NE(refused({"-p", "-y"}).find("Not enough arguments"), std::string::npos);
  EXPECT_NE(refused({"-p", "a", "b"}).find("positional"), std::string::npos);
  EXPECT_NE(refused({"-y", "--approval-mode", "plan"}).find("--yolo"), std::string::npos);
  EXPECT_NE(refused({"-o", "xml"}).find("stream-json"), std::string::npos);
  for (const char* flag : {"--policy", "--admin-policy", "--fake-responses"}) {
    EXPECT_NE(refused({flag, "x"}).find("not supported"), std::string::npos) << flag;
  }
}

TEST(GeminiArguments, AcceptWhatChangesNothingHere) {
  const GeminiArguments arguments =
      parsed({"--skip-trust", "-e", "none", "--screen-reader", "--raw-output",
              "--allowed-mcp-server-names", "a,b", "-p", "hi"});
  EXPECT_EQ(arguments.servers, (Words{"a", "b"}));
  EXPECT_EQ(arguments.ours.value("prompt"), "hi");
}

TEST(GeminiArguments, ShowHelpWhateverElseIsThere) {
  EXPECT_EQ(parsed({"--help", "-v"}).action, GeminiAction::show_help);
  EXPECT_EQ(parsed({"-v"}).action, GeminiAction::show_version);
  EXPECT_EQ(gemini_version_text().substr(0, 2), "0.");
}

Face face_of(const char* program, const Words& tokens, const char* variable = nullptr) {
  platform::Environment environment;
  if (variable != nullptr) environment.variables["YUME_CLI_FACE"] = variable;
  const auto chosen = choose_face(program, tokens, environment);
  EXPECT_TRUE(chosen.ok());
  return chosen.ok() ? chosen->face : Face::claude;
}

TEST(FaceChoice, GoesByFlagVariableAndName) {
  EXPECT_EQ(face_of("/usr/bin/yume-cli", {}), Face::claude);
  EXPECT_EQ(face_of("gemini", {}), Face::gemini);
  EXPECT_EQ(face_of("/opt/x/gemini", {"-p", "hi"}), Face::gemini);
  EXPECT_EQ(face_of("C:\\x\\Gemini.EXE", {}), Face::gemini);
  EXPECT_EQ(face_of("gemini-cli", {}), Face::claude);
  EXPECT_EQ(face_of("yume-cli", {}, "gemini"), Face::gemini);
  EXPECT_EQ(face_of("gemini", {"--as", "claude"}), Face::claude);
  EXPECT_EQ(face_of("yume-cli", {"--as=gemini"}, "claude"), Face::gemini);
}

TEST(FaceChoice, TakesItsFlagAwayAndNoWordOfThePrompt) {
  const auto chosen = choose_face("yume-cli", {"-p", "--as", "gemini", "--", "--as"}, {});
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen->tokens, (Words{"-p", "--", "--as"}));
  EXPECT_FALSE(choose_face("yume-cli", {"--as", "codex"}, {}).ok());
}

}  // namespace
}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "config/permission_layers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/memory_file_system.h"

namespace yume::config {
namespace {

struct Scene {
  Scene() {
    environment.home = "/home/u";
    environment.cwd = "/w";
  }
  void write(const std::string& path, const std::string& text) { files.add_file(path, text); }

  Result<PermissionLayers> read(PermissionRequest request = {}) {
    request.cwd = "/w";
    auto stack = read_settings(files, environment, {.added = added});
    if (!stack.ok()) return stack.error();
    return read_permission_layers(*stack, request, files, environment);
  }

  test::MemoryFileSystem files;
  platform::Environment environment;
  std::optional<std::string> added;
};

std::string texts(const std::vector<permissions::Rule>& rules) {
  std::string out;
  for (const permissions::Rule& rule : rules) {
    out += (out.empty() ? "" : " ") + rule.text() + "@" + rule.origin.name;
  }
  return out;
}

std::string settings_with(const std::string& effect, const std::string& rule) {
  return "{\"permissions\":{\"" + effect + "\":[\"" + rule + "\"]}}";
}

TEST(PermissionLayers, TakesDenialsFromEverywhere) {
  Scene scene;
  scene.write("/home/u/.yume/settings.json", settings_with("deny", "Bash(a:*)"));
  scene.write("/home/u/.claude/settings.json", settings_with("deny", "Bash(b:*)"));
  scene.write("/w/.yume/settings.json", settings_with("deny", "Bash(c:*)"));
  scene.write("/w/.claude/settings.json", settings_with("deny", "Bash(d:*)"));
  scene.write("/w/.yume/settings.local.json", settings_with("deny", "Bash(e:*)"));
  scene.write("/w/.claude/settings.local.json", settings_with("ask", "Bash(f:*)"));
  scene.added = settings_with("deny", "Bash(g:*)");
  const auto layers = scene.read({.cwd = {}, .managed = settings_with("deny", "Bash(h:*)")});
  ASSERT_TRUE(layers.ok()) << layers.error().message;
  EXPECT_EQ(texts(layers->rules.deny),
            "Bash(h:*)@--managed-settings Bash(g:*)@--settings "
            "Bash(e:*)@/w/.yume/settings.local.json Bash(c:*)@/w/.yume/settings.json "
            "Bash(d:*)@/w/.claude/settings.json Bash(a:*)@/home/u/.yume/settings.json "
            "Bash(b:*)@/home/u/.claude/settings.json");
  EXPECT_EQ(texts(layers->rules.ask), "Bash(f:*)@/w/.claude/settings.local.json");
}

TEST(PermissionLayers, LetsAFolderGrantNothingUntilItIsTrusted) {
  Scene scene;
  scene.write("/w/.claude/settings.json",
              R"~({"permissions":{"allow":["Bash"],"additionalDirectories":["/etc"],)~"
              R"~("defaultMode":"bypassPermissions"}})~");
  const auto untrusted = scene.read();
  ASSERT_TRUE(untrusted.ok());
  EXPECT_TRUE(untrusted->rules.allow.empty());
  EXPECT_TRUE(untrusted->directories.empty());
  EXPECT_FALSE(untrusted->mode);
  EXPECT_EQ(untrusted->notices.size(), 2U);
  EXPECT_EQ(untrusted->granted, "allow Bash\ndirectory /etc\n");

  const auto trusted = scene.read({.cwd = {}, .is_trusted = [](const std::string& granted) {
                                     return granted == "allow Bash\ndirectory /etc\n";
                                   }});
  ASSERT_TRUE(trusted.ok());
  EXPECT_EQ(texts(trusted->rules.allow), "Bash@/w/.claude/settings.json");
  EXPECT_EQ(trusted->directories, std::vector<std::filesystem::path>{"/etc"});
  EXPECT_FALSE(trusted->mode) << "no folder raises the mode, trusted or not";
}

TEST(PermissionLayers, LetsAFolderLowerTheMode) {
  Scene scene;
  scene.write("/home/u/.yume/settings.json", R"~({"permissions":{"defaultMode":"acceptEdits"}})~");
  EXPECT_EQ(scene.read()->mode, core::PermissionMode::accept_edits);
  scene.write("/w/.yume/settings.json", R"~({"permissions":{"defaultMode":"plan"}})~");
  EXPECT_EQ(scene.read()->mode, core::PermissionMode::plan);
}

TEST(PermissionLayers, NamesFileAndEntryOfADenialThatCannotBeRead) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"Bash(rm:*", "the rule 'Bash(rm:*' has a ( that is not closed at its end"},
      {"Bsh(rm:*)", "the rule 'Bsh(rm:*)' names no tool: there is no 'Bsh'; did you mean 'Bash'?"},
      {"Bash()", "the rule 'Bash()' has nothing in its parentheses"},
  };
  for (const char* file : {"/w/.yume/settings.json", "/home/u/.claude/settings.json"}) {
    for (const auto& [rule, why] : table) {
      Scene scene;
      scene.write(file, settings_with("deny", rule));
      const auto layers = scene.read();
      ASSERT_FALSE(layers.ok()) << rule;
      EXPECT_EQ(layers.error().message, std::string(file) + ": permissions.deny: " + why);
    }
  }
}

TEST(PermissionLayers, RefusesRestrictionsThatNothingWouldKeep) {
  for (const char* text :
       {R"~({"permissions":{"denny":["Bash(curl:*)"]}})~",
        R"~({"permissions":{"Deny":["Bash(curl:*)"]}})~",
        R"~({"permissions":{"denied":["Bash(curl:*)"]}})~",
        R"~({"permissions":{"denyRules":["Bash(curl:*)"]}})~",
        R"~({"permissions":{"disallowedTools":["Bash(curl:*)"]}})~",
        R"~({"permissions":{"asks":["Bash"]}})~", R"~({"permissions":{"deny":null}})~",
        R"~({"permissions":{"ask":null}})~", R"~({"permissions":{"defaultmode":"plan"}})~",
        R"~({"permissions":{"disableBypassPermissionMode":"disable"}})~",
        R"~({"permissions":{"disableBypassPermissionsMode":"disabled"}})~",
        R"~({"permissions":{"disableBypassPermissionsMode":1}})~",
        R"~({"permission":{"deny":["Bash(curl:*)"]}})~",
        R"~({"Permissions":{"deny":["Bash(curl:*)"]}})~",
        R"~({"permisions":{"deny":["Bash(curl:*)"]}})~", R"~({"deny":["Bash(curl:*)"]})~",
        R"~({"disallowed_tools":["Bash"]})~", R"~({"disallowedTools":["Bash"]})~"}) {
    for (const char* file : {"/home/u/.yume/settings.json", "/home/u/.claude/settings.json",
                             "/w/.yume/settings.json", "/w/.claude/settings.local.json"}) {
      Scene scene;
      scene.write(file, text);
      EXPECT_FALSE(scene.read().ok()) << file << ": " << text;
    }
    Scene scene;
    scene.added = text;
    EXPECT_FALSE(scene.read().ok()) << "--settings: " << text;
    EXPECT_FALSE(Scene().read({.cwd = {}, .managed = text}).ok()) << "managed: " << text;
  }
}

TEST(PermissionLayers, RefusesKeysOfWhichOnlyTheLastWouldCount) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {R"~({"permissions":{"deny":["Bash(curl:*)"],"deny":[]}})~", "permissions.deny"},
      {R"~({"permissions":{"deny":["Bash(curl:*)"],"de\u006ey":[]}})~", "permissions.deny"},
      {R"~({"permissions":{"deny":["Bash"]},"model":"m","permissions":{}})~", "permissions"},
      {R"~({"sandbox":{"network":{"allowedDomains":["a.b"],"allowedDomains":[]}}})~",
       "sandbox.network.allowedDomains"},
      {R"~({"hooks":{"PreToolUse":[{"hooks":[],"hooks":[]}]}})~", "hooks.PreToolUse.hooks"},
  };
  for (const auto& [text, key] : table) {
    const std::string why =
        "'" + key + "' stands there twice, and only the last would count: make them one";
    for (const char* file : {"/home/u/.yume/settings.json", "/home/u/.claude/settings.json",
                             "/w/.yume/settings.json", "/w/.claude/settings.local.json"}) {
      Scene scene;
      scene.write(file, text);
      const auto layers = scene.read();
      ASSERT_FALSE(layers.ok()) << file << ": " << text;
      EXPECT_EQ(layers.error().message, std::string(file) + ": " + why);
    }
    Scene scene;
    scene.added = text;
    EXPECT_FALSE(scene.read().ok()) << "--settings: " << text;
    EXPECT_FALSE(Scene().read({.cwd = {}, .managed = text}).ok()) << "managed: " << text;
  }
}

TEST(PermissionLayers, LeavesKeysAloneThatRestrictNothing) {
  for (const char* text :
       {R"({"permissions":{"allow":null,"additionalDirectories":null}})",
        R"({"permissions":{"disableAutoMode":"disable","novelty":1}})",
        R"({"permissions":{"disableBypassPermissionsMode":null}})",
        R"({"permissions":{"disableBypassPermissionsMode":"enable"}})",
        R"({"permissions":{"disableBypassPermissionsMode":false}})", R"({"permissions":null})",
        R"({"env":{},"statusLine":{},"$schema":"x","model":"gemini-4-argon"})",
        R"({"env":{"A":"1","A":"2"},"statusLine":{},"statusLine":{}})"}) {
    Scene scene;
    scene.write("/w/.claude/settings.json", text);
    const auto layers = scene.read();
    ASSERT_TRUE(layers.ok()) << text << layers.error().message;
    EXPECT_FALSE(layers->disables_bypass) << text;
  }
  Scene scene;
  scene.write("/w/.claude/settings.json",
              R"({"permissions":{"disableBypassPermissionsMode":true}})");
  EXPECT_TRUE(scene.read()->disables_bypass);
}

TEST(PermissionLayers, FailsClosedWhenAFoldersFileIsNoJson) {
  Scene scene;
  scene.write("/w/.claude/settings.json", "{\"permissions\":{\"deny\":[\"Bash(rm:*)\"");
  const auto layers = scene.read();
  ASSERT_TRUE(layers.ok());
  EXPECT_TRUE(layers->fails_closed);
  EXPECT_EQ(layers->notices.size(), 1U);
  Scene of_user;
  of_user.write("/home/u/.claude/settings.json", "{");
  EXPECT_FALSE(of_user.read().ok());
}

TEST(PermissionLayers, ReadsOnlyTheSourcesThatAreWanted) {
  Scene scene;
  scene.write("/home/u/.claude/settings.json", R"~({"permissions":{"deny":["Read"]}})~");
  scene.write("/w/.claude/settings.json", R"~({"permissions":{"deny":["Edit"]}})~");
  scene.write("/w/.claude/settings.local.json", R"~({"permissions":{"deny":["Write"]}})~");
  EXPECT_EQ(
      texts(scene.read({.cwd = {}, .project_files = false, .local_files = false})->rules.deny),
      "Read@/home/u/.claude/settings.json");
  EXPECT_EQ(texts(scene.read({.cwd = {}, .user_files = false, .project_files = false})->rules.deny),
            "Write@/w/.claude/settings.local.json");
}

TEST(PermissionLayers, KeepsBypassSwitchedOffFromAnySource) {
  Scene scene;
  scene.write("/w/.claude/settings.json",
              R"~({"permissions":{"disableBypassPermissionsMode":"disable"}})~");
  EXPECT_TRUE(scene.read()->disables_bypass);
}

TEST(PermissionLayers, TakesTheSandboxFromEverywhereButNotWhatOpensIt) {
  Scene scene;
  scene.write("/home/u/.yume/settings.json",
              R"({"sandbox":{"enabled":false,"filesystem":{"allowWrite":["~/.npm"]}}})");
  scene.write("/w/.yume/settings.json",
              R"({"sandbox":{"enabled":true,"autoAllowBashIfSandboxed":true,)"
              R"("excludedCommands":["docker"],)"
              R"("filesystem":{"allowWrite":["/etc"],"denyRead":["private"]}}})");
  scene.write("/w/.claude/settings.json", R"({"sandbox":{"enabled":1}})");
  const auto untrusted = scene.read();
  ASSERT_TRUE(untrusted.ok()) << untrusted.error().message;
  EXPECT_EQ(
      untrusted->sandbox,
      (SandboxSettings{.enabled = true, .allow_write = {"~/.npm"}, .deny_read = {"private"}}));
  EXPECT_EQ(untrusted->granted, "sandbox autoAllowBashIfSandboxed\nsandbox allowWrite /etc\n");
  EXPECT_EQ(untrusted->notices.size(), 2U);
  EXPECT_EQ(untrusted->notices.front(),
            "/w/.yume/settings.json: sandbox.excludedCommands is ignored: a folder's settings "
            "cannot switch the sandbox off.");

  const auto trusted =
      scene.read({.cwd = {}, .is_trusted = [](const std::string&) { return true; }});
  ASSERT_TRUE(trusted.ok());
  EXPECT_EQ(trusted->sandbox, (SandboxSettings{.enabled = true,
                                               .auto_allow_bash = true,
                                               .allow_write = {"~/.npm", "/etc"},
                                               .deny_read = {"private"}}));
}

TEST(PermissionLayers, LetsNoFolderSwitchTheSandboxOff) {
  Scene scene;
  scene.write("/home/u/.yume/settings.json", R"({"sandbox":{"enabled":true}})");
  scene.write("/w/.yume/settings.local.json", R"({"sandbox":{"enabled":false}})");
  const auto layers =
      scene.read({.cwd = {}, .is_trusted = [](const std::string&) { return true; }});
  ASSERT_TRUE(layers.ok());
  EXPECT_EQ(layers->sandbox.enabled, true);
  EXPECT_EQ(layers->notices,
            std::vector<std::string>{"/w/.yume/settings.local.json: sandbox.enabled is ignored: a "
                                     "folder's settings cannot switch the sandbox off."});
}

TEST(PermissionLayers, KnowsWhatAnAdministratorSaysAboutTheSandbox) {
  Scene scene;
  scene.added = R"({"sandbox":{"enabled":false}})";
  const auto layers = scene.read({.cwd = {}, .managed = R"({"sandbox":{"enabled":true}})"});
  ASSERT_TRUE(layers.ok());
  EXPECT_EQ(layers->sandbox.enabled, true);
  EXPECT_TRUE(layers->sandbox.is_required);
}

TEST(PermissionLayers, RefusesASandboxThatCannotBeRead) {
  Scene scene;
  scene.write("/w/.yume/settings.json", R"({"sandbox":{"enabled":"yes"}})");
  const auto layers = scene.read();
  ASSERT_FALSE(layers.ok());
  EXPECT_EQ(layers.error().message, "/w/.yume/settings.json: sandbox.enabled is not true or false");
}

}  // namespace
}  // namespace yume::config

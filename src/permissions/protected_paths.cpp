// SPDX-License-Identifier: MIT
#include "permissions/protected_paths.h"

#include "permissions/name_folding.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

// One name, or two that follow each other.
constexpr std::array<std::string_view, 43> k_directories = {
    // Version control, and what runs on its events.
    ".git", ".config/git", ".husky", ".github/workflows", ".github/actions", ".circleci",
    // Agents and editors.
    ".yume", ".claude", ".gemini", ".codex", ".cursor", ".vscode", ".idea", ".devcontainer", ".vim",
    ".config/nvim", ".emacs.d",
    // Build tools and package managers.
    ".cargo", ".yarn", ".mvn", ".gradle",
    // What the system or the shell starts.
    ".config/autostart", ".config/systemd", ".config/fish", ".config/environment.d", ".local/bin",
    ".bashrc.d", ".zshrc.d", "library/launchagents", "library/launchdaemons", "start menu/programs",
    ".config/pip", ".config/containers",
    // Credentials.
    ".ssh", ".gnupg", ".aws", ".kube", ".docker", ".azure", ".config/gcloud", ".config/gh",
    ".password-store", ".config/google-chrome"};

constexpr std::array<std::string_view, 78> k_files = {
    // Version control, and what runs on its events.
    ".gitconfig", ".gitmodules", ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml",
    ".lefthook.yml", ".lefthook.yaml", ".gitlab-ci.yml", ".travis.yml", "jenkinsfile",
    "azure-pipelines.yml",
    // Shell start-up.
    ".bashrc", ".bash_profile", ".bash_login", ".bash_aliases", ".bash_logout", ".zshrc",
    ".zprofile", ".zshenv", ".zlogin", ".zlogout", ".profile", ".kshrc", ".cshrc", ".tcshrc",
    ".login", ".inputrc", ".envrc", ".tmux.conf", ".screenrc", ".xprofile", ".xinitrc", ".xsession",
    ".xsessionrc", ".pam_environment", ".selected_editor",
    // Editors and language tools that run what they find.
    ".vimrc", ".gvimrc", ".exrc", ".nvimrc", ".emacs", ".ideavimrc", "pyrightconfig.json",
    ".devcontainer.json", ".gdbinit", ".lldbinit", ".irbrc", ".pryrc", ".pythonrc", ".rprofile",
    // Build tools and package managers.
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnp.cjs", ".pnp.loader.mjs", ".pnpmfile.cjs",
    "bunfig.toml", ".bunfig.toml", ".bazelrc", ".bazelversion", ".bazeliskrc",
    "gradle-wrapper.properties", "maven-wrapper.properties", ".ripgreprc", ".curlrc", ".wgetrc",
    "pip.conf",
    // Credentials.
    ".netrc", ".pypirc", ".git-credentials", ".pgpass",
    // Agents' settings and instructions.
    ".mcp.json", ".claude.json", ".yume.json", "claude.md", "claude.local.md", "agents.md",
    "gemini.md"};

// Below our own and Claude's folder, where work is done: .claude/worktrees/x is a checkout.
constexpr std::array<std::string_view, 3> k_open_again = {".yume/worktrees", ".yume/tmp",
                                                          ".claude/worktrees"};

}  // namespace

bool is_inside(const fs::path& path, const fs::path& root) {
  const auto [root_end, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end() || (std::next(root_end) == root.end() && root_end->empty());
}

bool is_protected(const fs::path& path) {
  std::string previous;
  bool inside = false;
  for (const fs::path& component : path) {
    const std::string name = fold_name(to_generic_utf8(component));
    if (name.empty()) continue;  // a final slash
    const std::string pair = previous + "/" + name;
    const auto matches = [&](std::string_view entry) { return entry == name || entry == pair; };
    if (std::any_of(k_open_again.begin(), k_open_again.end(), matches)) {
      inside = false;
    } else if (std::any_of(k_directories.begin(), k_directories.end(), matches)) {
      inside = true;
    }
    previous = name;
  }
  return inside || std::find(k_files.begin(), k_files.end(), previous) != k_files.end();
}

}  // namespace yume::permissions

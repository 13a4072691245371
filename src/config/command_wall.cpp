// SPDX-License-Identifier: MIT
#include "config/command_wall.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "config/git_worktree.h"
#include "util/path_order.h"
#include "util/path_text.h"

namespace yume::config {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

// What starts by itself, or says what agents may do, in the top folder of a workspace. Files of
// package managers are not here: they write them themselves, and git must be able to change what is
// tracked.
constexpr std::array<std::string_view, 29> k_read_only = {".git/hooks",
                                                          ".git/config",
                                                          ".git/config.worktree",
                                                          ".yume",
                                                          ".claude",
                                                          ".gemini",
                                                          ".codex",
                                                          ".cursor",
                                                          ".mcp.json",
                                                          ".vscode",
                                                          ".idea",
                                                          ".devcontainer",
                                                          ".cargo/config",
                                                          ".cargo/config.toml",
                                                          ".bashrc",
                                                          ".bash_profile",
                                                          ".bash_login",
                                                          ".bash_aliases",
                                                          ".bash_logout",
                                                          ".profile",
                                                          ".zshrc",
                                                          ".zprofile",
                                                          ".zshenv",
                                                          ".zlogin",
                                                          ".gitconfig",
                                                          ".config/git",
                                                          ".config/autostart",
                                                          ".config/systemd",
                                                          ".local/bin"};

// In them, where work is done.
constexpr std::array<std::string_view, 3> k_open_again = {".yume/worktrees", ".yume/tmp",
                                                          ".claude/worktrees"};

// Whoever answers there acts with all of the user's rights: containers, services, agents of keys,
// terminals and windows.
constexpr std::array<std::string_view, 10> k_sockets = {
    "/run/docker.sock", "/run/podman",       "/run/containerd",      "/run/crio",
    "/run/dbus",        "/run/snapd.socket", "/run/systemd/private", "/run/libvirt",
    "/run/screen",      "/tmp/.X11-unix"};
constexpr std::array<std::string_view, 4> k_sockets_in_home = {".docker/run", ".docker/desktop",
                                                               ".colima", ".rd"};

// Tools that end with an error when they cannot write to their cache.
struct Cache {
  std::string_view variable;
  std::string_view usual;  // in the home folder
  std::string_view own;    // in the temporary folder
};
constexpr std::array<Cache, 4> k_caches = {{{"npm_config_cache", ".npm", "npm"},
                                            {"GOCACHE", ".cache/go-build", "go-build"},
                                            {"CCACHE_DIR", ".cache/ccache", "ccache"},
                                            {"UV_CACHE_DIR", ".cache/uv", "uv"}}};

void append(Paths& list, const Paths& more) {
  list.insert(list.end(), more.begin(), more.end());
}

bool is_inside_any(const fs::path& path, const Paths& roots) {
  return std::any_of(roots.begin(), roots.end(),
                     [&](const fs::path& root) { return lies_inside(path, root); });
}

std::string short_name(const fs::path& path) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : to_utf8(path)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string name;
  for (int i = 0; i < 12; ++i, hash >>= 4U) name.push_back(k_digits[hash & 0xFU]);
  return name;
}

class WallBuilder {
 public:
  explicit WallBuilder(const WallRequest& request) : request_(request) {}

  tools::CommandWall build() {
    sandbox_.temporary = wall_temporary(request_.environment, request_.roots.front());
    if (request_.mode == SandboxMode::workspace_write) open_workspace();
    close_places();
    close_sockets();
    const SandboxSettings& settings = request_.settings;
    if (settings.denies_network || settings.limits_domains) {
      sandbox_.network = platform::NetworkAccess::denied;
    }
    return {.sandbox = sandbox_, .environment = variables(), .advice = advice()};
  }

 private:
  [[nodiscard]] Paths paths(const std::vector<std::string>& texts) const {
    Paths found;
    for (const std::string& text : texts) {
      found.push_back(sandbox_path(text, request_.roots.front(), request_.environment.home));
    }
    return found;
  }

  void open_workspace() {
    const Paths listed = paths(request_.settings.allow_write);
    sandbox_.writable = request_.roots;
    append(sandbox_.writable, listed);
    sandbox_.writable.emplace_back("/dev/shm");
    for (const fs::path& root : request_.roots) {
      for (const std::string_view name : k_read_only) sandbox_.read_only.push_back(root / name);
      for (const std::string_view name : k_open_again) sandbox_.writable.push_back(root / name);
      const WorktreePlaces worktree = worktree_places(root, request_.files);
      append(sandbox_.writable, worktree.writable);
      append(sandbox_.read_only, worktree.read_only);
    }
    // The user has said so.
    std::erase_if(sandbox_.read_only,
                  [&](const fs::path& path) { return is_inside_any(path, listed); });
    append(sandbox_.read_only, paths(request_.settings.deny_write));
  }

  void close_places() {
    sandbox_.closed = request_.closed.without(paths(request_.settings.allow_read)).paths();
    append(sandbox_.closed, paths(request_.settings.deny_read));
  }

  void close_sockets() {
    if (request_.settings.allow_all_sockets) return;
    const platform::Environment& environment = request_.environment;
    Paths sockets(k_sockets.begin(), k_sockets.end());
    for (const std::string_view name : k_sockets_in_home) {
      if (!environment.home.empty()) sockets.push_back(environment.home / name);
    }
    for (const char* variable : {"XDG_RUNTIME_DIR", "SSH_AUTH_SOCK"}) {
      sockets.emplace_back(environment.get(variable).value_or(""));
    }
    // "socket,process,session"
    const std::string tmux = environment.get("TMUX").value_or("");
    sockets.emplace_back(tmux.substr(0, tmux.find(',')));
    const Paths allowed = paths(request_.settings.allow_sockets);
    std::erase_if(sockets, [&allowed](const fs::path& path) {
      return !path.is_absolute() ||
             std::any_of(allowed.begin(), allowed.end(),
                         [&path](const fs::path& one) { return lies_inside(one, path); });
    });
    sandbox_.closed_sockets = std::move(sockets);
  }

  [[nodiscard]] std::vector<std::string> variables() const {
    const platform::Environment& environment = request_.environment;
    const std::string temporary = to_utf8(sandbox_.temporary);
    std::vector<std::string> variables = {"TMPDIR=" + temporary};
    for (const char* name : {"TMP", "TEMP", "TEMPDIR", "XDG_RUNTIME_DIR"}) {
      if (environment.get(name)) variables.push_back(std::string(name) + "=" + temporary);
    }
    for (const Cache& cache : k_caches) {
      const fs::path usual = environment.home / cache.usual;
      if (environment.get(cache.variable) || is_inside_any(usual, sandbox_.writable)) continue;
      variables.push_back(std::string(cache.variable) + "=" + temporary + "/" +
                          std::string(cache.own));
    }
    // Java does not look at TMPDIR.
    std::string java = environment.get("JAVA_TOOL_OPTIONS").value_or("");
    if (java.find("-Djava.io.tmpdir=") == std::string::npos) {
      java += (java.empty() ? "" : " ") + ("-Djava.io.tmpdir=" + temporary);
      variables.push_back("JAVA_TOOL_OPTIONS=" + java);
    }
    return variables;
  }

  [[nodiscard]] std::string advice() const {
    std::string text = "[sandbox] Commands can change files only in ";
    if (request_.mode == SandboxMode::workspace_write) {
      for (const fs::path& root : request_.roots) text += to_utf8(root) + ", ";
      append_listed(text);
    }
    text += "$TMPDIR and /dev/null";
    if (request_.mode == SandboxMode::workspace_write) {
      text += ", but not .git/hooks, .git/config and the settings of agents and editors in them";
    }
    text += "; credentials such as ~/.ssh are closed";
    if (sandbox_.network == platform::NetworkAccess::denied) text += ", and there is no network";
    return text +
           ". If that is why this failed, work inside these folders, or tell the user what is "
           "missing: --add-dir, sandbox.filesystem.allowWrite and allowRead in settings.json, or "
           "--sandbox off open more.";
  }

  void append_listed(std::string& text) const {
    for (const std::string& path : request_.settings.allow_write) text += path + ", ";
  }

  const WallRequest& request_;
  platform::Sandbox sandbox_;
};

}  // namespace

fs::path sandbox_path(const std::string& text, const fs::path& cwd, const fs::path& home) {
  if (text == "~" || text.starts_with("~/")) {
    return (home / path_from_utf8(text).lexically_relative("~")).lexically_normal();
  }
  return (cwd / path_from_utf8(text)).lexically_normal();
}

fs::path wall_temporary(const platform::Environment& environment, const fs::path& root) {
  return platform::sandbox_folder(environment) / short_name(root);
}

tools::CommandWall make_command_wall(const WallRequest& request) {
  return WallBuilder(request).build();
}

}  // namespace yume::config

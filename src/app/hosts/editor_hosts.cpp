// SPDX-License-Identifier: MIT
#include "app/hosts/editor_hosts.h"

#include "app/hosts/quoting.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* k_agent = "yume-cli";

Json agent_of(const std::string& program) {
  Json agent = Json::object();
  agent["command"] = program;
  agent["args"] = Json::array({"--acp"});
  agent["env"] = Json::object();
  return agent;
}

// Zed, and extensions that took over its format.
Json zed_agent_of(const std::string& program) {
  Json agent = Json::object();
  agent["type"] = "custom";
  agent.update(agent_of(program));
  return agent;
}

// One edition of VS Code.
struct Edition {
  const char* name;
  const char* extensions;  // in the home directory
  const char* settings;    // in the folder of settings
};
constexpr std::array k_editions = {
    Edition{.name = "VS Code", .extensions = ".vscode/extensions", .settings = "Code"},
    Edition{.name = "VS Code Insiders",
            .extensions = ".vscode-insiders/extensions",
            .settings = "Code - Insiders"},
    Edition{.name = "VSCodium", .extensions = ".vscode-oss/extensions", .settings = "VSCodium"}};

HostSetup vs_code_setup(const Edition& edition, std::string_view extension, NewEntry entry,
                        const HostPlaces& places) {
  fs::path file = places.app_config() / edition.settings / "User" / "settings.json";
  return {.id = "vscode-" + std::string(extension),
          .name = std::string(edition.name) + ", extension " + std::string(extension),
          .place = to_utf8(file),
          .snippet = entry_text(entry),
          .entry = std::move(entry),
          .file = std::move(file)};
}

// Where plugin managers of Neovim put plugins: lazy.nvim, vim-plug, and packages.
bool has_nvim_plugin(const HostPlaces& places, const std::string& name) {
  const std::string app = places.environment().get("NVIM_APPNAME").value_or("nvim");
  const bool windows = places.system() == SystemKind::windows;
  const fs::path base = windows ? places.local_app_data() : places.xdg_data();
  if (base.empty()) return false;
  const fs::path data = base / (windows ? app + "-data" : app);
  if (places.is_folder(data / "lazy" / name) || places.is_folder(data / "plugged" / name)) {
    return true;
  }
  const fs::path packages = data / "site" / "pack";
  const auto entries = places.files().list(packages);
  if (!entries.ok()) return false;
  return std::any_of(entries->begin(), entries->end(), [&](const auto& entry) {
    const fs::path package = packages / path_from_utf8(entry.name);
    return places.is_folder(package / "start" / name) || places.is_folder(package / "opt" / name);
  });
}

HostSetup nvim_setup(const HostPlaces& places, std::string id, std::string name,
                     std::string snippet) {
  const std::string app = places.environment().get("NVIM_APPNAME").value_or("nvim");
  const bool windows = places.system() == SystemKind::windows;
  const fs::path config = windows ? places.local_app_data() : places.xdg_config();
  return {
      .id = std::move(id),
      .name = std::move(name),
      .place = to_utf8(config / app / "init.lua") + ", or where the plugin is set up",
      .snippet = std::move(snippet),
      .unwritten = "the configuration of Neovim is a program, which only a person should change"};
}

}  // namespace

std::vector<HostSetup> find_zed(const HostPlaces& places, const std::string& program) {
  const fs::path folder = places.system() == SystemKind::windows ? places.app_data() / "Zed"
                          : places.system() == SystemKind::mac   ? places.in_home(".config/zed")
                                                                 : places.xdg_config() / "zed";
  const bool there = places.is_folder(folder) || places.has_application("Zed.app") ||
                     places.has_program("zed") || places.has_program("zeditor");
  if (!there || !folder.is_absolute()) return {};
  NewEntry entry{.parent = "agent_servers", .key = k_agent, .value = zed_agent_of(program)};
  fs::path file = folder / "settings.json";
  return {{.id = "zed",
           .name = "Zed",
           .place = to_utf8(file),
           .snippet = entry_text(entry),
           .then = "Then begin a new thread with yume-cli in the Agent Panel.",
           .entry = std::move(entry),
           .file = std::move(file)}};
}

std::vector<HostSetup> find_vs_code(const HostPlaces& places, const std::string& program) {
  std::vector<HostSetup> found;
  for (const Edition& edition : k_editions) {
    const fs::path extensions = places.in_home(edition.extensions);
    if (places.has_folder_named(extensions, "formulahendry.acp-client-")) {
      found.push_back(vs_code_setup(
          edition, "formulahendry.acp-client",
          {.parent = "acp.agents", .key = k_agent, .value = agent_of(program)}, places));
      found.back().then = "Then connect to yume-cli in the panel \"ACP Client\".";
    }
    if (places.has_folder_named(extensions, "strato-space.acp-plugin-")) {
      HostSetup setup = vs_code_setup(
          edition, "strato-space.acp-plugin",
          {.parent = "agent_servers", .key = k_agent, .value = zed_agent_of(program)}, places);
      setup.then = "Older versions of the extension call it \"acp.agentServers\".";
      setup.entry.reset();
      setup.unwritten = "the name of the setting depends on the version of the extension";
      found.push_back(std::move(setup));
    }
  }
  return found;
}

std::vector<HostSetup> find_codecompanion(const HostPlaces& places, const std::string& program) {
  if (!has_nvim_plugin(places, "codecompanion.nvim")) return {};
  // The key must not be passed on as its own name where there is none.
  const std::string snippet =
      "require(\"codecompanion\").setup({\n"
      "  adapters = { acp = { yume_cli = function()\n"
      "    return require(\"codecompanion.adapters\").extend(\"gemini_cli\", {\n"
      "      name = \"yume_cli\",\n"
      "      formatted_name = \"yume-cli\",\n"
      "      commands = { default = { " +
      for_lua(program) +
      ", \"--acp\" } },\n"
      "      env = { GEMINI_API_KEY = function() return os.getenv(\"GEMINI_API_KEY\") end },\n"
      "    })\n"
      "  end } },\n"
      "  interactions = { chat = { adapter = \"yume_cli\" } },\n"
      "})";
  return {nvim_setup(places, "codecompanion", "Neovim, codecompanion.nvim", snippet)};
}

std::vector<HostSetup> find_avante(const HostPlaces& places, const std::string& program) {
  if (!has_nvim_plugin(places, "avante.nvim")) return {};
  const std::string snippet =
      "require(\"avante\").setup({\n"
      "  provider = \"yume-cli\",\n"
      "  acp_providers = {\n"
      "    [\"yume-cli\"] = { command = " +
      for_lua(program) +
      ", args = { \"--acp\" } },\n"
      "  },\n"
      "})";
  return {nvim_setup(places, "avante", "Neovim, avante.nvim", snippet)};
}

}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "mcp/config_reader.h"

#include "util/json_tree.h"

#include <utility>

namespace yume::mcp {
namespace {

using nlohmann::ordered_json;

Error wrong(const std::string& why) {
  return {.code = ErrorCode::invalid_argument, .message = why};
}

Result<std::string> text_of(const ordered_json& value, const std::string& key,
                            const Lookup& lookup) {
  if (!value.is_string()) return wrong("`" + key + "` must be a string");
  auto expanded = expand(value.get<std::string>(), lookup);
  if (!expanded.ok()) return wrong("`" + key + "`: " + expanded.error().message);
  return expanded;
}

Result<std::vector<std::pair<std::string, std::string>>> pairs_of(const ordered_json& entry,
                                                                  const std::string& key,
                                                                  const Lookup& lookup) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto found = entry.find(key);
  if (found == entry.end() || found->is_null()) return pairs;
  if (!found->is_object()) return wrong("`" + key + "` must be an object of strings");
  for (const auto& [name, value] : found->items()) {
    YUME_TRY(std::string text, text_of(value, key + "." + name, lookup));
    pairs.emplace_back(name, std::move(text));
  }
  return pairs;
}

Result<core::McpProgram> read_program(const ordered_json& entry, const Lookup& lookup) {
  core::McpProgram program;
  const auto command = entry.find("command");
  if (command == entry.end()) return wrong("`command` is missing");
  YUME_TRY(program.command, text_of(*command, "command", lookup));
  if (program.command.empty()) return wrong("`command` is empty");
  if (const auto args = entry.find("args"); args != entry.end() && !args->is_null()) {
    if (!args->is_array()) return wrong("`args` must be an array of strings");
    for (const auto& one : *args) {
      YUME_TRY(std::string text, text_of(one, "args", lookup));
      program.args.push_back(std::move(text));
    }
  }
  YUME_TRY(program.env, pairs_of(entry, "env", lookup));
  return program;
}

bool is_clean_header(const std::pair<std::string, std::string>& header) {
  constexpr std::string_view k_line_ends("\r\n\0", 3);
  return !header.first.empty() && header.first.find_first_of(k_line_ends) == std::string::npos &&
         header.second.find_first_of(k_line_ends) == std::string::npos;
}

Result<core::McpRemote> read_remote(const ordered_json& entry, core::McpRemote::Form form,
                                    const Lookup& lookup) {
  core::McpRemote remote{.form = form, .url = {}};
  const auto url = entry.find("url");
  if (url == entry.end()) return wrong("`url` is missing");
  YUME_TRY(remote.url, text_of(*url, "url", lookup));
  if (!remote.url.starts_with("http://") && !remote.url.starts_with("https://")) {
    return wrong("`url` must begin with https:// or http://");
  }
  YUME_TRY(remote.headers, pairs_of(entry, "headers", lookup));
  for (const auto& header : remote.headers) {
    if (!is_clean_header(header)) return wrong("`headers` has a line end in " + header.first);
  }
  return remote;
}

Result<core::McpServerConfig> read_entry(const std::string& name, const ordered_json& entry,
                                         const std::string& scope, const Lookup& lookup) {
  if (name.empty()) return wrong("a server must have a name");
  if (!entry.is_object()) return wrong("must be an object");
  core::McpServerConfig config{.name = name, .how = core::McpInHost{}, .scope = scope};
  std::string type = text_at(entry, "type");
  if (type.empty()) type = entry.contains("url") && !entry.contains("command") ? "http" : "stdio";
  if (type == "stdio") {
    YUME_TRY(config.how, read_program(entry, lookup));
  } else if (type == "http" || type == "streamable-http") {
    YUME_TRY(config.how, read_remote(entry, core::McpRemote::Form::streamable, lookup));
  } else if (type == "sse") {
    YUME_TRY(config.how, read_remote(entry, core::McpRemote::Form::sse, lookup));
  } else if (type != "sdk") {
    return wrong("the type '" + type + "' is not stdio, http, sse or sdk");
  } else {
    config.scope = "sdk";
  }
  return config;
}

}  // namespace

ServerEntries read_entries(std::string_view object, const std::string& scope,
                           const Lookup& lookup) {
  ServerEntries out;
  if (!check_json(object).ok()) return out;
  const ordered_json entries = read_ordered_json(object);
  if (!entries.is_object()) return out;
  for (const auto& [name, entry] : entries.items()) {
    auto config = read_entry(name, entry, scope, lookup);
    if (config.ok()) {
      out.servers.push_back(std::move(config).value());
    } else {
      out.errors.emplace(name, config.error().message);
    }
  }
  return out;
}

Result<std::vector<core::McpServerConfig>> read_config(std::string_view text,
                                                       const std::string& scope,
                                                       const Lookup& lookup) {
  if (const auto valid = check_json(text); !valid.ok()) {
    return wrong("mcpServers: Invalid input: " + valid.error().message);
  }
  const ordered_json root = read_ordered_json(text);
  const auto servers = root.is_object() ? root.find("mcpServers") : root.end();
  if (!root.is_object() || servers == root.end() || !servers->is_object()) {
    return wrong("mcpServers: Invalid input: expected an object with the servers by their names");
  }
  ServerEntries entries = read_entries(write_json(*servers), scope, lookup);
  if (!entries.errors.empty()) {
    const auto& [name, why] = *entries.errors.begin();
    return wrong("mcpServers." + name + ": Invalid input: " + why);
  }
  return std::move(entries.servers);
}

}  // namespace yume::mcp

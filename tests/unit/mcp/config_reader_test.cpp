// SPDX-License-Identifier: MIT
#include "mcp/config_reader.h"

#include <gtest/gtest.h>

namespace yume::mcp {
namespace {

std::optional<std::string> variable(std::string_view name) {
  if (name == "SET") return "value";
  return std::nullopt;
}

std::string problem(const std::string& text) {
  const auto servers = read_config(text, "dynamic", variable);
  return servers.ok() ? "none" : servers.error().message;
}

TEST(McpConfig, ReadsEveryKindOfServer) {
  const auto servers = read_config(R"({"mcpServers":{
      "a":{"command":"run","args":["x","${SET}"],"env":{"N":"${NONE:-other}"}},
      "b":{"type":"http","url":"https://h/mcp","headers":{"Authorization":"Bearer ${SET}"}},
      "c":{"type":"sse","url":"http://127.0.0.1:1/sse"},
      "d":{"type":"sdk","name":"d"},
      "e":{"url":"https://h/without-type"}}})",
                                   "user", variable);
  ASSERT_TRUE(servers.ok()) << servers.error().message;
  using Form = core::McpRemote::Form;
  const std::vector<core::McpServerConfig> expected = {
      {.name = "a",
       .how = core::McpProgram{.command = "run", .args = {"x", "value"}, .env = {{"N", "other"}}},
       .scope = "user"},
      {.name = "b",
       .how = core::McpRemote{.form = Form::streamable,
                              .url = "https://h/mcp",
                              .headers = {{"Authorization", "Bearer value"}}},
       .scope = "user"},
      {.name = "c",
       .how = core::McpRemote{.form = Form::sse, .url = "http://127.0.0.1:1/sse"},
       .scope = "user"},
      {.name = "d", .how = core::McpInHost{}, .scope = "sdk"},
      {.name = "e",
       .how = core::McpRemote{.form = Form::streamable, .url = "https://h/without-type"},
       .scope = "user"},
  };
  EXPECT_EQ(*servers, expected);
}

TEST(McpConfig, NamesTheEntryThatIsWrong) {
  const auto in_entry = [](const std::string& entry) {
    return problem(R"({"mcpServers":{"x":)" + entry + "}}");
  };
  EXPECT_EQ(in_entry("{}"), "mcpServers.x: Invalid input: `command` is missing");
  EXPECT_EQ(in_entry("[]"), "mcpServers.x: Invalid input: must be an object");
  EXPECT_EQ(in_entry(R"({"command":7})"),
            "mcpServers.x: Invalid input: `command` must be a string");
  EXPECT_EQ(in_entry(R"({"command":""})"), "mcpServers.x: Invalid input: `command` is empty");
  EXPECT_EQ(in_entry(R"({"command":"c","args":"x"})"),
            "mcpServers.x: Invalid input: `args` must be an array of strings");
  EXPECT_EQ(in_entry(R"({"command":"c","env":[1]})"),
            "mcpServers.x: Invalid input: `env` must be an object of strings");
  EXPECT_EQ(in_entry(R"({"type":"http"})"), "mcpServers.x: Invalid input: `url` is missing");
  EXPECT_EQ(in_entry(R"({"type":"http","url":"file:///x"})"),
            "mcpServers.x: Invalid input: `url` must begin with https:// or http://");
  EXPECT_EQ(in_entry(R"({"type":"http","url":"https://h","headers":{"A":"b\nC: d"}})"),
            "mcpServers.x: Invalid input: `headers` has a line end in A");
  EXPECT_EQ(in_entry(R"({"type":"ws"})"),
            "mcpServers.x: Invalid input: the type 'ws' is not stdio, http, sse or sdk");
  EXPECT_NE(problem("{").find("mcpServers: Invalid input"), std::string::npos);
  EXPECT_NE(problem(R"({"mcpServers":[]})").find("mcpServers: Invalid input"), std::string::npos);
}

TEST(McpConfig, OneWrongEntryDoesNotTouchTheOthers) {
  const ServerEntries entries =
      read_entries(R"({"good":{"command":"c"},"bad":{"type":"ws"}})", "dynamic", variable);
  ASSERT_EQ(entries.servers.size(), 1U);
  EXPECT_EQ(entries.servers[0].name, "good");
  EXPECT_EQ(entries.errors.count("bad"), 1U);
  EXPECT_TRUE(read_entries("nonsense", "dynamic", variable).servers.empty());
}

TEST(McpVariables, AreReplacedWhereTheyAreOfTheForm) {
  const auto expanded = [](const char* text) {
    const auto out = expand(text, variable);
    return out.ok() ? *out : "error: " + out.error().message;
  };
  EXPECT_EQ(expanded("a${SET}b${SET}"), "avaluebvalue");
  EXPECT_EQ(expanded("${NONE:-}"), "");
  EXPECT_EQ(expanded("${NONE:-a:-b}"), "a:-b");
  EXPECT_EQ(expanded("$SET ${ SET} ${"), "$SET ${ SET} ${");
  EXPECT_NE(expanded("${NONE}").find("NONE is not set"), std::string::npos);
}

}  // namespace
}  // namespace yume::mcp

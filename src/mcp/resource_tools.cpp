// SPDX-License-Identifier: MIT
#include "mcp/resource_tools.h"

#include "mcp/call_result.h"
#include "tools/args.h"
#include "tools/text_file.h"

#include <utility>

namespace yume::mcp {
namespace {

using tools::ToolContext;

using ServerList = std::vector<std::shared_ptr<Server>>;

constexpr int k_most_pages = 20;

const std::shared_ptr<Server>* find(const ServerList& servers, const std::string& name) {
  for (const auto& server : servers) {
    if (server->config().name == name) return &server;
  }
  return nullptr;
}

std::string names_of(const ServerList& servers) {
  std::string names;
  for (const auto& server : servers) {
    names += (names.empty() ? "" : ", ") + server->config().name;
  }
  return names;
}

core::ToolOutcome unknown_server(const std::string& name, const ServerList& servers) {
  return tools::refused_input("Server \"" + name +
                              "\" not found. Available servers: " + names_of(servers));
}

Result<std::vector<ResourceInfo>> resources_of(Server& server, const CancelToken& cancel) {
  std::vector<ResourceInfo> all;
  std::string cursor;
  for (int page = 0; page < k_most_pages; ++page) {
    YUME_TRY(const RawJson result, server.ask("resources/list", list_params(cursor), cancel));
    YUME_TRY(Page<ResourceInfo> items, read_resources(result));
    all.insert(all.end(), items.items.begin(), items.items.end());
    if (items.next.empty() || items.next == cursor) break;
    cursor = std::move(items.next);
  }
  return all;
}

void write_resources(JsonWriter& json, const std::vector<ResourceInfo>& resources,
                     const std::string& server) {
  for (const ResourceInfo& resource : resources) {
    json.begin_object().field("uri", resource.uri).field("name", resource.name);
    if (!resource.description.empty()) json.field("description", resource.description);
    if (!resource.mime_type.empty()) json.field("mimeType", resource.mime_type);
    json.field("server", server).end_object();
  }
}

core::ToolOutcome list(const ServerList& servers, const ToolContext& context) {
  core::ToolOutcome outcome;
  JsonWriter json(outcome.content);
  std::string problems;
  std::size_t found = 0;
  json.begin_array();
  for (const auto& server : servers) {
    const auto resources = resources_of(*server, context.cancel);
    if (resources.ok()) {
      found += resources->size();
      write_resources(json, *resources, server->config().name);
    } else {
      problems += "\n" + resources.error().message;
    }
  }
  json.end_array();
  if (found == 0 && problems.empty()) {
    outcome.content = "No resources found. MCP servers may still provide tools.";
  }
  if (found == 0 && !problems.empty()) return tools::failed_running(problems.substr(1));
  outcome.content += problems;
  return outcome;
}

class ListResourcesTool final : public tools::Tool {
 public:
  explicit ListResourcesTool(ServerList servers) : servers_(std::move(servers)) {}

  [[nodiscard]] const tools::ToolSpec& spec() const override { return spec_; }

  [[nodiscard]] tools::Plan plan(const nlohmann::json& input,
                                 const ToolContext& /*context*/) const override {
    tools::ArgReader args(spec_.name, input);
    const auto name = args.optional_string("server");
    if (auto problem = args.problems()) return *problem;
    ServerList wanted = servers_;
    if (name && !name->empty()) {
      const auto* server = find(servers_, *name);
      if (server == nullptr) return unknown_server(*name, servers_);
      wanted = {*server};
    }
    return tools::PlannedCall{
        .action = core::StaysInSession{},
        .run = [wanted](const ToolContext& context) { return list(wanted, context); }};
  }

 private:
  ServerList servers_;
  tools::ToolSpec spec_{
      .name = "ListMcpResourcesTool",
      .description =
          "Lists the resources that the connected MCP servers offer, each with the "
          "server it belongs to. `server` limits the list to one of them.",
      .input_schema = {R"({"type":"object","properties":{"server":{"type":"string",)"
                       R"("description":"Only the resources of this server"}},)"
                       R"("additionalProperties":false})"},
      .schema_form = tools::SchemaForm::plain,
      .effect = tools::Effect::reads_only,
  };
};

class ReadResourceTool final : public tools::Tool {
 public:
  explicit ReadResourceTool(ServerList servers) : servers_(std::move(servers)) {}

  [[nodiscard]] const tools::ToolSpec& spec() const override { return spec_; }

  [[nodiscard]] tools::Plan plan(const nlohmann::json& input,
                                 const ToolContext& /*context*/) const override {
    tools::ArgReader args(spec_.name, input);
    const std::string name = args.required_string("server");
    const std::string uri = args.required_string("uri");
    if (auto problem = args.problems()) return *problem;
    const auto* found = find(servers_, name);
    if (found == nullptr) return unknown_server(name, servers_);
    return tools::PlannedCall{
        .action = core::CallsServer{.server = name, .tool = "resources/read"},
        .run = [server = *found, uri](const ToolContext& context) {
          const auto result = server->ask("resources/read", resource_params(uri), context.cancel);
          if (!result.ok()) return tools::failed_running(result.error().message);
          return read_resource_result(*result, server->config().name, context);
        }};
  }

 private:
  ServerList servers_;
  tools::ToolSpec spec_{
      .name = "ReadMcpResourceTool",
      .description =
          "Reads one resource of an MCP server, by the server's name and the resource's "
          "URI, as ListMcpResourcesTool lists them.",
      .input_schema = {R"({"type":"object","properties":{"server":{"type":"string",)"
                       R"("description":"The name of the MCP server"},)"
                       R"("uri":{"type":"string","description":"The URI of the resource"}},)"
                       R"("required":["server","uri"],"additionalProperties":false})"},
      .schema_form = tools::SchemaForm::plain,
      .effect = tools::Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<tools::Tool> make_list_resources_tool(ServerList servers) {
  return std::make_unique<ListResourcesTool>(std::move(servers));
}

std::unique_ptr<tools::Tool> make_read_resource_tool(ServerList servers) {
  return std::make_unique<ReadResourceTool>(std::move(servers));
}

}  // namespace yume::mcp

// SPDX-License-Identifier: MIT
#include "mcp/messages.h"

#include "core/media_check.h"
#include "util/json_tree.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::mcp {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> k_versions = {k_protocol_version, "2025-06-18",
                                                        "2025-03-26", "2024-11-05"};
// Of one page. Whoever offers more is not read by any model.
constexpr std::size_t k_most_items = 1000;
// As Claude Code cuts them.
constexpr std::size_t k_longest_description = 2048;

Error wrong(const std::string& why) {
  return {.code = ErrorCode::protocol, .message = why};
}

Json tree_of(const RawJson& raw) {
  if (!check_json(raw.text).ok()) return {};
  return read_json(raw.text);
}

const Json* object_in(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

bool flag_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::string description_in(const Json& object) {
  return std::string(utf8_prefix(text_at(object, "description"), k_longest_description));
}

template <class T, class Read>
Result<Page<T>> read_page(const RawJson& result, const char* key, const Read& read) {
  const Json root = tree_of(result);
  const auto list = root.is_object() ? root.find(key) : root.end();
  if (!root.is_object() || list == root.end() || !list->is_array()) {
    return wrong(std::string("its answer has no list of ") + key);
  }
  Page<T> page;
  for (const Json& item : *list) {
    if (page.items.size() == k_most_items) break;
    if (!item.is_object()) continue;
    if (auto one = read(item)) page.items.push_back(*std::move(one));
  }
  page.next = text_at(root, "nextCursor");
  return page;
}

std::optional<ToolInfo> read_tool(const Json& item) {
  ToolInfo tool{.name = text_at(item, "name"), .description = description_in(item)};
  if (tool.name.empty()) return std::nullopt;
  if (const Json* schema = object_in(item, "inputSchema"))
    tool.input_schema = {write_json(*schema)};
  tool.facts.name = tool.name;
  if (const Json* how = object_in(item, "execution")) {
    tool.needs_task = text_at(*how, "taskSupport") == "required";
  }
  if (const Json* hints = object_in(item, "annotations")) {
    tool.facts.read_only = flag_in(*hints, "readOnlyHint");
    tool.facts.destructive = flag_in(*hints, "destructiveHint");
    tool.facts.open_world = flag_in(*hints, "openWorldHint");
  }
  return tool;
}

std::optional<PromptInfo> read_prompt_info(const Json& item) {
  PromptInfo prompt{.name = text_at(item, "name"), .description = description_in(item)};
  if (prompt.name.empty()) return std::nullopt;
  const auto arguments = item.find("arguments");
  if (arguments == item.end() || !arguments->is_array()) return prompt;
  for (const Json& one : *arguments) {
    if (!one.is_object() || text_at(one, "name").empty()) continue;
    prompt.arguments.push_back({.name = text_at(one, "name"),
                                .description = description_in(one),
                                .required = flag_in(one, "required")});
  }
  return prompt;
}

std::optional<ResourceInfo> read_resource_info(const Json& item) {
  ResourceInfo resource{.uri = text_at(item, "uri"),
                        .name = text_at(item, "name"),
                        .description = description_in(item),
                        .mime_type = text_at(item, "mimeType")};
  if (resource.uri.empty()) return std::nullopt;
  return resource;
}

}  // namespace

bool is_known_version(std::string_view version) {
  return std::find(k_versions.begin(), k_versions.end(), version) != k_versions.end();
}

RawJson initialize_params(const ClientFacts& client) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("protocolVersion", k_protocol_version);
  json.key("capabilities").begin_object().key("roots").begin_object().end_object();
  if (client.can_elicit) json.key("elicitation").begin_object().end_object();
  json.end_object().key("clientInfo").begin_object().field("name", "claude-code");
  json.field("title", "yume-cli").field("version", client.version).end_object().end_object();
  return {std::move(text)};
}

Result<ServerHello> read_hello(const RawJson& result) {
  const Json root = tree_of(result);
  if (!root.is_object()) return wrong("its answer to initialize is no object");
  ServerHello hello{.protocol_version = text_at(root, "protocolVersion"),
                    .name = {},
                    .version = {},
                    .instructions = text_at(root, "instructions")};
  if (!is_known_version(hello.protocol_version)) {
    return wrong("it wants revision '" + hello.protocol_version.substr(0, 40) +
                 "' of the protocol; known here are 2024-11-05 to " +
                 std::string(k_protocol_version));
  }
  if (const Json* info = object_in(root, "serverInfo")) {
    hello.name = text_at(*info, "name");
    hello.version = text_at(*info, "version");
  }
  if (const Json* can = object_in(root, "capabilities")) {
    hello.has_tools = can->contains("tools");
    hello.has_prompts = can->contains("prompts");
    hello.has_resources = can->contains("resources");
    hello.has_logging = can->contains("logging");
  }
  return hello;
}

Result<Page<ToolInfo>> read_tools(const RawJson& result) {
  return read_page<ToolInfo>(result, "tools", read_tool);
}

Result<Page<PromptInfo>> read_prompts(const RawJson& result) {
  return read_page<PromptInfo>(result, "prompts", read_prompt_info);
}

Result<Page<ResourceInfo>> read_resources(const RawJson& result) {
  return read_page<ResourceInfo>(result, "resources", read_resource_info);
}

RawJson list_params(const std::string& cursor) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (!cursor.empty()) json.field("cursor", cursor);
  json.end_object();
  return {std::move(text)};
}

RawJson call_params(const CallParams& call) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("name", call.tool).field("arguments", call.arguments);
  if (call.as_task) json.key("task").begin_object().field("ttl", 3'600'000).end_object();
  json.key("_meta").begin_object().field("claudecode/toolUseId", call.call_id);
  if (!call.progress_token.empty()) json.key("progressToken").raw(call.progress_token);
  json.end_object().end_object();
  return {std::move(text)};
}

std::string read_task(const RawJson& result) {
  const Json root = tree_of(result);
  const Json* task = object_in(root, "task");
  return task == nullptr ? std::string() : text_at(*task, "taskId");
}

RawJson task_params(const std::string& task_id) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("taskId", task_id).end_object();
  return {std::move(text)};
}

RawJson prompt_params(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& arguments) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("name", name).key("arguments").begin_object();
  for (const auto& [key, value] : arguments) json.field(key, value);
  json.end_object().end_object();
  return {std::move(text)};
}

RawJson resource_params(const std::string& uri) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("uri", uri).end_object();
  return {std::move(text)};
}

RawJson cancelled_params(const std::string& request_id, std::string_view reason) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("requestId").raw(request_id).field("reason", reason).end_object();
  return {std::move(text)};
}

Result<core::UserMessage> read_prompt(const RawJson& result) {
  const Json root = tree_of(result);
  const auto messages = root.is_object() ? root.find("messages") : root.end();
  if (!root.is_object() || messages == root.end() || !messages->is_array()) {
    return wrong("its answer has no messages");
  }
  core::UserMessage message;
  for (const Json& one : *messages) {
    const Json* content = object_in(one, "content");
    if (content == nullptr) continue;
    const Json* resource = object_in(*content, "resource");
    const std::string type = text_at(*content, "type");
    if (type == "image") {
      core::Media media{.mime_type = text_at(*content, "mimeType"),
                        .base64 = text_at(*content, "data")};
      const auto fault = core::media_fault(media);
      if (fault) {
        message.blocks.emplace_back(core::withheld_text(media, *fault));
      } else {
        message.blocks.emplace_back(std::move(media));
      }
    } else if (resource != nullptr) {
      message.blocks.emplace_back(text_at(*resource, "text"));
    } else {
      message.blocks.emplace_back(text_at(*content, "text"));
    }
  }
  return message;
}

RawJson roots_result(const std::vector<std::string>& uris) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("roots").begin_array();
  for (const std::string& uri : uris) json.begin_object().field("uri", uri).end_object();
  json.end_array().end_object();
  return {std::move(text)};
}

std::optional<Progress> read_progress(const RawJson& params) {
  const Json root = tree_of(params);
  if (!root.is_object()) return std::nullopt;
  const auto token = root.find("progressToken");
  if (token == root.end() || (!token->is_string() && !token->is_number())) return std::nullopt;
  return Progress{.token = write_json(*token), .message = text_at(root, "message")};
}

std::string log_text(const RawJson& params) {
  const Json root = tree_of(params);
  if (!root.is_object()) return {};
  const auto data = root.find("data");
  std::string text = text_at(root, "level") + ": ";
  if (data != root.end()) text += data->is_string() ? data->get<std::string>() : write_json(*data);
  return std::string(utf8_prefix(text, k_longest_description));
}

Elicitation read_elicitation(const RawJson& params) {
  const Json root = tree_of(params);
  Elicitation wanted{.message = {}, .mode = "form", .url = {}, .schema = {"{}"}};
  if (!root.is_object()) return wanted;
  wanted.message = text_at(root, "message");
  wanted.url = text_at(root, "url");
  if (!text_at(root, "mode").empty()) wanted.mode = text_at(root, "mode");
  if (const Json* schema = object_in(root, "requestedSchema")) {
    wanted.schema = {write_json(*schema)};
  }
  return wanted;
}

}  // namespace yume::mcp

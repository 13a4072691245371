// SPDX-License-Identifier: MIT
#include "mcp/call_result.h"

#include "core/media_check.h"
#include "tools/command_output.h"
#include "tools/text_file.h"
#include "util/base64.h"
#include "util/json_tree.h"

#include <utility>
#include <vector>

namespace yume::mcp {
namespace {

using Json = nlohmann::json;

// Text beyond this goes to a file. About what Claude Code shows of a remote result (25,000 tokens).
constexpr std::size_t k_longest_text = 100'000;
constexpr std::size_t k_most_blocks = 1'000;
constexpr std::size_t k_most_media = 20;

const Json* object_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

bool is_shown(std::string_view mime_type) {
  return mime_type.starts_with("image/") || mime_type == "application/pdf";
}

// Something that is not text; what the model cannot look at is named.
core::UserBlock media_block(core::Media media, const std::string& what) {
  if (!is_shown(media.mime_type)) {
    const std::string type = media.mime_type.empty() ? "of no type" : media.mime_type;
    return "[" + what + " (" + type + ", " + tools::size_text(media.base64.size() / 4 * 3) +
           ") that the model cannot look at]";
  }
  if (const auto fault = core::media_fault(media)) return core::withheld_text(media, *fault);
  return media;
}

// `contents` of resources/read and the resource inside a result have the same form.
core::UserBlock resource_block(const Json& resource) {
  const std::string uri = text_at(resource, "uri");
  const std::string prefix = "[Resource from " + uri + "] ";
  const auto text = resource.find("text");
  if (text != resource.end() && text->is_string()) return prefix + text->get<std::string>();
  return media_block(
      {.mime_type = text_at(resource, "mimeType"), .base64 = text_at(resource, "blob")},
      "resource " + uri);
}

std::string link_text(const Json& link) {
  std::string text = "[Resource link: " + text_at(link, "name") + "] " + text_at(link, "uri");
  const std::string description = text_at(link, "description");
  if (!description.empty()) text += " (" + description + ")";
  return text;
}

core::UserBlock block_of(const Json& block) {
  const std::string type = text_at(block, "type");
  const Json* resource = object_in(block, "resource");
  if (type == "text") return text_at(block, "text");
  if (type == "image" || type == "audio") {
    return media_block({.mime_type = text_at(block, "mimeType"), .base64 = text_at(block, "data")},
                       type);
  }
  if (type == "resource" && resource != nullptr) return resource_block(*resource);
  if (type == "resource_link") return link_text(block);
  return "[a block of the unknown type '" + type.substr(0, 40) + "']";
}

std::vector<core::UserBlock> blocks_of(const Json& result) {
  std::vector<core::UserBlock> blocks;
  const auto content = result.find("content");
  if (content != result.end() && content->is_array()) {
    for (const Json& block : *content) {
      if (blocks.size() == k_most_blocks) break;
      if (block.is_object()) blocks.push_back(block_of(block));
    }
  }
  // Servers repeat it as text; one that does not means it all the same.
  if (const Json* structured = object_in(result, "structuredContent");
      structured != nullptr && blocks.empty()) {
    blocks.emplace_back(write_json(*structured));
  }
  return blocks;
}

void add_line(std::string& text, std::string_view more) {
  if (!text.empty()) text += '\n';
  text += more;
}

// All texts in a file, the beginning here.
std::string keep_text(const std::string& text, const tools::ToolContext& context) {
  tools::CommandOutput output(context.files, context.output_directory, context.call_id,
                              context.redactor);
  output.on_output(text);
  output.finish();
  return output.text(tools::CommandOutput::Shown::beginning);
}

core::ToolOutcome outcome_of(std::vector<core::UserBlock> blocks,
                             const tools::ToolContext& context) {
  core::ToolOutcome outcome;
  std::vector<core::UserBlock> shown;
  std::size_t withheld = 0;
  for (core::UserBlock& block : blocks) {
    if (const auto* text = std::get_if<std::string>(&block)) {
      add_line(outcome.content, *text);
    } else if (outcome.media.size() < k_most_media) {
      outcome.media.push_back(std::get<core::Media>(block));
    } else {
      ++withheld;
      continue;
    }
    shown.push_back(std::move(block));
  }
  if (withheld > 0) {
    shown.emplace_back("[" + std::to_string(withheld) + " more pictures withheld]");
    add_line(outcome.content, std::get<std::string>(shown.back()));
  }
  if (outcome.content.size() > k_longest_text) {
    outcome.content = keep_text(outcome.content, context);
    std::erase_if(shown, [](const auto& one) { return std::holds_alternative<std::string>(one); });
    shown.insert(shown.begin(), outcome.content);
  }
  outcome.details = core::BlocksReturned{std::move(shown)};
  return outcome;
}

core::ToolOutcome unreadable(std::string_view server, std::string_view what) {
  return tools::failed_running("The MCP server " + std::string(server) + " answered with " +
                               std::string(what) + ".");
}

}  // namespace

core::ToolOutcome read_call_result(const RawJson& result, std::string_view server,
                                   const tools::ToolContext& context) {
  if (!check_json(result.text).ok()) return unreadable(server, "something that is no JSON");
  const Json root = read_json(result.text);
  if (!root.is_object()) return unreadable(server, "something that is no result");
  std::vector<core::UserBlock> blocks = blocks_of(root);
  const auto is_error = root.find("isError");
  const bool failed = is_error != root.end() && is_error->is_boolean() && is_error->get<bool>();
  core::ToolOutcome outcome = outcome_of(std::move(blocks), context);
  if (failed) {
    std::string text = std::move(outcome.content);
    if (text.empty()) text = "The tool failed and did not say why.";
    return tools::failed_running(std::move(text));
  }
  if (outcome.content.empty() && outcome.media.empty()) {
    outcome.content = "(the tool returned nothing)";
  }
  return outcome;
}

core::ToolOutcome read_resource_result(const RawJson& result, std::string_view server,
                                       const tools::ToolContext& context) {
  if (!check_json(result.text).ok()) return unreadable(server, "something that is no JSON");
  const Json root = read_json(result.text);
  const auto contents = root.is_object() ? root.find("contents") : root.end();
  if (!root.is_object() || contents == root.end() || !contents->is_array()) {
    return unreadable(server, "something that is no resource");
  }
  std::vector<core::UserBlock> blocks;
  for (const Json& one : *contents) {
    if (one.is_object() && blocks.size() < k_most_blocks) blocks.push_back(resource_block(one));
  }
  return outcome_of(std::move(blocks), context);
}

}  // namespace yume::mcp

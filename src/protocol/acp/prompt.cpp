// SPDX-License-Identifier: MIT
#include "protocol/acp/prompt.h"

#include "core/media_check.h"
#include "util/json_tree.h"

#include <optional>
#include <string>
#include <utility>

namespace yume::protocol {
namespace {

using nlohmann::json;

constexpr std::string_view k_file_scheme = "file://";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// A file's path, as our tools take it; any other address as it is.
std::string place_of(const std::string& uri) {
  if (!uri.starts_with(k_file_scheme)) return uri;
  const std::string_view path = std::string_view(uri).substr(k_file_scheme.size());
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool escaped = path[i] == '%' && i + 2 < path.size() && hex_value(path[i + 1]) >= 0 &&
                         hex_value(path[i + 2]) >= 0;
    if (escaped) {
      out.push_back(static_cast<char>(hex_value(path[i + 1]) * 16 + hex_value(path[i + 2])));
      i += 2;
    } else {
      out.push_back(path[i]);
    }
  }
  return out;
}

std::string last_part(const std::string& uri) {
  const std::size_t slash = uri.find_last_of('/');
  return slash == std::string::npos || slash + 1 == uri.size() ? uri : uri.substr(slash + 1);
}

std::string mention(const std::string& name, const std::string& uri) {
  return "[@" + (name.empty() ? last_part(uri) : name) + "](" + place_of(uri) + ")";
}

// What every Gemini model looks at; anything else would have the whole request refused.
core::UserBlock media_block(core::Media media, const std::string& what) {
  const bool picture = media.mime_type.starts_with("image/");
  if (!picture && media.mime_type != "application/pdf") {
    return "[" + what + " of type " + media.mime_type + ", which the model does not take]";
  }
  if (media.base64.empty()) return "[" + what + " that could not be read]";
  if (const auto fault = core::media_fault(media)) return core::withheld_text(media, *fault);
  return media;
}

class Reader {
 public:
  void read(const json& block) {
    if (!block.is_object()) return;
    const std::string type = text_at(block, "type");
    if (type == "text") {
      add(text_at(block, "text"));
    } else if (type == "image" || type == "audio") {
      add(media_block({.mime_type = text_at(block, "mimeType"), .base64 = text_at(block, "data")},
                      type));
    } else if (type == "resource_link") {
      add(mention(text_at(block, "name"), text_at(block, "uri")));
    } else if (type == "resource" && block.contains("resource")) {
      read_resource(block["resource"]);
    } else {
      add("[a part of type " + type + ", which is not known here]");
    }
  }

  core::UserMessage take() {
    for (core::UserBlock& block : below_) message_.blocks.push_back(std::move(block));
    return std::move(message_);
  }

 private:
  void read_resource(const json& resource) {
    if (!resource.is_object()) return;
    const std::string uri = text_at(resource, "uri");
    add(mention("", uri));
    if (resource.contains("blob")) {
      below_.push_back(media_block(
          {.mime_type = text_at(resource, "mimeType"), .base64 = text_at(resource, "blob")},
          "a resource"));
      return;
    }
    below_.emplace_back("\n<context ref=\"" + place_of(uri) + "\">\n" + text_at(resource, "text") +
                        "\n</context>");
  }

  // What stands in a line in the editor stays in a line.
  void add(core::UserBlock block) {
    auto* text = std::get_if<std::string>(&block);
    auto* before =
        message_.blocks.empty() ? nullptr : std::get_if<std::string>(&message_.blocks.back());
    if (text != nullptr && before != nullptr) {
      before->append(*text);
    } else {
      message_.blocks.push_back(std::move(block));
    }
  }

  core::UserMessage message_;
  std::vector<core::UserBlock> below_;
};

}  // namespace

core::UserMessage read_acp_prompt(const json& blocks) {
  Reader reader;
  if (!blocks.is_array()) return {};
  for (const json& block : blocks) reader.read(block);
  return reader.take();
}

}  // namespace yume::protocol

// SPDX-License-Identifier: MIT
#include "transcript/importers/import_json.h"

#include "util/json_tree.h"

namespace yume::transcript::import {
namespace {

constexpr std::string_view k_base64_mark = ";base64,";

std::optional<core::Media> media_at(const Json& object) {
  core::Media media{
      .mime_type = text_at(object, {"media_type", "mediaType", "mimeType", "mime_type"}),
      .base64 = text_at(object, {"data", "base64"})};
  const std::string address = text_at(object, {"url", "image_url", "data"});
  const std::size_t mark = address.find(k_base64_mark);
  if (address.starts_with("data:") && mark != std::string::npos) {
    media = {.mime_type = address.substr(5, mark - 5),
             .base64 = address.substr(mark + k_base64_mark.size())};
  }
  if (media.base64.empty() || media.mime_type.empty()) return std::nullopt;
  return media;
}

}  // namespace

std::optional<Json> parse(std::string_view text) {
  if (!check_json(text).ok()) {
    std::string mended;
    append_ascii_json(mended, text);
    if (!check_json(mended).ok()) return std::nullopt;
    return read_ordered_json(mended);
  }
  return read_ordered_json(text);
}

const Json& at(const Json& object, std::initializer_list<const char*> keys) {
  static const Json null;
  if (!object.is_object()) return null;
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found != object.end() && !found->is_null()) return *found;
  }
  return null;
}

std::string text_at(const Json& object, std::initializer_list<const char*> keys) {
  const Json& value = at(object, keys);
  return value.is_string() ? value.get<std::string>() : "";
}

bool flag_at(const Json& object, std::initializer_list<const char*> keys) {
  const Json& value = at(object, keys);
  return value.is_boolean() && value.get<bool>();
}

RawJson raw(const Json& value) {
  return {write_json(value)};
}

RawJson object_of(const Json& value) {
  if (value.is_object()) return raw(value);
  if (value.is_string()) {
    const auto inner = parse(value.get_ref<const std::string&>());
    if (inner && inner->is_object()) return raw(*inner);
  }
  return value.is_null() ? RawJson{"{}"} : raw(value);
}

std::optional<core::Media> media_of(const Json& block) {
  for (const char* key : {"source", "inlineData", "inline_data", "image_url", "image"}) {
    const Json& inner = at(block, {key});
    if (!inner.is_object()) continue;
    if (auto media = media_at(inner)) return media;
  }
  return block.is_object() ? media_at(block) : std::nullopt;
}

std::string result_text(const Json& content, std::vector<core::Media>& media) {
  if (content.is_null()) return "";
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) return raw(content).text;
  std::string text;
  for (const Json& block : content) {
    std::string piece;
    if (auto picture = media_of(block)) {
      media.push_back(*std::move(picture));
    } else if (block.is_string()) {
      piece = block.get<std::string>();
    } else {
      piece = at(block, {"text"}).is_string() ? text_at(block, {"text"}) : raw(block).text;
    }
    if (!piece.empty()) text.append(text.empty() ? "" : "\n").append(piece);
  }
  return text;
}

}  // namespace yume::transcript::import

// SPDX-License-Identifier: MIT
#include "gemini/endpoint.h"

#include <algorithm>

namespace yume::gemini {
namespace {

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == ':' || c == '@';
}

}  // namespace

Result<std::string> stream_url(std::string_view base, std::string_view model_id) {
  const bool plain = !model_id.empty() && model_id.find("..") == std::string_view::npos &&
                     std::all_of(model_id.begin(), model_id.end(), is_id_character);
  if (!plain) {
    return Error{
        .code = ErrorCode::invalid_argument,
        .message = "'" + std::string(model_id) + "' is not a model id; choose one with --model"};
  }
  while (base.ends_with('/')) base.remove_suffix(1);
  std::string url(base);
  url.append("/v1beta/models/").append(model_id).append(":streamGenerateContent?alt=sse");
  return url;
}

}  // namespace yume::gemini

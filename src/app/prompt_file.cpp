// SPDX-License-Identifier: MIT
#include "app/prompt_file.h"

#include "util/path_text.h"

#include <limits>
#include <utility>

namespace yume::app {

Result<void> read_prompt_file(const std::filesystem::path& started_in,
                              const platform::FileSystem& files, Options& options) {
  if (!options.prompt_file) return {};
  if (options.prompt && !options.prompt->empty()) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "Error: there is a prompt and a --prompt-file; give one of them"};
  }
  auto text = files.read(started_in / path_from_utf8(*options.prompt_file),
                         std::numeric_limits<std::uint64_t>::max());
  if (!text.ok()) {
    return Error{.code = ErrorCode::not_found,
                 .message = "Error: the prompt cannot be read: " + text.error().message +
                            ". Check --prompt-file."};
  }
  options.prompt = std::move(text).value();
  return {};
}

}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "app/gemini_face/gemini_settings.h"

#include "util/path_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t k_largest_file = 4U << 20U;

Error unusable(const fs::path& file, const std::string& why) {
  return {.code = ErrorCode::invalid_argument,
          .message = "Error: " + to_utf8(file) + " cannot be used: " + why +
                     ". Mend it, or move it away."};
}

Result<std::optional<int>> limit_in(const fs::path& file, const platform::FileSystem& files) {
  if (!files.info(file).ok()) return std::optional<int>();
  const auto text = files.read(file, k_largest_file);
  if (!text.ok()) return unusable(file, text.error().message);
  // Its settings may have comments.
  const json settings = json::parse(*text, nullptr, false, true);
  if (!settings.is_object()) return unusable(file, "it is not a JSON object");
  const json model = settings.value("model", json::object());
  const auto limit = model.is_object() ? model.find("maxSessionTurns") : model.end();
  if (!model.is_object() || limit == model.end()) return std::optional<int>();
  if (!limit->is_number_integer()) {
    return unusable(file, "model.maxSessionTurns is not a whole number");
  }
  const auto turns = limit->get<std::int64_t>();
  constexpr std::int64_t k_most = 1'000'000;
  if (turns < 0) return std::optional<int>();  // its own word for "no limit"
  return std::optional(static_cast<int>(std::min(turns, k_most)));
}

}  // namespace

Result<std::optional<int>> max_session_turns(const fs::path& cwd, const platform::FileSystem& files,
                                             const platform::Environment& environment) {
  std::optional<int> lowest;
  const std::string home = environment.get("GEMINI_CLI_HOME").value_or(to_utf8(environment.home));
  for (const fs::path& folder : {path_from_utf8(home), cwd}) {
    if (folder.empty()) continue;
    YUME_TRY(const std::optional<int> limit, limit_in(folder / ".gemini" / "settings.json", files));
    if (limit && (!lowest || *limit < *lowest)) lowest = limit;
  }
  return lowest;
}

}  // namespace yume::app

// SPDX-License-Identifier: MIT
#include "app/trust.h"

#include "auth/sha256.h"
#include "config/places.h"
#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/path_text.h"

#include <cstdint>

namespace yume::app {
namespace {

constexpr std::uint64_t k_largest_file = 1U << 20U;

}  // namespace

TrustStore::TrustStore(platform::FileSystem& files, const platform::Environment& environment)
    : files_(files) {
  const std::filesystem::path folder = config::yume_folder(environment);
  if (!folder.empty()) file_ = folder / "trust" / "folders.json";
}

std::map<std::string, std::string> TrustStore::all() const {
  std::map<std::string, std::string> folders;
  if (file_.empty()) return folders;
  const auto text = files_.read(file_, k_largest_file);
  if (!text.ok() || !check_json(*text).ok()) return folders;
  const nlohmann::json json = read_json(*text);
  if (!json.is_object()) return folders;
  for (const auto& [folder, hash] : json.items()) {
    if (hash.is_string()) folders.emplace(folder, hash.get<std::string>());
  }
  return folders;
}

bool TrustStore::trusts(const std::filesystem::path& folder, const std::string& granted) const {
  const auto folders = all();
  const auto found = folders.find(to_utf8(folder));
  return found != folders.end() && found->second == auth::sha256_hex(granted);
}

Result<void> TrustStore::trust(const std::filesystem::path& folder, const std::string& granted) {
  auto folders = all();
  folders[to_utf8(folder)] = auth::sha256_hex(granted);
  return write(folders);
}

Result<bool> TrustStore::forget(const std::filesystem::path& folder) {
  auto folders = all();
  if (folders.erase(to_utf8(folder)) == 0) return false;
  if (const auto written = write(folders); !written.ok()) return written.error();
  return true;
}

Result<void> TrustStore::write(const std::map<std::string, std::string>& folders) {
  if (file_.empty()) {
    return Error{.code = ErrorCode::not_found,
                 .message = "there is no home directory to remember it in"};
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  for (const auto& [folder, hash] : folders) json.field(folder, hash);
  json.end_object();
  YUME_TRY(const auto file, files_.create_private(file_));
  return file->append(text + "\n");
}

}  // namespace yume::app

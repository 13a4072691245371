// SPDX-License-Identifier: MIT
#include "transcript/session_index.h"

#include "platform/kept_files.h"
#include "transcript/shared_json.h"
#include "util/json_tree.h"

namespace yume::transcript {
namespace {

constexpr auto k_durability = platform::Durability::survives_kill;
constexpr const char* k_sessions = "sessions";  // by id

std::int64_t count_at(const SharedObject& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

SharedObject& sessions_of(SharedObject& index) {
  SharedObject& sessions = index[k_sessions];
  if (!sessions.is_object()) sessions = SharedObject::object();
  return sessions;
}

}  // namespace

SessionIndex::SessionIndex(const std::filesystem::path& folder, const platform::Clock& clock)
    : file_(folder / "index.json"), clock_(clock) {}

std::vector<IndexEntry> SessionIndex::read() const {
  const SharedObject index = SharedJson(file_, k_durability, clock_).read();
  std::vector<IndexEntry> entries;
  const auto sessions = index.find(k_sessions);
  if (sessions == index.end() || !sessions->is_object()) return entries;
  for (const auto& [id, one] : sessions->items()) {
    if (!one.is_object()) continue;
    entries.push_back({.id = id,
                       .title = text_at(one, "title"),
                       .cwd = text_at(one, "cwd"),
                       .model = text_at(one, "model"),
                       .updated = text_at(one, "updated"),
                       .message_count = count_at(one, "messageCount"),
                       .log_bytes = count_at(one, "logBytes")});
  }
  return entries;
}

Result<void> SessionIndex::put(const IndexEntry& entry) const {
  return SharedJson(file_, k_durability, clock_).update([&entry](SharedObject& index) {
    SharedObject& one = sessions_of(index)[entry.id];
    if (!one.is_object()) one = SharedObject::object();
    one["id"] = entry.id;
    one["title"] = entry.title;
    one["cwd"] = entry.cwd;
    one["model"] = entry.model;
    one["updated"] = entry.updated;
    one["messageCount"] = entry.message_count;
    one["logBytes"] = entry.log_bytes;
    return true;
  });
}

Result<void> SessionIndex::forget(const std::string& id) const {
  if (!platform::read_part(file_, 0, 1).ok()) return {};
  return SharedJson(file_, k_durability, clock_).update([&id](SharedObject& index) {
    return sessions_of(index).erase(id) > 0;
  });
}

}  // namespace yume::transcript

// SPDX-License-Identifier: MIT
#include "transcript/session_index.h"

#include "platform/kept_files.h"
#include "transcript/shared_json.h"
#include "util/json_tree.h"

namespace yume::transcript {
namespace {

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

std::string maker_name(const platform::ParentProcess& parent) {
  return "process-" + std::to_string(parent.pid) + "-" + std::to_string(parent.start_time);
}

SessionIndex::SessionIndex(const std::filesystem::path& views, const platform::Clock& clock)
    : views_(views), clock_(clock) {}

SharedJson SessionIndex::index() const {
  constexpr const char* k_name = "index.json";
  return {views_.parent_path() / k_name, views_ / k_name, platform::Durability::survives_kill,
          clock_};
}

std::vector<IndexEntry> SessionIndex::read() const {
  const SharedObject known = index().read();
  std::vector<IndexEntry> entries;
  const auto sessions = known.find(k_sessions);
  if (sessions == known.end() || !sessions->is_object()) return entries;
  for (const auto& [id, one] : sessions->items()) {
    if (!one.is_object()) continue;
    entries.push_back({.id = id,
                       .title = text_at(one, "title"),
                       .cwd = text_at(one, "cwd"),
                       .model = text_at(one, "model"),
                       .updated = text_at(one, "updated"),
                       .message_count = count_at(one, "messageCount"),
                       .log_bytes = count_at(one, "logBytes"),
                       .made_by = text_at(one, "madeBy")});
  }
  return entries;
}

Result<void> SessionIndex::put(const IndexEntry& entry) const {
  return index().update([&entry](SharedObject& index) {
    SharedObject& one = sessions_of(index)[entry.id];
    if (!one.is_object()) one = SharedObject::object();
    one["id"] = entry.id;
    one["title"] = entry.title;
    one["cwd"] = entry.cwd;
    one["model"] = entry.model;
    one["updated"] = entry.updated;
    one["messageCount"] = entry.message_count;
    one["logBytes"] = entry.log_bytes;
    if (!entry.made_by.empty() && !one.contains("madeBy")) one["madeBy"] = entry.made_by;
    return true;
  });
}

Result<void> SessionIndex::forget(const std::string& id) const {
  if (index().missing()) return {};
  return index().update([&id](SharedObject& index) { return sessions_of(index).erase(id) > 0; });
}

}  // namespace yume::transcript

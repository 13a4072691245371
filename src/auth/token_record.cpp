// SPDX-License-Identifier: MIT
#include "auth/token_record.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

#include "util/json_io.h"
#include "util/json_tree.h"

namespace yume::auth {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::chrono::minutes k_margin{5};
constexpr int k_format = 1;
constexpr int k_deepest = 4;
constexpr std::array<std::string_view, 3> k_kinds = {"token", "absent", "failed"};

std::int64_t since_epoch(platform::WallTime time) {
  return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

// Reads fields and remembers whether one was missing or of another type.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {}

  std::string text(const char* name) {
    const auto found = object_.find(name);
    if (found != object_.end() && found->is_string()) return found->get<std::string>();
    complete_ = false;
    return {};
  }
  std::int64_t integer(const char* name) {
    const auto found = object_.find(name);
    // Far enough for any date, near enough not to overflow a time point.
    constexpr std::int64_t k_most = 1LL << 43U;
    if (found != object_.end() && found->is_number_integer()) {
      const auto value = found->get<std::int64_t>();
      if (value >= 0 && value < k_most) return value;
    }
    complete_ = false;
    return 0;
  }
  platform::WallTime time(const char* name) {
    return platform::WallTime(milliseconds(integer(name)));
  }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  const json& object_;
  bool complete_ = true;
};

}  // namespace

platform::WallTime stale_at(const TokenRecord& record) {
  if (record.kind != TokenRecord::Kind::token) return record.expires;
  const auto lifetime = record.expires - record.made;
  return record.expires - std::min<platform::WallTime::duration>(k_margin, lifetime / 2);
}

std::string encode(const TokenRecord& record) {
  std::string text;
  JsonWriter(text)
      .begin_object()
      .field("format", k_format)
      .field("kind", k_kinds[static_cast<std::size_t>(record.kind)])
      .field("version", record.version)
      .field("made", since_epoch(record.made))
      .field("expires", since_epoch(record.expires))
      .field("token", record.token.value.reveal())
      .field("account", record.token.account)
      .field("project", record.token.project)
      .field("quota_project", record.token.quota_project)
      .field("owner", record.token.owner == TokenOwner::user ? "user" : "service")
      .field("message", record.message)
      .end_object();
  return text;
}

std::optional<TokenRecord> decode(std::string_view text) {
  if (!check_json(text, k_deepest).ok()) return std::nullopt;
  const json object = read_json(text);
  if (!object.is_object()) return std::nullopt;
  Fields fields(object);
  const auto kind = std::find(k_kinds.begin(), k_kinds.end(), fields.text("kind"));
  if (kind == k_kinds.end() || fields.integer("format") != k_format) return std::nullopt;
  TokenRecord record{.kind = static_cast<TokenRecord::Kind>(kind - k_kinds.begin()),
                     .version = fields.text("version"),
                     .made = fields.time("made"),
                     .expires = fields.time("expires"),
                     .token = {.value = Secret(fields.text("token")),
                               .account = fields.text("account"),
                               .project = fields.text("project"),
                               .quota_project = fields.text("quota_project")},
                     .message = fields.text("message")};
  if (fields.text("owner") == "user") record.token.owner = TokenOwner::user;
  if (!fields.complete() || record.expires < record.made) return std::nullopt;
  const bool has_token = is_access_token(record.token.value.reveal());
  if (record.kind == TokenRecord::Kind::token && !has_token) return std::nullopt;
  return record;
}

}  // namespace yume::auth

// SPDX-License-Identifier: MIT
#include "protocol/yume_app/yume_app_host.h"

#include "util/uuid.h"

#include <algorithm>
#include <utility>

namespace yume::protocol {
namespace {

// The window keeps the id of a line as that of its row only if it begins like this, as the ids of
// the app's own shell commands do: the next line with that id replaces what the row shows.
constexpr std::string_view k_kept_id = "bash-";

}  // namespace

HostMessage YumeAppHost::parse(std::string_view line) const {
  return lines_.parse(line);
}

HostMessage YumeAppHost::refuse(const LongLine& line, std::size_t limit) const {
  return lines_.refuse(line, limit);
}

void YumeAppHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  const bool may_wait = std::holds_alternative<core::SessionStarted>(envelope.event);
  write_held(now);
  if (may_wait && now < timing_.listens_at) {
    held_ = envelope;
    return;
  }
  lines_.write(envelope, now);
  show_open_text(envelope.address, now);
}

// Thoughts are not shown so: the window does not draw them again when they have grown.
void YumeAppHost::show_open_text(const core::Address& address, platform::SteadyTime now) {
  if (!timing_.live_text_gap) return;
  LiveText& live = live_texts_.try_emplace(address, *timing_.live_text_gap).first->second;
  const OpenText open = lines_.open_text(address);
  if (open.row_id.empty()) live.forget();
  live.grow_to(open.bytes);
  if (const auto due = live.due_at(); !due || now < *due) return;
  lines_.write_open_text(address, open.row_id.empty() ? std::string(k_kept_id) + make_uuid()
                                                      : std::string(open.row_id));
  live.written(now);
}

void YumeAppHost::write_held(platform::SteadyTime now) {
  if (const auto held = std::exchange(held_, std::nullopt)) lines_.write(*held, now);
}

void YumeAppHost::reply(std::string_view reply_to, const CommandResult& result) {
  lines_.reply(reply_to, result);
}

// The turn is under way meanwhile: its first words take longer than that.
std::optional<platform::SteadyTime> YumeAppHost::not_before(const core::Envelope& envelope) const {
  if (std::holds_alternative<core::SessionStarted>(envelope.event)) return std::nullopt;
  return timing_.listens_at;
}

std::optional<platform::SteadyTime> YumeAppHost::wake_at() const {
  if (held_) return timing_.listens_at;  // nothing else was written yet
  std::optional<platform::SteadyTime> next;
  for (const auto& [address, live] : live_texts_) {
    if (const auto due = live.due_at()) next = std::min(next.value_or(*due), *due);
  }
  return next;
}

void YumeAppHost::on_time(platform::SteadyTime now) {
  if (now >= timing_.listens_at) write_held(now);
  for (const auto& [address, live] : live_texts_) show_open_text(address, now);
}

}  // namespace yume::protocol

// SPDX-License-Identifier: MIT
#include "transcript/yume_view.h"

#include "platform/kept_files.h"
#include "transcript/session_index.h"
#include "util/iso_time.h"
#include "util/path_text.h"

#include <limits>
#include <utility>

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_largest_view = 512U << 20U;
// Longer ones stay in the session's file; reading many short ones back would take longer than
// keeping them takes room.
constexpr std::size_t k_long_text = 64U << 10U;
// Making a view anew takes time that a first request should not wait for.
constexpr std::uint64_t k_soon_made = 4U << 20U;

}  // namespace

YumeView::YumeView(ViewSettings settings, Journal& journal, const platform::Clock& clock)
    : settings_(std::move(settings)), journal_(journal), clock_(clock) {
  settled_ = !settings_.size_at_open;
  content_.cwd = journal_.head().cwd;
  content_.created = iso_time(clock_.wall_now());
  journal_.set_observer(this);
}

YumeView::~YumeView() {
  journal_.set_observer(nullptr);
}

fs::path YumeView::file() const {
  return settings_.folder / (journal_.head().session_id + ".json");
}

void YumeView::on_prompt(const core::UserMessage& message) {
  const std::string text = message.text();
  if (content_.title.empty()) content_.title = make_title(text);
  content_.history.push_back({.from_user = true, .content = {text}});
}

ViewMessage& YumeView::reply(const std::string& message_id) {
  const bool goes_on = !content_.history.empty() && !content_.history.back().from_user &&
                       content_.history.back().message_id == message_id && !message_id.empty();
  if (!goes_on) content_.history.push_back({.from_user = false, .message_id = message_id});
  return content_.history.back();
}

void YumeView::on_text(const ReplyHead& head, std::string_view text, const TextPlace& place) {
  ViewMessage& message = reply(head.message_id);
  if (text.size() < k_long_text) {
    message.add_text(text);
  } else {
    message.content.emplace_back(place);
  }
}

void YumeView::on_call(const ReplyHead& head, const core::ToolCall& call) {
  reply(head.message_id).calls.push_back(view_call(call));
}

void YumeView::on_failure(std::string_view text) {
  reply("").add_text(text);
}

void YumeView::on_prompt_taken_back() {
  while (!content_.history.empty()) {
    const bool prompt = content_.history.back().from_user;
    content_.history.pop_back();
    if (prompt) return;
  }
}

void YumeView::on_compaction() {
  ++content_.compactions;
}

void YumeView::on_turn_begun() {
  if (platform::read_part(file(), 0, 1).ok()) return;
  if (settled_ || journal_.size() <= k_soon_made) (void)after_result();
}

void YumeView::on_turn_done(const core::TurnDone& done) {
  Spent now;
  for (const auto& [model, used] : done.by_model) {
    now.usage += used.usage;
    now.cost_usd += used.cost_usd;
  }
  pending_.usage.prompt_tokens += now.usage.prompt_tokens - seen_.usage.prompt_tokens;
  pending_.usage.cached_tokens += now.usage.cached_tokens - seen_.usage.cached_tokens;
  pending_.usage.output_tokens += now.usage.billed_output() - seen_.usage.billed_output();
  pending_.cost_usd += now.cost_usd - seen_.cost_usd;
  seen_ = now;
  if (!done.last_request.empty() || done.compacted) last_request_ = done.last_request;
}

// What was there before this process: from the view if it covers all of that, else from the file,
// which by now also has what this process added.
Result<void> YumeView::settle() {
  const auto text = platform::read_part(file(), 0, k_largest_view);
  auto old = text.ok() ? parse_view(*text) : std::nullopt;
  if (old && old->log_bytes == *settings_.size_at_open) {
    std::vector<ViewMessage> added = std::exchange(content_.history, {});
    old->content.compactions += content_.compactions;
    content_ = std::move(old->content);
    std::move(added.begin(), added.end(), std::back_inserter(content_.history));
  } else {
    YUME_TRY(
        const std::string bytes,
        platform::read_part(settings_.session_file, 0, std::numeric_limits<std::ptrdiff_t>::max()));
    content_ = view_of(read_shown(bytes), settings_.price);
    pending_ = {};
  }
  settled_ = true;
  return {};
}

Result<std::string> YumeView::read(const TextPlace& place) const {
  auto text =
      platform::read_part(settings_.session_file, place.from, static_cast<std::size_t>(place.size));
  if (!text.ok() || text->size() == place.size) return text;
  return Error{.code = ErrorCode::io,
               .message = to_utf8(settings_.session_file) + " has become shorter"};
}

Result<void> YumeView::write(const ViewState& state) const {
  YUME_TRY(const auto fresh, platform::begin_replacing(file()));
  const auto written =
      write_view(state, content_,
                 {.write = [&](std::string_view piece) { return fresh->write(piece); },
                  .read = [this](const TextPlace& place) { return read(place); }});
  if (!written) return written.error();
  return fresh->finish(platform::Durability::survives_kill);
}

Result<void> YumeView::after_result() {
  const std::uint64_t covered = journal_.size();
  if (covered == 0) return {};  // nothing is kept, or nothing was said
  if (!journal_.saved()) {
    return Error{.code = ErrorCode::io,
                 .message = "no view of " + to_utf8(settings_.session_file) +
                            " until all of the session is in it"};
  }
  if (const auto made = platform::make_private_directories(settings_.folder); !made) {
    return made.error();
  }
  if (!settled_) {
    if (const auto settled = settle(); !settled) return settled.error();
  }
  content_.model = settings_.model;
  content_.total += pending_.usage;
  content_.cost_usd += pending_.cost_usd;
  pending_ = {};
  if (last_request_) content_.last_request = *last_request_;
  const std::string& id = journal_.head().session_id;
  const std::string updated = iso_time(clock_.wall_now());
  const auto written = write({.id = id, .updated = updated, .log_bytes = covered});
  if (!written) return written.error();
  return SessionIndex(settings_.folder, clock_)
      .put({.id = id,
            .title = content_.title,
            .cwd = content_.cwd,
            .model = content_.model,
            .updated = updated,
            .message_count = static_cast<std::int64_t>(content_.history.size()),
            .log_bytes = static_cast<std::int64_t>(covered),
            // A session that was there before was made by somebody else.
            .made_by = settings_.size_at_open.value_or(0) == 0 ? settings_.made_by : ""});
}

}  // namespace yume::transcript

// SPDX-License-Identifier: MIT
#include "transcript/journal.h"

#include "util/uuid.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::transcript {
namespace {

constexpr std::size_t k_most_waiting = 64U << 20U;
constexpr std::chrono::minutes k_between_notices{1};

}  // namespace

Journal::Journal(std::unique_ptr<platform::AppendFile> file, Open open, LineHead head,
                 std::vector<std::string> chain, const platform::Clock& clock)
    : file_(std::move(file)),
      open_(std::move(open)),
      head_(std::move(head)),
      chain_(std::move(chain)),
      clock_(clock) {}

LineLink Journal::next_link(std::string uuid) {
  LineLink link{.uuid = uuid.empty() ? make_uuid() : std::move(uuid),
                .parent = leaf(),
                .time = time_ ? *time_ : clock_.wall_now()};
  chain_.push_back(link.uuid);
  return link;
}

std::string Journal::prompt(const core::UserMessage& message, PromptKind kind,
                            std::string_view uuid) {
  if (kind == PromptKind::typed) prompt_position_ = position();
  const bool is_usable =
      is_uuid(uuid) && std::find(chain_.begin(), chain_.end(), uuid) == chain_.end();
  const LineLink link = next_link(std::string(is_usable ? uuid : ""));
  append(prompt_line(head_, link, message, kind));
  if (observer_ != nullptr && kind == PromptKind::typed) observer_->on_prompt(message);
  return link.uuid;
}

std::string Journal::block(const ReplyHead& reply, BlockKind kind, std::string_view text) {
  const LineLink link = next_link();
  BlockLine line = block_line(head_, link, reply, kind, text);
  // Behind what waits: lines are written in their order.
  const TextPlace place{.from = size() + waiting_.size() + line.text_from, .size = line.text_size};
  append(std::move(line.line));
  if (observer_ != nullptr && kind == BlockKind::text) observer_->on_text(reply, text, place);
  return link.uuid;
}

std::string Journal::call(const ReplyHead& reply, const core::ToolCall& call) {
  const LineLink link = next_link();
  append(call_line(head_, link, reply, call));
  call_uuids_[call.id] = link.uuid;
  if (observer_ != nullptr) observer_->on_call(reply, call);
  return link.uuid;
}

std::string Journal::result(const core::ToolCall& call, const core::ToolOutcome& outcome) {
  const auto asked = call_uuids_.extract(call.id);
  const LineLink link = next_link();
  append(result_line(head_, link, asked.empty() ? "" : asked.mapped(), call, outcome));
  return link.uuid;
}

std::string Journal::failure(std::string_view text) {
  const LineLink link = next_link();
  append(failure_line(head_, link, text));
  if (observer_ != nullptr) observer_->on_failure(text);
  return link.uuid;
}

void Journal::title(std::string_view title) {
  append(title_line(head_, title));
}

void Journal::content(const std::string& message_id, const core::RawContent& content,
                      std::span<const core::PastCall> calls) {
  append(ContentLine(head_, clock_.wall_now(), message_id, content, calls).pieces());
}

void Journal::withhold(std::span<const std::string> call_ids, std::string_view instead) {
  append(withheld_line(head_, clock_.wall_now(), call_ids, instead));
}

void Journal::withhold_media(const std::string& after, std::string_view why) {
  append(withheld_media_line(head_, clock_.wall_now(), after, why));
}

std::string Journal::before_prompt() const {
  const std::size_t position = std::min(prompt_position_, chain_.size());
  return position == 0 ? "" : chain_[position - 1];
}

void Journal::state(const core::WorkState& news) {
  append(state_line(head_, clock_.wall_now(), news));
}

void Journal::take_back_prompt() {
  chain_.resize(std::min(chain_.size(), prompt_position_));
  append(rewind_line(head_, clock_.wall_now(), leaf()));
  if (observer_ != nullptr) observer_->on_prompt_taken_back();
}

core::SummaryUuids Journal::compact(CompactionRecord record, const core::UserMessage& summary,
                                    std::size_t kept_from) {
  const LineLink boundary{.uuid = make_uuid(), .parent = {}, .time = clock_.wall_now()};
  const LineLink following{.uuid = make_uuid(), .parent = boundary.uuid, .time = clock_.wall_now()};
  const auto first_kept =
      chain_.begin() + static_cast<std::ptrdiff_t>(std::min(kept_from, position()));
  record.logical_parent = leaf();
  record.summary_uuid = following.uuid;
  record.kept.assign(first_kept, chain_.end());
  // One write: a boundary without its summary does not count, and must not stand alone for long.
  append(boundary_line(head_, boundary, record) + "\n" +
         prompt_line(head_, following, summary, PromptKind::summary));
  chain_ = {following.uuid};
  chain_.insert(chain_.end(), record.kept.begin(), record.kept.end());
  prompt_position_ -= std::min(prompt_position_, std::min(kept_from, prompt_position_));
  prompt_position_ += 1;
  if (observer_ != nullptr) observer_->on_compaction();
  sync();
  return {.boundary = boundary.uuid, .summary = following.uuid};
}

void Journal::append(std::string line) {
  line.push_back('\n');
  append(std::array{std::string_view(line)});
}

void Journal::append(std::span<const std::string_view> pieces) {
  if (!is_kept() || lost_) return;
  const auto wait = [&] {
    for (const std::string_view piece : pieces) waiting_ += piece;
  };
  const bool waited = !waiting_.empty();
  if (waited) wait();
  const auto written = waited ? write(std::array{std::string_view(waiting_)}) : write(pieces);
  if (!written.ok()) {
    if (!waited) wait();
    note_failure(written.error());
  } else if (waited) {
    waiting_.clear();
    note_success();
  }
}

Result<void> Journal::write(std::span<const std::string_view> pieces) {
  if (file_ == nullptr) {
    auto opened = open_();
    if (!opened.ok()) return std::move(opened).error();
    file_ = std::move(opened).value();
    open_ = nullptr;  // and what it held
  }
  return file_->append(pieces);
}

void Journal::note_failure(const Error& error) {
  if (waiting_.size() > k_most_waiting) {
    lost_ = true;
    waiting_.clear();
  }
  const platform::SteadyTime now = clock_.steady_now();
  if (noticed_ && now - *noticed_ < k_between_notices) return;
  noticed_ = now;
  notice_ = "The session is not being saved: " + error.message +
            ". The conversation goes on in memory; make room or mend the folder to keep it.";
}

void Journal::note_success() {
  noticed_.reset();
  notice_ = "The session is being saved again; nothing is missing.";
}

void Journal::sync() {
  if (file_ == nullptr || !saved()) return;
  if (const auto synced = file_->sync(); !synced) note_failure(synced.error());
}

std::optional<std::string> Journal::take_notice() {
  return std::exchange(notice_, std::nullopt);
}

}  // namespace yume::transcript

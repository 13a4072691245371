// SPDX-License-Identifier: MIT
#include "app/translate/translation.h"

#include "app/translate/translation_parts.h"

#include <utility>

namespace yume::app {
namespace {

// Longer than any dialect keeps texts back that come at once: each line that comes is one that
// goes.
constexpr std::chrono::milliseconds k_step{10};

}  // namespace

Translation::Translation(const TranslationSpec& spec, protocol::Output& output,
                         protocol::OverflowStore& overflow, const platform::Clock& clock)
    : decoder_(make_decoder(spec)),
      host_(make_translated_host(spec, output, overflow, clock)),
      emit_([this](core::Event event) { take(std::move(event)); }),
      write_([this](core::Event event) { write(std::move(event)); }),
      envelope_({.address = {spec.session_id}, .event = core::Notice{}}),
      now_(clock.steady_now()) {}

Translation::~Translation() = default;

void Translation::feed(std::string_view line) {
  if (const auto bad = decoder_->feed(line, emit_)) report(*bad);
}

void Translation::skip(std::string_view beginning, std::size_t bytes) {
  foreign::BadLine bad = foreign::bad_line(beginning);
  bad.bytes = bytes;
  report(bad);
}

void Translation::finish() {
  decoder_->finish({}, emit_);
}

void Translation::report(const foreign::BadLine& bad) {
  envelope_.address.parent_call_id.clear();
  report_bad_line(*host_, envelope_.address, bad, now_ += k_step);
}

void Translation::take(core::Event event) {
  const std::string_view parent = decoder_->parent_call_id();
  envelope_.address.parent_call_id = parent;
  note_session(event);
  note_file(event);
  if (parent.empty()) {
    note_end(event);
    return closer_.pass(std::move(event), write_);
  }
  auto closer = closers_.find(parent);
  if (closer == closers_.end()) closer = closers_.try_emplace(std::string(parent)).first;
  closer->second.pass(std::move(event), write_);
}

void Translation::note_session(const core::Event& event) {
  const auto* started = std::get_if<core::SessionStarted>(&event);
  if (started == nullptr) return;
  if (!started->session_id.empty()) envelope_.address.session_id = started->session_id;
  cwd_ = started->cwd;
  written_ = core::WrittenFiles(cwd_);
}

void Translation::note_file(const core::Event& event) {
  const auto* finished = std::get_if<core::ToolFinished>(&event);
  if (finished != nullptr) written_.add(*finished);
}

void Translation::note_end(core::Event& event) {
  auto* done = std::get_if<core::TurnDone>(&event);
  if (done == nullptr) return;
  outcome_ = done->outcome;
  written_.add(done->files_written);
  done->files_written = written_.list();
  written_ = core::WrittenFiles(cwd_);
}

void Translation::write(core::Event event) {
  envelope_.event = std::move(event);
  host_->write(envelope_, now_ += k_step);
}

}  // namespace yume::app

// SPDX-License-Identifier: MIT
// Another agent's lines, one by one, as the lines of one of our dialects. Main thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/options.h"
#include "core/envelope.h"
#include "core/written_files.h"
#include "foreign/block_closer.h"
#include "foreign/line_decoder.h"
#include "platform/clock.h"
#include "protocol/host.h"
#include "protocol/line_writer.h"
#include "protocol/overflow.h"

namespace yume::app {

enum class ForeignLines { gemini, acp, claude };

struct TranslationSpec {
  ForeignLines from = ForeignLines::gemini;
  DialectName to = DialectName::claude;
  std::string session_id;  // of lines that name none
};

class Translation {
 public:
  // All are borrowed.
  Translation(const TranslationSpec& spec, protocol::Output& output,
              protocol::OverflowStore& overflow, const platform::Clock& clock);
  ~Translation();

  void feed(std::string_view line);
  // A line that was too long to be read; `beginning` of it.
  void skip(std::string_view beginning, std::size_t bytes);
  // No more lines come. A turn that is open ends with an error.
  void finish();

  // How the last turn ended; nothing before the first.
  [[nodiscard]] std::optional<core::TurnOutcome> outcome() const { return outcome_; }

 private:
  void take(core::Event event);
  void report(const foreign::BadLine& bad);
  void note_session(const core::Event& event);
  void note_file(const core::Event& event);
  // Also fills in what only the whole turn says.
  void note_end(core::Event& event);
  void write(core::Event event);

  std::unique_ptr<foreign::LineDecoder> decoder_;
  std::unique_ptr<protocol::Host> host_;
  foreign::Emit emit_;                                                // of the decoder
  foreign::Emit write_;                                               // behind the closers
  std::map<std::string, foreign::BlockCloser, std::less<>> closers_;  // by the parent's call
  foreign::BlockCloser closer_;                                       // of the session itself
  std::string cwd_;
  core::WrittenFiles written_;  // in the turn that is open
  core::Envelope envelope_;     // that is being written; keeps the memory of its address
  platform::SteadyTime now_;
  std::optional<core::TurnOutcome> outcome_;
};

}  // namespace yume::app

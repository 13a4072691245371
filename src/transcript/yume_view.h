// SPDX-License-Identifier: MIT
// The session as Yume's server reads it back: <yume root>/sessions/gemini/<id>.json, rewritten as a
// whole when a turn has ended, and an entry in the index. Derived from the session's own file: it
// says how many bytes of that it covers, and when a kill has made that untrue, it is made anew.
// Long texts are not kept in memory, but copied from that file. Where the journal is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/event.h"
#include "core/usage.h"
#include "platform/clock.h"
#include "transcript/journal.h"
#include "transcript/view_text.h"
#include "util/result.h"

namespace yume::transcript {

struct ViewSettings {
  std::filesystem::path folder;
  std::filesystem::path session_file;
  std::optional<std::uint64_t> size_at_open;  // none: the session is new
  std::string model;
  Price price;               // for views that are made anew
  std::string made_by = {};  // of a new session, for the index
};

class YumeView final : public SessionObserver {
 public:
  // Watches the journal from now on.
  YumeView(ViewSettings settings, Journal& journal, const platform::Clock& clock);
  ~YumeView() override;
  YumeView(const YumeView&) = delete;
  YumeView& operator=(const YumeView&) = delete;

  void on_prompt(const core::UserMessage& message) override;
  void on_text(const ReplyHead& reply, std::string_view text, const TextPlace& place) override;
  void on_call(const ReplyHead& reply, const core::ToolCall& call) override;
  void on_failure(std::string_view text) override;
  void on_prompt_taken_back() override;
  void on_compaction() override;
  void on_turn_begun() override;  // lists the session
  void on_turn_done(const core::TurnDone& done) override;
  // A disk that fails costs only a view, which the next turn mends.
  Result<void> after_result() override;

 private:
  struct Spent {
    core::Usage usage;
    double cost_usd = 0;
  };

  Result<void> settle();  // from here on content_ is everything
  ViewMessage& reply(const std::string& message_id);
  Result<void> write(const ViewState& state) const;
  [[nodiscard]] Result<std::string> read(const TextPlace& place) const;
  [[nodiscard]] std::filesystem::path file() const;

  ViewSettings settings_;
  Journal& journal_;
  const platform::Clock& clock_;
  ViewContent content_;  // since settle(): all; before: what this process added
  bool settled_ = false;
  Spent seen_;     // by this process, as of the last turn's end
  Spent pending_;  // not yet in content_
  std::optional<core::Usage> last_request_;
};

}  // namespace yume::transcript

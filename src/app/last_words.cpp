// SPDX-License-Identifier: MIT
#include "app/last_words.h"

#include "app/host_choice.h"

#include <utility>

namespace yume::app {
namespace {

class Kept final : public protocol::Output {
 public:
  void line(std::string_view added) override { text.append(added).push_back('\n'); }
  void bytes(std::string_view added) override { text.append(added); }
  std::string text;
};

}  // namespace

void LastWords::prepare(const std::string& session_id, const std::string& model) const {
  last_resort_.prepare([&](const std::string& text) {
    Kept kept;
    Kept unseen;
    const platform::SystemClock clock;
    const auto host = make_host(
        options_, {.lines = kept, .progress = unseen, .overflow = overflow_, .clock = clock},
        session_id, environment_);
    core::SessionStarted started;
    started.session_id = session_id;
    started.model = model;
    host->write({.address = {session_id}, .event = started}, {});
    kept.text.clear();
    core::TurnDone done;
    done.outcome = core::TurnOutcome::failed;
    done.failure = core::FailureKind::unknown;
    done.text = text;
    done.duration = std::chrono::milliseconds(1);
    host->write({.address = {session_id}, .event = done}, {});
    return std::move(kept.text);
  });
}

}  // namespace yume::app

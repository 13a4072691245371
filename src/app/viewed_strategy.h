// SPDX-License-Identifier: MIT
// A strategy whose session Yume can read back: keeps the view of it beside every turn.
#pragma once

#include "session/yume_view.h"
#include "strategies/strategy.h"
#include "util/log.h"

namespace yume::app {

class ViewedStrategy final : public strategies::Strategy {
 public:
  ViewedStrategy(strategies::Strategy& inner, session::YumeView& view, Log& log)
      : inner_(inner), view_(view), log_(log) {}

  void before_turn(const core::UserMessage& message) override { inner_.before_turn(message); }
  core::TurnDone run_turn(const core::UserMessage& message, core::EventSink& sink,
                          const CancelToken& cancel) override {
    view_.begin_turn();
    core::TurnDone done = inner_.run_turn(message, sink, cancel);
    view_.end_turn(done);
    return done;
  }
  void after_turn() override {
    inner_.after_turn();
    if (const auto written = view_.write(); !written) {
      log_.write("sessions", written.error().message);
    }
  }

 private:
  strategies::Strategy& inner_;
  session::YumeView& view_;
  Log& log_;
};

}  // namespace yume::app

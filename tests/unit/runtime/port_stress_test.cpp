// SPDX-License-Identifier: MIT
// Mailbox and pending requests under random load: eight threads post, flush and ask, some are
// cancelled, the reader is slow now and then, and closes at a moment of its own. Whatever happens,
// everybody comes back.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "runtime/port.h"
#include "util/thread.h"

namespace yume::runtime {
namespace {

using namespace std::chrono_literals;

constexpr int k_posters = 8;

// YUME_LONG=1: as many rounds as a promise needs.
int rounds() {
  const bool is_long = std::getenv("YUME_LONG") != nullptr;
  return is_long ? 100'000 : 500;
}

void work(Port& port, CancelSource& cancel, unsigned seed) {
  std::minstd_rand random(seed);
  const CancelToken token = cancel.get_token();
  const int steps = static_cast<int>(random() % 12) + 1;
  for (int i = 0; i < steps; ++i) {
    switch (random() % 6) {
      case 0:
        (void)port.flush(token);
        break;
      case 1:
        (void)port.ask({"S"}, core::MayRun{.call = {.id = "1", .name = "t", .input = {"{}"}}},
                       std::nullopt, token);
        break;
      case 2:
        (void)port.ask({"S"}, core::MayRun{.call = {.id = "2", .name = "t", .input = {"{}"}}}, 1ms,
                       token);
        break;
      case 3:
        if (random() % 4 == 0) cancel.request_stop();
        break;
      default:
        // Large enough to fill the lane by bytes now and then.
        (void)port.post({{"S"}, core::TextDelta{std::string((random() % 3) << 20U, 'x')}});
    }
  }
}

void run_round(unsigned seed) {
  std::minstd_rand random(seed);
  Mailbox mailbox;
  PendingRequests pending;
  Port port(mailbox, pending, Port::Questions::can_be_asked);
  std::atomic<int> left{k_posters};
  std::vector<CancelSource> cancels(k_posters);
  std::vector<Thread> posters;
  for (int i = 0; i < k_posters; ++i) {
    posters.emplace_back([&, i, own = static_cast<unsigned>(random())] {
      work(port, cancels[static_cast<std::size_t>(i)], own);
      if (--left == 0) mailbox.post_control(StdinClosed{});
    });
  }
  const auto deny = [](const core::HostQuestion&) {
    return std::optional<core::HostAnswer>(core::HostDenies{"no"});
  };
  int until_close = static_cast<int>(random() % 60);  // most rounds end before
  for (bool done = false; !done;) {
    auto item = mailbox.take(std::nullopt);
    ASSERT_TRUE(item);
    if (--until_close == 0) {
      mailbox.close();
      pending.close();
    }
    if (random() % 16 == 0) std::this_thread::yield();
    if (auto* data = std::get_if<Data>(&*item)) {
      const auto* asked = std::get_if<QuestionAsked>(data);
      const bool answers = random() % 4 != 0;
      if (asked != nullptr && answers) (void)pending.answer(asked->request_id, deny);
      // Whoever is not answered has to be cancelled.
      if (asked != nullptr && !answers) {
        for (CancelSource& one : cancels) one.request_stop();
      }
    } else {
      done = std::holds_alternative<StdinClosed>(std::get<Control>(*item));
    }
  }
}

TEST(PortStress, EverybodyComesBack) {
  for (int round = 0; round < rounds(); ++round) run_round(static_cast<unsigned>(round) + 1);
}

}  // namespace
}  // namespace yume::runtime

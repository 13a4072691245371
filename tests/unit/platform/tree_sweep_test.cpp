// SPDX-License-Identifier: MIT
#include "platform/tree_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace yume::platform {
namespace {

constexpr int k_launchd = 1;
constexpr int k_supervisor = 100;
constexpr int k_kill = 9;
constexpr int k_terminate = 15;

// A system with processes, of which a supervisor sees what libproc would show.
class FakeSystem : public ProcessTable {
 public:
  FakeSystem() {
    processes_[k_launchd] = {k_launchd, 1, 0, k_launchd, false};
    processes_[50] = {50, 2, 1, 50, false};  // somebody else's shell, with a child
    processes_[51] = {51, 3, 2, 50, false};
    processes_[k_supervisor] = {k_supervisor, 10, 2, k_supervisor, false};
  }

  ListedProcess self() { return processes_.at(k_supervisor); }

  void fork(int parent, int child) {
    const ListedProcess& from = processes_.at(parent);
    processes_[child] = {child, ++last_number_, from.unique, from.group, false};
  }
  void lead(int pid) { processes_.at(pid).group = pid; }  // setsid
  void become_a_zombie(int pid) { processes_.at(pid).dead = true; }
  void end(int pid) { processes_.erase(pid); }
  bool lives(int pid) const { return processes_.contains(pid) && !processes_.at(pid).dead; }
  const std::set<int>& watched() const { return watched_; }

  // Runs while the table is read for the nth time from now, after it was read.
  void after_list(int nth, std::function<void()> what) { later_[lists_ + nth] = std::move(what); }
  void before_signal(std::function<void()> what) { before_signal_ = std::move(what); }

  std::size_t list(std::span<ListedProcess> into) override {
    std::size_t count = 0;
    // The newest first: children stand before their parents.
    for (auto at = processes_.rbegin(); at != processes_.rend() && count < into.size(); ++at) {
      into[count++] = at->second;
    }
    if (const auto what = later_.find(++lists_); what != later_.end()) what->second();
    return count;
  }
  void watch(int pid) override { watched_.insert(pid); }
  void signal(const ListedProcess& process, int signal) override {
    if (before_signal_) std::exchange(before_signal_, nullptr)();
    const auto now = processes_.find(process.pid);
    if (now == processes_.end() || now->second.unique != process.unique) return;
    signalled_.push_back(process.pid);
    if (signal == k_kill) processes_.erase(now);
  }

  void signal_group(int leader, int signal) override { groups_.emplace_back(leader, signal); }
  std::size_t take_events() override {
    const std::size_t taken = std::min(events_, k_most_taken);
    events_ -= taken;
    ++takes_;
    return taken;
  }

  void happen(std::size_t events) { events_ += events; }
  std::size_t events() const { return events_; }
  int takes() const { return takes_; }
  const std::vector<std::pair<int, int>>& signalled_groups() const { return groups_; }

  std::vector<int> signalled() {
    std::sort(signalled_.begin(), signalled_.end());
    return std::exchange(signalled_, {});
  }

 private:
  std::map<int, ListedProcess> processes_;
  std::uint64_t last_number_ = 10;
  int lists_ = 0;
  std::map<int, std::function<void()>> later_;
  std::function<void()> before_signal_;
  std::set<int> watched_;
  std::vector<int> signalled_;
  std::vector<std::pair<int, int>> groups_;  // leader, signal
  std::size_t events_ = 0;
  int takes_ = 0;
};

class TreeSweepTest : public testing::Test {
 protected:
  TreeSweepTest() {
    system_.fork(k_supervisor, 200);  // the command
    system_.lead(200);
  }

  std::vector<int> kill_all() {
    sweep_->look();
    sweep_->signal(k_kill);
    return system_.signalled();
  }

  FakeSystem system_;
  std::unique_ptr<TreeSweep> sweep_ = std::make_unique<TreeSweep>(system_, system_.self());
};

using Pids = std::vector<int>;

TEST_F(TreeSweepTest, FindsChildrenAndTheirChildrenAndNobodyElse) {
  system_.fork(200, 201);
  system_.fork(201, 202);
  system_.fork(50, 52);
  EXPECT_EQ(kill_all(), (Pids{200, 201, 202}));
  sweep_->look();
  EXPECT_FALSE(sweep_->any_left());
  EXPECT_TRUE(system_.lives(50) && system_.lives(51) && system_.lives(52));
  EXPECT_TRUE(system_.lives(k_supervisor) && system_.lives(k_launchd));
}

TEST_F(TreeSweepTest, WatchesEachDescendantForItsForks) {
  system_.fork(200, 201);
  sweep_->look();
  EXPECT_EQ(system_.watched(), (std::set<int>{200, 201}));
}

TEST_F(TreeSweepTest, KnowsAnOrphanByAParentThatItSawBefore) {
  system_.fork(200, 201);
  sweep_->look();
  system_.fork(201, 202);
  system_.lead(202);
  system_.end(201);  // 202 is launchd's child now
  EXPECT_EQ(kill_all(), (Pids{200, 202}));
}

TEST_F(TreeSweepTest, KnowsTheOrphansOfAParentThatIsNotReapedYet) {
  system_.fork(200, 201);
  system_.fork(201, 202);
  system_.lead(202);
  system_.become_a_zombie(201);
  EXPECT_EQ(kill_all(), (Pids{200, 202}));
}

TEST_F(TreeSweepTest, KnowsAnOrphanByTheGroupOfADescendant) {
  sweep_->look();
  system_.fork(200, 201);
  system_.fork(201, 202);
  system_.end(201);  // nobody has looked meanwhile
  EXPECT_EQ(kill_all(), (Pids{200, 202}));
}

TEST_F(TreeSweepTest, DoesNotTakeTheSupervisorsOwnGroupForItsDescendants) {
  system_.fork(k_supervisor, 300);  // has not begun its own session yet
  system_.fork(50, 60);
  FakeSystem& system = system_;
  sweep_->look();
  // A neighbour in the supervisor's group, which no descendant has made.
  system.fork(51, 61);
  EXPECT_EQ(kill_all(), (Pids{200, 300}));
}

TEST_F(TreeSweepTest, SeesWhatForksWhileItLooks) {
  system_.after_list(1, [this] { system_.fork(200, 201); });
  system_.after_list(2, [this] {
    system_.fork(201, 202);
    system_.lead(202);
    system_.end(201);
  });
  EXPECT_EQ(kill_all(), (Pids{200, 202}));
}

TEST_F(TreeSweepTest, FindsInTheNextRoundWhoForkedWhileTheLastWasKilled) {
  system_.before_signal([this] {
    system_.fork(200, 201);
    system_.lead(201);
  });
  EXPECT_EQ(kill_all(), (Pids{200}));
  EXPECT_EQ(kill_all(), (Pids{201}));
  sweep_->look();
  EXPECT_FALSE(sweep_->any_left());
}

TEST_F(TreeSweepTest, DoesNotSignalAStrangerWithADeadOnesNumber) {
  sweep_->look();
  system_.before_signal([this] {
    system_.end(200);
    system_.fork(50, 200);
  });
  sweep_->signal(k_kill);
  EXPECT_EQ(system_.signalled(), Pids{});
  EXPECT_TRUE(system_.lives(200));
}

TEST_F(TreeSweepTest, DoesNotTakeAStrangerWithADeadOnesNumberForADescendant) {
  system_.fork(200, 201);
  sweep_->look();
  system_.end(201);
  system_.fork(50, 201);
  system_.fork(201, 202);
  EXPECT_EQ(kill_all(), (Pids{200}));
}

TEST_F(TreeSweepTest, ZombiesAreNobodyWhoIsLeft) {
  system_.become_a_zombie(200);
  sweep_->look();
  EXPECT_FALSE(sweep_->any_left());
}

TEST_F(TreeSweepTest, TakesAllEventsBeforeItLooks) {
  system_.happen(2 * ProcessTable::k_most_taken + 1);
  system_.fork(200, 201);
  sweep_->catch_up();
  EXPECT_EQ(system_.events(), 0U);
  EXPECT_EQ(system_.takes(), 3);
  EXPECT_EQ(system_.watched(), (std::set<int>{200, 201}));
}

TEST_F(TreeSweepTest, LeavesWhatHappensDuringItsLookForTheNext) {
  system_.after_list(1, [this] { system_.happen(1); });
  sweep_->catch_up();
  EXPECT_EQ(system_.events(), 1U);
}

TEST_F(TreeSweepTest, LooksEvenWhenTheEventsAreGone) {
  system_.fork(200, 201);
  sweep_->catch_up();
  EXPECT_EQ(system_.watched(), (std::set<int>{200, 201}));
}

using Groups = std::vector<std::pair<int, int>>;

TEST_F(TreeSweepTest, AsksEachDescendantOnceForItsEnd) {
  system_.fork(200, 201);
  sweep_->signal_all(k_terminate, 200);
  EXPECT_EQ(system_.signalled(), (Pids{200, 201}));
  EXPECT_EQ(system_.signalled_groups(), Groups{});
}

TEST_F(TreeSweepTest, AsksTheGroupWhereNobodyIsFound) {
  system_.end(200);
  sweep_->signal_all(k_terminate, 200);
  EXPECT_EQ(system_.signalled_groups(), (Groups{{200, k_terminate}}));
}

TEST_F(TreeSweepTest, KillsTheGroupAsWell) {
  sweep_->signal_all(k_kill, 200);
  EXPECT_EQ(system_.signalled(), Pids{200});
  EXPECT_EQ(system_.signalled_groups(), (Groups{{200, k_kill}}));
}

TEST_F(TreeSweepTest, SignalsNoGroupOnceTheCommandHasEnded) {
  sweep_->signal_all(k_kill, 0);
  EXPECT_EQ(system_.signalled_groups(), Groups{});
}

TEST_F(TreeSweepTest, KeepsItsBearingsOverTenThousandShortLives) {
  for (int round = 0; round < 10'000; ++round) {
    const int pid = 1000 + round;
    system_.fork(200, pid);
    sweep_->look();
    system_.end(pid);
  }
  system_.fork(200, 201);
  system_.lead(201);
  EXPECT_EQ(kill_all(), (Pids{200, 201}));
}

}  // namespace
}  // namespace yume::platform

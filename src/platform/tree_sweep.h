// SPDX-License-Identifier: MIT
// Which processes descend from a supervisor, on a system that gives orphans to its first process
// and so forgets whose they were (macOS). Every process has a number there that is never used
// again, and keeps that of the process that forked it: who has been seen once stays known as an
// ancestor after its death. Not seen is only a process whose parent came and went between two
// looks, and left both its session and its group; the system tells of each fork, so the time
// between them is short.
//
// No allocation, no locks: it runs in a supervisor that was forked from a process with threads.
// Pure but for the table, so that it is tested on every system. Private to src/platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace yume::platform {

struct ListedProcess {
  int pid;
  std::uint64_t unique;         // never used twice
  std::uint64_t parent_unique;  // of the process that forked it, dead or alive
  int group;                    // its process group
  bool dead;                    // not yet reaped by its parent
};

class ProcessTable {
 public:
  // All processes that there are, as many as fit; how many.
  virtual std::size_t list(std::span<ListedProcess> into) = 0;
  // From now on its forks and its end wake the supervisor.
  virtual void watch(int pid) = 0;
  // Nothing when the number is another process's by now.
  virtual void signal(const ListedProcess& process, int signal) = 0;
  virtual void signal_group(int leader, int signal) = 0;
  // Takes up to k_most_taken of the forks and ends that have happened to those watched; how many.
  // Never waits.
  static constexpr std::size_t k_most_taken = 64;
  virtual std::size_t take_events() = 0;

 protected:
  ~ProcessTable() = default;
};

class TreeSweep {
 public:
  // `self`: the supervisor, whose group is not its descendants' alone.
  TreeSweep(ProcessTable& table, const ListedProcess& self) : table_(table), self_(self) {}

  // After each fork, and before what follows: learns of new descendants and watches them.
  void look();
  // To all that live, as the last look found them.
  void signal(int signal);
  [[nodiscard]] bool any_left() const { return living_count_ > 0; }

  // When there are events: takes all of them, then looks. What happens meanwhile is an event again.
  void catch_up();
  // Looks, and signals all. The group of the command (0: it has ended) gets the signal as a whole
  // where that reaches more: those that fork faster than they can be listed, or all when none was
  // found; to ask twice for an end in good order would be to demand it.
  void signal_all(int signal, int command);

 private:
  static constexpr std::size_t k_most_listed = 8192;
  static constexpr std::size_t k_most_known = 4096;

  std::size_t take_in(std::span<const ListedProcess> listed);
  [[nodiscard]] bool is_known(std::uint64_t unique) const;
  [[nodiscard]] bool shares_a_group(const ListedProcess& process) const;
  void add_living(const ListedProcess& process);
  void know(const ListedProcess& process);
  void forget_the_dead(std::span<const ListedProcess> listed);

  ProcessTable& table_;
  ListedProcess self_;
  // What is never used is never touched: the arrays are not initialised.
  std::array<ListedProcess, k_most_listed> listed_;
  std::array<std::uint64_t, k_most_known> known_;  // in the order in which they were seen
  std::size_t known_count_ = 0;
  std::array<ListedProcess, k_most_known> living_;
  std::size_t living_count_ = 0;
  std::array<int, k_most_known> groups_;  // of those
  std::size_t group_count_ = 0;
};

}  // namespace yume::platform

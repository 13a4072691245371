// SPDX-License-Identifier: MIT
#include "platform/tree_sweep.h"

#include <algorithm>

namespace yume::platform {

void TreeSweep::look() {
  // What was new may have forked before it was watched.
  constexpr int k_most_passes = 16;
  for (int pass = 0; pass < k_most_passes; ++pass) {
    const std::span<const ListedProcess> listed(listed_.data(), table_.list(listed_));
    const std::size_t fresh = take_in(listed);
    if (known_count_ > k_most_known / 2) forget_the_dead(listed);
    if (fresh == 0) return;
  }
}

// How many were new. A process may stand before its parent, so until nothing changes any more.
std::size_t TreeSweep::take_in(std::span<const ListedProcess> listed) {
  const std::size_t known_before = known_count_;
  std::size_t known_then = 0;
  std::size_t groups_then = 0;
  group_count_ = 0;
  do {
    known_then = known_count_;
    groups_then = group_count_;
    living_count_ = 0;
    for (const ListedProcess& process : listed) {
      const bool ours = is_known(process.unique) || process.parent_unique == self_.unique ||
                        is_known(process.parent_unique) || shares_a_group(process);
      if (!ours || process.unique == self_.unique) continue;
      if (!is_known(process.unique)) know(process);
      if (!process.dead) add_living(process);
    }
  } while (known_count_ != known_then || group_count_ != groups_then);
  return known_count_ - known_before;
}

void TreeSweep::signal(int signal) {
  for (std::size_t i = 0; i < living_count_; ++i) table_.signal(living_[i], signal);
}

void TreeSweep::catch_up() {
  while (table_.take_events() == ProcessTable::k_most_taken) {
  }
  look();
}

void TreeSweep::signal_all(int signal, int command) {
  constexpr int k_kill = 9;  // SIGKILL, on every system
  look();
  this->signal(signal);
  if (command > 0 && (signal == k_kill || !any_left())) table_.signal_group(command, signal);
}

bool TreeSweep::is_known(std::uint64_t unique) const {
  const auto* end = known_.data() + known_count_;
  return std::find(known_.data(), end, unique) != end;
}

// Only a descendant can have got into the group of one: they have a session of their own.
bool TreeSweep::shares_a_group(const ListedProcess& process) const {
  const auto* end = groups_.data() + group_count_;
  return std::find(groups_.data(), end, process.group) != end;
}

void TreeSweep::add_living(const ListedProcess& process) {
  if (living_count_ < living_.size()) living_[living_count_++] = process;
  const bool own = process.group > 1 && process.group != self_.group;
  if (own && !shares_a_group(process) && group_count_ < groups_.size()) {
    groups_[group_count_++] = process.group;
  }
}

void TreeSweep::know(const ListedProcess& process) {
  if (known_count_ == known_.size())
    return;  // a look forgets the dead when half of the room is taken
  known_[known_count_++] = process.unique;
  if (!process.dead) table_.watch(process.pid);
}

// Whoever they forked is known by now.
void TreeSweep::forget_the_dead(std::span<const ListedProcess> listed) {
  const auto is_gone = [&](std::uint64_t unique) {
    return std::none_of(listed.begin(), listed.end(), [unique](const ListedProcess& process) {
      return process.unique == unique;
    });
  };
  const auto* end = std::remove_if(known_.data(), known_.data() + known_count_, is_gone);
  known_count_ = static_cast<std::size_t>(end - known_.data());
}

}  // namespace yume::platform

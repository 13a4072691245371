// SPDX-License-Identifier: MIT
// Signals for a whole tree of processes. Every function is async-signal-safe (no malloc, no locks):
// it runs in a supervisor that was forked from a process with threads. Private to src/platform.
#pragma once

namespace yume::platform {

// Call once, before there are descendants. Orphaned ones become children of the calling process
// instead of init's, or, where the system cannot do that (macOS), are looked for from now on.
void adopt_orphans();

// Readable when something has become of a descendant. -1 when it cannot be had: then they are
// polled.
int open_child_events();
void drain_child_events(int fd);

// Whether there are descendants that are nobody's child here; false where orphans are adopted.
bool descendants_left();

// One pass over the descendants as they are now; what they fork meanwhile needs another pass. Never
// signals a foreign process: a child cannot be replaced by another process before we reap it, and a
// deeper descendant is held by its directory in /proc while its ancestry is checked (Linux), or is
// compared by a number that no other process ever gets (macOS). `command` is the leader of a
// process group, or 0 once it has been reaped.
void signal_descendants(int signal, int command);

// Kills the group of a child that is dead and not yet reaped. Reaches those that fork faster than
// they can be listed.
void kill_group_of_dead(int child);

}  // namespace yume::platform

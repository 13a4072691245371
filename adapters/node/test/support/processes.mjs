// SPDX-License-Identifier: MIT
// What runs on this machine, for tests that nothing is left. Linux only: it reads /proc.

import { readFileSync, readdirSync } from "node:fs";

export const CAN_LOOK = process.platform === "linux";

export function isAlive(pid) {
  try {
    // A process that nobody has waited for yet is not alive.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

// Processes whose environment names `folder`: a test's home, which every program of it inherits.
export function processesOf(folder) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder) && isAlive(pid);
      } catch {
        return false; // gone, or another user's
      }
    })
    .map(Number);
}

// Waits for what no event tells of. Fails after 20 s.
export async function until(what, condition) {
  const deadline = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`still not true after 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

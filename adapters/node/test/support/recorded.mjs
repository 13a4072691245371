// SPDX-License-Identifier: MIT
// Sessions of Gemini CLI that were recorded beside the project; they are no part of it, and may not
// be there.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DATA = fileURLToPath(new URL("../../../../../shared/data", import.meta.url));

export function recordedSessions() {
  return ["gemini-cli-sessions", "gemini-sessions/full"].flatMap((name) =>
    filesIn(join(DATA, name)),
  );
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return filesIn(path);
      return /^session-.*\.jsonl?$/.test(name) && statSync(path).size > 0 ? [path] : [];
    });
}

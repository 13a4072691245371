// SPDX-License-Identifier: MIT
// Conversations that were recorded from Gemini CLI go on here (`historyFile`).

import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedSessions } from "./support/recorded.mjs";
import { text } from "./support/gemini_server.mjs";
import { scene } from "./support/scene.mjs";

test("a turn begins with a recorded conversation", async (t) => {
  // One of each version of Gemini CLI is enough here.
  const files = recordedSessions().filter(isFirstOfItsFolder);
  if (files.length === 0) return t.skip("there are no recorded sessions here");
  const host = await scene(t);
  const adapter = host.adapter();
  for (const historyFile of files) {
    host.server.expect([text("Gone on.")]);
    const turn = adapter.run("and now?", { ...host.context, historyFile });
    assert.equal((await turn.result()).result, "Gone on.", historyFile);
    const texts = host.server.lastTexts;
    assert.equal(texts.at(-1), "and now?", historyFile);
    assert.ok(texts.length > 1, `${historyFile}: what was said before is sent as well`);
  }
  t.diagnostic(`${files.length} sessions`);
});

function isFirstOfItsFolder(file, index, all) {
  const folder = (path) => path.replace(/[^/\\]*$/, "");
  return index === 0 || folder(all[index - 1]) !== folder(file);
}

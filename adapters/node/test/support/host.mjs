// SPDX-License-Identifier: MIT
// A host in a process of its own, which a test can end in any way:
//
//     node host.mjs '{"persistent":…,"env":…,"context":…}' [one-turn]

import { ShimAdapter } from "yume-cli";

const { persistent, env, context } = JSON.parse(process.argv[2]);
const adapter = new ShimAdapter({ persistent, env });
process.stdin.on("data", (data) => {
  if (String(data).startsWith("exit")) process.exit(3);
  throw new Error("the test wanted this");
});
if (process.argv[3] === "one-turn") process.stdin.destroy();
const turn = adapter.run("go", { ...context, permissionMode: "bypassPermissions" });
for await (const event of turn) console.log(event.type);

// SPDX-License-Identifier: MIT
// Compiled only: what a host in TypeScript writes, as an ES module.
import type { ChildProcess } from "node:child_process";
import {
  ShimAdapter,
  YumeCliError,
  detectCli,
  execute,
  getCapabilities,
  loadMessages,
  readEvents,
  version,
  type ResultLine,
  type Session,
  type StreamEvent,
  type Turn,
  type TurnProcess,
  type UnifiedMessage,
} from "yume-cli";

const adapter = new ShimAdapter({ maxLineBytes: 1 << 20, idleTimeoutMs: 1000 });
const turn: Turn = adapter.run("hi", { cwd: ".", resume: "id", env: { A: undefined } });
for await (const event of turn) {
  const seen: StreamEvent = event;
  if (seen.type === "assistant") console.log(seen.message.content.length);
  if (seen.type === "result") console.log(seen.is_error && seen.errors?.join());
}
const result: ResultLine = await turn.result();
const cost: number = result.total_cost_usd;

const child: TurnProcess = adapter.spawn([{ type: "text", text: "hi" }]);
child.stdout?.on("data", (chunk: Buffer) => adapter.parseOutput(chunk)?.type);
child.on("close", (code: number | null) => code);

const session: Session = adapter.session();
await session.send("hi").interrupt();

const answer = await execute<{ files: string[] }>({
  prompt: "hi",
  json: true,
  onStart: (started: ChildProcess) => started.pid,
  onEvent: ({ raw, message }) => [raw.length, message?.role],
});
const files: string[] = answer.data.files;
const messages: UnifiedMessage[] = await loadMessages({ tool: "gemini", sessionId: "x" });
const path: string | null = await detectCli("claude");
const models: { id: string; name: string }[] = (await getCapabilities()).models;
// @ts-expect-error a prompt is needed
await execute({});

try {
  for await (const event of readEvents(process.stdin)) console.log(event.type);
} catch (error) {
  if (error instanceof YumeCliError && error.code === "YUME_NOT_FOUND") console.log(error.message);
}

export { cost, files, messages, models, path, version };

// SPDX-License-Identifier: MIT
// A scripted Messages API on loopback, for the real `claude`: answers with blocks, in order, and
// keeps what it was sent.

import { LoopbackServer } from "./loopback_server.mjs";

// Each answer is an array of content blocks.
export class ClaudeServer extends LoopbackServer {
  answer(request, body, response) {
    const isMessage = /^\/v1\/messages(\?|$)/.test(request.url);
    if (!isMessage) {
      const counts = request.url.includes("count_tokens");
      response.writeHead(counts ? 200 : 404, { "Content-Type": "application/json" });
      response.end(counts ? '{"input_tokens":10}' : "{}");
      return;
    }
    const parsed = JSON.parse(body);
    this.requests.push(parsed);
    this.#reply(parsed, response);
  }

  #reply(request, response) {
    const blocks = this.script.shift() ?? [{ type: "text", text: "nothing is scripted" }];
    const stop_reason = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
    const message = {
      id: `msg_${this.requests.length}_${Math.random().toString(36).slice(2)}`,
      type: "message", role: "assistant", model: request.model, content: [],
      stop_reason: null, stop_sequence: null, usage: { input_tokens: 50, output_tokens: 1 },
    };
    if (!request.stream) {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ ...message, content: blocks, stop_reason }));
      return;
    }
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    send("message_start", { message });
    for (const [index, block] of blocks.entries()) {
      send("content_block_start", { index, content_block: started(block) });
      for (const delta of deltas(block)) send("content_block_delta", { index, delta });
      send("content_block_stop", { index });
    }
    send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } });
    send("message_stop", {});
    response.end();
  }
}

function started(block) {
  if (block.type === "tool_use") return { type: "tool_use", id: block.id, name: block.name, input: {} };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { type: "text", text: "" };
}

function deltas(block) {
  if (block.type === "tool_use") {
    return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  }
  if (block.type === "thinking") {
    return [{ type: "thinking_delta", thinking: block.thinking },
            { type: "signature_delta", signature: "c2ln" }];
  }
  return [{ type: "text_delta", text: block.text }];
}

export const text = (words) => ({ type: "text", text: words });
export const thinking = (words) => ({ type: "thinking", thinking: words });
export const use = (id, name, input) => ({ type: "tool_use", id, name, input });

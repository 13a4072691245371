// SPDX-License-Identifier: MIT
// A stand-in for Google's server on loopback: answers streamGenerateContent in the order of a
// script and keeps what it was sent. A gate in an answer waits until the test opens it, so that a
// test never has to sleep.

import { createServer } from "node:http";

export const text = (words) => ({ text: words });
export const thought = (words) => ({ text: words, thought: true });
export const call = (name, args) => ({ functionCall: { name, args }, thoughtSignature: "c2ln" });

// Holds an answer back. `reached` resolves when the server has come to it.
export class Gate {
  constructor() {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
    this.opened = new Promise((resolve) => (this.open = resolve));
  }
}

export class GeminiServer {
  requests = []; // bodies
  script = []; // one answer for each request: parts and gates

  async start() {
    this.server = createServer((request, response) => void this.#serve(request, response));
    await new Promise((done) => this.server.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }

  // What is answered next.
  expect(...answers) {
    this.script.push(...answers);
  }

  // Every text of the last request, in order.
  get lastTexts() {
    const parts = this.requests.at(-1).contents.flatMap((content) => content.parts);
    return parts.map((part) => part.text).filter(Boolean);
  }

  async #serve(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (!/^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/.test(request.url)) {
      response.writeHead(404, { "Content-Type": "application/json" });
      response.end('{"error":{"code":404,"message":"no such method","status":"NOT_FOUND"}}');
      return;
    }
    this.requests.push(JSON.parse(Buffer.concat(chunks).toString("utf8")));
    await this.#answer(response, this.script.shift() ?? [text("Nothing is scripted.")]);
  }

  async #answer(response, steps) {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.flushHeaders();
    for (const [index, step] of steps.entries()) {
      if (step instanceof Gate) {
        step.arrive();
        await step.opened;
      } else if (!response.destroyed) {
        const last = index === steps.length - 1;
        response.write(`data: ${JSON.stringify(event(step, last))}\r\n\r\n`);
      }
    }
    // A gate at the end leaves the answer without its finish reason.
    if (!(steps.at(-1) instanceof Gate)) response.end();
  }
}

function event(part, last) {
  const content = { role: "model", parts: [part] };
  return {
    candidates: [{ content, ...(last && { finishReason: "STOP" }) }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  };
}

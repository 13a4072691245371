// SPDX-License-Identifier: MIT
// A scripted Gemini on loopback: answers in order and keeps what it was sent. A promise among the
// parts of an answer holds its stream until it is settled.

import { LoopbackServer } from "./loopback_server.mjs";

// Each answer is an array of parts.
export class GeminiServer extends LoopbackServer {
  paths = []; // of the requests
  failures = []; // statuses that the next requests are answered with

  expect(script) {
    super.expect(script);
    this.paths.length = 0;
  }

  async answer(request, body, response) {
    this.requests.push(JSON.parse(body));
    this.paths.push(request.url);
    if (this.failures.length > 0) {
      const code = this.failures.shift();
      response.writeHead(code, { "Content-Type": "application/json" });
      return response.end(JSON.stringify({ error: { code, status: "INVALID_ARGUMENT", message: "invalid" } }));
    }
    const parts = this.script.shift() ?? [{ text: "nothing is scripted" }];
    const gone = new Promise((done) => response.on("close", done));
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const [index, part] of parts.entries()) {
      if (part instanceof Promise) {
        await Promise.race([part, gone]);
        continue;
      }
      const last = index === parts.length - 1;
      const event = {
        candidates: [{ content: { role: "model", parts: [part] }, ...(last && { finishReason: "STOP" }) }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
      };
      response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
    }
    response.end();
  }
}

export const call = (name, args) => ({ functionCall: { name, args }, thoughtSignature: "c2ln" });

// Every text of a request's contents, in order.
export const texts = (contents) =>
  contents.flatMap((content) => content.parts.map((part) => part.text).filter(Boolean));

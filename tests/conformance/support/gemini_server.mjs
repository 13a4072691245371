// SPDX-License-Identifier: MIT
// A scripted Gemini on loopback: answers in order and keeps what it was sent.

import { LoopbackServer } from "./loopback_server.mjs";

// Each answer is an array of parts.
export class GeminiServer extends LoopbackServer {
  answer(_request, body, response) {
    this.requests.push(JSON.parse(body));
    const parts = this.script.shift() ?? [{ text: "nothing is scripted" }];
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const [index, part] of parts.entries()) {
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

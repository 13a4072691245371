// SPDX-License-Identifier: MIT
// A Gemini on loopback for several conversations at once: each is known by the text it begins with,
// and has a script of its own. An answer may be a function, which may wait.

import { LoopbackServer } from "./loopback_server.mjs";

export class TaskServer extends LoopbackServer {
  working = 0; // requests that wait for their answer
  mostWorking = 0;

  // {"words of a prompt": [answer, answer, …]}; an answer is an array of parts, or a function of
  // the request that returns one.
  expect(tasks) {
    super.expect(Object.entries(tasks).map(([words, answers]) => ({ words, answers: [...answers] })));
    this.mostWorking = 0;
  }

  async answer(_request, body, response) {
    const request = JSON.parse(body);
    this.requests.push(request);
    const begin = request.contents[0].parts.map((part) => part.text ?? "").join("\n");
    const task = this.script.find((one) => begin.includes(one.words));
    const answer = task?.answers.shift() ?? [{ text: "nothing is scripted" }];
    this.mostWorking = Math.max(this.mostWorking, ++this.working);
    const gone = new Promise((done) => response.on("close", done));
    const parts = typeof answer === "function" ? await Promise.race([answer(request), gone]) : answer;
    this.working--;
    if (!parts) return; // nobody reads it any more
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

  // The requests of the conversation that begins so.
  of(words) {
    return this.requests.filter((request) =>
      request.contents[0].parts.some((part) => part.text?.includes(words)));
  }
}

// Opens when so many have come to it.
export class Gate {
  constructor(needed) {
    this.needed = needed;
    this.opened = new Promise((open) => (this.open = open));
  }

  async pass() {
    if (--this.needed <= 0) this.open();
    await this.opened;
  }
}

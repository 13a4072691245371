// SPDX-License-Identifier: MIT
// What scripted servers on loopback share: a port of their own, a script, and what they were sent.

import { createServer } from "node:http";

export class LoopbackServer {
  requests = [];
  script = []; // one answer for each request

  async start() {
    this.server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => this.answer(request, body, response));
    });
    await new Promise((done) => this.server.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }

  // What the next turns are answered with; forgets what was sent before.
  expect(script) {
    this.script = script;
    this.requests.length = 0;
  }
}

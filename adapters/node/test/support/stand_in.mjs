#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// A program that does what the test's STAND_IN says: a list of steps in JSON. For what the real one
// never does (bad lines), does not do on demand (speed), or cannot do yet (commands).

import { closeSync, readFileSync, writeSync } from "node:fs";

const steps = {
  // Lines with a rising number, as fast as they are taken.
  count: (lines, padding = 0) => {
    const tail = `","padding":"${"x".repeat(padding)}"}\n`;
    let block = "";
    for (let number = 0; number < lines; ++number) {
      block += `{"type":"system","subtype":"count","number":${number},"id":"${number}${tail}`;
      if (block.length > 60_000 || number === lines - 1) {
        write(1, block);
        block = "";
      }
    }
  },
  result: () => write(1, '{"type":"result","subtype":"success","is_error":false,"result":"ok"}\n'),
  out: (text) => write(1, text),
  err: (text) => write(2, text),
  // Byte for byte, each in a write of its own.
  slowly: (text) => Buffer.from(text).forEach((byte) => write(1, Buffer.from([byte]))),
  argv: () => write(1, `${JSON.stringify({ type: "argv", argv: process.argv.slice(2) })}\n`),
  env: (name) => write(1, `${JSON.stringify({ type: "env", value: process.env[name] ?? null })}\n`),
  echo: () => write(1, readFileSync(0)),
  closeOutput: () => closeSync(1),
  // Answers by the first words of the command line.
  commands: (answers) => {
    const words = process.argv.slice(2).join(" ");
    const known = Object.keys(answers).find((start) => words.startsWith(start));
    const { out = "", err = "", code = 0 } = known === undefined ? { code: 2 } : answers[known];
    write(1, out);
    write(2, err);
    process.exitCode = code;
  },
  exit: (code) => process.exit(code),
  die: (signal) => process.kill(process.pid, signal),
  wait: () => setInterval(() => {}, 1000),
};

function write(descriptor, data) {
  let rest = Buffer.from(data);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

for (const [name, ...given] of JSON.parse(process.env.STAND_IN ?? "[]")) steps[name](...given);

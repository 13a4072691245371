// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { LineSplitter } = require("../src/line_splitter.js");

const CAP = 64;

// The lines of `bytes`, given in pieces that end at each of `cuts`.
function split(bytes, cuts = [], cap = CAP) {
  const splitter = new LineSplitter(cap);
  const lines = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    lines.push(...splitter.push(bytes.subarray(from, cut)));
    from = cut;
  }
  return [...lines, ...splitter.end()];
}

const texts = (...all) => all.map((text) => ({ text }));

test("every cut gives the same lines, also inside of a character", () => {
  const bytes = Buffer.from('{"a":"w\u00f6rld \u{1f600}"}\r\n\n{"b":"\u2028"}\nlast', "utf8");
  const whole = split(bytes);
  assert.deepEqual(whole, texts('{"a":"w\u00f6rld \u{1f600}"}', "", '{"b":"\u2028"}', "last"));
  for (let one = 0; one <= bytes.length; ++one) {
    for (let two = one; two <= bytes.length; ++two) {
      assert.deepEqual(split(bytes, [one, two]), whole, `cut at ${one} and ${two}`);
    }
  }
  const everywhere = [...bytes.keys()];
  assert.deepEqual(split(bytes, everywhere), whole);
});

test("a byte order mark is no part of the first line", () => {
  assert.deepEqual(split(Buffer.from("\ufeffa\n\ufeffb\n")), texts("a", "\ufeffb"));
});

test("a line beyond the cap is reported with its size, and the next one is read", () => {
  const bytes = Buffer.from(`${"x".repeat(CAP)}\n${"y".repeat(500)}\nshort\n`);
  const expected = [
    { text: "x".repeat(CAP) },
    { tooLong: 500, start: "y".repeat(CAP) },
    { text: "short" },
  ];
  assert.deepEqual(split(bytes), expected);
  assert.deepEqual(split(bytes, [...bytes.keys()]), expected);
});

test("a last line beyond the cap is reported, too", () => {
  assert.deepEqual(split(Buffer.alloc(1000, "z")), [{ tooLong: 1000, start: "z".repeat(CAP) }]);
});

test("of a line without an end only the beginning is kept", () => {
  const splitter = new LineSplitter(1024);
  const piece = Buffer.alloc(1024 * 1024, "x");
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 200; ++i) splitter.push(Buffer.from(piece));
  assert.ok(process.memoryUsage().arrayBuffers - before < 100 * 1024 * 1024);
  assert.deepEqual(splitter.end(), [{ tooLong: 200 * 1024 * 1024, start: "x".repeat(120) }]);
});

// SPDX-License-Identifier: MIT
// Says how often it is interrupted, until its input ends.
let count = 0;
process.on("SIGINT", () => {
  count += 1;
  console.log("SIGINT");
});
process.stdin.resume();
process.stdin.on("end", () => {
  console.log(`${count} in all`);
  process.exit();
});
console.log("ready");

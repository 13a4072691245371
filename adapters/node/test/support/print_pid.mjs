// SPDX-License-Identifier: MIT
// Says its number and waits. Its input and output are somebody else's than its parent's, so it does
// not notice that its parent is gone.
console.log(process.pid);
setInterval(() => {}, 1000);

// SPDX-License-Identifier: MIT
// Makes this Node one that cannot become another program.
delete process.execve;

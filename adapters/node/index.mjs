// SPDX-License-Identifier: MIT
// The same objects as index.js: there is one list of running programs, however it is loaded.
import yumeCli from "./index.js";

export const {
  ShimAdapter,
  YumeCliError,
  binaryPath,
  detectCli,
  execute,
  getCapabilities,
  loadMessages,
  readEvents,
  version,
} = yumeCli;

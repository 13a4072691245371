// SPDX-License-Identifier: MIT
// Compiled only: what a host in TypeScript writes, as a CommonJS module.
import yumeCli = require("yume-cli");

const path: string = yumeCli.binaryPath({ env: { YUME_CLI_BINARY: "x" } });
const adapter: yumeCli.ShimAdapter = new yumeCli.ShimAdapter({ binary: path, persistent: true });
const args: string[] = adapter.getArgs({ model: "sonnet", permissionMode: "plan" });
// @ts-expect-error there is no such mode
adapter.getArgs({ permissionMode: "yolo" });

export { args };

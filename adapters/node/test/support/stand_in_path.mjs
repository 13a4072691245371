// SPDX-License-Identifier: MIT
import { fileURLToPath } from "node:url";

export const STAND_IN = fileURLToPath(new URL("./stand_in.mjs", import.meta.url));

// The environment that makes it do `steps`.
export const doing = (...steps) => ({ STAND_IN: JSON.stringify(steps) });

// It is a script, which Windows cannot start as a program.
export const NOT_ON_WINDOWS = process.platform === "win32" && "the stand-in is a script";

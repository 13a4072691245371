// SPDX-License-Identifier: MIT
// One turn with agent-cli-sdk's callbacks and result.
"use strict";

const { processArguments, sessionArguments } = require("../arguments.js");
const { YumeCliError } = require("../errors.js");
const { LineReader } = require("../line_reader.js");
const { requirePrompt } = require("../messages.js");
const { givePrompt, promptArguments } = require("../one_shot.js");
const { Program } = require("../program.js");
const { extractJson } = require("./extract_json.js");
const { programPlace, unknownTool } = require("./place.js");
const { promptWithImages } = require("./prompt_with_images.js");
const { textOf, unifiedMessage } = require("./unified_message.js");

/** @typedef {import("../../types").ExecuteOptions} ExecuteOptions */

const TOOLS = ["gemini", "claude"];
const NO_EXIT_CODE = -1; // as agent-cli-sdk has it

// Resolves also when the turn fails (`success` is false then); rejects when there can be no turn:
// no program, a wrong option, or an error thrown by a callback.
/**
 * @param {ExecuteOptions} options
 * @returns {Promise<import("../../types").ExecuteResult<any>>}
 */
async function execute(options) {
  const { tool = "gemini", workingDir = process.cwd() } = options;
  if (!TOOLS.includes(tool)) throw unknownTool("execute a prompt", tool, TOOLS);
  requirePrompt(options.prompt);
  const prompt = await promptWithImages(options.prompt, options.images ?? [], workingDir);
  const run = new Run(options, tool);
  return run.finish({
    ...programPlace(options),
    cwd: workingDir,
    args: [...commandLine(options), ...promptArguments(prompt)],
    prompt,
  });
}

/** @param {ExecuteOptions} options */
function commandLine(options) {
  const { sessionId, resume, toolSettings, dangerouslySkipPermissions } = options;
  const context = {
    model: options.model,
    permissionMode:
      options.permissionMode ?? (dangerouslySkipPermissions ? "bypassPermissions" : undefined),
    systemPrompt: options.systemPrompt,
    appendSystemPrompt: options.appendSystemPrompt,
    allowedTools: toolSettings?.allowedTools,
    disallowedTools: toolSettings?.disallowedTools,
    args: options.mcpConfig?.map((config) => `--mcp-config=${config}`),
    continue: options.continue || (resume && sessionId === undefined),
    ...(resume ? { resume: sessionId } : { sessionId }),
  };
  return [...processArguments(context), ...sessionArguments(context)];
}

class Run {
  #options;
  #tool;
  #started = Date.now();
  #raw = "";
  /** @type {import("../../types").StreamEvent[]} */
  #events = [];
  /** @type {import("../../types").UnifiedMessage[]} */
  #messages = [];
  /** @type {import("../../types").ResultLine | undefined} */
  #result;
  #sessionId = "";
  /** @type {unknown} */
  #thrown; // by a callback

  /**
   * @param {ExecuteOptions} options
   * @param {import("../../types").UnifiedMessage["tool"]} tool
   */
  constructor(options, tool) {
    this.#options = options;
    this.#tool = tool;
  }

  /**
   * @param {object} start
   * @param {string} start.binary
   * @param {string[]} start.args
   * @param {string} start.cwd
   * @param {NodeJS.ProcessEnv} start.env
   * @param {import("../../types").Prompt} start.prompt
   */
  async finish({ prompt, ...start }) {
    const { onStart, onStderr, onError, onClose, timeout } = this.#options;
    const program = new Program({
      ...start,
      onStderr: (chunk) => this.#call(program, onStderr, chunk),
    });
    if (program.pid !== undefined) this.#call(program, onStart, program.child);
    this.#read(program);
    givePrompt(program, prompt);
    let timedOut = false;
    const timer = timeout && setTimeout(() => void ((timedOut = true), program.kill()), timeout);
    const exit = await program.closed;
    clearTimeout(timer);
    if (exit.error !== undefined) {
      this.#call(program, onError, exit.error);
      throw this.#thrown ?? exit.error;
    }
    const error = timedOut ? tooLate(timeout ?? 0) : this.#failure(program, exit);
    if (error instanceof YumeCliError) this.#call(program, onError, error);
    const exitCode = timedOut ? NO_EXIT_CODE : (exit.code ?? NO_EXIT_CODE);
    this.#call(program, onClose, exitCode);
    if (this.#thrown !== undefined) throw this.#thrown;
    return {
      success: error === undefined,
      exitCode,
      sessionId: this.#sessionId,
      duration: Date.now() - this.#started,
      messages: this.#messages,
      data: this.#data(),
      ...(error !== undefined && { error: typeof error === "string" ? error : error.message }),
      process: program.child,
    };
  }

  /** @param {Program} program */
  #read(program) {
    const { onStdout } = this.#options;
    new LineReader(program.stdout, { onLine: (line) => this.#onLine(program, line) });
    if (onStdout === undefined) return;
    // Listens after the reader: the lines of this piece are among the events already.
    program.stdout.on("data", () => {
      const soFar = { raw: this.#raw, events: this.#events, messages: this.#messages };
      this.#call(program, onStdout, soFar);
    });
  }

  /**
   * @param {Program} program
   * @param {import("../line_reader.js").EventLine} line
   */
  #onLine(program, { raw, event }) {
    if (this.#options.onStdout !== undefined) this.#raw += `${raw}\n`;
    this.#events.push(event);
    if (typeof event.session_id === "string") this.#sessionId = event.session_id;
    if (event.type === "result") this.#result = event;
    const message = unifiedMessage(event, this.#tool);
    if (message !== null) this.#messages.push(message);
    this.#call(program, this.#options.onEvent, { raw, event, message });
  }

  // An error of the host's own code must not be lost among the events: the turn ends with it.
  /**
   * @template T
   * @param {Program} program
   * @param {((value: T) => void) | undefined} callback
   * @param {T} value
   */
  #call(program, callback, value) {
    if (callback === undefined || this.#thrown !== undefined) return;
    try {
      callback(value);
    } catch (error) {
      this.#thrown = error ?? new Error("a callback threw nothing");
      void program.kill();
    }
  }

  // undefined: all is well. A text is the turn's own account of what went wrong.
  /**
   * @param {Program} program
   * @param {import("../program.js").Exit} exit
   * @returns {string | YumeCliError | undefined}
   */
  #failure(program, exit) {
    const result = this.#result;
    if (result === undefined) {
      return program.endedEarly(
        exit,
        "the turn had a result",
        "Try again; the session can be resumed",
      );
    }
    if (!result.is_error && exit.code === 0) return undefined;
    const said = result.errors?.join("\n") || result.result || program.stderrText;
    return said || `yume-cli ended with code ${exit.code}`;
  }

  #data() {
    const assistant = this.#messages.filter((message) => message.role === "assistant");
    const text = assistant.map(textOf).filter(Boolean).join("\n");
    if (!this.#options.json) return text;
    return extractJson(this.#result?.result || text) ?? text;
  }
}

/** @param {number} timeout */
function tooLate(timeout) {
  return new YumeCliError("YUME_TIMEOUT", {
    what: "the turn was stopped",
    why: `it took longer than ${timeout} ms`,
    fix: "Raise `timeout`, or ask for less; the session can be resumed",
  });
}

module.exports = { execute };

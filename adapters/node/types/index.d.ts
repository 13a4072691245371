// SPDX-License-Identifier: MIT
/// <reference types="node" />
import type { ChildProcess } from "node:child_process";
import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";

// ---------------------------------------------------------------- the program

/** This package's version, which is also that of the program it installs. */
export const version: string;

export interface BinaryPathOptions {
  /** Where YUME_CLI_BINARY and PATH are looked up. Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Where the yume-cli program is: the file that YUME_CLI_BINARY names, else this system's platform
 * package, else PATH. Throws a `YumeCliError` (`YUME_NOT_FOUND`) that says what to do.
 */
export function binaryPath(options?: BinaryPathOptions): string;

export type YumeCliErrorCode =
  /** There is no program, or YUME_CLI_BINARY names none. */
  | "YUME_NOT_FOUND"
  /** The program is there, but the system did not start it. */
  | "YUME_NOT_STARTED"
  /** An option is wrong. */
  | "YUME_BAD_ARGUMENT"
  /** The session's last turn is not over. */
  | "YUME_BUSY"
  /** The program ended before the turn had a result. */
  | "YUME_NO_RESULT"
  /** The turn took longer than it may. */
  | "YUME_TIMEOUT"
  /** This version of the program does not have the command that was needed. */
  | "YUME_NO_COMMAND"
  /** A command of the program failed. */
  | "YUME_COMMAND_FAILED";

/** Every error of this package. The message says what happened, why, and what to do. */
export class YumeCliError extends Error {
  constructor(
    code: YumeCliErrorCode,
    parts: { what: string; why: string; fix: string; cause?: unknown },
  );
  readonly code: YumeCliErrorCode;
}

// ---------------------------------------------------------------- lines

/** What is on every line of yume-cli. Fields that are not named in a type are there as well. */
export interface Line {
  type: string;
  subtype?: string;
  session_id?: string;
  uuid?: string;
  [field: string]: unknown;
}

export interface SystemLine extends Line {
  type: "system";
  /** `init` is the first line of a turn. */
  subtype: string;
  cwd?: string;
  model?: string;
  tools?: string[];
  permissionMode?: string;
}

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  [field: string]: unknown;
}

export interface MessageLine extends Line {
  message: {
    id?: string;
    role: "user" | "assistant";
    model?: string;
    content: string | ContentBlock[];
    usage?: Usage;
    [field: string]: unknown;
  };
  parent_tool_use_id: string | null;
}

export interface AssistantLine extends MessageLine {
  type: "assistant";
}

export interface UserLine extends MessageLine {
  type: "user";
}

/** The last line of a turn; also of one that failed or was interrupted. */
export interface ResultLine extends Line {
  type: "result";
  subtype: string;
  is_error: boolean;
  result?: string;
  errors?: string[];
  duration_ms: number;
  duration_api_ms: number;
  num_turns: number;
  session_id: string;
  total_cost_usd: number;
  usage: Usage;
  terminal_reason?: string;
}

/** With `includePartialMessages`: a piece of a message as it comes. */
export interface StreamEventLine extends Line {
  type: "stream_event";
  event: { type: string; [field: string]: unknown };
}

/** A question of the program, asked only if flags in `args` allow it to. */
export interface ControlRequestLine extends Line {
  type: "control_request";
  request_id: string;
  request: { subtype: string; [field: string]: unknown };
}

export interface ControlResponseLine extends Line {
  type: "control_response";
  response: {
    subtype: "success" | "error";
    request_id: string;
    response?: unknown;
    error?: string;
  };
}

/** A line that was left out because it is not JSON, or too long. The stream goes on. */
export interface AdapterErrorEvent extends Line {
  type: "adapter_error";
  subtype: "malformed_line" | "line_too_long";
  message: string;
  /** The line's size. */
  bytes: number;
  /** The line's beginning. */
  start: string;
}

/** `type` tells which. Lines of further kinds come as well: leave alone what you do not know. */
export type StreamEvent =
  | SystemLine
  | AssistantLine
  | UserLine
  | ResultLine
  | StreamEventLine
  | ControlRequestLine
  | ControlResponseLine
  | AdapterErrorEvent;

export interface ReadEventsOptions {
  /** Longer lines are reported as `line_too_long`. Default: 8 MiB; yume-cli writes at most 1 MB. */
  maxLineBytes?: number;
}

/**
 * The events of a stdout of yume-cli. Reads no faster than they are taken; never throws for what is
 * on a line. Leaving the loop early destroys the stream.
 */
export function readEvents(
  stdout: Readable,
  options?: ReadEventsOptions,
): AsyncGenerator<StreamEvent, void, undefined>;

// ---------------------------------------------------------------- turns

export interface ContentBlock {
  type: string;
  [field: string]: unknown;
}

/** A text, or blocks of text, images and documents in Anthropic's form. */
export type Prompt = string | ContentBlock[];

export type PermissionMode =
  "default" | "acceptEdits" | "plan" | "bypassPermissions" | "dontAsk" | "auto";

/** What a turn runs in. */
export interface ShimContext {
  /** The working directory of the program and its tools. */
  cwd?: string;
  /** A Gemini model, or a Claude name such as `sonnet`. */
  model?: string;
  /** Go on with this session (the `session_id` of an earlier line). */
  resume?: string;
  /** Go on with the folder's last session. */
  continue?: boolean;
  /** Begin a session under this id, a UUID. */
  sessionId?: string;
  permissionMode?: PermissionMode;
  allowedTools?: string[];
  disallowedTools?: string[];
  systemPrompt?: string;
  appendSystemPrompt?: string;
  addDirs?: string[];
  maxTurns?: number;
  /** Begin with a conversation of Yume, Claude Code or Gemini CLI. */
  historyFile?: string;
  /** The gcloud to take credentials from. */
  gcloudPath?: string;
  /** Also every piece of a message as it comes (`stream_event`). */
  includePartialMessages?: boolean;
  /** Changes to the environment; `undefined` removes a variable. */
  env?: NodeJS.ProcessEnv;
  /** More flags, as they are. */
  args?: string[];
}

export interface ShimOptions {
  /** Keep one process per session between turns. Default: a process per turn. */
  persistent?: boolean;
  /** The program. Default: `binaryPath()`. */
  binary?: string;
  /** Changes to the environment of every process; `undefined` removes a variable. */
  env?: NodeJS.ProcessEnv;
  /** Longer lines are reported as `line_too_long`. Default: 8 MiB. */
  maxLineBytes?: number;
  /** Ends a kept process that had nothing to do for so long. Default: 15 minutes. */
  idleTimeoutMs?: number;
}

/** How a turn ended, as if it had a process of its own. */
export interface TurnExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One turn: iterate over its events, or wait for its result, or both. */
export interface Turn extends AsyncIterable<StreamEvent> {
  /** Leaving the loop early stops the turn. Throws only when the program could not be started. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void, undefined>;
  /** Known from the turn's first line on. */
  readonly sessionId: string | undefined;
  readonly exit: Promise<TurnExit>;
  /**
   * The turn's last line; reads the other ones if nobody does. A turn that failed resolves as well
   * (`is_error`); rejects with `YUME_NO_RESULT` if the program ended without a result.
   */
  result(): Promise<ResultLine>;
  /**
   * Asks for the end of the turn, whose result then still comes. With a process per turn this kills
   * the process on Windows, which has no such signal.
   */
  interrupt(): Promise<void>;
  /**
   * Ends the process with all that it has started. The session can be resumed if its id is known,
   * which it is from its first line on.
   */
  kill(): Promise<void>;
}

/** The part of a ChildProcess that hosts use. */
export interface TurnProcess extends EventEmitter {
  readonly pid?: number | undefined;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly killed: boolean;
  kill(signal?: NodeJS.Signals | number): boolean;
}

/** A session whose process is kept. One turn at a time. */
export interface Session {
  /** Known from the first turn's first line on. */
  readonly id: string | undefined;
  /** A turn is not over. */
  readonly busy: boolean;
  /** Of the process; undefined while there is none. */
  readonly pid: number | undefined;
  /** Throws `YUME_BUSY` while a turn is not over. Starts the process again if it has ended. */
  send(prompt: Prompt): Turn;
  /** Ends the turn, not the session. */
  interrupt(): Promise<void>;
  /** Writes a line of stream-json, such as the answer to a question. */
  write(message: object): void;
  /** Returns how to stop listening. */
  listenToStderr(listener: (chunk: string) => void): () => void;
  /** Ends the process after its turn. `send()` can start it again. */
  close(): Promise<void>;
  /** Ends the process at once, with all that it has started. */
  kill(): Promise<void>;
}

/** yume-cli for a server that starts Claude Code and reads its lines. */
export class ShimAdapter {
  constructor(options?: ShimOptions);
  /** The command line of a turn. The prompt is not part of it: it goes to stdin. */
  getArgs(context?: ShimContext): string[];
  /**
   * A turn as a process. With `persistent` the process is the session's, and the object only looks
   * like one: "close" comes with the end of the turn, `kill("SIGINT")` ends the turn.
   */
  spawn(prompt: Prompt, context?: ShimContext): TurnProcess;
  /** A turn as events. */
  run(prompt: Prompt, context?: ShimContext): Turn;
  /** The session of a context with its process, which is started if there is none. */
  session(context?: ShimContext): Session;
  /** The event of one line; null for a blank one. Never throws. */
  parseOutput(line: string | Uint8Array): StreamEvent | null;
  /** Ends the processes of all sessions, each after its turn. */
  close(): Promise<void>;
}

// ---------------------------------------------------------------- agent-cli-sdk's functions

export type AgentType = "claude" | "codex" | "gemini" | "cursor";

export type UnifiedContent =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_use_id: string; content?: unknown; is_error?: boolean }
  | { type: "slash_command"; command: string; message?: string; args?: string }
  | { type: "image"; source: { type: "base64"; data: string; media_type: string } };

export interface UnifiedUsage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cacheCreationTokens?: number;
  cacheReadTokens?: number;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

export interface UnifiedMessage {
  id: string;
  role: "user" | "assistant" | "system";
  content: string | UnifiedContent[];
  /** Milliseconds since 1970. */
  timestamp: number;
  tool: AgentType;
  model?: string;
  usage?: UnifiedUsage;
  /** What the message was made of, untouched. */
  _original: unknown;
}

export interface CommandOptions {
  /** The program. Default: `binaryPath()`. */
  binary?: string;
  /** Changes to the environment; `undefined` removes a variable. */
  env?: NodeJS.ProcessEnv;
}

export interface LoadMessagesOptions extends CommandOptions {
  /** Whose session it is. Default: found out. */
  tool?: "gemini" | "claude" | "yume";
  /** Default: the project's newest. */
  sessionId?: string;
  /** Default: the current directory. */
  projectPath?: string;
  /** The session's file, instead of looking for it. */
  sessionPath?: string;
}

/** The messages of a stored session (`yume-cli sessions convert`). */
export function loadMessages(options?: LoadMessagesOptions): Promise<UnifiedMessage[]>;

/** Where an agent's program is; null if it is not installed (`yume-cli detect`). */
export function detectCli(agent?: AgentType, options?: CommandOptions): Promise<string | null>;

export interface AgentCapabilities {
  supportsSlashCommands: boolean;
  supportsModels: boolean;
  models: { id: string; name: string }[];
  supportsWebSearch: boolean;
  supportsThinking: boolean;
  installed: boolean;
  cliPath?: string;
}

/** What an agent can do (`yume-cli capabilities`). */
export function getCapabilities(
  agent?: AgentType,
  options?: CommandOptions,
): Promise<AgentCapabilities>;

export interface ExecuteOptions extends CommandOptions {
  prompt: string;
  /** Makes no difference to the turn; it is the `tool` of the messages. Default: gemini. */
  tool?: "gemini" | "claude";
  workingDir?: string;
  /** Milliseconds. Default: none. */
  timeout?: number;
  /** With `resume`: the session to go on with. Else: the id of the new one, a UUID. */
  sessionId?: string;
  resume?: boolean;
  continue?: boolean;
  model?: string;
  permissionMode?: PermissionMode;
  dangerouslySkipPermissions?: boolean;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  mcpConfig?: string[];
  toolSettings?: { allowedTools?: string[]; disallowedTools?: string[] };
  /** Relative to `workingDir`. */
  images?: { path: string }[];
  /** `data` is the JSON value in the answer. */
  json?: boolean;
  /** Accepted, without effect: nothing is logged. */
  verbose?: boolean;
  onStart?: (process: ChildProcess) => void;
  onEvent?: (data: { raw: string; event: StreamEvent; message: UnifiedMessage | null }) => void;
  /** All output so far. */
  onStdout?: (data: { raw: string; events: StreamEvent[]; messages: UnifiedMessage[] }) => void;
  onStderr?: (chunk: string) => void;
  /** The program could not be started, took too long, or ended without a result. */
  onError?: (error: Error) => void;
  onClose?: (exitCode: number) => void;
}

export interface ExecuteResult<T = string> {
  success: boolean;
  /** -1: it had none. */
  exitCode: number;
  sessionId: string;
  /** Milliseconds. */
  duration: number;
  messages: UnifiedMessage[];
  /** The answer's text, or with `json` the value in it (the text if there is none). */
  data: T;
  /** Why it was no success. */
  error?: string;
  process: ChildProcess;
}

/**
 * Runs one turn. Resolves also when the turn fails; rejects when there can be none: no program, a
 * wrong option, or an error thrown by a callback, which ends the turn.
 */
export function execute<T = string>(options: ExecuteOptions): Promise<ExecuteResult<T>>;

// SPDX-License-Identifier: MIT
// An `assistant` or `user` line as agent-cli-sdk's UnifiedMessage.
"use strict";

/** @typedef {import("../../types").UnifiedContent} UnifiedContent */

// null: the event is no message.
/**
 * @param {import("../../types").StreamEvent} event
 * @param {import("../../types").UnifiedMessage["tool"]} tool
 * @returns {import("../../types").UnifiedMessage | null}
 */
function unifiedMessage(event, tool) {
  if (event.type !== "assistant" && event.type !== "user") return null;
  const { message } = event;
  if (typeof message !== "object" || message === null) return null;
  return {
    id: event.uuid ?? message.id ?? "",
    role: message.role,
    content: contentOf(message.content),
    timestamp: Date.now(),
    tool,
    ...(message.model !== undefined && { model: message.model }),
    ...(message.usage !== undefined && { usage: usageOf(message.usage) }),
    _original: event,
  };
}

/**
 * @param {unknown} content
 * @returns {string | UnifiedContent[]}
 */
function contentOf(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap(blocksOf) : [];
}

// Only kinds that readers of unified messages know.
/**
 * @param {any} block
 * @returns {UnifiedContent[]}
 */
function blocksOf(block) {
  switch (block?.type) {
    case "text":
      return [{ type: "text", text: block.text ?? "" }];
    case "thinking":
      return [{ type: "thinking", thinking: block.thinking ?? "" }];
    case "tool_use":
      return [{ type: "tool_use", id: block.id, name: block.name, input: block.input ?? {} }];
    case "tool_result": {
      const { tool_use_id, content, is_error } = block;
      return [
        { type: "tool_result", tool_use_id, content, ...(is_error !== undefined && { is_error }) },
      ];
    }
    case "image":
      return [{ type: "image", source: block.source }];
    default:
      return [];
  }
}

// Both spellings: one is in its readers' code, the other in its documents.
/** @param {import("../../types").Usage} usage */
function usageOf(usage) {
  const { input_tokens = 0, output_tokens = 0 } = usage;
  const total_tokens = input_tokens + output_tokens;
  return {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    totalTokens: total_tokens,
    cacheCreationTokens: usage.cache_creation_input_tokens ?? 0,
    cacheReadTokens: usage.cache_read_input_tokens ?? 0,
    input_tokens,
    output_tokens,
    total_tokens,
  };
}

// The text of a message, without thoughts and tools.
/** @param {import("../../types").UnifiedMessage} message */
function textOf({ content }) {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

module.exports = { unifiedMessage, textOf };

# SPDX-License-Identifier: MIT
"""What a session file of Gemini CLI comes to, and what a unified message of it must look like:
written from the formats' rules, apart from the program, to check it."""

import datetime
import json

NOTES = {"info", "error", "warning"}


def apply_log(text):
    """The messages of a file of any version, as its own program reads it."""
    try:
        whole = json.loads(text)
        if isinstance(whole, dict) and "messages" not in whole and "projectHash" not in whole:
            return [whole]
        if isinstance(whole, dict) and "messages" in whole:
            return whole["messages"]
    except ValueError:
        pass
    messages, erased = {}, {}
    for line in text.split("\n"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if "$rewindTo" in entry:
            ids = list(messages)
            at = ids.index(entry["$rewindTo"]) if entry["$rewindTo"] in messages else 0
            messages = {one: messages[one] for one in ids[:at]}
        elif "id" in entry:
            messages[entry["id"]] = entry
        else:
            news = entry.get("$set", entry).get("messages")
            if news is not None:
                if any(map(is_real, messages.values())):
                    erased = messages
                messages = {message["id"]: message for message in news}
    if not any(map(is_real, messages.values())) and erased:
        messages = erased
    return list(messages.values())


def parts(message):
    content = message.get("content", "")
    content = content if isinstance(content, list) else [content]
    return [{"text": part} if isinstance(part, str) else part for part in content]


def text_of(message):
    return "".join(part.get("text", "") for part in parts(message) if not part.get("thought"))


def is_context(text):
    return text.strip() == "" or text.lstrip().startswith(("<session_context>", "<hook_context>"))


def is_real(message):
    return message["type"] == "gemini" or (
        message["type"] == "user" and not is_context(text_of(message)))


def is_left_out(message):
    if message["type"] in NOTES:
        return True
    if message["type"] != "user":
        return False
    only_results = all("functionResponse" in part for part in parts(message))
    return only_results or is_context(text_of(message))


def names_of(call):
    """The name and input that a reader of unified messages gets."""
    args = call.get("args") or {}
    pick = lambda **fields: {name: args[given] for name, spellings in fields.items()
                             for given in [next((s for s in spellings if s in args), None)] if given}
    match call["name"]:
        case "read_file":
            return "Read", pick(file_path=["absolute_path", "file_path"])
        case "write_file":
            return "Write", pick(file_path=["file_path"], content=["content"])
        case "replace":
            return "Edit", pick(file_path=["file_path"], old_string=["old_string"],
                                new_string=["new_string"])
        case "list_directory":
            return "Glob", {"pattern": "*", **pick(path=["path", "dir_path"])}
        case "run_shell_command":
            return "Bash", pick(command=["command"], description=["description"])
        case "google_web_search":
            return "WebSearch", args
        case "write_todos":
            return "write_todos", {**args, "todos": settled(args.get("todos", []))}
    return call["name"], args


def settled(todos):
    """One rule for all hosts: a task that is given up is done, one that waits is to be done."""
    statuses = {"cancelled": "completed", "blocked": "pending"}
    return [{**todo, "status": statuses.get(todo["status"], todo["status"])}
            for todo in todos if todo["description"].strip()]


def result_of(call):
    """(content, is_error) of a call that has a result; None without one."""
    result = call.get("result")
    if not result:
        return None
    if isinstance(result, str):
        return result, call.get("status") in ("error", "cancelled")
    response = result[0]["functionResponse"]["response"]
    failed = call.get("status") in ("error", "cancelled") or "error" in response
    return response.get("output") or response.get("error") or "", failed


def milliseconds(time):
    moment = datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
    return round(moment.timestamp() * 1000)


def expected_blocks(message):
    """Those of a message whose calls are all in `toolCalls`."""
    blocks = [{"type": "thinking", "thinking": f"{one['subject']}: {one['description']}"}
              for one in message.get("thoughts") or []]
    if not blocks:
        blocks = [{"type": "thinking", "thinking": part["text"]} for part in parts(message)
                  if part.get("thought")]
    for call in message.get("toolCalls") or []:
        name, given = names_of(call)
        blocks.append({"type": "tool_use", "id": call["id"], "name": name, "input": given})
        result = result_of(call)
        if result is not None:
            blocks.append({"type": "tool_result", "tool_use_id": call["id"], "content": result[0],
                           "is_error": result[1]})
    text = text_of(message)
    if text.strip():
        blocks.append({"type": "text", "text": text})
    return blocks

"""An MCP server with one tool, in as few lines as there can be."""
import json
import sys

TOOL = {"name": "weather", "description": "The weather of a town",
        "inputSchema": {"type": "object", "properties": {"town": {"type": "string"}},
                        "required": ["town"]}}
for line in sys.stdin:
    message = json.loads(line)
    method = message["method"]
    if "id" not in message:
        continue
    if method == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"],
                  "capabilities": {"tools": {}}, "serverInfo": {"name": "w", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [TOOL]}
    else:
        town = message["params"]["arguments"]["town"]
        result = {"content": [{"type": "text", "text": "Rain in " + town}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)

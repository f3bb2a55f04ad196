"""A small MCP server over standard streams, in plain JSON lines: each mode has one bad habit."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"

ANY: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}}
LOOP = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/Node"}},
    "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
}
SCHEMAS: dict[str, Any] = {
    "empty": {},
    "union": {"type": ["object", "null"], "properties": {"a": {"type": "string"}}},
    "required": {"type": "object", "required": ["gone"]},
    "loop": LOOP,
    "array": {"type": "array"},
}


def tools() -> list[dict[str, Any]]:
    if MODE == "schemas":
        return [{"name": name, "inputSchema": schema} for name, schema in SCHEMAS.items()]
    if MODE == "names":
        return [{"name": name, "inputSchema": ANY} for name in ("a.b", "a_b", "read_file", "x" * 100)]
    return [
        {"name": "echo", "description": "Says it again.", "inputSchema": ANY},
        {"name": "look", "inputSchema": ANY, "annotations": {"readOnlyHint": True}},
        {"name": "slow", "inputSchema": ANY},
        {"name": "fail", "inputSchema": ANY},
        {"name": "die", "inputSchema": ANY},
    ]


def say(message: dict[str, Any]) -> None:
    if MODE == "chatty":
        print("Server started", flush=True)
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def called(params: dict[str, Any]) -> dict[str, Any]:
    name, text = params["name"], str(params.get("arguments", {}).get("text", ""))
    if name == "slow":
        signal.pause()
    if name == "die":
        os._exit(3)
    return {"content": [{"type": "text", "text": f"{name}: {text}"}], "isError": name == "fail"}


def main() -> None:
    if MODE == "silent":
        signal.pause()
    print(f"about to serve, pid {os.getpid()}", file=sys.stderr, flush=True)
    if MODE == "exits":
        print("no licence found", file=sys.stderr, flush=True)
        sys.exit(1)
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if number is None:
            continue
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            info = {"name": "fake", "version": "1"}
            say(
                {
                    "id": number,
                    "result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info},
                }
            )
        elif method == "tools/list":
            say({"id": number, "result": {"tools": tools()}})
        elif method == "tools/call":
            say({"id": number, "result": called(message["params"])})
        else:
            say({"id": number, "error": {"code": -32601, "message": "no such method"}})


main()

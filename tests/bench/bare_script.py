"""What the program is measured against: one turn of one answer's commands, bare threads on the same SDK."""

import json
import subprocess
import sys
import threading
from typing import Any

from openai import OpenAI


def ask(client: OpenAI, messages: list[Any]) -> list[Any]:
    calls: dict[int, dict[str, Any]] = {}
    for chunk in client.chat.completions.create(model="scripted-1", messages=messages, stream=True):
        for piece in (chunk.choices[0].delta.tool_calls or []) if chunk.choices else []:
            empty = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
            call = calls.setdefault(piece.index, empty)
            call["id"] += piece.id or ""
            if piece.function:
                call["function"]["name"] += piece.function.name or ""
                call["function"]["arguments"] += piece.function.arguments or ""
    return list(calls.values())


def run(call: Any, results: dict[str, str]) -> None:
    command = json.loads(call["function"]["arguments"])["command"]
    words = ["bash", "-c", command]
    results[call["id"]] = subprocess.run(words, capture_output=True, text=True, check=False).stdout


client = OpenAI(base_url=sys.argv[1], api_key="none")
messages: list[Any] = [{"role": "user", "content": "go"}]
while calls := ask(client, messages):
    results: dict[str, str] = {}
    threads = [threading.Thread(target=run, args=(call, results)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    messages += [{"role": "assistant", "content": "", "tool_calls": calls}]
    messages += [{"role": "tool", "tool_call_id": c["id"], "content": results[c["id"]]} for c in calls]

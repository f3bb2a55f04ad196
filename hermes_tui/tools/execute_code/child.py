"""Runs in the child process: sets its limits, offers the tools as functions, then runs the code.

Started as `python -I child.py SOCKET CODE TOOLS SHUT-IN`. Uses nothing but the standard library.
"""

import json
import pathlib
import resource
import socket
import sys
import threading
import types

LIMITS = {
    resource.RLIMIT_AS: 4_000_000_000,
    resource.RLIMIT_CPU: 300,
    resource.RLIMIT_FSIZE: 1_000_000_000,
    resource.RLIMIT_NOFILE: 512,
    resource.RLIMIT_CORE: 0,
}
"""Bytes, seconds, bytes, files, bytes."""
PROCESSES = 512
"""Processes and threads, where the user's own are not counted with them."""


class ToolFailed(Exception):
    """A tool's call failed; the text says how to do it right."""


def limit(shut_in: bool) -> None:
    """Set the limits of this process and of what it starts."""
    for what, most in {**LIMITS, **({resource.RLIMIT_NPROC: PROCESSES} if shut_in else {})}.items():
        _, hard = resource.getrlimit(what)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, allowed))


def tools(path: str, names: list[str]) -> types.ModuleType:
    """Return a module with one function a tool."""
    channel = socket.socket(socket.AF_UNIX)
    channel.connect(path)
    stream = channel.makefile("rwb")
    lock = threading.Lock()

    def caller(name: str) -> object:
        def call(**arguments: object) -> str:
            with lock:
                stream.write(json.dumps({"name": name, "arguments": arguments}).encode() + b"\n")
                stream.flush()
                answer = json.loads(stream.readline() or b'{"ok": false, "content": "the program has ended"}')
            if not answer["ok"]:
                raise ToolFailed(answer["content"])
            return str(answer["content"])

        call.__name__ = name
        return call

    module = types.ModuleType("tools")
    for name in names:
        setattr(module, name, caller(name))
    module.ToolFailed = ToolFailed  # type: ignore[attr-defined]  # a module made here takes any name
    return module


def main() -> None:
    """Run the code in a module of its own."""
    where, code, names, shut_in = sys.argv[1:5]
    sys.modules["tools"] = tools(where, names.split(","))
    limit(shut_in == "1")
    sys.argv = [code]
    sys.path.insert(0, "")
    compiled = compile(pathlib.Path(code).read_bytes(), "code.py", "exec")
    exec(compiled, {"__name__": "__main__", "__file__": "code.py"})  # noqa: S102  the tool's purpose, asked for


main()

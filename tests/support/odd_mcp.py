"""An MCP server that misbehaves on request: a script of its own, with nothing but the language.

`odd_mcp.py FOLDER [mute | late | dying | shouting | stubborn]`. It notes its process id and what
it was told to cancel in the folder. A `late` one does not answer before there is a file `go` in it;
with a file `dead` in it every one dies at its start. A `stubborn` one outlives its input.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
MANNER = sys.argv[2] if len(sys.argv) > 2 else ""

TOOLS: dict[str, dict[str, Any]] = {
    "echo": {"annotations": {"readOnlyHint": True}},
    "write": {"annotations": {"idempotentHint": True, "openWorldHint": False}},
    "post": {},
    "die": {"annotations": {"readOnlyHint": True}},
    "die_for_good": {},
    "hang": {"annotations": {"readOnlyHint": True}},
    "grow": {"annotations": {"readOnlyHint": True}},
    "shrink": {"annotations": {"readOnlyHint": True}},
    "garble": {"annotations": {"readOnlyHint": True}},
    "big": {"annotations": {"readOnlyHint": True}},
    "env": {"annotations": {"readOnlyHint": True}},
    "fail": {"annotations": {"readOnlyHint": True}},
    "refuse": {"annotations": {"readOnlyHint": True}},
    "child": {"annotations": {"readOnlyHint": True}},
    "we.ird/na me": {"annotations": {"readOnlyHint": True}},
    "x" * 100: {"annotations": {"readOnlyHint": True}},
}


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": said}], **more}


def listed() -> dict[str, Any]:
    tools = [
        {"name": name, "description": f"does {name}", "inputSchema": {"type": "object"}, **more}
        for name, more in TOOLS.items()
    ]
    return {"tools": tools}


def changed() -> None:
    send({"method": "notifications/tools/list_changed"})


def call(number: Any, name: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
    match name:
        case "die" | "die_for_good":
            os._exit(1)
        case "hang":
            print(f"hanging on {number}", file=sys.stderr, flush=True)
            (FOLDER / "hanging").write_text(str(number))
            return None
        case "grow":
            TOOLS["grown"] = {}
            changed()
        case "shrink":
            TOOLS.pop("grown", None)
            changed()
        case "garble":
            print("this is no JSON at all\n{]", flush=True)
        case "big":
            return text("long " * 40_000)
        case "env":
            return text(json.dumps(dict(os.environ)))
        case "fail":
            return text("it went wrong", isError=True)
        case "child":
            child = os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "1000")
            return text(str(child))
        case _:
            pass
    return text(json.dumps(arguments))


def answer(message: dict[str, Any]) -> dict[str, Any] | None:
    params = message.get("params") or {}
    match message["method"]:
        case "initialize":
            return {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "odd", "version": "1"},
            }
        case "tools/list":
            return listed()
        case "tools/call":
            return call(message["id"], params["name"], params.get("arguments") or {})
        case _:
            return {}


def hear(message: dict[str, Any]) -> None:
    if message["method"] == "notifications/cancelled":
        (FOLDER / "cancelled").write_text(str(message["params"]["requestId"]))
        return
    if "id" not in message:
        return
    if message["method"] == "tools/call" and message["params"]["name"] == "refuse":
        send({"id": message["id"], "error": {"code": -32602, "message": "not like this"}})
        return
    result = answer(message)
    if result is not None:
        send({"id": message["id"], "result": result})


def main() -> None:
    with (FOLDER / "pids").open("a") as file:
        file.write(f"{os.getpid()}\n")
    if MANNER == "dying" or (FOLDER / "dead").exists():
        print("there is no database at sesame-open-123456", file=sys.stderr)
        sys.exit(3)
    if MANNER == "shouting":
        print("Welcome to the odd server!\n\n", flush=True)
    while MANNER == "late" and not (FOLDER / "go").exists():
        time.sleep(0.01)
    for line in sys.stdin:
        if MANNER != "mute":
            hear(json.loads(line))
    while MANNER == "stubborn":
        time.sleep(1)


if __name__ == "__main__":
    main()

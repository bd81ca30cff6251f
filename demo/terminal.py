"""The terminal chat as a picture: what a real terminal shows of it, as an SVG without fonts."""

import asyncio
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from demo.stage import Server

WIDTH, HEIGHT = 100, 34
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


async def picture(server: Server, folder: Path, asked: str) -> str:
    """`asked` is said in a chat of its own; the SVG shows the screen once nothing moves."""
    socket = str(folder / "tmux")
    variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in server.env.items())
    chat = f"env {variables} COLORTERM=truecolor {sys.executable} -m angelia chat"
    _tmux(socket, "-f", "/dev/null", "new-session", "-d", "-x", str(WIDTH), "-y", str(HEIGHT), chat)
    try:
        await _settled(socket)
        _tmux(socket, "send-keys", "-l", asked)
        _tmux(socket, "send-keys", "Enter")
        return svg(await _settled(socket))
    finally:
        _tmux(socket, "kill-server")


async def _settled(socket: str) -> str:
    """The screen with its colours, once it has been the same for two seconds."""
    seen, since = "", 0
    for _ in range(120):
        await asyncio.sleep(0.25)
        now = _tmux(socket, "capture-pane", "-e", "-p")
        since = since + 1 if now == seen and now.strip() else 0
        seen = now
        if since == 8:
            break
    return seen


def svg(screen: str) -> str:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen.rstrip()))
    drawn = console.export_svg(title="angelia chat", unique_id="chat")
    return FONT.sub("", drawn).replace("Fira Code", "ui-monospace")


def _tmux(socket: str, *words: str) -> str:
    ran = subprocess.run(["tmux", "-S", socket, *words], capture_output=True, text=True, check=True)
    return ran.stdout

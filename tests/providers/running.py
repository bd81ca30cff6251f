"""Model servers that others wrote, as processes: llama.cpp with a small model, and aimock."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import environments, node
from tests.support.http import Client
from tests.support.process import Process, clean_env, free_port

HERE = Path(__file__).parent


class LlamaServer:
    """One slot: whoever comes while it is busy waits."""

    def __init__(self, folder: Path, context: int, *words: str) -> None:
        python, missing = environments.python("llama")
        if missing:
            pytest.skip(missing)
        self.port = free_port()
        self.context = context
        program = (str(python), str(HERE / "llama_server.py"), str(self.port), str(context))
        self._process = Process(words, clean_env(folder, {}), folder, program)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Ready once this returns: the model is loaded."""
        self._process.start(f"{self.url}/health")

    def kill(self) -> None:
        self._process.kill()

    async def slot(self) -> dict[str, Any]:
        """What the only slot is doing: `is_processing`, and how much of the answer is there."""
        async with Client(self.url) as client:
            return (await client.get("/slots")).json[0]


class AimockServer:
    """Answers what its fixtures say, and keeps a journal of what it was asked."""

    def __init__(self, folder: Path) -> None:
        command, missing = node.command(HERE)
        if missing:
            pytest.skip(missing)
        self.port = free_port()
        package = HERE / "node_modules" / "@copilotkit" / "aimock"
        program = (command, str(package / "dist" / "cli.js"))
        empty = folder / "fixtures"
        empty.mkdir()
        arguments = ("--port", str(self.port), "--fixtures", str(empty))
        self._process = Process(arguments, clean_env(folder, {}), folder, program)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._process.start(f"{self.url}/__aimock/health")

    def kill(self) -> None:
        self._process.kill()

    async def play(self, *fixtures: dict[str, Any]) -> None:
        """These and no others; what it was asked before is forgotten."""
        async with Client(self.url) as client:
            assert (await client.post("/__aimock/reset")).status == 200
            answer = await client.post("/__aimock/fixtures", {"fixtures": list(fixtures)})
            assert answer.status == 200, answer.body

    async def fail_once(self, status: int) -> None:
        async with Client(self.url) as client:
            answer = await client.post("/__aimock/error", {"status": status})
            assert answer.status == 200, answer.body

    async def journal(self) -> list[dict[str, Any]]:
        async with Client(self.url) as client:
            return (await client.get("/__aimock/journal")).json

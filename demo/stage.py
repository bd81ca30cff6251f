"""The processes that a demo home is made with, and a client for it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from tests.support.process import Process, clean_env, free_port
from tests.support.sandboxes import sandbox_works

UNDER_WAY = ("queued", "running", "stopping")


@contextmanager
def upstream(folder: Path, script: list[dict[str, Any]]) -> Iterator[str]:
    """The address of a scripted model server; its files are in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "script.json"
    path.write_bytes(msgspec.json.encode(script))
    port = free_port()
    arguments = ["upstream", "--port", str(port), "--script", str(path)]
    process = Process(arguments, clean_env(folder, {}), folder)
    try:
        process.start(f"http://127.0.0.1:{port}/v1/models")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()


class Server:
    """`angelia serve` on a home folder. What it prints goes to `folder`."""

    def __init__(self, home: Path, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.port = free_port()
        self.env = clean_env(
            folder,
            {
                "ANGELIA_HOME": str(home),
                "ANGELIA_PORT": str(self.port),
                "ANGELIA_SANDBOX": "auto" if sandbox_works() else "none",
            },
        )
        self._process = Process(["serve"], self.env, folder)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> str:
        return (self.home / "key").read_text().strip()

    def start(self) -> None:
        self._process.start(f"{self.url}/health")

    def stop(self) -> None:
        self._process.stop()

    def kill(self) -> None:
        self._process.kill()


@contextmanager
def serving(home: Path, folder: Path) -> Iterator[Server]:
    server = Server(home, folder)
    try:
        server.start()
        yield server
        server.stop()
    finally:
        server.kill()


class Refused(Exception):
    """The server did not do what the demo needs; the message has its answer."""


class Client:
    """One key at one server, inside `async with`."""

    def __init__(self, server: Server, key: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {key or server.key}"}
        self._session = aiohttp.ClientSession(server.url, headers=headers)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Any:
        """Raises Refused."""
        async with self._session.request(method, path, json=body, headers=headers) as answer:
            data = await answer.read()
            if answer.status >= 300:
                raise Refused(f"{method} {path}: {answer.status} {data.decode()}")
            return msgspec.json.decode(data)

    async def run(self, said: object, session: str, **more: object) -> str:
        """The id of a run that has ended or waits for a person."""
        run_id = await self.start(said, session, **more)
        await self.rest(run_id)
        return run_id

    async def start(self, said: object, session: str, **more: object) -> str:
        body = {"input": said, "session_id": session, **more}
        return (await self.ask("POST", "/v1/runs", body))["run_id"]

    async def rest(self, run_id: str) -> None:
        while (await self.ask("GET", f"/v1/runs/{run_id}"))["status"] in UNDER_WAY:
            await asyncio.sleep(0.05)

    async def connected(self, name: str) -> None:
        """Once the MCP server of this name is, or does not want to be."""
        while True:
            servers = (await self.ask("GET", "/v1/mcp"))["data"]
            if all(each["health"] != "connecting" for each in servers if each["name"] == name):
                return
            await asyncio.sleep(0.05)

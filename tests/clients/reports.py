"""What each client says, once for all workers of a test session, and what the server says to it."""

import asyncio
import contextlib
import fcntl
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tests.clients.cases import Case, Seen
from tests.clients.zoo import Client
from tests.support import environments, node
from tests.support.http import Client as Http
from tests.support.process import clean_env

ROOT = Path(__file__).parent.parent.parent
SECONDS = 240
AT_ONCE = 3
ENDED = ("completed", "failed", "cancelled")


class Run(msgspec.Struct, frozen=True):
    """A run as the server keeps it, and the text of its log if that has an end."""

    record: dict[str, Any]
    text: str


class Report(msgspec.Struct, frozen=True):
    """`missing` says why a client was not asked at all."""

    missing: str = ""
    code: int | None = 0
    stderr: str = ""
    seen: dict[str, Seen] = {}
    runs: dict[str, Run] = {}


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """One process at a time."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


async def of_all(
    clients: Sequence[Client], cases: Mapping[str, Case], home: Path
) -> dict[str, Report]:
    limit = asyncio.Semaphore(AT_ONCE)

    async def one(client: Client) -> Report:
        async with limit:
            return await of(client, cases, home)

    told = await asyncio.gather(*map(one, clients))
    return dict(zip((client.name for client in clients), told, strict=True))


async def of(client: Client, cases: Mapping[str, Case], home: Path) -> Report:
    command, missing = command_for(client)
    if missing:
        return Report(missing)
    asked = {name: case for name, case in cases.items() if client.is_asked(case)}
    code, stdout, stderr = await run(command, environment(home), msgspec.json.encode(asked))
    if code != 0:
        return Report("", code, stderr.decode())
    seen = msgspec.json.decode(stdout, type=dict[str, Seen])
    return Report("", code, stderr.decode(), seen, await runs_behind(seen, asked))


def command_for(client: Client) -> tuple[list[str], str]:
    """How to start it, or what is missing."""
    script, *arguments = client.program
    if client.runtime == "node":
        command, missing = node.command()
        return [command, str(node.CLIENTS / script), *arguments], missing
    python, missing = Path(sys.executable), ""
    if client.runtime != "python":
        python, missing = environments.python(client.runtime)
    return [str(python), "-W", "error", "-m", f"tests.clients.{script}", *arguments], missing


def environment(home: Path) -> dict[str, str]:
    # With the second one litellm does not ask a site for the prices of models.
    extra = {"PATH": node.search_path(), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return clean_env(home, extra)


async def run(
    command: Sequence[str], env: Mapping[str, str], stdin: bytes
) -> tuple[int | None, bytes, bytes]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=env, stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        async with asyncio.timeout(SECONDS):
            stdout, stderr = await process.communicate(stdin)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode, stdout, stderr


async def runs_behind(seen: Mapping[str, Seen], cases: Mapping[str, Case]) -> dict[str, Run]:
    found: dict[str, Run] = {}
    for name, told in seen.items():
        async with Http(cases[name].url, cases[name].key) as client:
            for run_id in filter(None, set(told.runs)):
                found[run_id] = await kept(client, run_id)
    return found


async def kept(client: Http, run_id: str) -> Run:
    record = (await client.get(f"/v1/runs/{run_id}")).json
    if record["status"] not in ENDED:
        return Run(record, "")
    frames = [frame async for frame in client.stream(f"/v1/runs/{run_id}/events")]
    events = [frame.json for frame in frames if frame.comment is None]
    pieces = [event["delta"] for event in events if event["event"] == "message.delta"]
    return Run(record, "".join(pieces))

"""A client that hangs up: its run is stopped with all that it does, or goes on, as was agreed."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.support.following import ended, eventually, reached, run_of
from tests.support.frontend import CHAT, user, visible
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted

RESPONSES = "/v1/responses"
GOES_ON = '[chat]\non_disconnect = "continue"\n[responses]\non_disconnect = "continue"\n'
# Process ids are those of this machine.
ENV = {"ANGELIA_SANDBOX": "none"}

Headers = dict[str, str]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("hangup"), **ENV) as both:
        yield both


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    """A server on which runs go on, unless somebody says otherwise."""
    with scripted(tmp_path_factory.mktemp("patient"), GOES_ON, **ENV) as both:
        yield both


@pytest.fixture
async def client(pair: Scripted) -> AsyncIterator[Client]:
    async with pair.client() as client:
        yield client


class Work:
    """A tool call that lasts until it is let go, and the process that does it."""

    def __init__(self, pair: Scripted, name: str) -> None:
        self._folder = pair.server.home / "workspace"
        self._name = name
        wait = f"while [ ! -e {name}.go ]; do sleep 0.02; done"
        self.text = f"`echo $$ > {name}.new; mv {name}.new {name}.pid; {wait}; echo let go`"

    def _file(self, ending: str) -> Path:
        return self._folder / f"{self._name}.{ending}"

    async def begun(self) -> int:
        async def there() -> bool:
            return self._file("pid").exists()

        await eventually(there)
        return int(self._file("pid").read_text())

    def let_go(self) -> None:
        self._file("go").touch()

    async def gone(self) -> None:
        """Returns once its process is."""
        pid = await self.begun()
        await eventually(lambda: _is_gone(pid))


async def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


# ── ways to ask ─────────────────────────────────────────────────────────────────────────────


class Visit:
    """Somebody who asks for some work, waits for it to begin, and hangs up in the middle."""

    def __init__(self, pair: Scripted, key: str | None, headers: Headers, work: Work) -> None:
        self._pair = pair
        self._key = key or pair.server.key
        self._headers = headers
        self._work = work

    async def chat_stream(self) -> None:
        await self._streamed(CHAT, {"messages": [user(self._work.text)], "stream": True})

    async def chat_whole(self) -> None:
        await self._whole(CHAT, {"messages": [user(self._work.text)]})

    async def responses_stream(self, **more: Any) -> None:
        body = {"model": "angelia", "input": self._work.text, "stream": True, **more}
        await self._streamed(RESPONSES, body)

    async def responses_whole(self) -> None:
        await self._whole(RESPONSES, {"model": "angelia", "input": self._work.text})

    async def background_stream(self) -> None:
        await self.responses_stream(background=True)

    async def background_whole(self) -> None:
        body = {"model": "angelia", "input": self._work.text, "background": True}
        async with self._pair.client(self._key) as client:
            answer = await client.send("POST", RESPONSES, body, self._headers)
            assert answer.json["status"] in ("queued", "in_progress")
        await self._work.begun()

    async def socket(self) -> None:
        headers = {"Authorization": f"Bearer {self._key}", **self._headers}
        address = self._pair.server.url + RESPONSES
        message = {"type": "response.create", "model": "angelia", "input": self._work.text}
        async with (
            ClientSession(headers=headers) as session,
            session.ws_connect(address) as socket,
        ):
            await socket.send_json(message)
            await self._work.begun()

    async def _streamed(self, path: str, body: dict[str, Any]) -> None:
        async with (
            self._pair.client(self._key) as client,
            client.open("POST", path, body, self._headers) as reader,
        ):
            assert reader.status == 200
            await self._work.begun()

    async def _whole(self, path: str, body: dict[str, Any]) -> None:
        async with self._pair.client(self._key) as client:
            asking = asyncio.create_task(client.send("POST", path, body, self._headers))
            await self._work.begun()
            asking.cancel()
            await asyncio.wait((asking,))


WAITED_FOR = ["chat_stream", "chat_whole", "responses_stream", "responses_whole", "socket"]
IN_BACKGROUND = ["background_stream", "background_whole"]
CANCEL = {"X-Angelia-On-Disconnect": "cancel"}
CONTINUE = {"X-Angelia-On-Disconnect": "continue"}


async def hang_up(
    pair: Scripted, way: str, name: str, headers: Headers | None = None, key: str | None = None
) -> tuple[str, Work]:
    """The run of somebody who has left, and what it works on."""
    work = Work(pair, name)
    visit = Visit(pair, key, {**(headers or {}), "X-Hermes-Session-Id": name}, work)
    leaving: Callable[[], Awaitable[None]] = getattr(visit, way)
    await leaving()
    async with pair.client(key) as client:
        (run,) = (await client.get(f"/v1/runs?session_id={name}")).json["data"]
    return run["run_id"], work


async def check_stopped(client: Client, run_id: str, work: Work) -> None:
    run = await ended(client, run_id)
    assert run["status"] == "cancelled"
    await work.gone()
    frames = [f.json async for f in client.stream(f"/v1/runs/{run_id}/events") if not f.comment]
    assert (frames[-1]["event"], frames[-1]["by"]) == ("run.cancelled", "disconnect")
    finished = [frame["outcome"] for frame in frames if frame["event"] == "tool.completed"]
    assert finished == ["cancelled"]


async def check_went_on(client: Client, way: str, run_id: str, work: Work) -> None:
    assert (await run_of(client, run_id))["status"] == "running"
    work.let_go()
    assert (await ended(client, run_id))["status"] == "completed"
    name = run_id.removeprefix("run_")
    path = f"{CHAT}/chatcmpl-{name}" if way.startswith("chat") else f"{RESPONSES}/resp_{name}"
    answer = await client.get(path)
    assert answer.status == 200, answer.body
    assert b"let go" in answer.body


@pytest.mark.parametrize("way", WAITED_FOR)
async def test_by_default_the_run_of_somebody_who_waits_is_stopped(client, pair, way) -> None:
    run_id, work = await hang_up(pair, way, f"default-{way}")
    await check_stopped(client, run_id, work)


@pytest.mark.parametrize("way", ["chat_whole", "responses_stream"])
async def test_who_can_ask_for_the_same_work_again_takes_nothing_with_them(
    client, pair, way
) -> None:
    key = {"Idempotency-Key": f"again {way}"}
    run_id, work = await hang_up(pair, way, f"again-{way}", key)
    await check_went_on(client, way, run_id, work)


@pytest.mark.parametrize("way", IN_BACKGROUND)
async def test_work_in_the_background_goes_on(client, pair, way) -> None:
    run_id, work = await hang_up(pair, way, f"default-{way}")
    await check_went_on(client, way, run_id, work)


@pytest.mark.parametrize("way", WAITED_FOR)
async def test_a_header_lets_the_run_go_on(client, pair, way) -> None:
    run_id, work = await hang_up(pair, way, f"header-{way}", CONTINUE)
    await check_went_on(client, way, run_id, work)


async def test_a_header_stops_what_is_in_the_background(client, pair) -> None:
    run_id, work = await hang_up(pair, "background_stream", "stopped-background", CANCEL)
    await check_stopped(client, run_id, work)


async def ruled(client: Client, on_disconnect: str) -> str:
    rules = {"on_disconnect": on_disconnect}
    made = await client.post(
        "/api/keys", {"name": "ruled", "scopes": ["chat", "runs"], "rules": rules}
    )
    assert made.status == 201, made.body
    return made.json["secret"]


@pytest.mark.parametrize("way", WAITED_FOR)
async def test_a_rule_of_the_key_lets_the_run_go_on(client, pair, way) -> None:
    key = await ruled(client, "continue")
    run_id, work = await hang_up(pair, way, f"rule-{way}", key=key)
    async with pair.client(key) as owner:
        await check_went_on(owner, way, run_id, work)


@pytest.mark.parametrize("way", ["chat_stream", "responses_whole", "socket"])
async def test_a_header_counts_more_than_a_rule(client, pair, way) -> None:
    key = await ruled(client, "continue")
    run_id, work = await hang_up(pair, way, f"rule-and-header-{way}", CANCEL, key)
    async with pair.client(key) as owner:
        await check_stopped(owner, run_id, work)


@pytest.mark.parametrize("way", WAITED_FOR)
async def test_the_configuration_lets_the_run_go_on(patient, way) -> None:
    run_id, work = await hang_up(patient, way, f"config-{way}")
    async with patient.client() as client:
        await check_went_on(client, way, run_id, work)


@pytest.mark.parametrize("way", ["chat_whole", "responses_stream", "socket"])
async def test_a_rule_counts_more_than_the_configuration(patient, way) -> None:
    async with patient.client() as client:
        key = await ruled(client, "cancel")
    run_id, work = await hang_up(patient, way, f"rule-and-config-{way}", key=key)
    async with patient.client(key) as owner:
        await check_stopped(owner, run_id, work)


# ── several readers ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", [CHAT, RESPONSES])
async def test_the_run_goes_on_until_its_last_reader_has_left(client, pair, path) -> None:
    """Also if that one came later and only looked on."""
    work = Work(pair, f"readers-{path.rpartition('/')[2]}")
    body = {"model": "angelia", "stream": True}
    body |= {"messages": [user(work.text)]} if path == CHAT else {"input": work.text}
    async with AsyncExitStack() as others:
        async with client.open("POST", path, body) as first:
            run_id = first.headers["X-Angelia-Run-Id"]
            prefix = "chatcmpl-" if path == CHAT else "resp_"
            again = f"{path}/{run_id.replace('run_', prefix)}?stream=true"
            second = await others.enter_async_context(client.open("GET", again))
            assert second.status == 200
            await work.begun()
        assert (await run_of(client, run_id))["status"] == "running"
    await check_stopped(client, run_id, work)


async def test_somebody_who_only_looked_on_takes_nothing_with_them(client, pair) -> None:
    work = Work(pair, "onlooker")
    body = {"model": "angelia", "messages": [user(work.text)], "stream": True}
    async with client.open("POST", CHAT, body, CONTINUE) as first:
        run_id = first.headers["X-Angelia-Run-Id"]
        path = f"{CHAT}/{run_id.replace('run_', 'chatcmpl-')}?stream=true"
        async with client.open("GET", path) as second:
            assert second.status == 200
            await work.begun()
    await check_went_on(client, "chat", run_id, work)


# ── edges ───────────────────────────────────────────────────────────────────────────────────


async def test_text_under_way_is_stopped_at_the_provider_too(client, pair) -> None:
    pair.script({"when": "talk on", "text": "word " * 10_000, "pace": 0.05})
    body = {"messages": [user("talk on")], "stream": True}
    async with client.open("POST", CHAT, body) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
        await anext(visible(reader.frames()))
    assert (await ended(client, run_id))["status"] == "cancelled"

    async def left() -> bool:
        async with Client(pair.upstream.url) as model:
            seen = (await model.get("/requests")).json["requests"]
        return any(request["left"] for request in seen if "talk on" in str(request["body"]))

    await eventually(left)


async def test_a_socket_that_closes_at_once_leaves_no_run_under_way(client, pair) -> None:
    headers = {"Authorization": f"Bearer {pair.server.key}", "X-Hermes-Session-Id": "hasty"}
    message = {"type": "response.create", "model": "angelia", "input": "`sleep 300`"}
    async with ClientSession(headers=headers) as session:
        for _ in range(5):
            async with session.ws_connect(pair.server.url + RESPONSES) as socket:
                await socket.send_json(message)

    async def settled() -> bool:
        runs = (await client.get("/v1/runs?session_id=hasty&limit=100")).json["data"]
        return all(run["status"] == "cancelled" for run in runs)

    await eventually(settled)


async def test_a_server_that_stops_is_nobody_hanging_up(tmp_path) -> None:
    with scripted(tmp_path, "[server]\ndrain = 0\n", **ENV) as pair:
        works = {way: Work(pair, way) for way in WAITED_FOR}
        visits = [asyncio.create_task(kept_waiting(pair, way, work)) for way, work in works.items()]
        for work in works.values():
            await work.begun()
        assert await asyncio.to_thread(pair.server.stop) == 0
        await asyncio.wait(visits)
        pair.server.start()
        async with pair.client() as client:
            runs = (await client.get("/v1/runs")).json["data"]
            assert len(runs) == len(WAITED_FOR)
            for run in runs:
                assert (await ended(client, run["run_id"]))["status"] == "completed"
                tool = await reached(client, run["run_id"], "tool.completed")
                assert tool["outcome"] == "in_doubt"
        assert "Traceback" not in pair.server.stderr


async def kept_waiting(pair: Scripted, way: str, work: Work) -> None:
    """Somebody who does not leave by themselves."""
    async with pair.client() as client:
        match way:
            case "chat_stream" | "chat_whole":
                body = {"messages": [user(work.text)], "stream": way == "chat_stream"}
                await client.post(CHAT, body)
            case "responses_stream" | "responses_whole":
                body = {"model": "angelia", "input": work.text, "stream": way == "responses_stream"}
                await client.post(RESPONSES, body)
            case _:
                headers = {"Authorization": f"Bearer {pair.server.key}"}
                message = {"type": "response.create", "model": "angelia", "input": work.text}
                async with (
                    ClientSession(headers=headers) as session,
                    session.ws_connect(pair.server.url + RESPONSES) as socket,
                ):
                    await socket.send_json(message)
                    async for _ in socket:
                        pass

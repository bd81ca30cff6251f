"""What nobody means well: no answer is our fault, and nothing of it stays behind."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from tests.chaos.hostile import Hostile
from tests.chaos.ledger import Ledger
from tests.chaos.vitals import MB, Vitals, peak_rss, settled, vitals
from tests.support.following import ended, started
from tests.support.http import Client
from tests.support.server import AngeliaServer

SEED = 20_260
# A stream without an end is left once its head was read.
ANSWER_SECONDS = 30.0
CLOSED = 0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AngeliaServer]:
    server = AngeliaServer(tmp_path)
    (server.home / "angelia.toml").write_text("[server]\nrequest_patience = 2\n")
    server.start()
    yield server
    server.kill()


async def status_of(server: AngeliaServer, request: bytes) -> int:
    """Of the answer to these bytes; the connection is left behind its head."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        with suppress(ConnectionError):
            writer.write(request)
            async with asyncio.timeout(ANSWER_SECONDS):
                line = await reader.readline()
                return int(line.split(b" ")[1]) if line else CLOSED
        return CLOSED
    finally:
        writer.close()


async def ask(server: AngeliaServer, requests: Iterator[bytes]) -> "Counter[int]":
    """All of them, sixteen at a time, by the status of their answers."""
    seen: Counter[int] = Counter()

    async def work() -> None:
        for request in requests:
            status = await status_of(server, request)
            assert status < 500, request[:2000]
            seen[status] += 1

    await asyncio.gather(*(work() for _ in range(16)))
    return seen


async def known_ids(server: AngeliaServer) -> list[str]:
    """A run of this key, one of another key, and one that never was."""
    async with Client(server.url, server.key) as client:
        made = await client.post("/api/keys", {"name": "other", "scopes": ["runs", "chat"]})
        assert made.status == 201, made.body
        async with Client(server.url, made.json["secret"]) as other:
            ids = [await started(each, {"input": "long 5"}) for each in (client, other)]
            await ended(client, ids[0])
    return [*ids, "run_0123456789abcdef"]


async def routes(server: AngeliaServer) -> dict[str, list[str]]:
    async with Client(server.url) as client:
        described = (await client.get("/openapi.json")).json["paths"]
    methods = ("get", "post", "put", "patch", "delete")
    return {path: [m.upper() for m in methods if m in of] for path, of in described.items()}


def note(ledger: Ledger, before: Vitals, after: Vitals) -> None:
    ledger.say("memory", f"{before.rss / MB:.0f} → {after.rss / MB:.0f} MB")
    ledger.say("descriptors", f"{before.descriptors} → {after.descriptors}")
    ledger.say("tasks", f"{before.tasks} → {after.tasks}")


def assert_nothing_stays(before: Vitals, after: Vitals, memory: int = 64 * MB) -> None:
    assert after.descriptors <= before.descriptors + 3
    assert after.tasks <= before.tasks + 3
    assert after.rss <= before.rss + memory


@pytest.mark.timeout(900)
async def test_fuzzed_requests_are_never_our_fault(
    server: AngeliaServer, ledger: Ledger, *, long: bool
) -> None:
    count = 10_000 if long else 1_000
    fuzz = Hostile(SEED, await routes(server), await known_ids(server))
    requests = (fuzz.request(server.key) for _ in range(count))
    # What a server loads once is not a leak.
    seen = await ask(server, islice(requests, count // 5))
    before = await settled(server, await vitals(server))
    seen += await ask(server, requests)
    after = await settled(server, before)

    ledger.count("requests fuzzed", seen.total())
    ledger.count("answers of 5xx", sum(n for status, n in seen.items() if status >= 500))
    answers = ", ".join(f"{status or 'closed'}: {n:,}" for status, n in sorted(seen.items()))
    ledger.say("answers", answers)
    note(ledger, before, after)
    assert seen.total() == count
    assert len(seen) >= 6, seen
    assert_nothing_stays(before, after)
    assert "Traceback" not in server.stderr


async def loris(server: AngeliaServer, start: bytes) -> None:
    """Sends its request byte by byte until it is thrown out."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(start)
    with suppress(ConnectionError):
        while not reader.at_eof():
            writer.write(b"a")
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(100), 0.5)
    writer.close()


async def test_connections_that_never_finish_asking_are_let_go(
    server: AngeliaServer, ledger: Ledger, *, long: bool
) -> None:
    count = 1_000 if long else 200
    starts = (b"", b"GET /v1/runs HTTP/1.1\r\nX-Slow: ", b"POST /v1/runs HT")
    before = await vitals(server)
    slow = [asyncio.create_task(loris(server, starts[n % 3])) for n in range(count)]
    async with Client(server.url, server.key) as client:
        runs = [await ended(client, await started(client, {"input": "hello"})) for _ in range(5)]
    async with asyncio.timeout(60):
        await asyncio.gather(*slow)
    after = await settled(server, before)

    ledger.count("slow connections let go", len(slow))
    ledger.count("runs completed beside them", len(runs))
    note(ledger, before, after)
    assert {run["status"] for run in runs} == {"completed"}
    assert_nothing_stays(before, after)


def large_bodies() -> Sequence[tuple[bytes, int]]:
    """Of 20 MB or a little more, with the status that each deserves."""
    limit = 20 * MB
    padded = msgspec.json.encode({"model": "angelia", "input": "hello"})[:-1] + b',"pad":"'
    return (
        (padded + b"x" * (limit - len(padded) - 2) + b'"}', 200),
        (b'{"input": ' + b"[" * (limit - 20), 400),
        (b"\xff" * limit, 400),
        (b" " * (limit + 1), 413),
    )


async def test_large_bodies_side_by_side_leave_no_memory_behind(
    server: AngeliaServer, ledger: Ledger, *, long: bool
) -> None:
    head = f"POST /v1/responses HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {server.key}\r\n"
    bodies = large_bodies() * (4 if long else 1)
    requests = [
        (f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body, status)
        for body, status in bodies
    ]
    # The allocator keeps some of what the first ones took, and never takes it twice.
    await asyncio.gather(*(status_of(server, request) for request, _ in requests))
    before = await settled(server, await vitals(server))
    found = await asyncio.gather(*(status_of(server, request) for request, _ in requests))
    after = await settled(server, before)

    ledger.count("bodies of 20 MB", 2 * len(found))
    ledger.say("most memory", f"{peak_rss(server.pid) / MB:.0f} MB")
    note(ledger, before, after)
    # Who is refused before all was sent may find the connection closed instead.
    wanted = [status for _, status in requests]
    assert all(got in (want, CLOSED) for got, want in zip(found, wanted, strict=True)), found
    assert found.count(200) == wanted.count(200)
    assert_nothing_stays(before, after)


async def test_floods_of_headers_are_refused(
    server: AngeliaServer, ledger: Ledger, *, long: bool
) -> None:
    floods = (
        b"X-Flood: 1\r\n" * 100_000,
        b"X-Flood: " + b"a" * 2 * MB,
        b"".join(b"X-%d: 1\r\n" % number for number in range(100_000)),
    )
    count = 300 if long else 60
    before = await vitals(server)
    flooding = (b"GET /health HTTP/1.1\r\n" + floods[n % 3] + b"\r\n\r\n" for n in range(count))
    seen = await ask(server, flooding)
    after = await settled(server, before)

    ledger.count("header floods", seen.total())
    note(ledger, before, after)
    assert set(seen) <= {431, CLOSED}, seen
    assert_nothing_stays(before, after)

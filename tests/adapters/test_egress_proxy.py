"""The way out of a sandbox, over real sockets and with a real client."""

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from angelia.adapters.address_guard import AddressGuard
from angelia.adapters.egress_proxy import Bounds, EgressProxy
from angelia.adapters.memory.names import ScriptedNames
from angelia.core.places import places
from angelia.errors import StorageError
from tests.support.process import free_port
from tests.support.site import Serve, site, tcp_server

Open = Callable[..., Awaitable[EgressProxy]]

NAMES = {
    "fine.example": [["127.0.0.1"]],
    "sub.fine.example": [["127.0.0.1"]],
    "inner.example": [["127.0.0.1"]],
    "rebind.example": [["127.0.0.1"], ["127.0.0.2"]],
}


@pytest.fixture
async def proxy(tmp_path: Path) -> AsyncIterator[Open]:
    """Proxies whose guard takes `fine.example` for public."""
    opened: list[EgressProxy] = []

    async def begin(
        *allowed: str,
        bounds: Bounds | None = None,
        names: ScriptedNames | None = None,
        private: tuple[str, ...] = ("fine.example", "*.fine.example", "rebind.example"),
    ) -> EgressProxy:
        guard = AddressGuard(names or ScriptedNames(NAMES), places(private))
        path = tmp_path / f"{len(opened)}.sock"
        opened.append(EgressProxy(path, allowed, guard, bounds))
        await opened[-1].start()
        return opened[-1]

    yield begin
    for each in opened:
        await each.close()


async def said(proxy: EgressProxy, data: bytes) -> bytes:
    """All that the proxy answers until it closes."""
    reader, writer = await asyncio.open_unix_connection(proxy.path)
    writer.write(data)
    try:
        return await reader.read()
    finally:
        writer.close()


def get(host: str, port: int, path: str = "/") -> bytes:
    return f"GET http://{host}:{port}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def connect(host: str, port: int) -> bytes:
    return f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


# ── what passes ─────────────────────────────────────────────────────────────────────────────


async def test_a_plain_request_reaches_a_place_that_is_allowed(proxy: Open) -> None:
    async with site({"/a": b"<p>here"}) as place:
        answer = await said(await proxy("fine.example"), get("fine.example", place.port, "/a?b"))
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert answer.endswith(b"<p>here")
    assert place.asked == ["/a?b"]
    assert place.headers[0]["host"] == f"fine.example:{place.port}"


async def test_a_body_is_passed_on(proxy: Open) -> None:
    async with site({"/a": b"ok"}) as place:
        head = f"POST http://fine.example:{place.port}/a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"
        assert (await said(await proxy("fine.example"), head.encode())).endswith(b"ok")
    assert place.bodies == [b"hello"]


async def test_a_tunnel_carries_bytes_both_ways_and_ends_with_either_end(proxy: Open) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1000):
            writer.write(data.upper())
        writer.write(b"bye")

    through = await proxy("fine.example")
    async with tcp_server(echo) as port:
        reader, writer = await asyncio.open_unix_connection(through.path)
        writer.write(connect("fine.example", port) + b"early ")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection established\r\n\r\n"
        assert await reader.readexactly(6) == b"EARLY "
        big = b"x" * 3_000_000
        writer.write(big)
        assert await reader.readexactly(len(big)) == big.upper()
        writer.write_eof()
        assert await reader.read() == b"bye"
        writer.close()


@pytest.mark.parametrize(
    ("allowed", "host"),
    [
        ("*.fine.example", "sub.fine.example"),
        ("*", "fine.example"),
        ("fine.example", "FINE.example."),
    ],
)
async def test_a_list_may_name_domains_and_everything(proxy: Open, allowed: str, host: str) -> None:
    async with site({"/": b"ok"}) as place:
        assert b" 200 " in await said(await proxy(allowed), get(host, place.port))


async def test_curl_goes_through(proxy: Open) -> None:
    curl = shutil.which("curl")
    assert curl, "curl is not installed"
    async with site({"/a": b"here"}) as place:
        through = await proxy(f"fine.example:{place.port}")
        url = f"http://fine.example:{place.port}/a"
        async with tcp_server(forwarding(through.path)) as port:
            way = ("--proxy", f"http://127.0.0.1:{port}")
            assert await run(curl, "-sS", *way, url) == (0, "here")
            assert await run(curl, "-sS", *way, "--proxytunnel", url) == (0, "here")
            inner = f"http://inner.example:{place.port}/a"
            code, words = await run(curl, "-sS", "--fail", *way, inner)
    assert code == 22
    assert "403" in words


def forwarding(path: Path) -> Serve:
    """What stands in a sandbox: a port whose connections end at the socket file."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.write_eof()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_unix_connection(path)
        await asyncio.gather(pump(reader, out), pump(there, writer), return_exceptions=True)
        out.close()

    return serve


async def run(*command: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env={}
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


# ── what does not ───────────────────────────────────────────────────────────────────────────

OUTSIDE = [
    "sub.fine.example", "inner.example", "127.0.0.1", "localhost", "2130706433", "0177.0.0.1",
    "[::1]", "[::ffff:127.0.0.1]", "notfine.example", "fine.example.evil.example",
    "１２７.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize("host", OUTSIDE)
@pytest.mark.parametrize("form", [get, connect])
async def test_a_place_that_is_not_on_the_list_is_never_connected_to(
    proxy: Open, host: str, form: Callable[[str, int], bytes]
) -> None:
    async with site(host="0.0.0.0") as inner:
        answer = await said(await proxy("fine.example"), form(host, inner.port))
        assert inner.connections == 0
    assert answer.startswith((b"HTTP/1.1 403 ", b"HTTP/1.1 400 "))


@pytest.mark.parametrize("host", ["inner.example", "127.0.0.1", "localhost", "2130706433", "[::1]"])
@pytest.mark.parametrize("form", [get, connect])
async def test_everything_public_does_not_mean_what_is_private(
    proxy: Open, host: str, form: Callable[[str, int], bytes]
) -> None:
    async with site(host="0.0.0.0") as inner:
        answer = await said(await proxy("*"), form(host, inner.port))
        assert inner.connections == 0
    assert answer.startswith(b"HTTP/1.1 403 Forbidden")
    assert b"private address" in answer


async def test_a_place_on_the_list_is_still_looked_at_by_the_guard(proxy: Open) -> None:
    async with site(host="0.0.0.0") as inner:
        answer = await said(await proxy("inner.example"), connect("inner.example", inner.port))
        assert inner.connections == 0
    assert answer.startswith(b"HTTP/1.1 403 Forbidden")


async def test_an_entry_with_a_port_means_that_port_alone(proxy: Open) -> None:
    async with site({"/": b"ok"}) as place, site() as other:
        through = await proxy(f"fine.example:{place.port}")
        assert b" 200 " in await said(through, get("fine.example", place.port))
        answer = await said(through, get("fine.example", other.port))
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert b"tools.network" in answer
        assert other.connections == 0


async def test_a_name_is_looked_up_once_and_pinned(proxy: Open) -> None:
    async with site({"/": b"first"}) as place:
        names = ScriptedNames(NAMES)
        through = await proxy("rebind.example", names=names)
        assert (await said(through, get("rebind.example", place.port))).endswith(b"first")
        assert names.asked == ["rebind.example"]


async def test_nobody_there_is_a_bad_gateway(proxy: Open) -> None:
    port = free_port()
    answer = await said(await proxy("fine.example"), connect("fine.example", port))
    assert answer.startswith(b"HTTP/1.1 502 Bad Gateway")
    assert f"fine.example:{port} cannot be reached".encode() in answer


# ── bounds ──────────────────────────────────────────────────────────────────────────────────


async def test_a_head_without_end_is_refused(proxy: Open) -> None:
    through = await proxy("fine.example")
    answer = await said(through, b"GET http://fine.example/ HTTP/1.1\r\nx: " + b"y" * 70_000)
    assert answer.startswith(b"HTTP/1.1 431 ")


async def test_a_client_that_says_nothing_is_let_go(proxy: Open) -> None:
    through = await proxy("fine.example", bounds=Bounds(asking=0.05))
    assert (await said(through, b"GET http")).startswith(b"HTTP/1.1 408 ")


async def test_a_tunnel_in_which_nothing_moves_is_closed(proxy: Open) -> None:
    async with site() as place:
        through = await proxy("fine.example", bounds=Bounds(idle=0.05))
        answer = await said(through, connect("fine.example", place.port))
    assert answer == b"HTTP/1.1 200 Connection established\r\n\r\n"


async def test_more_connections_than_are_allowed_are_told_so(proxy: Open) -> None:
    async with site() as place:
        through = await proxy("fine.example", bounds=Bounds(connections=1))
        reader, writer = await asyncio.open_unix_connection(through.path)
        writer.write(connect("fine.example", place.port))
        await reader.readuntil(b"\r\n\r\n")
        answer = await said(through, connect("fine.example", place.port))
        assert answer.startswith(b"HTTP/1.1 503 ")
        writer.close()


async def test_closing_breaks_off_what_is_open_and_leaves_nothing(proxy: Open) -> None:
    async with site() as place:
        through = await proxy("fine.example")
        reader, writer = await asyncio.open_unix_connection(through.path)
        writer.write(connect("fine.example", place.port))
        await reader.readuntil(b"\r\n\r\n")
        await through.close()
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        writer.close()
    assert not through.path.exists()
    with pytest.raises(OSError, match="No such file"):
        await asyncio.open_unix_connection(through.path)


async def test_a_socket_that_a_dead_process_left_is_replaced(proxy: Open, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "0.sock"))
    through = await proxy("fine.example")
    assert (await said(through, b"hello\r\n\r\n")).startswith(b"HTTP/1.1 400 ")
    assert through.path.stat().st_mode & 0o777 == 0o600


async def test_a_path_that_is_too_long_for_a_socket_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="too long for a socket"):
        await EgressProxy(tmp_path / ("x" * 120), ["*"]).start()


def test_an_entry_that_is_no_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'http://x' is not a place"):
        EgressProxy(tmp_path / "s", ["http://x"])

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.adapters.mcp.world import by_name, opened
from tests.support.mcp import HttpServer, everything, filesystem, odd
from tests.support.process import free_port
from tests.tools.watching import Watcher

Serving = Callable[[str, int], HttpServer]


@pytest.fixture
def serving() -> Iterator[Serving]:
    """Starts server-everything behind HTTP; each dies with the test."""
    with ExitStack() as started:
        yield lambda transport, port: started.enter_context(HttpServer(transport, port))


async def test_everything_has_tools_resources_and_prompts(tmp_path: Path) -> None:
    async with opened(tmp_path, everything=everything("stdio")) as servers:
        tools = await by_name(servers)
        (status,) = servers.statuses()
        assert (status.health, status.transport) == ("connected", "stdio")
        assert status.version.startswith("mcp-servers/everything")
        assert status.tools == tuple(tools)
        assert {"architecture.md"} <= {each.name for each in status.resources}
        assert [each.uri for each in status.resources if each.template]
        assert {"simple-prompt", "args-prompt"} <= {each.name for each in status.prompts}
        assert {tool.toolset for tool in tools.values()} == {"mcp__everything"}


async def test_its_results_are_told_in_words(tmp_path: Path) -> None:
    async with opened(tmp_path, everything=everything("stdio")) as servers:
        tools = await by_name(servers)

        async def said(tool: str, **arguments: object) -> str:
            call = tools[f"mcp__everything__{tool}"].call(json.dumps(arguments), Watcher())
            return (await call).text

        assert await said("echo", message="hello") == "Echo: hello"
        image = await said("get-tiny-image")
        assert "[image: image/png, 4033 bytes, not shown]" in image
        assert len(image) < 300
        weather = json.loads(await said("get-structured-content", location="New York"))
        assert set(weather) == {"temperature", "conditions", "humidity"}
        assert "resource demo://resource/" in await said("get-resource-links", count=2)
        assert "architecture.md" in await said("list_resources")
        uri = "demo://resource/static/document/architecture.md"
        assert (await said("read_resource", uri=uri)).startswith(f"[resource {uri}")
        assert "[data: " in await said("read_resource", uri="demo://resource/dynamic/blob/1")
        filled = await said("get_prompt", name="args-prompt", arguments={"city": "Delphi"})
        assert filled.startswith("user: ")
        assert "Delphi" in filled


async def test_progress_is_shown_while_it_works(tmp_path: Path) -> None:
    async with opened(tmp_path, everything=everything("stdio")) as servers:
        tools = await by_name(servers)
        watcher = Watcher()
        call = tools["mcp__everything__trigger-long-running-operation"].call(
            '{"duration":0.2,"steps":4}', watcher
        )
        assert "Steps: 4" in (await call).text
        assert watcher.text().splitlines() == ["1/4", "2/4", "3/4", "4/4"]


@pytest.mark.parametrize(
    ("transport", "path", "kind"),
    [("streamableHttp", "mcp", "http"), ("sse", "sse", "sse")],
)
async def test_a_server_behind_an_address_is_the_same(
    tmp_path: Path, serving: Serving, transport: str, path: str, kind: str
) -> None:
    port = free_port()
    serving(transport, port)
    given = {"url": f"http://127.0.0.1:{port}/{path}", "type": kind}
    async with opened(tmp_path, everything=given) as servers:
        tools = await by_name(servers)
        (status,) = servers.statuses()
        assert (status.health, status.transport, status.detail) == ("connected", kind, "")
        watcher = Watcher()
        echo = await tools["mcp__everything__echo"].call('{"message":"far"}', watcher)
        assert echo.text == "Echo: far"
        await tools["mcp__everything__trigger-long-running-operation"].call(
            '{"duration":0.1,"steps":2}', watcher
        )
        assert watcher.text().splitlines() == ["1/2", "2/2"]


async def test_a_server_behind_an_address_that_was_started_again_knows_us_again(
    tmp_path: Path, serving: Serving
) -> None:
    port = free_port()
    first = serving("streamableHttp", port)
    given = {"url": f"http://127.0.0.1:{port}/mcp"}
    async with opened(tmp_path, everything=given) as servers:
        tools = await by_name(servers)
        echo = tools["mcp__everything__echo"]
        assert (await echo.call('{"message":"one"}', Watcher())).text == "Echo: one"
        first.end()
        serving("streamableHttp", port)
        assert (await echo.call('{"message":"two"}', Watcher())).text == "Echo: two"


async def test_an_address_where_nobody_is_blocks_nobody(tmp_path: Path) -> None:
    given = {"url": f"http://127.0.0.1:{free_port()}/mcp"}
    async with opened(tmp_path, far=given, odd=odd(tmp_path / "odd")) as servers:
        assert "mcp__odd__echo" in await by_name(servers)
        assert [status.health for status in servers.statuses()] == ["failing", "connected"]


async def test_the_filesystem_server_keeps_to_its_folder(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.txt").write_text("within")
    (tmp_path / "secret.txt").write_text("without")
    async with opened(tmp_path, files=filesystem(inside)) as servers:
        tools = await by_name(servers)

        async def read(path: Path) -> tuple[str, str]:
            arguments = json.dumps({"path": str(path)})
            output = await tools["mcp__files__read_text_file"].call(arguments, Watcher())
            return output.outcome, output.text

        assert await read(inside / "a.txt") == ("ok", "within")
        outcome, said = await read(tmp_path / "secret.txt")
        assert outcome == "error"
        assert "outside allowed directories" in said
        assert "without" not in said
        assert tools["mcp__files__write_file"].spec.effect == "idempotent"
        assert tools["mcp__files__move_file"].spec.effect == "irreversible"

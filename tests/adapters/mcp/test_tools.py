import json
import re
from pathlib import Path

import pytest
from msgspec import Raw

from angelia.adapters.mcp.listing import Offer
from angelia.adapters.mcp.tools import effect_of, touched
from angelia.core.policy import Touched, judge
from angelia.errors import ToolError
from tests.adapters.mcp.world import by_name, opened, settings_for
from tests.support.mcp import odd
from tests.tools.watching import Watcher

SCHEMA = Raw(b"{}")
READS = Offer("reads", "", SCHEMA, read_only=True)
WRITES = Offer("writes", "", SCHEMA, idempotent=True, open_world=False)
POSTS = Offer("posts", "", SCHEMA)
KEEPS = Offer("keeps", "", SCHEMA, open_world=False)


@pytest.mark.parametrize(
    ("offer", "effect"),
    [(READS, "pure"), (WRITES, "idempotent"), (POSTS, "irreversible"), (KEEPS, "irreversible")],
)
def test_what_a_tool_says_of_itself_is_its_effect(offer: Offer, effect: str) -> None:
    assert effect_of(offer) == effect


@pytest.mark.parametrize(
    ("approval", "verdicts"),
    [
        ("auto", ("allow", "ask", "ask", "ask")),
        ("allow", ("allow", "allow", "allow", "allow")),
        ("ask", ("ask", "ask", "ask", "ask")),
        ("deny", ("deny", "deny", "deny", "deny")),
    ],
)
def test_the_approval_of_a_server_decides(
    tmp_path: Path, approval: str, verdicts: tuple[str, ...]
) -> None:
    settings = settings_for(tmp_path, s={"command": "true", "approval": approval})
    (server,) = settings.mcp
    decided = tuple(
        judge(
            settings.approvals.policy,
            f"mcp__s__{offer.name}",
            effect_of(offer),
            touched(server, offer),
        ).verdict
        for offer in (READS, WRITES, POSTS, KEEPS)
    )
    assert decided == verdicts


@pytest.mark.parametrize(
    ("network", "offer", "expected"),
    [
        (None, READS, Touched(harmless=True)),
        (None, POSTS, Touched(network=True)),
        (None, KEEPS, Touched()),
        (True, READS, Touched(network=True, harmless=True)),
        (False, POSTS, Touched()),
    ],
)
def test_the_configuration_knows_better_who_reaches_out(
    tmp_path: Path, network: bool | None, offer: Offer, expected: Touched
) -> None:
    (server,) = settings_for(tmp_path, s={"command": "true", "network": network}).mcp
    assert touched(server, offer) == expected


async def test_every_name_fits_and_leads_back_to_its_tool(tmp_path: Path) -> None:
    async with opened(tmp_path, **{"an odd.one": odd(tmp_path / "odd")}) as servers:
        tools = await by_name(servers)
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in tools)
        assert all(name.startswith("mcp__an_odd_one__") for name in tools)
        odd_names = [name for name in tools if "ird" in name or "xxx" in name]
        assert len(odd_names) == 2
        for name in odd_names:
            assert (await tools[name].call('{"a":1}', Watcher())).text == '{"a": 1}'


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"tools": ["echo", "b*"]}, {"echo", "big"}),
        ({"allow": ["echo"]}, {"echo"}),
        ({"allow": ["e*"], "deny": ["env"]}, {"echo"}),
        ({"tools": []}, set[str]()),
    ],
)
async def test_filters_decide_what_is_offered(
    tmp_path: Path, filters: dict[str, list[str]], expected: set[str]
) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd", **filters)) as servers:
        names = {name.removeprefix("mcp__odd__") for name in await by_name(servers)}
        assert names == expected
        assert {*servers.statuses()[0].tools} == {f"mcp__odd__{name}" for name in names}


async def test_what_a_tool_says_is_wrong_is_an_error(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tools = await by_name(servers)
        failed = await tools["mcp__odd__fail"].call("{}", Watcher())
        assert (failed.text, failed.outcome) == ("it went wrong", "error")
        with pytest.raises(ToolError, match="'odd' says: not like this"):
            await tools["mcp__odd__refuse"].call("{}", Watcher())
        with pytest.raises(ToolError, match="expected a JSON object"):
            await tools["mcp__odd__echo"].call("[1]", Watcher())


async def test_a_server_knows_of_our_environment_only_what_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANGELIA_API_KEY", "ang-not-for-others-at-all")
    monkeypatch.setenv("SOME_TOKEN", "tok-not-for-others")
    given = odd(tmp_path / "odd", env={"GIVEN": "this"}, cwd="there")
    async with opened(tmp_path, odd=given) as servers:
        tools = await by_name(servers)
        seen = json.loads((await tools["mcp__odd__env"].call("{}", Watcher())).text)
    assert seen["GIVEN"] == "this"
    assert "PATH" in seen
    assert not {"ANGELIA_API_KEY", "SOME_TOKEN", "PYTHONPATH"} & set(seen)


async def test_labels_are_one_line_whatever_the_arguments(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tool = (await by_name(servers))["mcp__odd__echo"]
        assert tool.label("{}") == "echo"
        assert tool.label('{"a":\n"b"}') == 'echo {"a": "b"}'
        assert len(tool.label("x" * 10_000)) == 80
        assert tool.lane("{}") is None
        assert (await by_name(servers))["mcp__odd__post"].lane("{}") == "mcp__odd"

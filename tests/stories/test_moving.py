"""A conversation with images, calls and sealed thoughts moves between providers and back.

The scripted servers refuse whatever a real one refuses: ids that their protocol does not allow,
calls without results, images they cannot read, thoughts that another provider has sealed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Client
from tests.support.pair import Pair, Provider, paired

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5E"
    "rkJggg=="
)
IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}
# As providers of each protocol name their calls; some of these are refused by the others.
CALL_IDS = {
    "chat": "functions.list_files:0",
    "responses": "call_" + "0123456789abcdef" * 3,
    "anthropic": "toolu_01AbCdEfGhIjKlMnOpQrStUv",
}
PROTOCOLS = ("anthropic", "chat", "responses")
DOWN = {"fault": {"status": 503}}


@pytest.fixture(params=[(a, b) for a in PROTOCOLS for b in PROTOCOLS], ids="-to-".join)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    with paired(tmp_path, *request.param, retries=0) as pair:
        yield pair


def turn(provider: Provider, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A thought, a call and an answer."""
    call_id = f"{CALL_IDS[provider.protocol]}{number}"
    call = {"name": "list_files", "arguments": {"path": "."}, "id": call_id}
    name = f"{provider.name}{number}"
    return (
        {"reasoning": f"thought {name}", "text": f"Looking, {name}.", "calls": [call]},
        {"reasoning": f"afterthought {name}", "text": f"Answer {name}."},
    )


async def say(client: Client, *content: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "user", "content": list(content)}
    body = {"input": [message], "session_id": "moving"}
    run = (await client.post("/v1/runs", body)).json["run_id"]
    frames = [frame async for frame in client.stream(f"/v1/runs/{run}/events")]
    events = [frame.json for frame in frames if frame.comment is None]
    notices = [event["message"] for event in events if event["event"] == "notice"]
    return {**(await client.get(f"/v1/runs/{run}")).json, "notices": notices}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def seals(body: dict[str, Any]) -> list[str]:
    """What a provider is shown of sealed thoughts; tools may have arguments of such names."""
    return [
        str(value)
        for item in walk({name: value for name, value in body.items() if name != "tools"})
        for name, value in item.items()
        if name in ("signature", "encrypted_content", "data") and item.get("media_type") is None
    ]


def walk(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from walk(inner)


def refusals(*providers: Provider) -> list[str]:
    return [call["refused"] for one in providers for call in one.calls if "refused" in call]


async def test_a_conversation_moves_to_another_provider_and_back(pair: Pair) -> None:
    a, b = pair.a, pair.b
    a.play(*turn(a, 1), DOWN, DOWN, *turn(a, 3), mint="of a")
    b.play(*turn(b, 2), mint="of b")
    async with pair.client() as client:
        first = await say(client, text("What is this?"), IMAGE)
        moved = await say(client, text("And what is there?"))
        back = await say(client, text("Thank you. Once more, please."))
    assert refusals(a, b) == []
    assert (first["output"], first["notices"]) == ("Answer a1.", [])
    assert (moved["output"], len(moved["notices"])) == ("Answer b2.", 2)
    assert (back["output"], back["notices"]) == ("Answer a3.", [])
    assert (len(a.calls), len(b.calls)) == (6, 2)

    seen_by_b, seen_by_a = b.asked[-1], a.asked[-1]
    for whole in (seen_by_b, seen_by_a):
        assert PIXEL in json.dumps(whole)
        assert "Looking, a1." in json.dumps(whole)
        assert "Looking, b2." in json.dumps(whole)
    # Each is shown its own thoughts again, and no others.
    assert len(seals(seen_by_b)) == 1
    assert len(seals(seen_by_a)) == 3
    assert set(seals(a.asked[1])) <= set(seals(seen_by_a))


@pytest.mark.parametrize(
    "protocols", [(a, b) for a in PROTOCOLS for b in PROTOCOLS if a != b], ids="-to-".join
)
async def test_two_protocols_of_one_provider_are_told_apart(
    tmp_path: Path, protocols: tuple[str, str]
) -> None:
    """The same host reads its seals only in the dialect in which it wrote them."""
    with paired(tmp_path, *protocols, retries=0, one_host=True) as pair:
        a, b = pair.a, pair.b
        looks, answers = turn(b, 2)
        a.play(*turn(a, 1), DOWN, looks, DOWN, answers, *turn(a, 3))
        async with pair.client() as client:
            outputs = [(await say(client, text(words)))["output"] for words in ("x", "y", "z")]
        assert refusals(a) == []
        assert outputs == ["Answer a1.", "Answer b2.", "Answer a3."]
        assert len(seals(a.asked[-1])) == 3

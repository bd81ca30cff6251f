"""Conversations with the official openai package, and responses that speak in them."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import openai
import pytest

from tests.clients.both import KINDS, connected, done, every
from tests.support.scripted import NO_RETRIES, Scripted, scripted

WEATHER: Any = {"type": "function", "name": "weather", "parameters": {"type": "object"}}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("conversations"), NO_RETRIES) as stage:
        yield stage


@pytest.fixture(params=KINDS)
async def sdk(request, stage: Scripted) -> AsyncIterator[Any]:
    stage.play()
    async with connected(request.param, stage.server) as client:
        yield client


def message(text: str, role: str = "user") -> dict[str, Any]:
    return {"type": "message", "role": role, "content": text}


async def create(sdk: Any, conversation: Any, text: Any, **fields: Any) -> Any:
    asked = {"model": "angelia", "input": text, "conversation": conversation, **fields}
    return await done(sdk.responses.create(**asked))


async def texts(sdk: Any, conversation: str) -> list[str]:
    """What was said, oldest first."""
    listed = sdk.conversations.items.list(conversation, order="asc", limit=2)
    return [item.content[0].text for item in await every(listed) if item.type == "message"]


def told(stage: Scripted) -> list[Any]:
    return [message["content"] for message in stage.asked[-1]["messages"]]


# ── conversations ───────────────────────────────────────────────────────────────────────────


async def test_a_conversation_is_made_changed_and_deleted(sdk) -> None:
    made = await done(sdk.conversations.create(metadata={"topic": "ships"}))
    assert made.id.startswith("conv_")
    assert made.metadata == {"topic": "ships"}
    assert await done(sdk.conversations.retrieve(made.id)) == made
    changed = await done(sdk.conversations.update(made.id, metadata={"topic": "islands"}))
    assert changed.metadata == {"topic": "islands"}
    assert (await done(sdk.conversations.retrieve(made.id))).metadata == {"topic": "islands"}
    gone = await done(sdk.conversations.delete(made.id))
    assert (gone.id, gone.deleted) == (made.id, True)
    with pytest.raises(openai.NotFoundError) as caught:
        await done(sdk.conversations.retrieve(made.id))
    assert (caught.value.param, caught.value.code) == ("conversation_id", "conversation_not_found")


async def test_items_are_added_listed_read_and_removed(sdk) -> None:
    items = [message("one"), message("two", "assistant")]
    made = await done(sdk.conversations.create(items=items))
    added = await done(
        sdk.conversations.items.create(made.id, items=[message("three"), message("four")])
    )
    assert [item.content[0].text for item in added.data] == ["three", "four"]
    assert (added.first_id, added.last_id) == (added.data[0].id, added.data[1].id)
    assert await texts(sdk, made.id) == ["one", "two", "three", "four"]
    newest = await done(sdk.conversations.items.list(made.id, limit=1))
    assert (newest.data, newest.has_more) == ([added.data[1]], True)
    read = await done(sdk.conversations.items.retrieve(added.first_id, conversation_id=made.id))
    assert read == added.data[0]
    await done(sdk.conversations.items.delete(added.first_id, conversation_id=made.id))
    assert await texts(sdk, made.id) == ["one", "two", "four"]
    with pytest.raises(openai.NotFoundError) as caught:
        await done(sdk.conversations.items.retrieve(added.first_id, conversation_id=made.id))
    assert (caught.value.param, caught.value.code) == ("item_id", "item_not_found")


async def test_too_many_items_at_once_are_refused(sdk) -> None:
    made = await done(sdk.conversations.create())
    with pytest.raises(openai.BadRequestError) as caught:
        await done(sdk.conversations.items.create(made.id, items=[message("x")] * 21))
    assert caught.value.param == "items"


# ── responses in them ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("form", [str, lambda named: {"id": named}])
async def test_a_response_knows_its_conversation_and_adds_to_it(sdk, stage, form) -> None:
    made = await done(sdk.conversations.create(items=[message("Call me Ada.")]))
    first = await create(sdk, form(made.id), "long 2")
    assert first.conversation.id == made.id
    assert told(stage) == ["Call me Ada.", "long 2"]
    await create(sdk, form(made.id), "long 1")
    assert told(stage) == ["Call me Ada.", "long 2", "word1 word2", "long 1"]
    said = ["Call me Ada.", "long 2", "word1 word2", "long 1", "word1"]
    assert await texts(sdk, made.id) == said


async def test_what_is_removed_is_not_told_to_the_model(sdk, stage) -> None:
    made = await done(sdk.conversations.create(items=[message("secret"), message("open")]))
    await create(sdk, made.id, "long 1")
    items = await every(sdk.conversations.items.list(made.id, order="asc"))
    await done(sdk.conversations.items.delete(items[0].id, conversation_id=made.id))
    await done(sdk.conversations.items.create(made.id, items=[message("later")]))
    await create(sdk, made.id, "long 2")
    assert told(stage) == ["open", "long 1", "word1", "later", "long 2"]


async def test_tools_of_the_server_stay_in_the_conversation(sdk, stage) -> None:
    made = await done(sdk.conversations.create())
    await create(sdk, made.id, "think and `echo hello`")
    items = await every(sdk.conversations.items.list(made.id, order="asc"))
    assert [item.type for item in items] == [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "message",
    ]
    await done(sdk.conversations.items.create(made.id, items=[message("later")]))
    await create(sdk, made.id, "long 1")
    assert "hello\n" in told(stage)
    assert (await every(sdk.conversations.items.list(made.id, order="asc")))[:5] == items


async def test_a_call_that_is_removed_takes_its_output_out_of_the_models_sight(sdk, stage) -> None:
    made = await done(sdk.conversations.create())
    await create(sdk, made.id, "`echo hello`")
    items = await every(sdk.conversations.items.list(made.id, order="asc"))
    (call,) = [item for item in items if item.type == "function_call"]
    await done(sdk.conversations.items.delete(call.id, conversation_id=made.id))
    await create(sdk, made.id, "long 1")
    assert [m["role"] for m in stage.asked[-1]["messages"]] == ["user", "assistant", "user"]


async def test_a_function_of_the_client_is_answered_in_the_conversation(sdk, stage) -> None:
    made = await done(sdk.conversations.create())
    first = await create(sdk, made.id, "call weather", tools=[WEATHER])
    (call,) = first.output
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
    second = await create(sdk, made.id, [output], tools=[WEATHER])
    assert "sunny" in second.output_text
    assert second.conversation.id == made.id
    kinds = [item.type for item in await every(sdk.conversations.items.list(made.id, order="asc"))]
    assert kinds == ["message", "function_call", "function_call_output", "message"]


async def test_a_name_is_a_conversation_from_its_first_response_on(sdk, request, stage) -> None:
    named = f"voyage-{request.node.callspec.id}"
    await create(sdk, named, "long 1")
    await create(sdk, named, "long 2")
    assert told(stage) == ["long 1", "word1", "long 2"]
    assert (await done(sdk.conversations.retrieve(named))).id == named
    assert await texts(sdk, named) == ["long 1", "word1", "long 2", "word1 word2"]


async def test_responses_of_one_conversation_take_turns(sdk, stage) -> None:
    made = await done(sdk.conversations.create())
    first = await create(sdk, made.id, "`sleep 0.3; echo slow`", background=True)
    second = await create(sdk, made.id, "long 1")
    assert second.status == "completed"
    assert (await done(sdk.responses.retrieve(first.id))).status == "completed"
    assert "slow\n" in told(stage)


async def test_items_do_not_change_while_a_response_is_under_way(sdk) -> None:
    made = await done(sdk.conversations.create(items=[message("one")]))
    (item,) = await every(sdk.conversations.items.list(made.id))
    response = await create(sdk, made.id, "`sleep 30`", background=True)
    codes = []
    for change in (
        lambda: sdk.conversations.items.create(made.id, items=[message("two")]),
        lambda: sdk.conversations.items.delete(item.id, conversation_id=made.id),
        lambda: sdk.conversations.delete(made.id),
    ):
        with pytest.raises(openai.ConflictError) as caught:
            await done(change())
        codes.append(caught.value.code)
    assert codes == ["session_busy"] * 3
    await done(sdk.responses.cancel(response.id))
    await done(sdk.conversations.items.create(made.id, items=[message("two")]))
    assert await texts(sdk, made.id) == ["one", "`sleep 30`", "two"]


async def test_a_response_has_either_a_conversation_or_a_response_before_it(sdk) -> None:
    first = await done(sdk.responses.create(model="angelia", input="long 1"))
    with pytest.raises(openai.BadRequestError) as caught:
        await create(sdk, "voyage", "long 1", previous_response_id=first.id)
    assert caught.value.code == "mutually_exclusive_parameters"

"""What is kept of responses and conversations, for whom, and what can be made of it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.support.http import Answer, Client
from tests.support.scripted import NO_RETRIES, Scripted, scripted
from tests.wire.responses.spec import check_item, check_response

PATH = "/v1/responses"
CONVERSATIONS = "/v1/conversations"
WEATHER = {"type": "function", "name": "weather", "parameters": {"type": "object"}}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("store"), NO_RETRIES) as stage:
        yield stage


@pytest.fixture
async def client(stage: Scripted) -> AsyncIterator[Client]:
    stage.play()
    async with Client(stage.server.url, stage.server.key) as client:
        yield client


@pytest.fixture
async def stranger(client: Client) -> AsyncIterator[Client]:
    made = await client.post("/api/keys", {"name": "stranger"})
    async with Client(client.url, made.json["secret"]) as stranger:
        yield stranger


async def create(client: Client, text: Any = "long 1", **fields: Any) -> dict[str, Any]:
    answer = await client.post(PATH, {"input": text, **fields})
    assert answer.status == 200, answer.body
    check_response(answer.json)
    return answer.json


def fault(answer: Answer) -> tuple[int, str | None, str | None]:
    error = answer.json["error"]
    return answer.status, error["param"], error["code"]


def told(stage: Scripted) -> list[Any]:
    return [message["content"] for message in stage.asked[-1]["messages"]]


NOT_FOUND = (404, "response_id", "response_not_found")
NO_PREVIOUS = (404, "previous_response_id", "previous_response_not_found")


async def every_way_to(client: Client, named: str) -> list[tuple[int, str | None, str | None]]:
    path = f"{PATH}/{named}"
    return [
        fault(await client.get(path)),
        fault(await client.get(f"{path}?stream=true")),
        fault(await client.get(f"{path}/input_items")),
        fault(await client.post(f"{path}/cancel")),
        fault(await client.delete(path)),
    ]


# ── store: false ────────────────────────────────────────────────────────────────────────────


async def test_what_is_not_stored_cannot_be_reached_again(client) -> None:
    response = await create(client, "long 2 for odysseus", store=False)
    assert response["store"] is False
    assert await every_way_to(client, response["id"]) == [NOT_FOUND] * 5
    going_on = {"input": "long 1", "previous_response_id": response["id"]}
    assert fault(await client.post(PATH, going_on)) == NO_PREVIOUS
    (item,) = response["output"]
    reference = {"input": [{"type": "item_reference", "id": item["id"]}]}
    assert fault(await client.post(PATH, reference)) == (400, "input[0].id", "item_not_found")
    found = await client.get("/api/sessions/search?q=odysseus")
    assert found.json["data"] == []


async def test_what_is_not_stored_leaves_no_trace_in_a_conversation(stage, client) -> None:
    await create(client, "long 1", conversation="quiet")
    await create(client, "long 2", conversation="quiet", store=False)
    assert told(stage) == ["long 1", "word1", "long 2"]
    await create(client, "long 3", conversation="quiet")
    assert told(stage) == ["long 1", "word1", "long 3"]
    items = (await client.get(f"{CONVERSATIONS}/quiet/items?order=asc")).json["data"]
    texts = [item["content"][0]["text"] for item in items]
    assert texts == ["long 1", "word1", "long 3", "word1 word2 word3"]
    assert (await client.get("/api/sessions/quiet")).json["runs"] == 2


async def test_a_session_is_not_opened_by_what_is_not_stored(client) -> None:
    before = (await client.get("/api/sessions")).json["data"]
    await create(client, store=False)
    await create(client, store=False, conversation="unheard")
    assert (await client.get("/api/sessions")).json["data"] == before
    assert (await client.get(f"{CONVERSATIONS}/unheard")).status == 404


# ── whose it is ─────────────────────────────────────────────────────────────────────────────


async def test_a_response_does_not_exist_for_another_key(client, stranger) -> None:
    response = await create(client, conversation="mine")
    assert await every_way_to(stranger, response["id"]) == [NOT_FOUND] * 5
    going_on = {"input": "long 1", "previous_response_id": response["id"]}
    assert fault(await stranger.post(PATH, going_on)) == NO_PREVIOUS
    compacting = going_on | {"model": "angelia"}
    assert fault(await stranger.post(f"{PATH}/compact", compacting)) == NO_PREVIOUS
    (item,) = response["output"]
    reference = {"input": [{"type": "item_reference", "id": item["id"]}]}
    assert (await stranger.post(PATH, reference)).status == 400
    assert (await stranger.get(f"{CONVERSATIONS}/mine")).status == 404
    # The same name is another conversation there.
    await create(stranger, "long 2", conversation="mine")
    items = (await client.get(f"{CONVERSATIONS}/mine/items")).json["data"]
    assert len(items) == 2


@pytest.mark.parametrize(
    "named",
    [
        "resp_",
        "resp_x",
        "resp__1",
        "run_1m7hcz9hja8khhwkwn4eyc",
        "resp_1m7hcz9hja8khhwkwn4eyc_0",
        "resp_1m7hcz9hja8khhwkwn4eyc_99999999999999999999",
        "%00",
        "%F0%9F%90%99",
        "x" * 5000,
    ],
)
async def test_an_id_of_nothing_is_not_found(client, named: str) -> None:
    for status, param, code in await every_way_to(client, named):
        assert (status, param, code) == NOT_FOUND


async def test_a_place_in_a_run_where_no_response_begins_is_not_found(client) -> None:
    response = await create(client, "long 3")
    assert await every_way_to(client, f"{response['id']}_2") == [NOT_FOUND] * 5


# ── items ───────────────────────────────────────────────────────────────────────────────────


async def test_items_are_referred_to_by_their_ids(stage, client) -> None:
    first = await create(client, "`echo hello`")
    asked = (await client.get(f"{PATH}/{first['id']}/input_items")).json["data"]
    ids = [item["id"] for item in (*asked, *first["output"])]
    assert len(ids) == 4
    references = [{"type": "item_reference", "id": named} for named in ids]
    await create(client, [*references, {"role": "user", "content": "long 2"}], store=False)
    roles = [message["role"] for message in stage.asked[-1]["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant", "user"]
    assert told(stage)[2] == "hello\n"


async def test_items_of_a_conversation_are_valid_whatever_they_are(client) -> None:
    image = "data:image/png;base64,iVBORw0KGgo="
    content = [{"type": "input_image", "image_url": image}, {"type": "input_text", "text": "See?"}]
    brought = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": content},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "sunny"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
    ]
    made = await client.post(CONVERSATIONS, {"items": brought})
    path = f"{CONVERSATIONS}/{made.json['id']}/items"
    listed = (await client.get(f"{path}?order=asc")).json
    for item in listed["data"]:
        check_item(item)
        assert (await client.get(f"{path}/{item['id']}")).json == item
    kinds = [item["type"] for item in listed["data"]]
    assert kinds[:5] == ["message", "message", "message", "function_call", "function_call_output"]


async def test_items_added_at_the_same_time_are_all_kept(client) -> None:
    made = (await client.post(CONVERSATIONS, {})).json
    path = f"{CONVERSATIONS}/{made['id']}/items"
    texts = [f"line {number}" for number in range(8)]

    def add(text: str) -> Any:
        return client.post(path, {"items": [{"role": "user", "content": text}]})

    answers = await asyncio.gather(*map(add, texts))
    assert [answer.status for answer in answers] == [200] * 8
    listed = (await client.get(f"{path}?limit=100")).json["data"]
    assert sorted(item["content"][0]["text"] for item in listed) == texts


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("order=up", "order"),
        ("after=msg_1", "after"),
    ],
)
async def test_a_bad_page_is_refused(client, query: str, param: str) -> None:
    await create(client, conversation="pages")
    named = (await create(client))["id"]
    for path in (f"{PATH}/{named}/input_items", f"{CONVERSATIONS}/pages/items"):
        answer = await client.get(f"{path}?{query}")
        assert fault(answer)[:2] == (400, param)


# ── conversations ───────────────────────────────────────────────────────────────────────────


async def test_an_id_of_a_conversation_must_exist_and_a_name_need_not(client) -> None:
    answer = await client.post(PATH, {"input": "long 1", "conversation": "conv_nowhere"})
    assert fault(answer) == (404, "conversation", "conversation_not_found")
    response = await create(client, conversation="nowhere")
    assert response["conversation"] == {"id": "nowhere"}


async def test_a_bare_model_has_no_conversations(client) -> None:
    asked = {"model": "angelia:bare", "input": "long 1", "conversation": "bare"}
    assert fault(await client.post(PATH, asked))[:2] == (400, "conversation")


async def test_a_conversation_is_deleted_with_its_responses(client) -> None:
    response = await create(client, conversation="short-lived")
    gone = await client.delete(f"{CONVERSATIONS}/short-lived")
    assert gone.json == {
        "id": "short-lived",
        "object": "conversation.deleted",
        "deleted": True,
    }
    assert await every_way_to(client, response["id"]) == [NOT_FOUND] * 5


# ── compaction, tokens ──────────────────────────────────────────────────────────────────────


async def test_a_window_is_asked_of_a_bare_model_and_not_kept(stage, client) -> None:
    first = await create(client, "`echo hello`", instructions="Be Greek.")
    stage.play({"text": "They said hello."})
    asked = {"model": "angelia", "previous_response_id": first["id"], "input": "And now?"}
    answer = await client.post(f"{PATH}/compact", asked | {"instructions": "Be Greek."})
    window = answer.json
    (prompt,) = stage.asked
    assert "tools" not in prompt
    assert all(word in str(prompt) for word in ("echo hello", "And now?", "Be Greek."))
    assert [item["type"] for item in window["output"]] == ["message", "message", "compaction"]
    assert fault(await client.get(f"{PATH}/{window['id']}")) == NOT_FOUND
    assert answer.headers["X-Angelia-Run-Id"].startswith("run_")


async def test_a_window_that_cannot_be_made_is_an_error(client) -> None:
    body = {"model": "angelia", "input": "long 20 [[fault status=500]]"}
    answer = await client.post(f"{PATH}/compact", body)
    assert fault(answer) == (502, None, "upstream_refused")


async def test_a_summary_of_somebody_else_is_refused(client) -> None:
    for token in ("gAAAAAB", "angc1.!!!", "angc1."):
        item = {"type": "compaction", "encrypted_content": token}
        assert fault(await client.post(PATH, {"input": [item]})) == (
            400,
            "input[0].encrypted_content",
            "invalid_encrypted_content",
        )


async def test_tokens_are_counted_and_nothing_is_started(stage, client) -> None:
    await create(client, "long 200", conversation="counted")
    stage.play()
    counts = []
    for fields in ({}, {"conversation": "counted"}):
        answer = await client.post(f"{PATH}/input_tokens", {"input": "hello", **fields})
        assert answer.json["object"] == "response.input_tokens"
        counts.append(answer.json["input_tokens"])
    assert 0 < counts[0] < counts[1]
    assert stage.asked == []


# ── bodies ──────────────────────────────────────────────────────────────────────────────────

POSTS = (PATH, f"{PATH}/compact", f"{PATH}/input_tokens", CONVERSATIONS, f"{CONVERSATIONS}/b/items")
NONSENSE = (b"[]", b'"x"', b"7", b"null", b"{", b'{"items": 7, "input": {}, "model": []}')


@pytest.mark.parametrize("path", POSTS)
async def test_a_body_that_makes_no_sense_is_a_bad_request(client, path: str) -> None:
    await create(client, conversation="b")
    for body in NONSENSE:
        answer = await client.post(path, body)
        assert (answer.status, answer.json["error"]["type"]) == (400, "invalid_request_error")


async def test_an_output_without_its_call_is_refused(stage, client) -> None:
    output = {"type": "function_call_output", "call_id": "call_nowhere", "output": "sunny"}
    for fields in ({}, {"store": False}, {"conversation": "orphans"}):
        answer = await client.post(PATH, {"input": [output], **fields})
        assert fault(answer) == (400, "input", "invalid_value")
        assert "call_nowhere" in answer.json["error"]["message"]
    assert stage.asked == []


async def test_results_that_come_too_late_are_part_of_a_new_run(stage, client) -> None:
    first = await create(client, "call weather", tools=[WEATHER], conversation="late")
    (call,) = first["output"]
    # Whoever goes on talking does not bring the results any more.
    await create(client, "long 1", conversation="late")
    output = {"type": "function_call_output", "call_id": call["call_id"], "output": "sunny"}
    second = await create(client, [output], previous_response_id=first["id"], tools=[WEATHER])
    assert "sunny" in second["output"][-1]["content"][0]["text"]
    assert told(stage)[-1] == "sunny"

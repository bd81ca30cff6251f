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


def said(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


async def texts_of(client: Client, conversation: str) -> list[str]:
    """What is said in its items, or what they are, oldest first."""
    listed = await client.get(f"{CONVERSATIONS}/{conversation}/items?order=asc&limit=100")
    return [
        item["content"][0]["text"] if item["type"] == "message" else item["type"]
        for item in listed.json["data"]
    ]


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


async def test_an_item_is_kept_whatever_response_begins_at_the_same_time(stage, client) -> None:
    for number in range(25):
        made = (await client.post(CONVERSATIONS, {"items": [said("base")]})).json
        path = f"{CONVERSATIONS}/{made['id']}/items"
        added, response = await asyncio.gather(
            client.post(path, {"items": [said(f"fact {number}")]}),
            create(client, "long 1", conversation=made["id"]),
        )
        kept = await texts_of(client, made["id"])
        assert response["status"] == "completed"
        assert (f"fact {number}" in kept) is (added.status == 200), (added.body, kept)
        assert added.status in (200, 409)


async def test_a_response_that_never_had_its_turn_hides_nothing(client) -> None:
    made = (await client.post(CONVERSATIONS, {"items": [said("I am Ada.")]})).json
    path = f"{CONVERSATIONS}/{made['id']}/items"
    background = {"conversation": made["id"], "background": True}
    at_work = await create(client, "`sleep 30`", **background)
    queued = await create(client, "never mind", **background)
    assert queued["status"] == "queued"
    for response in (queued, at_work):
        cancelled = await client.post(f"{PATH}/{response['id']}/cancel")
        assert cancelled.json["status"] == "cancelled"
    before = await texts_of(client, made["id"])
    assert before[:2] == ["I am Ada.", "`sleep 30`"]
    assert "never mind" not in before
    added = await client.post(path, {"items": [said("ps")]})
    assert await texts_of(client, made["id"]) == [*before, "ps"]
    assert (await client.delete(f"{path}/{added.json['first_id']}")).status == 200
    assert await texts_of(client, made["id"]) == before


async def test_no_item_is_removed_with_words_that_are_no_item(client, stage) -> None:
    made = (await client.post(CONVERSATIONS, {"items": [said("I am Ada.")]})).json
    background = {"conversation": made["id"], "background": True}
    go = stage.server.home / "workspace" / "go"
    command = f"until [ -e {go} ]; do sleep 0.05; done"
    response = await create(client, f"`{command}`", **background)
    runs = (await client.get(f"/v1/runs?session_id={made['id']}")).json["data"]
    steered = await client.post(f"/v1/runs/{runs[0]['run_id']}/steer", {"input": "and briefly"})
    assert steered.status == 200, steered.body
    go.touch()
    async for _ in client.stream(f"{PATH}/{response['id']}?stream=true"):
        pass
    path = f"{CONVERSATIONS}/{made['id']}/items"
    (first, *_) = (await client.get(f"{path}?order=asc")).json["data"]
    refused = await client.delete(f"{path}/{first['id']}")
    assert fault(refused) == (409, "item_id", "items_incomplete")
    messages = (await client.get(f"/api/sessions/{made['id']}/messages")).json["data"]
    assert "and briefly" in [message["content"] for message in messages]


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
async def test_pages_of_items_join_to_the_whole_either_way(client, limit: int) -> None:
    made = (await client.post(CONVERSATIONS, {"items": [said("a"), said("b")]})).json
    for _ in range(2):
        await create(client, "long 1", conversation=made["id"])
    path = f"{CONVERSATIONS}/{made['id']}/items"
    whole = (await client.get(f"{path}?order=asc&limit=100")).json["data"]
    assert len(whole) == 6
    for order, expected in (("asc", whole), ("desc", whole[::-1])):
        pages = [page async for page in turned(client, f"{path}?order={order}&limit={limit}")]
        assert [item for page in pages for item in page] == expected
        assert len(pages) == -(-len(whole) // limit)


async def turned(client: Client, path: str) -> AsyncIterator[list[dict[str, Any]]]:
    after = ""
    while True:
        page = (await client.get(path + after)).json
        yield page["data"]
        if not page["has_more"]:
            return
        after = f"&after={page['last_id']}"


async def test_whoever_may_start_no_more_work_writes_no_more_either(client) -> None:
    made = await client.post("/api/keys", {"name": "slow", "rules": {"requests_per_minute": 2}})
    async with Client(client.url, made.json["secret"]) as slow:
        conversation = (await slow.post(CONVERSATIONS, {"items": [said("a")]})).json["id"]
        items = f"{CONVERSATIONS}/{conversation}/items"
        added = await slow.post(items, {"items": [said("b")]})
        assert added.status == 200, added.body
        refused = [
            await slow.post(CONVERSATIONS, {"items": [said("c")]}),
            await slow.post(items, {"items": [said("c")]}),
            await slow.delete(f"{items}/{added.json['first_id']}"),
            await slow.post(f"/api/sessions/{conversation}/fork", {}),
            await slow.post("/api/sessions", {"messages": [said("c")]}),
        ]
        assert [fault(answer)[::2] for answer in refused] == [(429, "rate_limit_exceeded")] * 5
        assert await texts_of(slow, conversation) == ["a", "b"]
        # What holds nothing costs nothing.
        assert (await slow.post(CONVERSATIONS, {})).status == 200
        assert (await slow.post("/api/sessions", {})).status == 201


async def test_what_was_only_brought_is_no_work(client) -> None:
    made = await client.post("/api/keys", {"name": "brings"})
    async with Client(client.url, made.json["secret"]) as fresh:
        conversation = (await fresh.post(CONVERSATIONS, {"items": [said("okapi")]})).json["id"]
        items = f"{CONVERSATIONS}/{conversation}/items"
        for text in ("a", "b"):
            added = await fresh.post(items, {"items": [said(text)]})
        imported = await fresh.post("/api/sessions", {"messages": [said("zebra")]})
        await fresh.post(f"/api/sessions/{imported.json['id']}/fork", {})
        await fresh.delete(f"{items}/{added.json['first_id']}")
        assert (await fresh.get("/v1/runs")).json["data"] == []
        assert (await fresh.get("/api/usage")).json["total"]["runs"] == 0
        assert (await fresh.get("/api/sessions/search?q=okapi")).json["data"] == []
        assert len((await fresh.get("/api/sessions/search?q=zebra")).json["data"]) == 2
        await create(fresh, conversation=conversation)
        assert len((await fresh.get("/v1/runs")).json["data"]) == 1


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


@pytest.mark.parametrize(
    ("trouble", "code"), [("status=500", "upstream_refused"), ("cut=text", "upstream_garbled")]
)
async def test_a_window_that_cannot_be_made_is_an_error(client, trouble, code) -> None:
    body = {"model": "angelia", "input": f"long 20 [[fault {trouble}]]"}
    answer = await client.post(f"{PATH}/compact", body)
    assert fault(answer) == (502, None, code)


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

"""/api/sessions, route by route: what is asked wrongly, and what an answer looks like."""

from urllib.parse import quote

import pytest

from tests.support.http import Answer, Client

SESSION_FIELDS = [
    *("object", "id", "title", "created_at", "updated_at", "user", "key"),
    *("runs", "last_run_id", "forked_from", "metadata", "status"),
]
TALK = [
    {"role": "user", "content": "What is\nthe sea?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "name": "f", "arguments": ""}],
    },
    {"role": "tool", "tool_call_id": "c", "content": "salt", "failed": True},
    {"role": "assistant", "content": "Salt.", "reasoning": "hm"},
]


async def make(client: Client, **fields: object) -> dict:
    answer = await client.post("/api/sessions", fields)
    assert answer.status == 201, answer.body
    return answer.json


def wrong(answer: Answer) -> tuple[int, str | None, str | None]:
    error = answer.json["error"]
    return answer.status, error["param"], error["code"]


async def test_a_session_has_all_its_fields(client) -> None:
    answer = await client.send(
        "POST",
        "/api/sessions",
        {"user": "ann", "metadata": {"a": [1]}, "messages": TALK},
        {"X-Hermes-Session-Key": "memory"},
    )
    made = answer.json
    assert list(made) == SESSION_FIELDS
    assert made["object"] == "hermes.session"
    assert made["title"] == "What is the sea?"
    assert (made["user"], made["key"], made["runs"]) == ("ann", "memory", 1)
    assert (made["metadata"], made["status"]) == ({"a": [1]}, "idle")
    assert (await client.get(f"/api/sessions/{made['id']}")).json == made


async def test_messages_come_as_they_were_brought_page_by_page(client) -> None:
    made = await make(client, messages=TALK)
    path = f"/api/sessions/{made['id']}/messages"
    whole = (await client.get(path)).json
    assert (whole["object"], whole["has_more"]) == ("list", False)
    assert [m.pop("index") for m in whole["data"]] == [0, 1, 2, 3]
    assert whole["data"] == TALK
    first = (await client.get(f"{path}?limit=3")).json
    assert (len(first["data"]), first["has_more"]) == (3, True)
    rest = (await client.get(f"{path}?limit=3&after={first['data'][-1]['index']}")).json
    assert ([m["index"] for m in rest["data"]], rest["has_more"]) == ([3], False)


async def test_a_title_may_be_changed_and_taken_away(client) -> None:
    path = f"/api/sessions/{(await make(client, title='A', metadata={'a': 1}))['id']}"
    changed = (await client.send("PATCH", path, {"title": "B"})).json
    assert (changed["title"], changed["metadata"]) == ("B", {"a": 1})
    changed = (await client.send("PATCH", path, {"title": None, "metadata": None})).json
    assert (changed["title"], changed["metadata"]) == ("", {})


@pytest.mark.parametrize(("session_id", "name"), [("plain-1", "plain-1"), ('a|"b~', "a__b_")])
async def test_an_export_is_a_file(client, session_id: str, name: str) -> None:
    await make(client, id=session_id, messages=TALK)
    path = f"/api/sessions/{quote(session_id, safe='')}"
    lines = await client.get(f"{path}/export")
    assert lines.headers["Content-Type"] == "application/jsonl"
    assert lines.headers["Content-Disposition"] == f'attachment; filename="session-{name}.jsonl"'
    assert len(lines.body.splitlines()) == 5
    page = await client.get(f"{path}/export?format=markdown")
    assert page.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert page.headers["Content-Disposition"] == f'attachment; filename="session-{name}.md"'
    text = page.body.decode()
    assert text.startswith(f"# What is the sea?\n\n- Session: `{session_id}`\n- Created: `20")
    assert (await client.delete(path)).json["id"] == session_id


async def test_sessions_are_listed_in_pages_and_by_user(client) -> None:
    ids = [(await make(client, user="lister"))["id"] for _ in range(3)]
    page = (await client.get("/api/sessions?user=lister&limit=2")).json
    assert {session["user"] for session in page["data"]} == {"lister"}
    assert page["has_more"] is True
    last = page["data"][-1]["id"]
    rest = (await client.get(f"/api/sessions?user=lister&limit=2&after={last}")).json
    assert rest["has_more"] is False
    assert {session["id"] for session in page["data"] + rest["data"]} == set(ids)
    assert (await client.get("/api/sessions?user=nobody")).json["data"] == []
    assert (await client.get("/api/sessions?key=nothing")).json["data"] == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("?limit=x", (400, "limit", None)),
        ("?limit=101", (400, "limit", None)),
        ("?after=nothing", (404, "after", "session_not_found")),
        ("/search", (400, "q", "missing_required_parameter")),
        ("/search?q=%20", (400, "q", "missing_required_parameter")),
        ("/search?q=" + "x" * 401, (400, "q", "invalid_value")),
        ("/nothing", (404, "session_id", "session_not_found")),
        ("/nothing/messages", (404, "session_id", "session_not_found")),
        ("/nothing/export", (404, "session_id", "session_not_found")),
    ],
)
async def test_what_cannot_be_read_is_named(client, path: str, expected: tuple) -> None:
    assert wrong(await client.get(f"/api/sessions{path}")) == expected


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("messages?limit=1001", "limit"),
        ("messages?after=-1", "after"),
        ("export?format=pdf", "format"),
    ],
)
async def test_what_cannot_be_asked_of_a_session_is_named(client, query: str, param: str) -> None:
    made = await make(client)
    answer = await client.get(f"/api/sessions/{made['id']}/{query}")
    assert wrong(answer)[:2] == (400, param)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"title": 1}, (400, "title", "invalid_type")),
        (
            {"messages": [{"role": "user"}]},
            (400, "messages[0].content", "missing_required_parameter"),
        ),
        ([], (400, None, "invalid_type")),
    ],
)
async def test_a_body_that_is_wrong_is_named(client, body: object, expected: tuple) -> None:
    assert wrong(await client.post("/api/sessions", body)) == expected


async def test_an_id_is_taken_once(client) -> None:
    made = await make(client)
    again = await client.post("/api/sessions", {"id": made["id"]})
    assert wrong(again) == (409, "id", "session_exists")
    forked = await client.post(f"/api/sessions/{made['id']}/fork", {"id": made["id"]})
    assert wrong(forked) == (409, "id", "session_exists")


async def test_nothing_is_shown_without_a_key(demo_server) -> None:
    async with Client(demo_server.url) as stranger:
        for method, path in (("GET", ""), ("POST", ""), ("GET", "/search?q=x"), ("DELETE", "/x")):
            answer = await stranger.send(method, f"/api/sessions{path}")
            assert wrong(answer) == (401, None, "invalid_api_key")

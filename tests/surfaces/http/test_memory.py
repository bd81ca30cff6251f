"""/api/memory, route by route: what is asked wrongly, and what an answer looks like."""

import secrets

import pytest

from tests.support.http import Answer, Client

FIELDS = [
    *("object", "id", "text", "kind", "user", "session_key", "run_id"),
    *("created_at", "updated_at"),
]


@pytest.fixture
def user() -> str:
    """Somebody of whom nothing is noted yet."""
    return f"user-{secrets.token_hex(4)}"


async def add(client: Client, text: str, user: str, **headers: str) -> dict:
    answer = await client.post("/api/memory", {"text": text, "user": user}, **headers)
    assert answer.status == 201, answer.body
    return answer.json


async def listed(client: Client, query: str) -> list[str]:
    return [note["text"] for note in (await client.get(f"/api/memory?{query}")).json["data"]]


def wrong(answer: Answer) -> tuple[int, str | None, str | None]:
    error = answer.json["error"]
    return answer.status, error["param"], error["code"]


async def test_a_note_has_all_its_fields(client: Client, user: str) -> None:
    made = await add(client, " Likes\u200b tea. ", user, X_Hermes_Session_Key="work")
    assert list(made) == FIELDS
    assert (made["object"], made["text"], made["kind"]) == ("hermes.note", "Likes tea.", "note")
    assert (made["user"], made["session_key"], made["run_id"]) == (user, "work", None)
    assert (await client.get(f"/api/memory/{made['id']}")).json == made


async def test_notes_are_listed_by_user_and_scope_page_by_page(client: Client, user: str) -> None:
    first = await add(client, "one", user)
    await add(client, "two", user, X_Hermes_Session_Key="work")
    await add(client, "three", user)
    assert await listed(client, f"user={user}") == ["one", "two", "three"]
    assert await listed(client, f"user={user}&session_key=work") == ["two"]
    assert await listed(client, f"user={user}&session_key=") == ["one", "three"]
    page = (await client.get(f"/api/memory?user={user}&limit=1")).json
    assert ([note["id"] for note in page["data"]], page["has_more"]) == ([first["id"]], True)
    assert await listed(client, f"user={user}&after={first['id']}") == ["two", "three"]


async def test_a_note_is_edited_and_forgotten(client: Client, user: str) -> None:
    made = await add(client, "one", user)
    path = f"/api/memory/{made['id']}"
    changed = (await client.send("PATCH", path, {"text": "other", "kind": "user"})).json
    assert (changed["text"], changed["kind"], changed["id"]) == ("other", "user", made["id"])
    same = (await client.send("PATCH", path, {})).json
    assert same["text"] == "other"
    gone = await client.delete(path)
    assert gone.json == {"object": "hermes.note", "id": made["id"], "deleted": True}
    for method in ("GET", "PATCH", "DELETE"):
        body = {"text": "x"} if method == "PATCH" else None
        answer = await client.send(method, path, body)
        assert wrong(answer) == (404, "note_id", "note_not_found")


async def test_all_notes_of_a_user_are_forgotten_at_once(client: Client, user: str) -> None:
    await add(client, "one", user)
    await add(client, "two", user, X_Hermes_Session_Key="work")
    kept = await add(client, "one", user + "x")
    assert wrong(await client.delete("/api/memory")) == (
        400,
        "user",
        "missing_required_parameter",
    )
    scoped = await client.delete(f"/api/memory?user={user}&session_key=work")
    assert scoped.json == {"object": "hermes.notes", "deleted": 1}
    assert (await client.delete(f"/api/memory?user={user}")).json["deleted"] == 1
    assert await listed(client, f"user={user}") == []
    assert (await client.get(f"/api/memory/{kept['id']}")).status == 200


async def test_what_is_asked_wrongly_is_named(client: Client, user: str) -> None:
    for body, param in (({"text": " "}, "text"), ({}, "text"), ({"text": "x", "kind": 1}, "kind")):
        answer = await client.post("/api/memory", body)
        assert (answer.status, answer.json["error"]["param"]) == (400, param)
    assert wrong(await client.get("/api/memory?after=note_none")) == (
        404,
        "after",
        "note_not_found",
    )
    assert (await client.get("/api/memory?limit=101")).status == 400


async def test_a_full_memory_is_a_conflict(client: Client, user: str) -> None:
    for n in range(5):
        await add(client, f"{n}" + "x" * 1999, user)
    answer = await client.post("/api/memory", {"text": "one more", "user": user})
    assert wrong(answer) == (409, None, "memory_full")
    assert "5 of 100 notes, 10,000 of 10,000 characters" in answer.json["error"]["message"]


async def test_a_key_that_only_reads_changes_nothing(client: Client, user: str) -> None:
    made = await add(client, "one", user)
    key = (await client.post("/api/keys", {"name": "reader", "scopes": ["read"]})).json["secret"]
    async with Client(client.url, key) as reader:
        assert (await reader.get("/api/memory")).status == 200
        for method, path, body in (
            ("POST", "/api/memory", {"text": "x"}),
            ("DELETE", f"/api/memory?user={user}", None),
            ("DELETE", f"/api/memory/{made['id']}", None),
            ("PATCH", f"/api/memory/{made['id']}", {"text": "x"}),
        ):
            assert (await reader.send(method, path, body)).status == 403

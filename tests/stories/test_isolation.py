"""Nothing of one key exists for another: not by any id, on any route, in any place."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import aiohttp
import pytest
import requests
from jsonschema import Draft202012Validator
from msgspec import Struct

from angelia.surfaces.http.openapi.document import build
from angelia.surfaces.http.openapi.operations import OPERATIONS
from tests.stories.belongings import (
    SECONDS,
    Tenant,
    belongings,
    filled,
    routed,
    settled,
    slots,
)
from tests.support.scripted import scripted
from tests.support.server import AngeliaServer

DOCUMENT = json.loads(build())
# A question that only one of them ever asks.
MARKS = ("zebrafinch", "quokkanest")
NAMED = "shared-name"
SETTINGS = """
[approvals]
ask = ["write_file", "read_file"]
"""
# Whoever asks here without the scope is told so, whatever the path says.
OF_ADMINS = {
    (operation.method.upper(), operation.path)
    for operation in OPERATIONS
    if operation.scopes == ("admin",)
}


# It has no end that anybody could read to; `test_feed.py` sees to it that keys are told apart.
ENDLESS = "/api/feed"


def has_query(path: str, name: str) -> bool:
    parameters = DOCUMENT["paths"][path]["get"].get("parameters", ())
    return any(each["in"] == "query" and each["name"] == name for each in parameters)


class Owner(Struct, frozen=True):
    """A key, an id for every slot of a path, and what else it has."""

    tenant: Tenant
    key_id: str
    things: dict[str, str]
    others: dict[str, str]

    @property
    def ids(self) -> dict[str, str]:
        return {**self.things, **self.others, "key_id": self.key_id}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    folder = tmp_path_factory.mktemp("isolation")
    with scripted(folder, SETTINGS, ANGELIA_APPROVALS="ask") as stage:
        yield stage.server


@pytest.fixture(scope="module")
def owners(server: AngeliaServer) -> Iterator[tuple[Owner, Owner]]:
    admin = Tenant(server.url, server.key, "admin")
    made = [owner(admin, mark) for mark in MARKS]
    yield made[0], made[1]
    for each in (admin, *(one.tenant for one in made)):
        each.close()


def owner(admin: Tenant, mark: str) -> Owner:
    key = admin.made("POST", "/api/keys", {"name": mark, "scopes": ["chat", "runs", "read"]})
    tenant = Tenant(admin.url, key["secret"], mark)
    return Owner(tenant, key["id"], belongings(tenant), unfinished(tenant))


def unfinished(tenant: Tenant) -> dict[str, str]:
    """Runs that wait for a person and for a client, and what they wait for."""
    asking = tenant.made("POST", "/v1/runs", {"input": f"write {tenant.mark}.txt: x"})["run_id"]
    pending = settled(tenant, asking, "waiting_for_approval")["pending_approvals"]
    body = {
        "messages": [{"role": "user", "content": "call ask_me {}"}],
        "tools": [{"type": "function", "function": {"name": "ask_me"}}],
    }
    answer = tenant.send("POST", "/v1/chat/completions", body)
    call = answer.json()["choices"][0]["message"]["tool_calls"][0]
    return {
        "asking_run": asking,
        "approval": pending[0]["approval_id"],
        "handing_run": answer.headers["X-Angelia-Run-Id"],
        "awaited_call": call["id"],
    }


# ── requests ────────────────────────────────────────────────────────────────────────────────


def smallest(schema: dict[str, Any]) -> Any:
    """A value that the schema allows, with nothing in it that may be left out."""
    if "$ref" in schema:
        named = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        required = [*named.get("required", ()), *schema.get("required", ())]
        return smallest({**named, "required": required})
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        required = schema.get("required", ())
        return {name: smallest(schema["properties"][name]) for name in required}
    if "anyOf" in schema:
        return smallest(schema["anyOf"][0])
    match schema.get("type"):
        case "array":
            return [smallest(schema["items"])] * schema.get("minItems", 0)
        case "integer" | "number":
            return 1
        case "boolean":
            return False
        case "object":
            return {}
        case _:
            return "x"


def body_for(method: str, path: str) -> Any:
    """A good one, so that nothing but the path can be the reason of a refusal."""
    taken = DOCUMENT["paths"][path][method.lower()].get("requestBody")
    if taken is None:
        return None
    schema = taken["content"]["application/json"]["schema"]
    body = smallest(schema)
    Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(body)
    return body


def aimed(path: str, victim: Owner, thief: Owner) -> Iterator[str]:
    """The path with every id of the victim in every slot, beside ids of the victim or one's own."""
    own = set(thief.ids.values())
    for name, stolen in itertools.product(slots(path), set(victim.ids.values()) - own):
        for beside in (victim.ids, thief.ids):
            yield filled(path, {"model": "angelia", **beside, name: stolen})


def snapshot(owner: Owner) -> dict[str, tuple[int, str]]:
    """Everything that can be read by a path, as its owner sees it."""
    seen: dict[str, tuple[int, str]] = {}
    for method, path in sorted(routed() - OF_ADMINS):
        if method == "GET" and path.startswith(("/v1/", "/api/")) and path != ENDLESS:
            where = filled(path, {"model": "angelia", **owner.ids})
            where += f"?q={owner.tenant.mark}" if path.endswith("/search") else ""
            answer = owner.tenant.send("GET", where)
            seen[where] = (answer.status_code, answer.text)
    return seen


def foreign(answer: requests.Response, victim: Owner, sent: str = "") -> set[str]:
    """What an answer holds of the victim that was not in the request.

    Calls and approvals are numbered within their run, so theirs are everybody's.
    """
    told = {victim.tenant.mark, *victim.ids.values()}
    numbered = {victim.ids["call_id"], victim.ids["approval"]}
    return {word for word in told - numbered if word in answer.text and word not in sent}


# ── by path ─────────────────────────────────────────────────────────────────────────────────

WITH_SLOTS = sorted((method, path) for method, path in routed() if slots(path))
LISTS = sorted(
    path for method, path in routed() if method == "GET" and not slots(path) and path != ENDLESS
)


def test_there_is_a_thing_for_every_slot(owners: tuple[Owner, Owner]) -> None:
    wanted = {slot for _, path in routed() for slot in slots(path)}
    assert wanted - set(owners[0].ids) == {"model", "tool_name", "server_name"}


def test_everything_that_was_made_can_be_read_by_its_owner(owners: tuple[Owner, Owner]) -> None:
    for each in owners:
        seen = snapshot(each)
        assert {where: told for where, told in seen.items() if told[0] != 200} == {}
        assert sum(each.tenant.mark in text for _, text in seen.values()) >= len(each.things) - 1


@pytest.mark.parametrize(("method", "path"), WITH_SLOTS)
def test_no_id_of_one_resolves_for_the_other(
    method: str, path: str, owners: tuple[Owner, Owner]
) -> None:
    victim, thief = owners
    before = snapshot(victim)
    body = body_for(method, path)
    expected = 403 if (method, path) in OF_ADMINS else 404
    for where in dict.fromkeys(aimed(path, victim, thief)):
        answer = thief.tenant.send(method, where, body)
        assert answer.status_code == expected, f"{method} {where}: {answer.text}"
        assert foreign(answer, victim, where) == set()
    assert snapshot(victim) == before


@pytest.mark.parametrize("path", LISTS)
def test_no_list_of_one_holds_anything_of_the_other(path: str, owners: tuple[Owner, Owner]) -> None:
    victim, thief = owners
    for query in (
        "",
        "?limit=100",
        f"?q={victim.tenant.mark}",
        f"?session_id={victim.ids['session_id']}",
    ):
        answer = thief.tenant.send("GET", path + query)
        assert foreign(answer, victim, query) == set()


@pytest.mark.parametrize("path", [path for path in LISTS if has_query(path, "after")])
def test_no_cursor_of_one_is_a_place_in_a_list_of_the_other(
    path: str, owners: tuple[Owner, Owner]
) -> None:
    victim, thief = owners
    for stolen in victim.ids.values():
        answer = thief.tenant.send("GET", f"{path}?after={stolen}")
        assert answer.status_code == 404, answer.text
        assert foreign(answer, victim, stolen) == set()


def test_what_one_used_is_not_told_to_the_other(owners: tuple[Owner, Owner]) -> None:
    victim, thief = owners
    assert thief.tenant.send("GET", f"/api/usage?key={victim.key_id}").status_code == 404
    used = thief.tenant.made("GET", "/api/usage?group=key")["data"]
    assert {line["key"] for line in used} == {thief.key_id}


# ── by body and header ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/runs", "/v1/responses/input_tokens"])
def test_nobody_goes_on_from_a_response_of_another(path: str, owners: tuple[Owner, Owner]) -> None:
    victim, thief = owners
    body = {"input": "Go on.", "previous_response_id": victim.ids["response_id"]}
    answer = thief.tenant.send("POST", path, body)
    assert answer.status_code == 404, answer.text
    assert answer.json()["error"]["code"] == "previous_response_not_found"


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/responses/input_tokens"])
def test_nobody_goes_on_in_a_conversation_of_another(
    path: str, owners: tuple[Owner, Owner]
) -> None:
    victim, thief = owners
    before = snapshot(victim)
    for named in (victim.ids["conversation_id"], {"id": victim.ids["conversation_id"]}):
        answer = thief.tenant.send("POST", path, {"input": "Go on.", "conversation": named})
        assert answer.status_code == 404, answer.text
    assert snapshot(victim) == before


def test_nobody_refers_to_an_item_of_another(owners: tuple[Owner, Owner]) -> None:
    victim, thief = owners
    shown = victim.tenant.made("GET", f"/v1/responses/{victim.ids['response_id']}")
    taken = victim.tenant.made("GET", f"/v1/responses/{victim.ids['response_id']}/input_items")
    ids = [item["id"] for item in (*shown["output"], *taken["data"])]
    assert len(ids) >= 2
    for item_id in (*ids, victim.ids["item_id"]):
        body = {"input": [{"type": "item_reference", "id": item_id}]}
        answer = thief.tenant.send("POST", "/v1/responses", body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "item_not_found")


@pytest.mark.parametrize(
    ("field", "thing"),
    [("previous_response_id", "response_id"), ("conversation", "conversation_id")],
)
async def test_a_socket_leads_to_nothing_of_another(
    field: str, thing: str, owners: tuple[Owner, Owner]
) -> None:
    victim, thief = owners
    message = {"type": "response.create", "input": "Go on.", field: victim.ids[thing]}
    async with (
        aiohttp.ClientSession(headers=thief.tenant.headers) as session,
        session.ws_connect(f"{victim.tenant.url}/v1/responses") as socket,
    ):
        await socket.send_json(message)
        answer = await socket.receive_json(timeout=SECONDS)
    assert answer["type"] == "error"
    assert answer["error"]["code"].endswith("_not_found")
    assert victim.tenant.mark not in json.dumps(answer)


def test_nobody_forks_behind_a_run_of_another(owners: tuple[Owner, Owner]) -> None:
    victim, thief = owners
    for run in ("run_id", "asking_run", "handing_run"):
        body = {"run_id": victim.ids[run]}
        answer = thief.tenant.send("POST", f"/api/sessions/{thief.ids['session_id']}/fork", body)
        assert answer.status_code == 404, answer.text


def results(call_id: str) -> list[tuple[str, Any]]:
    """The result of a client's tool, as each surface takes it."""
    call = {"id": call_id, "type": "function", "function": {"name": "ask_me", "arguments": "{}"}}
    return [
        (
            "/v1/chat/completions",
            {
                "messages": [
                    {"role": "user", "content": "call ask_me {}"},
                    {"role": "assistant", "content": None, "tool_calls": [call]},
                    {"role": "tool", "tool_call_id": call_id, "content": "mine"},
                ]
            },
        ),
        (
            "/v1/responses",
            {"input": [{"type": "function_call_output", "call_id": call_id, "output": "mine"}]},
        ),
    ]


def test_nobody_brings_the_results_that_a_run_of_another_waits_for(
    owners: tuple[Owner, Owner],
) -> None:
    victim, thief = owners
    before = snapshot(victim)
    for path, body in results(victim.ids["awaited_call"]):
        answer = thief.tenant.send("POST", path, body)
        assert answer.headers.get("X-Angelia-Run-Id") != victim.ids["handing_run"]
        assert foreign(answer, victim, json.dumps(body)) == set()
    waiting = victim.tenant.made("GET", f"/v1/runs/{victim.ids['handing_run']}")
    assert waiting["status"] == "waiting_for_client"
    assert snapshot(victim) == before


def test_an_idempotency_key_of_one_means_nothing_to_the_other(
    owners: tuple[Owner, Owner],
) -> None:
    runs = [
        each.tenant.send("POST", "/v1/runs", {"input": "long 1"}, {"Idempotency-Key": NAMED})
        for each in (*owners, owners[0])
    ]
    first, second, again = (answer.json()["run_id"] for answer in runs)
    assert first == again != second
    assert ["Idempotency-Replayed" in answer.headers for answer in runs] == [False, False, True]


def said_in(owner: Owner, session: str) -> list[dict[str, Any]]:
    return owner.tenant.made("GET", f"/api/sessions/{session}/messages")["data"]


def test_a_session_of_the_same_name_is_another_session(owners: tuple[Owner, Owner]) -> None:
    for each in owners:
        body = {"messages": [{"role": "user", "content": each.tenant.mark}]}
        for _ in range(2):
            each.tenant.made("POST", "/v1/chat/completions", body, X_Hermes_Session_Id=NAMED)
    for each, other in (owners, owners[::-1]):
        session = each.tenant.made("GET", f"/api/sessions/{NAMED}")
        assert session["runs"] == 2
        assert other.tenant.mark not in json.dumps(said_in(each, NAMED))
    owners[1].tenant.made("DELETE", f"/api/sessions/{NAMED}")
    assert owners[0].tenant.made("GET", f"/api/sessions/{NAMED}")["runs"] == 2


def test_who_repeats_the_words_of_another_is_not_told_the_rest(
    owners: tuple[Owner, Owner],
) -> None:
    victim, thief = owners
    asked = [{"role": "user", "content": "list files"}]
    shown = victim.tenant.made("POST", "/v1/chat/completions", {"messages": asked})
    text = shown["choices"][0]["message"]["content"]
    more = [*asked, {"role": "assistant", "content": text}, {"role": "user", "content": "long 1"}]
    kept = {}
    for each in (victim, thief):
        answer = each.tenant.send("POST", "/v1/chat/completions", {"messages": more})
        kept[each.key_id] = said_in(each, answer.headers["X-Hermes-Session-Id"])
    assert any("tool_calls" in said for said in kept[victim.key_id])
    assert not any("tool_calls" in said for said in kept[thief.key_id])

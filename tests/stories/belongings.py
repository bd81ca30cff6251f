"""What one key may own: one thing of every kind that a path can name, made over HTTP."""

import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import requests
from starlette.routing import Route

from angelia.surfaces.http.app import ROUTES

SECONDS = 30
_SLOT = re.compile(r"{(\w+)(?::\w+)?}")


class Tenant:
    """One key at one server. `mark` stands in everything that it says."""

    def __init__(self, url: str, key: str, mark: str) -> None:
        self.url = url
        self.mark = mark
        self.headers = {"Authorization": f"Bearer {key}"}
        self._session = requests.Session()
        self._session.headers.update(self.headers)

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> requests.Response:
        return self._session.request(
            method, self.url + path, json=body, headers=headers, timeout=SECONDS
        )

    def made(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The JSON of an answer that must be a good one."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.send(method, path, body, named)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def close(self) -> None:
        self._session.close()


# ── paths ───────────────────────────────────────────────────────────────────────────────────


def slots(path: str) -> list[str]:
    return _SLOT.findall(path)


def plain(path: str) -> str:
    """The path as documents write it."""
    return _SLOT.sub(r"{\1}", path)


def filled(path: str, values: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda slot: values[slot[1]], path)


def routed() -> set[tuple[str, str]]:
    """Every method and path there is."""
    return {
        (method, plain(route.path))
        for route in ROUTES
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }


# ── things ──────────────────────────────────────────────────────────────────────────────────


def ended_run(tenant: Tenant) -> dict[str, str]:
    """A run that has called a tool."""
    run_id = tenant.made("POST", "/v1/runs", {"input": f"list files, then {tenant.mark}"})["run_id"]
    settled(tenant, run_id, "completed")
    events = tenant.send("GET", f"/v1/runs/{run_id}/events").text
    calls = re.findall(r'"event":"tool.started".*?"tool_call_id":"([^"]+)"', events)
    return {"run_id": run_id, "call_id": calls[0]}


def settled(tenant: Tenant, run_id: str, status: str) -> Any:
    """The run, once it has got so far."""
    deadline = time.monotonic() + SECONDS
    while (run := tenant.made("GET", f"/v1/runs/{run_id}"))["status"] in ("queued", "running"):
        assert time.monotonic() < deadline
    assert run["status"] == status, run
    return run


def completion(tenant: Tenant) -> dict[str, str]:
    body = {"messages": [{"role": "user", "content": tenant.mark}]}
    return {"completion_id": tenant.made("POST", "/v1/chat/completions", body)["id"]}


def response(tenant: Tenant) -> dict[str, str]:
    return {"response_id": tenant.made("POST", "/v1/responses", {"input": tenant.mark})["id"]}


def conversation(tenant: Tenant) -> dict[str, str]:
    """With an item in it that was brought along."""
    item = {"type": "message", "role": "user", "content": tenant.mark}
    made = tenant.made("POST", "/v1/conversations", {"items": [item]})
    listed = tenant.made("GET", f"/v1/conversations/{made['id']}/items")
    return {"conversation_id": made["id"], "item_id": listed["data"][0]["id"]}


def session(tenant: Tenant) -> dict[str, str]:
    made = tenant.made("POST", "/v1/runs", {"input": f"Remember {tenant.mark}."})
    settled(tenant, made["run_id"], "completed")
    return {"session_id": made["session_id"]}


def grant(tenant: Tenant) -> dict[str, str]:
    """What was agreed to for longer than one call; the settings ask before files are read."""
    wanted = {"input": f"read granted-{time.time_ns()}.txt"}
    made = tenant.made("POST", "/v1/runs", wanted)
    settled(tenant, made["run_id"], "waiting_for_approval")
    tenant.made("POST", f"/v1/runs/{made['run_id']}/approval", {"choice": "always"})
    settled(tenant, made["run_id"], "completed")
    return {"grant_id": tenant.made("GET", "/api/grants")["data"][0]["id"]}


def note(tenant: Tenant) -> dict[str, str]:
    body = {"text": f"About {tenant.mark}.", "user": tenant.mark}
    return {"note_id": tenant.made("POST", "/api/memory", body)["id"]}


def job(tenant: Tenant) -> dict[str, str]:
    """One that is due once, in a year that nobody waits for."""
    wanted = {"schedule": "2199-01-01T00:00Z", "input": tenant.mark}
    return {"job_id": tenant.made("POST", "/api/jobs", wanted)["id"]}


Maker = Callable[[Tenant], dict[str, str]]

MAKERS: tuple[Maker, ...] = (
    ended_run,
    completion,
    response,
    conversation,
    session,
    grant,
    note,
    job,
)


def belongings(tenant: Tenant) -> dict[str, str]:
    """An id for every slot that names something of a key; those of one path belong together."""
    made: dict[str, str] = {}
    for maker in MAKERS:
        made |= maker(tenant)
    return made

"""Makes the demo home: real runs of a real server, whose models follow a script."""

import asyncio
import tempfile
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from demo import figures, files, script, settings
from demo.stage import Client, Server, serving, upstream

FIRST = "key_first"

KEYS: tuple[dict[str, Any], ...] = (
    {
        "name": "docs site",
        "scopes": ["chat"],
        "rules": {"models": ["angelia"], "requests_per_minute": 60, "daily_budget": 5},
    },
    {"name": "editor", "scopes": ["chat", "runs", "read"]},
    {"name": "ops bot", "scopes": ["runs", "read"], "rules": {"concurrent_runs": 4}},
    {"name": "dashboard", "scopes": ["read"]},
    {"name": "old laptop", "scopes": ["chat", "runs", "read"]},
)
SHARES = {"docs site": 1.6, "editor": 1.0, "ops bot": 0.6}
NOTES = (
    {"text": "Tables are checked against the gauge at north-pier.", "kind": "note"},
    {"text": "Prefers metric units and 24-hour times.", "kind": "user"},
    {"text": "Releases happen on Thursdays, after the morning report.", "kind": "note"},
    {"text": "Docs are written in plain words, without abbreviations.", "user": "docs"},
    {"text": "The staging server is called heron.", "user": "ops"},
)
JOBS = (
    {
        "name": "Morning report",
        "schedule": "every weekday at 7:30",
        "input": "Give the morning report: what is new in the workspace?",
    },
    {
        "name": "Check the links",
        "schedule": "every mon and thu at 6pm",
        "input": "Check the links of README.",
        "model": "researcher",
    },
    {
        "name": "Rebuild tables",
        "schedule": "0 3 1 * *",
        "input": "Rebuild the tables.",
        "user": "ops",
    },
    {
        "name": "Compare gauges",
        "schedule": "every 6h",
        "input": "Compare the gauges.",
        "user": "ops",
    },
)


async def make(home: Path) -> None:
    """`home` is complete once this returns, and nothing works on it."""
    files.write(home)
    with tempfile.TemporaryDirectory() as folder:
        aside = Path(folder)
        with upstream(aside / "upstream", script.CONVERSATIONS) as address:
            (home / "angelia.toml").write_text(settings.while_made(address))
            with serving(home, aside / "server") as server:
                keys = await _live(server)
        figures.enter(home / "angelia.db", {FIRST: 1.2, **keys})
    (home / "angelia.toml").write_text(settings.KEPT)


async def _live(server: Server) -> dict[str, float]:
    """How busy each key is that was made."""
    async with Client(server) as client:
        made = [await client.ask("POST", "/api/keys", key) for key in KEYS]
        await client.ask("PATCH", f"/api/keys/{made[3]['id']}", {"expires_at": _in_days(60)})
        await client.ask("DELETE", f"/api/keys/{made[4]['id']}")
        for note in NOTES:
            await client.ask("POST", "/api/memory", note)
        await _converse(client)
        await _schedule(client)
    async with Client(server, made[0]["secret"]) as site:
        await _elsewhere(site)
    return {key["id"]: SHARES[key["name"]] for key in made if key["name"] in SHARES}


def _in_days(days: int) -> float:
    return (datetime.now(UTC) + timedelta(days=days)).timestamp() // 3600 * 3600


async def _converse(client: Client) -> None:
    """In the order in which a list of sessions shows them from below."""
    await client.run(script.ABOUT, "about")
    await client.run(script.BUSY, "datums")
    await client.run(script.LOST, "datums")
    await client.run(script.with_image(_curve()), "curve")
    await _elsewhere(client, "quick-question")
    await asyncio.gather(_stopped(client), client.run(script.REBUILD, "rebuild"))
    await client.run(script.SPRING, "spring")
    await client.run(script.NOTES, "notes", model="scribe")
    await client.run(script.SHORTER, "notes", model="scribe", parent_run_id=None)
    await client.run(script.SUMMER, "summer")
    await client.run(script.RELEASE, "release")
    await client.run(script.PUBLISH, "publish")


def _curve() -> str:
    return "data:image/png;base64," + b64encode(files.tide_curve()).decode()


async def _stopped(client: Client) -> None:
    run_id = await client.start(script.WATCH, "gauge")
    await asyncio.sleep(2)
    await client.ask("POST", f"/v1/runs/{run_id}/stop")
    await client.rest(run_id)


async def _elsewhere(client: Client, session: str = "visitor") -> None:
    """As a client of OpenAI's protocols asks."""
    said = [{"role": "user", "content": "Say what a datum is, in one line."}]
    headers = {"X-Hermes-Session-Id": session}
    await client.ask("POST", "/v1/chat/completions", {"messages": said}, headers)
    await client.ask("POST", "/v1/responses", {"input": "Say what a datum is."}, headers)


async def _schedule(client: Client) -> None:
    made = [await client.ask("POST", "/api/jobs", job) for job in JOBS]
    for job in made[:2]:
        firing = await client.ask("POST", f"/api/jobs/{job['id']}/run")
        if firing.get("run_id"):
            await client.rest(firing["run_id"])
    await client.ask("POST", f"/api/jobs/{made[3]['id']}/pause")

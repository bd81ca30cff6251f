"""Jobs at a real server: they fire, survive kill -9 around their firing, rest and run at once."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import StartServer
from tests.stories.belongings import SECONDS, Tenant, settled
from tests.support.server import AngeliaServer

OFTEN = "[schedule]\nmin_interval = 1\n"
# Seconds around the moment at which a job is due: from before it is noted to behind its end.
CUTS = (-0.02, 0.0, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1)


@pytest.fixture
def started(start_server: StartServer, tmp_path: Path) -> AngeliaServer:
    """A server whose jobs may fire every second."""
    return often(start_server, tmp_path)


def often(start_server: StartServer, tmp_path: Path, **env: str) -> AngeliaServer:
    home = tmp_path / "server-0" / ".angelia"
    home.mkdir(parents=True)
    (home / "angelia.toml").write_text(OFTEN)
    return start_server(**env)


def tenant(server: AngeliaServer, key: str | None = None) -> Tenant:
    return Tenant(server.url, key or server.key, "")


def make(owner: Tenant, schedule: str, text: str = "long 3", **fields: Any) -> dict[str, Any]:
    return owner.made("POST", "/api/jobs", {"schedule": schedule, "input": text, **fields})


def firings(owner: Tenant, job: dict[str, Any]) -> list[dict[str, Any]]:
    """Oldest first."""
    found = owner.made("GET", f"/api/jobs/{job['id']}/runs?limit=100")["data"]
    return found[::-1]


def eventually(read: Callable[[], Any], fits: Callable[[Any], bool]) -> Any:
    """What is read, once it fits."""
    deadline = time.monotonic() + SECONDS
    while not fits(found := read()):
        assert time.monotonic() < deadline, found
    return found


def fired(owner: Tenant, job: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The firings, once so many have brought a run to its end."""
    return eventually(
        lambda: firings(owner, job),
        lambda found: sum(one["outcome"] == "completed" for one in found) >= count,
    )


def test_a_job_fires_twice_and_each_time_is_a_run(started: AngeliaServer) -> None:
    owner = tenant(started)
    job = make(owner, "every 1s", "long 3", max_firings=2, name="words")
    found = fired(owner, job, 2)
    assert [one["status"] for one in found] == ["started", "started"]
    assert found[1]["planned_at"] - found[0]["planned_at"] == pytest.approx(1)
    for one in found:
        run = owner.made("GET", f"/v1/runs/{one['run_id']}")
        assert (run["status"], run["output"]) == ("completed", "word1 word2 word3")
        events = owner.send("GET", f"/v1/runs/{one['run_id']}/events").text
        assert events.count('"event":"run.completed"') == 1
    after = eventually(
        lambda: owner.made("GET", f"/api/jobs/{job['id']}"), lambda j: not j["next_at"]
    )
    assert (after["status"], after["firings_left"], after["next_times"]) == ("finished", 0, [])
    assert after["last_firing"]["run_id"] == found[1]["run_id"]


@pytest.mark.timeout(300)
def test_a_server_killed_around_a_firing_neither_loses_nor_doubles_it(
    started: AngeliaServer,
) -> None:
    owner = tenant(started)
    jobs: list[dict[str, Any]] = []
    for number, cut in enumerate(CUTS):
        job = make(owner, "in 1 s", "long 3", session_id=f"cut-{number}")
        jobs.append(job)
        while time.time() < job["next_at"] + cut:
            pass
        started.restart()
        owner = tenant(started)
    for job in jobs:
        (one,) = fired(owner, job, 1)
        assert one["status"] == "started"
        session = owner.made("GET", f"/api/sessions/{job['session_id']}")
        assert (session["runs"], session["last_run_id"]) == (1, one["run_id"])
        asked = owner.made("GET", f"/api/sessions/{job['session_id']}/messages")["data"]
        assert [said["role"] for said in asked] == ["user", "assistant"]


def test_what_was_missed_while_no_server_was_there_is_made_up_for_by_policy(
    started: AngeliaServer,
) -> None:
    owner = tenant(started)
    jobs = {
        each: make(owner, "every 3s", catch_up=each, overlap="queue") for each in ("once", "all")
    }
    started.kill()
    back = max(job["next_at"] for job in jobs.values()) + 6
    time.sleep(back - time.time())
    started.start()
    owner = tenant(started)
    once, every = fired(owner, jobs["once"], 1), fired(owner, jobs["all"], 3)
    first = jobs["all"]["next_at"]
    assert [one["planned_at"] for one in every[:3]] == [first, first + 3, first + 6]
    # One run stands for all of them, and it is the last.
    assert once[0]["planned_at"] >= jobs["once"]["next_at"] + 6


def test_a_job_rests_and_goes_on_and_runs_at_once(started: AngeliaServer) -> None:
    owner = tenant(started)
    job = make(owner, "every 1h")
    where = f"/api/jobs/{job['id']}"
    paused = owner.made("POST", f"{where}/pause")
    assert (paused["status"], paused["next_at"], paused["next_times"]) == ("paused", None, [])
    now = owner.send("POST", f"{where}/run", headers={"Idempotency-Key": "k"})
    again = owner.send("POST", f"{where}/run", headers={"Idempotency-Key": "k"})
    assert now.status_code == again.status_code == 202
    assert now.json() == again.json()
    assert now.headers["X-Angelia-Run-Id"] == now.json()["run_id"]
    assert again.headers["Idempotency-Replayed"] == "true"
    settled(owner, now.json()["run_id"], "completed")
    (one,) = firings(owner, job)
    assert (one["asked"], one["run_id"]) == (True, now.json()["run_id"])
    resumed = owner.made("POST", f"{where}/resume")
    assert (resumed["status"], len(resumed["next_times"])) == ("active", 5)
    assert owner.made("DELETE", where) == {"object": "hermes.job", "id": job["id"], "deleted": True}
    assert owner.send("GET", where).status_code == 404
    assert owner.made("GET", f"/v1/runs/{one['run_id']}")["status"] == "completed"


def test_a_job_and_its_pause_survive_a_restart(started: AngeliaServer) -> None:
    owner = tenant(started)
    active = make(owner, "0 9 * * *", timezone="Asia/Tokyo", name="morning")
    resting = make(owner, "every 1s")
    owner.made("POST", f"/api/jobs/{resting['id']}/pause")
    started.restart()
    owner = tenant(started)
    assert owner.made("GET", f"/api/jobs/{active['id']}") == active
    assert owner.made("GET", f"/api/jobs/{resting['id']}")["status"] == "paused"
    listed = owner.made("GET", "/api/jobs?status=active")
    assert [job["name"] for job in listed["data"]] == ["morning"]


@pytest.mark.parametrize(
    ("zone", "offset"),
    [("Asia/Tokyo", "+09:00"), ("Asia/Kolkata", "+05:30"), ("UTC", "+00:00")],
)
def test_nine_o_clock_is_where_the_clock_hangs(
    started: AngeliaServer, zone: str, offset: str
) -> None:
    job = make(tenant(started), "every day at 9:00", timezone=zone.lower())
    assert job["timezone"] == zone
    assert {moment[11:] for moment in job["next_times"]} == {f"09:00:00{offset}"}


def test_a_run_of_a_job_waits_for_a_person_like_any_other(
    start_server: StartServer, tmp_path: Path
) -> None:
    server = often(start_server, tmp_path, ANGELIA_APPROVALS="ask")
    owner = tenant(server)
    job = make(owner, "in 1 s", "Run `echo x > deed` for me.")
    (one,) = eventually(
        lambda: firings(owner, job),
        lambda found: [each["outcome"] for each in found] == ["waiting_for_approval"],
    )
    server.restart()
    owner = tenant(server)
    owner.made("POST", f"/v1/runs/{one['run_id']}/approval", {"choice": "once"})
    fired(owner, job, 1)
    assert (server.home / "workspace" / "deed").read_text() == "x\n"


def test_a_model_makes_a_job_that_reports_back_into_the_session(started: AngeliaServer) -> None:
    owner = tenant(started)
    wish = '{"action": "create", "schedule": "in 1 s", "task": "long 2", "deliver": "session"}'
    body = {"input": f"call schedule {wish}", "session_id": "talk"}
    run = owner.made("POST", "/v1/runs", body)
    settled(owner, run["run_id"], "completed")
    (job,) = owner.made("GET", "/api/jobs")["data"]
    assert (job["session_id"], job["input"]) == ("talk", "long 2")
    fired(owner, job, 1)
    said = owner.made("GET", "/api/sessions/talk/messages")["data"]
    assert [one["content"] for one in said if one["role"] == "user"][-1] == "long 2"
    assert said[-1]["content"] == "word1 word2"


def test_jobs_of_one_key_are_none_of_anothers_and_end_with_the_key(
    started: AngeliaServer,
) -> None:
    admin = tenant(started)
    made = [admin.made("POST", "/api/keys", {"name": name}) for name in ("ann", "bob")]
    ann, bob = (tenant(started, key["secret"]) for key in made)
    job = make(ann, "every 1s")
    assert bob.made("GET", "/api/jobs")["data"] == []
    for method, path in (
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("POST", "/pause"),
        ("POST", "/resume"),
        ("POST", "/run"),
        ("GET", "/runs"),
    ):
        answer = bob.send(method, f"/api/jobs/{job['id']}{path}", {} if method == "PATCH" else None)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "job_not_found")
    fired(ann, job, 1)
    admin.made("DELETE", f"/api/keys/{made[0]['id']}")
    # Nobody can ask with the key any more, so the database is asked.
    eventually(lambda: kept(started, job["id"]), lambda body: '"status":"paused"' in body)
    assert "is revoked" in kept(started, job["id"])


def kept(server: AngeliaServer, job_id: str) -> str:
    with closing(sqlite3.connect(server.home / "angelia.db")) as connection:
        return connection.execute("select body from jobs where id = ?", (job_id,)).fetchone()[0]

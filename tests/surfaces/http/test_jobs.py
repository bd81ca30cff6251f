"""/api/jobs, route by route: what is asked wrongly, and what an answer looks like."""

from typing import Any

import pytest

from tests.support.http import Answer, Client

JOB_FIELDS = [
    *("object", "id", "name", "status", "reason", "schedule", "timezone", "next_at"),
    *(
        "next_times",
        "input",
        "instructions",
        "model",
        "session_id",
        "session_key",
        "toolsets",
        "limits",
        "user",
    ),
    *("webhook_host", "catch_up", "overlap", "until", "firings_left", "created_at"),
    *("updated_at", "last_firing"),
]


async def make(client: Client, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/api/jobs", {"schedule": "every 1h", "input": "long 3", **fields})
    assert answer.status == 201, answer.body
    return answer.json


async def patch(client: Client, job: dict[str, Any], **fields: Any) -> Answer:
    return await client.send("PATCH", f"/api/jobs/{job['id']}", fields)


def wrong(answer: Answer) -> tuple[int, str | None, str | None]:
    error = answer.json["error"]
    return answer.status, error["param"], error["code"]


async def remove(client: Client, *jobs: dict[str, Any]) -> None:
    for job in jobs:
        assert (await client.send("DELETE", f"/api/jobs/{job['id']}")).status == 200


async def test_a_job_has_all_its_fields(client: Client) -> None:
    job = await make(
        client,
        name="all",
        timezone="europe/berlin",
        instructions="Be brief.",
        model="angelia",
        session_id="s",
        toolsets=["files"],
        limits={"max_steps": 3},
        user="ann",
        webhook="http://127.0.0.1:9/secret-path",
        catch_up="all",
        overlap="queue",
        until="2199-01-01",
        max_firings=3,
    )
    assert list(job) == JOB_FIELDS
    assert (job["timezone"], job["user"], job["firings_left"]) == ("Europe/Berlin", "ann", 3)
    assert (job["webhook_host"], len(job["next_times"])) == ("127.0.0.1", 3)
    assert job["until"] == 7_226_578_800
    assert "secret-path" not in str(job)
    read = await client.get(f"/api/jobs/{job['id']}")
    assert read.json == job
    await remove(client, job)


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"schedule": "0 25 * * *"}, "schedule"),
        ({"schedule": "every 5 s"}, "schedule"),
        ({"schedule": "2020-01-01"}, "schedule"),
        ({"timezone": "Europe/Berln"}, "timezone"),
        ({"until": "tomorrow"}, "until"),
        ({"webhook": "ftp://x"}, "webhook"),
    ],
)
async def test_what_cannot_be_is_refused_by_its_field(
    client: Client, fields: dict[str, Any], param: str
) -> None:
    answer = await client.post("/api/jobs", {"schedule": "every 1h", "input": "x", **fields})
    assert wrong(answer)[:2] == (400, param)
    job = await make(client)
    assert wrong(await patch(client, job, **fields))[:2] == (400, param)
    assert (await client.get(f"/api/jobs/{job['id']}")).json == job
    await remove(client, job)


async def test_a_job_is_changed_field_by_field(client: Client) -> None:
    job = await make(client, instructions="a", until="2199-01-01", session_id="s")
    changed = (await patch(client, job, name="new", instructions=None, until=None)).json
    assert (changed["name"], changed["instructions"], changed["until"]) == ("new", None, None)
    assert (changed["session_id"], changed["next_at"]) == ("s", job["next_at"])
    moved = (await patch(client, job, schedule="0 9 * * *", timezone="Asia/Tokyo")).json
    assert moved["next_times"][0].endswith("T09:00:00+09:00")
    back = (await patch(client, job, timezone=None, session_id=None, max_firings=2)).json
    assert (back["timezone"], back["session_id"], len(back["next_times"])) == ("UTC", None, 2)
    await remove(client, job)


async def test_a_model_that_there_is_none_of_for_the_key_is_refused(client: Client) -> None:
    made = await client.post(
        "/api/keys", {"name": "narrow", "rules": {"models": ["somebody-else"]}}
    )
    async with Client(client.url, made.json["secret"]) as narrow:
        answer = await narrow.post("/api/jobs", {"schedule": "every 1h", "input": "x"})
    assert wrong(answer) == (404, "model", "model_not_found")


async def test_jobs_are_listed_in_pages(client: Client) -> None:
    jobs = [await make(client, name=str(number), user="lister") for number in range(3)]
    first = (await client.get("/api/jobs?user=lister&limit=2")).json
    assert ([job["name"] for job in first["data"]], first["has_more"]) == (["2", "1"], True)
    rest = (await client.get(f"/api/jobs?user=lister&after={first['data'][-1]['id']}")).json
    assert ([job["name"] for job in rest["data"]], rest["has_more"]) == (["0"], False)
    await client.post(f"/api/jobs/{jobs[0]['id']}/pause", {})
    paused = (await client.get("/api/jobs?user=lister&status=paused")).json
    assert [job["name"] for job in paused["data"]] == ["0"]
    assert wrong(await client.get("/api/jobs?status=odd")) == (400, "status", "invalid_value")
    assert wrong(await client.get("/api/jobs?after=x")) == (404, "after", "job_not_found")
    await remove(client, *jobs)


async def test_firings_are_listed_in_pages(client: Client) -> None:
    job = await make(client)
    for _ in range(3):
        assert (await client.post(f"/api/jobs/{job['id']}/run", {})).status == 202
    where = f"/api/jobs/{job['id']}/runs"
    page = (await client.get(f"{where}?limit=2")).json
    assert (len(page["data"]), page["has_more"]) == (2, True)
    rest = (await client.get(f"{where}?after={page['data'][-1]['id']}")).json
    assert (len(rest["data"]), rest["has_more"]) == (1, False)
    assert wrong(await client.get(f"{where}?after=x")) == (404, "after", "firing_not_found")
    await remove(client, job)


async def test_a_key_that_may_only_read_changes_nothing(client: Client) -> None:
    job = await make(client)
    made = await client.post("/api/keys", {"name": "reader", "scopes": ["read"]})
    async with Client(client.url, made.json["secret"]) as reader:
        assert (await reader.get("/api/jobs")).status == 200
        for method, path in (
            ("POST", ""),
            ("PATCH", f"/{job['id']}"),
            ("POST", f"/{job['id']}/run"),
        ):
            answer = await reader.send(method, f"/api/jobs{path}", {})
            assert wrong(answer)[2] == "missing_scope"
    await remove(client, job)


async def test_an_idempotency_key_that_is_too_long_is_refused(client: Client) -> None:
    job = await make(client)
    answer = await client.send(
        "POST", f"/api/jobs/{job['id']}/run", {}, headers={"Idempotency-Key": "x" * 256}
    )
    assert (answer.status, answer.json["error"]["param"]) == (400, "Idempotency-Key")
    await remove(client, job)

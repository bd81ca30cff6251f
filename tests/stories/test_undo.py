"""What a run has done to the workspace, seen and taken back over a real socket."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Client
from tests.support.scripted import scripted
from tests.support.server import AngeliaServer


async def done(client: Client, text: str) -> str:
    """The id of a run that has ended well."""
    run_id = (await client.post("/v1/runs", {"input": text})).json["run_id"]
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        last = frame
    assert last.json["event"] == "run.completed", last
    return run_id


def workspace_of(server: AngeliaServer) -> Path:
    return server.home / "workspace"


def edits(*given: dict[str, Any]) -> str:
    return f"call patch {json.dumps({'edits': given})}"


@pytest.fixture
async def own(server: AngeliaServer):
    async with Client(server.url, server.key) as client:
        yield client


async def test_a_run_is_undone_and_done_again(server: AngeliaServer, own: Client) -> None:
    workspace = workspace_of(server)
    workspace.mkdir(exist_ok=True)
    (workspace / "a.txt").write_text("one\n")
    run_id = await done(
        own, edits({"path": "a.txt", "old": "one", "new": "two"}, {"path": "d/new", "new": "n"})
    )
    changes = (await own.get(f"/v1/runs/{run_id}/changes")).json
    assert [(c["path"], c["change"], c["status"]) for c in changes["data"]] == [
        ("a.txt", "changed", "there"),
        ("d/new", "created", "there"),
    ]
    assert "-one\n+two\n" in changes["data"][0]["diff"]
    # Checkpoints are on disk before anything is written, so a crash costs none of them.
    server.restart()
    async with Client(server.url, server.key) as later:
        await undone_and_redone(later, run_id, workspace)


async def undone_and_redone(client: Client, run_id: str, workspace: Path) -> None:
    tried = (await client.post(f"/v1/runs/{run_id}/undo", {"dry_run": True})).json
    undone = (await client.post(f"/v1/runs/{run_id}/undo")).json
    assert {**tried, "dry_run": False} == undone
    assert (undone["restored"], undone["removed"]) == (["a.txt"], ["d/new"])
    assert (workspace / "a.txt").read_text() == "one\n"
    assert not (workspace / "d").exists()
    again = (await client.post(f"/v1/runs/{run_id}/undo", {})).json
    assert (again["restored"], again["removed"], again["conflicts"]) == ([], [], [])
    await client.post(f"/v1/runs/{run_id}/undo", {"redo": True})
    assert (workspace / "a.txt").read_text() == "two\n"


async def test_what_somebody_changed_since_is_left_alone_unless_forced(
    server: AngeliaServer, own: Client
) -> None:
    run_id = await done(own, "write c.txt: mine")
    file = workspace_of(server) / "c.txt"
    file.write_text("theirs")
    undone = (await own.post(f"/v1/runs/{run_id}/undo")).json
    assert undone["conflicts"] == [{"path": "c.txt", "reason": "somebody has changed it since"}]
    assert file.read_text() == "theirs"
    undone = (await own.post(f"/v1/runs/{run_id}/undo", {"force": True})).json
    assert undone["removed"] == ["c.txt"]
    assert not file.exists()


async def test_what_a_command_did_is_undone(server: AngeliaServer, own: Client) -> None:
    workspace = workspace_of(server)
    workspace.mkdir(exist_ok=True)
    (workspace / "a.txt").write_text("one\n")
    run_id = await done(own, "Run `rm a.txt; echo x > b.txt` for me.")
    assert not (workspace / "a.txt").exists()
    undone = (await own.post(f"/v1/runs/{run_id}/undo")).json
    assert (undone["restored"], undone["removed"]) == (["a.txt"], ["b.txt"])
    assert (workspace / "a.txt").read_text() == "one\n"


async def test_a_run_under_way_is_not_undone(own: Client) -> None:
    run_id = (await own.post("/v1/runs", {"input": "Run `sleep 30`."})).json["run_id"]
    answer = await own.post(f"/v1/runs/{run_id}/undo")
    assert (answer.status, answer.json["error"]["code"]) == (409, "run_not_finished")
    await own.post(f"/v1/runs/{run_id}/stop")


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"force": "yes"}'])
async def test_a_body_that_is_wrong_is_refused(client: Client, body: bytes) -> None:
    run_id = await done(client, "long 1")
    answer = await client.send("POST", f"/v1/runs/{run_id}/undo", body)
    assert answer.status == 400


async def test_checkpoints_go_with_their_run(server: AngeliaServer, own: Client) -> None:
    run_id = await done(own, "write gone.txt: x")
    assert counted(server, run_id) > 0
    await own.delete(f"/v1/runs/{run_id}")
    assert counted(server, run_id) == 0
    assert (await own.get(f"/v1/runs/{run_id}/changes")).status == 404


def counted(server: AngeliaServer, run_id: str) -> int:
    with sqlite3.connect(server.home / "checkpoints/checkpoints.db") as db:
        (count,) = db.execute("select count(*) from steps where run = ?", (run_id,)).fetchone()
    db.close()
    return count


def angelia(server: AngeliaServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "angelia", *arguments],
        env=server.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_the_command_undoes_with_a_server_and_without(
    server: AngeliaServer, own: Client
) -> None:
    run_id = await done(own, "write e.txt: x")
    file = workspace_of(server) / "e.txt"
    tried = angelia(server, "undo", run_id, "--dry-run")
    assert (tried.returncode, tried.stdout) == (0, "would be removed   e.txt\n")
    assert file.exists()
    undone = angelia(server, "undo", run_id)
    assert (undone.returncode, undone.stdout) == (0, "removed   e.txt\n")
    server.kill()
    redone = angelia(server, "undo", run_id, "--redo")
    assert (redone.returncode, redone.stdout) == (0, "restored  e.txt\n")
    file.write_text("theirs")
    left = angelia(server, "undo", run_id)
    assert (left.returncode, left.stdout) == (
        1,
        "left alone  e.txt: somebody has changed it since\n",
    )
    assert "--force" in left.stderr
    assert angelia(server, "undo", run_id, "--force").returncode == 0
    assert angelia(server, "undo", run_id).stdout == "Nothing to undo.\n"
    missing = angelia(server, "undo", "run_nobody")
    assert (missing.returncode, missing.stderr) == (
        2,
        "angelia: There is no run 'run_nobody'.\n",
    )


async def test_without_a_run_the_latest_change_is_named_and_undone_on_demand(
    server: AngeliaServer, own: Client
) -> None:
    assert "None of the latest runs" in angelia(server, "undo").stderr
    run_id = await done(own, "write f.txt: x")
    await done(own, "hello")
    file = workspace_of(server) / "f.txt"
    named = angelia(server, "undo")
    assert (named.returncode, named.stdout) == (0, "would be removed   f.txt\n")
    assert f"angelia undo {run_id}" in named.stderr
    assert file.exists()
    assert angelia(server, "undo", "--yes").stdout == "removed   f.txt\n"
    assert not file.exists()


async def test_a_batch_that_touches_one_file_keeps_its_order(tmp_path: Path) -> None:
    def replace(path: str, old: int) -> dict[str, Any]:
        return {"path": path, "old": f"{old}", "new": f"{old + 1}"}

    batch = [
        {"name": "write_file", "arguments": {"path": "n", "content": "0"}},
        {"name": "write_file", "arguments": {"path": "m", "content": "0"}},
        *(
            {"name": "patch", "arguments": {"edits": [replace("m", n), replace("n", n)]}}
            for n in range(5)
        ),
        {"name": "patch", "arguments": {"edits": [replace("./n", 5)]}},
        {"name": "read_file", "arguments": {"path": "n"}},
    ]
    with scripted(tmp_path) as stage:
        stage.script({"calls": batch}, {"text": "Done."})
        async with stage.client() as client:
            run_id = await done(client, "Go.")
            events = [f.json async for f in client.stream(f"/v1/runs/{run_id}/events") if f.data]
            ended = [event for event in events if event["event"] == "tool.completed"]
            assert [event["outcome"] for event in ended] == ["ok"] * len(batch)
            assert ended[-1]["output"] == "6"
            undone = (await client.post(f"/v1/runs/{run_id}/undo")).json
            assert undone["removed"] == ["n", "m"]

"""`angelia memory`, with a server in the home folder and without."""

import json
from pathlib import Path

import pytest
import requests

from tests.support.server import AngeliaServer
from tests.surfaces.cli.test_app import angelia, env_of


@pytest.fixture(params=["alone", "served"])
def env(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Of a home folder, in which a server works or not."""
    if request.param == "alone":
        return env_of(tmp_path)
    return request.getfixturevalue("server").env


def memory(env: dict[str, str], *arguments: str) -> str:
    ran = angelia("memory", *arguments, env=env)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def notes(env: dict[str, str], *options: str) -> list[dict]:
    return json.loads(memory(env, "list", "--json", *options))


def test_notes_are_added_listed_edited_and_forgotten(env: dict[str, str]) -> None:
    assert memory(env, "list") == "There are no notes.\n"
    memory(env, "add", "Likes tea.", "--user", "ann", "--about-user")
    memory(env, "add", "At work.", "--user", "ann", "--session-key", "work/1")
    memory(env, "add", "Nobody's.")
    tea, work, plain = notes(env)
    assert (tea["text"], tea["kind"], tea["user"]) == ("Likes tea.", "user", "ann")
    assert (work["kind"], work["session_key"]) == ("note", "work/1")
    assert notes(env, "--user", "ann", "--session-key", "work/1") == [work]
    assert notes(env, "--user", "") == [plain]
    assert f"{work['id']} (user ann, scope work/1): At work." in memory(env, "list")
    assert "Likes coffee." in memory(env, "edit", tea["id"], "Likes coffee.")
    assert memory(env, "forget", plain["id"]) == f"Forgot {plain['id']}.\n"
    assert [note["text"] for note in notes(env)] == ["Likes coffee.", "At work."]
    assert memory(env, "forget", "--all") == "Forgot 0 notes.\n"
    assert memory(env, "forget", "--all", "--user", "ann") == "Forgot 2 notes.\n"
    assert notes(env) == []


def test_what_is_not_there_is_said_in_one_line(env: dict[str, str]) -> None:
    for arguments in (("edit", "note_no/ne", "x"), ("forget", "note_no/ne"), ("add", " ")):
        ran = angelia("memory", *arguments, env=env)
        assert ran.returncode == 2
        assert ran.stderr.count("\n") == 1
        assert ran.stderr.startswith("angelia: ")


def test_forgetting_needs_an_id_or_all(tmp_path: Path) -> None:
    for arguments in ((), ("note_1", "--all")):
        ran = angelia("memory", "forget", *arguments, env=env_of(tmp_path))
        assert ran.returncode == 2
        assert "--all" in ran.stderr


def test_more_notes_than_a_page_are_listed(server: AngeliaServer) -> None:
    headers = {"Authorization": f"Bearer {server.key}"}
    with requests.Session() as session:
        for n in range(101):
            body = {"text": f"note {n}", "user": f"user-{n % 2}"}
            answer = session.post(f"{server.url}/api/memory", json=body, headers=headers, timeout=9)
            assert answer.status_code == 201
    assert [note["text"] for note in notes(server.env)] == [f"note {n}" for n in range(101)]

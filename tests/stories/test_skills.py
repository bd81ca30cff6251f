"""Skills and AGENTS.md: told to runs, loaded when asked for, seen when they change."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.support.frontend import CHAT, user
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted

SETTINGS = """
[agent]
instructions = "You are Angelia."
"""


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scripted]:
    with scripted(tmp_path, SETTINGS) as both:
        yield both


@pytest.fixture
async def client(stage: Scripted) -> AsyncIterator[Client]:
    async with stage.client() as client:
        yield client


def put(folder: Path, name: str, description: str, body: str = "Do it.") -> None:
    (folder / name).mkdir(parents=True, exist_ok=True)
    head = f"---\nname: {name}\ndescription: {description}\n---\n"
    (folder / name / "SKILL.md").write_text(head + body)


def home_skills(stage: Scripted) -> Path:
    return stage.server.home / "skills"


def workspace(stage: Scripted) -> Path:
    return stage.server.home / "workspace"


async def ask(client: Client, stage: Scripted, words: str, model: str = "angelia") -> str:
    """The instructions with which the model was asked this."""
    body = {"model": model, "messages": [{"role": "system", "content": "Be brief."}, user(words)]}
    assert (await client.post(CHAT, body)).status == 200
    return stage.asked_about(words)[0]["messages"][0]["content"]


async def loaded(client: Client, stage: Scripted, words: str) -> str:
    await ask(client, stage, words)
    last = stage.asked_about(words)[-1]["messages"][-1]
    assert last["role"] == "tool"
    return last["content"]


async def test_what_a_run_is_told_stands_in_order(client: Client, stage: Scripted) -> None:
    assert await ask(client, stage, "first of all") == "You are Angelia.\n\nBe brief."
    put(home_skills(stage), "greeting", "How to greet.")
    put(workspace(stage) / ".angelia" / "skills", "building", "How to build.")
    (workspace(stage) / "AGENTS.md").write_text("Use tabs.")
    await client.post("/api/memory", {"text": "Likes tea."})
    told = await ask(client, stage, "then")
    places = ["You are", "<project>", "Use tabs.", "<skills>", "building (workspace): How"]
    places += ["greeting: How", "<memory>", "Likes tea.", "Be brief."]
    found = [told.index(place) for place in places]
    assert found == sorted(found)
    assert await ask(client, stage, "and again") == told


async def test_changes_on_disk_are_seen_by_the_next_run(client: Client, stage: Scripted) -> None:
    put(home_skills(stage), "greeting", "One way.")
    assert "One way." in await ask(client, stage, "one")
    put(home_skills(stage), "greeting", "Another way.")
    put(workspace(stage) / "skills", "greeting", "A false way.")
    told = await ask(client, stage, "two")
    assert "greeting: Another way." in told
    assert "false" not in told
    (home_skills(stage) / "greeting" / "SKILL.md").unlink()
    assert "greeting (workspace): A false way." in await ask(client, stage, "three")
    (workspace(stage) / "AGENTS.md").write_text("x" * 40_000)
    long = await ask(client, stage, "four")
    assert "the first 32,768 of 40,000 bytes" in long
    assert len(long) < 36_000


async def test_a_skill_is_loaded_with_its_files(client: Client, stage: Scripted) -> None:
    put(home_skills(stage), "greeting", "How to greet.", "Say ahoy.")
    (home_skills(stage) / "greeting" / "more.md").write_text("Or hello.")
    (stage.server.home / "secret").write_text("hidden")
    (home_skills(stage) / "greeting" / "link.md").symlink_to(stage.server.home / "secret")
    text = await loaded(client, stage, 'call skill {"name": "greeting"}')
    assert "Say ahoy." in text
    assert str(home_skills(stage) / "greeting") in text
    assert "- more.md  9" in text
    more = await loaded(client, stage, 'call skill {"name": "greeting", "file": "more.md"}')
    assert more == "Or hello."
    for path in ("link.md", "../../key", "../../secret", str(stage.server.home / "key")):
        call = f'call skill {{"name": "greeting", "file": "{path}"}}'
        refused = await loaded(client, stage, call)
        assert "leads out" in refused
        assert stage.server.key not in refused
    assert "Did you mean 'greeting'" in await loaded(client, stage, 'call skill {"name": "greet"}')


async def test_a_bare_model_is_told_nothing(client: Client, stage: Scripted) -> None:
    put(home_skills(stage), "greeting", "How to greet.")
    (workspace(stage) / "AGENTS.md").write_text("Use tabs.")
    await client.post("/api/memory", {"text": "Likes tea."})
    assert await ask(client, stage, "bare words", "angelia:bare") == "Be brief."
    task = "### Task:\nGenerate a concise title"
    assert await ask(client, stage, task) == "Be brief."


async def test_skills_are_listed_with_those_that_are_broken(
    client: Client, stage: Scripted
) -> None:
    put(home_skills(stage), "greeting", "How to greet.")
    (workspace(stage) / "skills" / "torn").mkdir(parents=True)
    (workspace(stage) / "skills" / "torn" / "SKILL.md").write_text("no head")
    listed = (await client.get("/v1/skills")).json
    good = {
        "name": "greeting",
        "description": "How to greet.",
        "source": "home",
        "folder": "greeting",
    }
    assert listed["data"] == [good]
    assert [(one["folder"], one["source"]) for one in listed["problems"]] == [
        ("skills/torn", "workspace")
    ]
    made = await client.post("/api/keys", {"name": "narrow", "rules": {"tools": ["read_file"]}})
    async with stage.client(made.json["secret"]) as narrow:
        assert (await narrow.get("/v1/skills")).json == {
            "object": "list",
            "data": [],
            "problems": [],
        }


async def test_all_of_it_can_be_turned_off(tmp_path: Path) -> None:
    settings = "[memory]\nenabled = false\n[tools]\nskills = false\nproject_context = false\n"
    with scripted(tmp_path, settings) as stage:
        async with stage.client() as client:
            put(stage.server.home / "skills", "greeting", "How to greet.")
            workspace(stage).mkdir(exist_ok=True)
            (workspace(stage) / "AGENTS.md").write_text("Use tabs.")
            await client.post("/api/memory", {"text": "Likes tea."})
            assert await ask(client, stage, "nothing else") == "Be brief."
            tools = (await client.get("/v1/tools")).json["data"]
            names = {tool["name"] for tool in tools}
            assert not names & {"memory", "session_search", "skill"}

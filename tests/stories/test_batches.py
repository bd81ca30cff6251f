"""Calls of one reply: those that touch one file keep their order, the others do not wait."""

from pathlib import Path
from typing import Any

from tests.stories.test_runs import check, events, start
from tests.stories.test_terminal import check_calls
from tests.support.scripted import scripted

Call = dict[str, Any]


def tool(name: str, **arguments: Any) -> Call:
    return {"name": name, "arguments": arguments}


def patch(*edits: dict[str, str]) -> Call:
    return tool("patch", edits=list(edits))


def replaced(old: str, new: str, path: str = "a.txt") -> dict[str, str]:
    return {"path": path, "old": old, "new": new}


WAITS = "until [ -e b.txt ]; do sleep 0.02; done; cat a.txt b.txt"
BATCH = (
    # No lane: it ends when the last of the others is done, so none of them waits for it.
    tool("terminal", command=WAITS, timeout=60),
    tool("write_file", path="a.txt", content="one\n"),
    patch(replaced("one", "two")),
    tool("read_file", path="./a.txt"),
    patch(replaced("two", "three"), {"path": "c/../c.txt", "new": "fresh\n"}),
    tool("read_file", path="c.txt"),
    tool("write_file", path="c.txt", content="three\n"),
    patch(replaced("three", "four", "c.txt"), replaced("three", "four")),
    patch(replaced("four", "five"), {"path": "b.txt", "old": "", "new": "six\n"}),
)


async def test_a_batch_that_touches_one_file_keeps_its_order(tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        stage.play({"calls": list(BATCH)}, {"text": "Done."})
        async with stage.client() as client:
            seen = await events(client, await start(client, "go"))
        check(seen)
        check_calls(seen)
        workspace = stage.server.home / "workspace"
        assert (workspace / "a.txt").read_text() == "five\n"
        assert (workspace / "b.txt").read_text() == "six\n"
        assert (workspace / "c.txt").read_text() == "four\n"
        told = [m["content"] for m in stage.asked[-1]["messages"] if m["role"] == "tool"]
    begun = [e["tool_call_id"] for e in seen if e["event"] == "tool.started"]
    done = [e for e in seen if e["event"] == "tool.completed"]
    assert {e["outcome"] for e in done} == {"ok"}, told
    # The calls of a.txt one after another: each begins when the one before has ended.
    chain = [e for e in seen if e.get("tool") not in ("terminal", None) and "tool_call_id" in e]
    spans = [(e["event"], e["tool_call_id"]) for e in chain if e["event"] != "tool.arguments"]
    assert spans == [
        (name, each) for each in begun[1:] for name in ("tool.started", "tool.completed")
    ]
    # Results are told in the order of the calls, and each read saw what was written before it.
    assert "[exit code" not in told[0]
    assert "two" in told[3]
    assert "fresh" in told[5]

"""Long results: kept whole, shown in part, and read on by whoever wants the rest."""

from pathlib import Path

from tests.stories.test_runs import events
from tests.support.following import ended, started
from tests.support.scripted import scripted

LONG = {"name": "terminal", "arguments": {"command": "seq 1 20000"}}


async def test_a_long_result_is_read_on_by_the_model(tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        stage.script({"calls": [LONG]}, {"text": "Long."})
        async with stage.client() as client:
            run_id = await started(client, {"input": "Count."})
            await ended(client, run_id)
            (call,) = [e for e in await events(client, run_id) if e["event"] == "tool.completed"]
            shown = stage.asked[-1]["messages"][-1]["content"]
            of = f"{run_id}/{call['tool_call_id']}"
            assert call["truncated"]
            assert f'read on with read_output, of="{of}"' in shown
            offset = int(shown.partition("offset=")[2].partition(";")[0])
            reading = {"name": "read_output", "arguments": {"of": of, "offset": offset}}
            stage.play({"calls": [reading]}, {"text": "Read."})
            await ended(client, await started(client, {"input": "Go on."}))
            rest = stage.asked[-1]["messages"][-1]["content"]
        whole = "".join(f"{n}\n" for n in range(1, 20001))
        page, _, note = rest.rpartition("\n[")
        assert shown.startswith(whole[:20_000])
        assert whole[offset:].startswith(page)
        assert note.startswith("read on with offset=")


async def test_a_request_names_the_toolsets_it_wants(client) -> None:
    headers = {"X-Angelia-Toolsets": "files"}
    answer = await client.post("/v1/runs", {"input": "list and `echo hi`"}, **headers)
    seen = await events(client, answer.json["run_id"])
    assert {e["tool"] for e in seen if e["event"] == "tool.started"} == {"list_files"}
    answer = await client.post("/v1/runs", {"input": "list"}, **{"X-Angelia-Toolsets": "none"})
    seen = await events(client, answer.json["run_id"])
    assert not [e for e in seen if e["event"] == "tool.started"]

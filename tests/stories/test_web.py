"""Pages and searches through runs and chat, with a web of their own on a real socket."""

from pathlib import Path
from typing import Any

from aiohttp import web
from msgspec import json

from tests.support.http import Client
from tests.support.scripted import Scripted, scripted
from tests.support.site import Site, moved, site

KEY = "search-key-that-nobody-may-see"


def settings(place: Site, more: str = "") -> str:
    return (
        f'[web]\nallow_private = ["127.0.0.1:{place.port}"]\nsearch = "brave"\n'
        f'search_key = "{KEY}"\nsearch_url = "{place.url}/search"\n{more}'
    )


def calling(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"calls": [{"name": tool, "arguments": arguments}]}


def results(stage: Scripted) -> list[str]:
    """What the model was told of its calls, in the last request."""
    return [m["content"] for m in stage.asked[-1]["messages"] if m["role"] == "tool"]


async def run(client: Client, text: str) -> list[dict[str, Any]]:
    answer = await client.post("/v1/runs", {"input": text})
    seen = client.stream(f"/v1/runs/{answer.json['run_id']}/events")
    return [frame.json async for frame in seen if frame.comment is None]


def named(seen: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [event for event in seen if event["event"] == name]


async def test_a_page_is_read_with_one_start_and_one_end_in_runs_and_in_chat(
    tmp_path: Path,
) -> None:
    async with site({"/a": b"<h1>News</h1><p>All is <b>well</b>."}) as place:
        with scripted(tmp_path / "s", settings(place)) as stage:
            async with stage.client() as client:
                url = f"{place.url}/a"
                stage.play(calling("web_fetch", url=url), {"text": "done"})
                seen = await run(client, "read it")
                (begun,), (ended,) = named(seen, "tool.started"), named(seen, "tool.completed")
                assert begun["tool_call_id"] == ended["tool_call_id"]
                assert (begun["tool"], ended["outcome"]) == ("web_fetch", "ok")
                assert results(stage) == [
                    f"[{url} · text/html; the page says:]\n# News\n\nAll is **well**."
                ]
                stage.play(calling("web_fetch", url=url, format="text"), {"text": "done"})
                running, completed = await progress(client, "read it again")
                assert (running["status"], completed["status"]) == ("running", "completed")
                assert running["toolCallId"] == completed["toolCallId"]
                assert "All is well." in completed["output"]


async def progress(client: Client, text: str) -> list[dict[str, Any]]:
    body = {
        "model": "angelia",
        "stream": True,
        "messages": [{"role": "user", "content": text}],
    }
    headers = {"X-Angelia-Tool-Events": "named"}
    async with client.open("POST", "/v1/chat/completions", body, headers) as reader:
        frames = [frame async for frame in reader.frames()]
    return [frame.json for frame in frames if frame.event == "hermes.tool.progress"]


async def test_what_is_not_open_is_refused_and_nobody_is_connected_to(tmp_path: Path) -> None:
    async with site(host="0.0.0.0") as inner, site() as place:
        tricks = (
            f"http://127.0.0.1:{inner.port}/",
            f"http://localhost:{inner.port}/",
            f"http://2130706433:{inner.port}/",
            f"http://0177.0.0.1:{inner.port}/",
            f"http://[::ffff:127.0.0.1]:{inner.port}/",
            "file:///etc/passwd",
            f"{place.url}/away",
        )
        place.answers["/away"] = moved(f"http://127.0.0.1:{inner.port}/x")
        with scripted(tmp_path / "s", settings(place)) as stage:
            calls = [{"name": "web_fetch", "arguments": {"url": url}} for url in tricks]
            stage.play({"calls": calls}, {"text": "done"})
            async with stage.client() as client:
                seen = await run(client, "try everything")
            told = results(stage)
        assert [event["outcome"] for event in named(seen, "tool.completed")] == ["error"] * 7
        assert sum("private address" in text for text in told) == 6
        assert sum("only http and https" in text for text in told) == 1
        assert inner.connections == 0


async def test_a_search_finds_and_its_key_is_seen_by_nobody(tmp_path: Path) -> None:
    found = {"web": {"results": [{"title": f"News {KEY}", "url": "https://x.example/"}]}}
    async with site({"/search": web.Response(body=json.encode(found))}) as place:
        with scripted(tmp_path / "s", settings(place)) as stage:
            stage.play(calling("web_search", query="news", count=2), {"text": "done"})
            async with stage.client() as client:
                seen = await run(client, "search for it")
            assert "News" in results(stage)[0]
            assert "https://x.example/" in results(stage)[0]
            assert KEY not in str(seen) + str(stage.asked) + stage.server.stderr
    assert place.headers[0]["x-subscription-token"] == KEY


async def test_a_person_is_asked_before_a_page_is_and_a_rule_can_answer(tmp_path: Path) -> None:
    rule = '[[approvals.rules]]\nverdict = "allow"\ntool = "web_fetch"\ndomain = "127.0.0.1"\n'
    async with site({"/a": b"<p>hello"}) as place:
        text = settings(place, rule)
        with scripted(tmp_path / "s", text, ANGELIA_APPROVALS="ask") as stage:
            stage.play(
                calling("web_fetch", url=f"{place.url}/a"),
                calling("web_fetch", url="http://other.invalid/"),
            )
            async with stage.client() as client:
                answer = await client.post("/v1/runs", {"input": "read"})
                run_id = answer.json["run_id"]
                async for frame in client.stream(f"/v1/runs/{run_id}/events"):
                    if frame.comment is None and frame.json["event"] == "approval.requested":
                        break
                await client.post(f"/v1/runs/{run_id}/stop")
            assert "hello" in results(stage)[0]

import asyncio
import json
from pathlib import Path

import aiohttp
import openai
import pytest

from angelia.surfaces.upstream import Chaos, run
from angelia.surfaces.upstream.script import Call, Fault, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer

CHAT = "/chat/completions"
HELLO = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
ANSWER = Step(
    text="one two three",
    reasoning="hm",
    calls=(Call("terminal", {"command": "ls"}, "call_a"),),
    repeat=True,
)


async def post(
    server: UpstreamServer, path: str, body: object, **headers: str
) -> tuple[int, dict[str, object]]:
    async with (
        aiohttp.ClientSession() as client,
        client.post(server.base_url + path, json=body, headers=headers) as response,
    ):
        return response.status, await response.json()


async def get(server: UpstreamServer, path: str) -> dict[str, object]:
    async with (
        aiohttp.ClientSession() as client,
        client.get(server.base_url + path) as response,
    ):
        assert response.status == 200
        return await response.json()


# ── real clients ────────────────────────────────────────────────────────────────────────────


def sdk(server: UpstreamServer) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=server.base_url, api_key="sk-test-0123456789", max_retries=0)


async def test_the_openai_sdk_reads_a_chat_stream():
    async with (
        UpstreamServer(Script((ANSWER,))) as server,
        sdk(server) as client,
        client.chat.completions.stream(
            model="m",
            messages=[{"role": "user", "content": "hello"}],
            stream_options={"include_usage": True},
        ) as stream,
    ):
        final = await stream.get_final_completion()
    message = final.choices[0].message
    assert message.content == "one two three"
    assert message.tool_calls is not None
    assert message.tool_calls[0].function.arguments == '{"command":"ls"}'
    assert final.choices[0].finish_reason == "tool_calls"
    assert final.usage is not None
    assert final.usage.completion_tokens == 4


async def test_the_openai_sdk_reads_a_whole_chat_answer():
    async with UpstreamServer(Script((ANSWER,))) as server, sdk(server) as client:
        answer = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hello"}]
        )
    assert answer.choices[0].message.content == "one two three"
    assert answer.usage is not None


async def test_the_openai_sdk_reads_a_stream_of_responses():
    async with (
        UpstreamServer(Script((ANSWER,))) as server,
        sdk(server) as client,
        client.responses.stream(model="m", input="hello") as stream,
    ):
        kinds = [event.type async for event in stream]
        final = await stream.get_final_response()
    assert final.output_text == "one two three"
    assert [item.type for item in final.output] == ["reasoning", "message", "function_call"]
    assert "response.reasoning_summary_text.delta" in kinds
    assert kinds[-1] == "response.completed"
    assert final.usage is not None


async def test_the_openai_sdk_meets_a_rate_limit():
    step = Step(fault=Fault(status=429, retry_after=3))
    async with UpstreamServer(Script((step,))) as server, sdk(server) as client:
        with pytest.raises(openai.RateLimitError) as limited:
            await client.responses.create(model="m", input="hello")
    assert limited.value.response.headers["retry-after"] == "3"


# ── routes ──────────────────────────────────────────────────────────────────────────────────


async def test_every_route_works_with_and_without_a_version():
    async with UpstreamServer() as server:
        assert (await post(server, CHAT, HELLO))[0] == 200
        async with aiohttp.ClientSession() as client:
            bare = server.base_url.removesuffix("/v1")
            async with client.post(bare + CHAT, json=HELLO) as response:
                assert response.status == 200


async def test_requests_are_kept_without_their_keys():
    async with UpstreamServer() as server:
        await post(server, CHAT, HELLO, Authorization="Bearer sk-secret-123456", **{"X-A": "b"})
        seen = await get(server, "/requests")
    (request,) = seen["requests"]
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["authorization"] == "present"
    assert request["headers"]["x-a"] == "b"
    assert request["body"] == HELLO
    assert request["left"] is False
    assert "sk-secret" not in json.dumps(seen)


async def test_every_request_is_counted_in_few_words():
    marked = {**HELLO, "messages": [{"role": "user", "content": "x [[fault status=418]]"}]}
    async with UpstreamServer() as server:
        await post(server, CHAT, {**HELLO, "stream": False})
        await post(server, CHAT, marked)
        await post(server, CHAT, {**HELLO, "messages": []})
        calls = await get(server, "/calls")
        await post(server, "/reset", {})
        assert await get(server, "/calls") == []
    path = "/v1/chat/completions"
    assert calls == [
        {"path": path, "asked": "hello"},
        {"path": path, "asked": "x [[fault status=418]]", "fault": {"status": 418}},
        {"path": path, "refused": "Invalid request: messages: is empty."},
    ]


async def test_a_script_can_be_replaced_and_started_over():
    async with UpstreamServer() as server:
        assert (await post(server, "/script", [{"text": "a"}, {"text": "b"}]))[1] == {"steps": 2}
        first = await post(server, CHAT, HELLO)
        assert (await post(server, "/reset", {}))[0] == 200
        assert await get(server, "/requests") == {"connections": 4, "requests": []}
        again = await post(server, CHAT, HELLO)
    texts = [answer["choices"][0]["message"]["content"] for _, answer in (first, again)]
    assert texts == ["a", "a"]


async def test_a_bad_script_is_refused_and_the_old_one_stays():
    async with UpstreamServer(Script((Step("a"),))) as server:
        status, refused = await post(server, "/script", {"stepz": []})
        assert status == 400
        assert "stepz" in refused["error"]["message"]
        answer = (await post(server, CHAT, HELLO))[1]
    assert answer["choices"][0]["message"]["content"] == "a"


async def test_health_and_models_answer():
    async with UpstreamServer() as server:
        assert await get(server, "/health") == {"status": "ok"}
        assert (await get(server, "/models"))["data"][0]["id"] == "scripted"


async def test_what_does_not_exist_is_404_in_json():
    async with UpstreamServer() as server:
        status, answer = await post(server, "/nowhere", {})
    assert status == 404
    assert "/v1/nowhere" in answer["error"]["message"]


# ── strictness ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        (CHAT, {"model": "m"}, "messages"),
        (CHAT, [1], "object"),
        (
            CHAT,
            {"model": "m", "messages": [{"role": "tool", "tool_call_id": "x", "content": "y"}]},
            "'x', which was not called",
        ),
        ("/messages", HELLO, "max_tokens"),
        ("/responses", {"model": "m"}, "input"),
        (CHAT, {"model": "m", "messages": [{"role": "model", "content": "y"}]}, "no role"),
        ("/messages", {**HELLO, "max_tokens": 9, "messages": []}, "first message"),
        ("/responses", {"model": "m", "input": [{"type": "thought"}]}, "no kind of item"),
    ],
)
async def test_a_request_that_providers_refuse_is_refused(path: str, body: object, reason: str):
    async with UpstreamServer() as server:
        status, answer = await post(server, path, body, **{"anthropic-version": "2023-06-01"})
    assert status == 400
    assert reason in answer["error"]["message"]


async def test_messages_without_a_version_are_refused():
    async with UpstreamServer() as server:
        status, answer = await post(server, "/messages", {**HELLO, "max_tokens": 9})
    assert status == 400
    assert "anthropic-version" in answer["error"]["message"]


async def test_a_key_can_be_demanded():
    async with UpstreamServer(Script(key="k")) as server:
        assert (await post(server, CHAT, HELLO))[0] == 401
        assert (await post(server, CHAT, HELLO, Authorization="Bearer k"))[0] == 200


# ── faults and pace ─────────────────────────────────────────────────────────────────────────


async def test_a_fault_can_be_asked_for_in_a_header_or_in_the_message():
    marked = {**HELLO, "messages": [{"role": "user", "content": "x [[fault status=418 times=1]]"}]}
    async with UpstreamServer() as server:
        assert (await post(server, CHAT, HELLO, **{"X-Fault": "status=503"}))[0] == 503
        assert (await post(server, CHAT, marked))[0] == 418
        assert (await post(server, CHAT, marked))[0] == 200
        assert (await post(server, CHAT, HELLO, **{"X-Fault": "explode"}))[0] == 400


async def test_headers_of_a_step_go_out():
    async with (
        UpstreamServer(Script((Step("a", headers={"X-Odd": "1"}),))) as server,
        aiohttp.ClientSession() as client,
        client.post(server.base_url + CHAT, json=HELLO) as response,
    ):
        assert response.headers["X-Odd"] == "1"


async def test_paced_pieces_come_before_the_end():
    step = Step("one two three", fault=Fault(stall="text"), pace=0.001)
    async with UpstreamServer(Script((step,))) as server:
        async with (
            aiohttp.ClientSession() as client,
            client.post(server.base_url + CHAT, json={**HELLO, "stream": True}) as response,
        ):
            seen = b""
            while b" two" not in seen:
                seen += await response.content.readany()
        await server.departed()
    assert b"three" not in seen
    assert server.requests[0].left


async def test_many_streams_at_once_are_all_whole():
    asked = {**HELLO, "stream": True, "messages": [{"role": "user", "content": "long 50"}]}
    async with UpstreamServer(pace=0.001) as server, aiohttp.ClientSession() as client:

        async def follow() -> bytes:
            async with client.post(server.base_url + CHAT, json=asked) as response:
                return await response.read()

        streams = await asyncio.gather(*(follow() for _ in range(100)))
    assert all(stream.count(b'"content":" word') == 49 for stream in streams)
    assert all(stream.endswith(b"data: [DONE]\n\n") for stream in streams)


async def test_each_request_is_a_line_in_the_log_without_secrets():
    lines: list[str] = []
    body = {**HELLO, "messages": [{"role": "user", "content": "my key is sk-abc-0123456789"}]}
    async with UpstreamServer(Script((ANSWER,)), log=lines.append) as server:
        await post(server, CHAT, body, **{"X-Fault": "no_usage"})
    (line,) = lines
    assert line.startswith("#1 chat/completions whole 'my key is ")
    assert line.endswith('calls terminal, fault {"no_usage":true}')
    assert "0123456789" not in line


async def test_it_runs_with_a_script_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    script = tmp_path / "script.json"
    script.write_text('[{"text": "from a file"}]')
    task = asyncio.create_task(run("127.0.0.1", 0, script, 0.0, Chaos(0.0)))
    while "at http" not in (said := capsys.readouterr().err):
        await asyncio.sleep(0)
    url = said.split()[-1]
    async with aiohttp.ClientSession() as client, client.post(url + CHAT, json=HELLO) as response:
        answer = await response.json()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert answer["choices"][0]["message"]["content"] == "from a file"

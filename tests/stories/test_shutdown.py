"""SIGTERM: what is under way may finish for a while; the rest goes on at the next start."""

import asyncio
import sys

from tests.stories.test_chat import CHAT, NAMED, ask, finish, under_way
from tests.stories.test_runs import check, events, start
from tests.support.http import Client
from tests.support.server import AngeliaServer

SERVE = (sys.executable, "-m", "angelia", "serve")


async def test_a_stream_under_way_is_brought_to_its_end(server) -> None:
    async with Client(server.url, server.key) as client:
        body = ask("`sleep 0.4; echo late`", stream=True)
        async with client.open("POST", CHAT, body, NAMED) as reader:
            frames = []
            stopping = None
            async for frame in reader.frames():
                frames.append(frame)
                if frame.event and stopping is None:
                    stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            assert finish(frames) == ["stop"]
            assert frames[-1].data == "[DONE]"
        assert stopping is not None
    assert await stopping == 0


async def test_a_run_that_takes_too_long_goes_on_at_the_next_start(impatient_server) -> None:
    server = impatient_server
    async with Client(server.url, server.key) as client:
        run_id = await start(client, "`sleep 30`")
        async for frame in client.stream(f"/v1/runs/{run_id}/events"):
            if frame.comment is None and frame.json["event"] == "tool.started":
                break
    assert server.stop() == 0
    server.start()
    async with Client(server.url, server.key) as client:
        seen = await events(client, run_id)
    check(seen)
    assert [e["outcome"] for e in seen if e["event"] == "tool.completed"] == ["in_doubt"]
    assert seen[-1]["event"] == "run.completed"


async def goes_on(server: AngeliaServer, run_id: str) -> None:
    server.start()
    async with Client(server.url, server.key) as client:
        seen = await events(client, run_id)
    check(seen)
    assert seen[-1]["event"] == "run.completed"


async def test_a_whole_answer_that_takes_too_long_is_a_503_and_its_run_goes_on(
    impatient_server,
) -> None:
    server = impatient_server
    async with Client(server.url, server.key) as client:
        asking = asyncio.create_task(client.post(CHAT, ask("`sleep 30`")))
        run_id = await under_way(client)
        assert await asyncio.to_thread(server.stop) == 0
        answer = await asking
    assert answer.status == 503
    assert answer.json["error"]["code"] == "server_stopping"
    assert f"/v1/runs/{run_id}/events" in answer.json["error"]["message"]
    assert answer.headers["X-Angelia-Run-Id"] == run_id
    # Clients that try again by themselves would start a second run beside the first.
    assert answer.headers["X-Should-Retry"] == "false"
    assert "Traceback" not in server.stderr
    await goes_on(server, run_id)


async def test_a_stream_that_takes_too_long_says_so_and_its_run_goes_on(impatient_server) -> None:
    server = impatient_server
    async with Client(server.url, server.key) as client:
        body = ask("`sleep 30`", stream=True)
        async with client.open("POST", CHAT, body, NAMED) as reader:
            run_id = reader.headers["X-Angelia-Run-Id"]
            await under_way(client)
            assert await asyncio.to_thread(server.stop) == 0
            frames = [frame async for frame in reader.frames() if frame.comment is None]
    assert frames[-1].data == "[DONE]"
    error = frames[-2].json["error"]
    assert (error["code"], error["type"]) == ("server_stopping", "server_error")
    assert f"/v1/runs/{run_id}/events" in error["message"]
    assert "Traceback" not in server.stderr
    await goes_on(server, run_id)


async def test_a_follower_of_a_run_is_let_go_without_a_word_in_the_log(impatient_server) -> None:
    server = impatient_server
    async with Client(server.url, server.key) as client:
        run_id = await start(client, "`sleep 30`")
        async with client.open("GET", f"/v1/runs/{run_id}/events") as reader:
            await under_way(client)
            assert await asyncio.to_thread(server.stop) == 0
            frames = [frame.json async for frame in reader.frames() if frame.comment is None]
    assert [frame["event"] for frame in frames[-2:]] == ["tool.started", "server.stopping"]
    assert "Traceback" not in server.stderr
    server.start()
    async with Client(server.url, server.key) as client:
        assert "server.stopping" not in {event["event"] for event in await events(client, run_id)}


async def test_a_second_server_on_the_same_home_is_refused(server) -> None:
    process = await asyncio.create_subprocess_exec(
        *SERVE,
        env={**server.env, "ANGELIA_PORT": "0"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"Another Angelia uses this home folder" in said
    assert b"Traceback" not in said


async def test_other_machines_are_not_let_in_without_a_key(tmp_path, start_server) -> None:
    server = start_server()
    elsewhere = {"ANGELIA_HOME": str(tmp_path / "new"), "ANGELIA_HOST": "0.0.0.0"}
    env = {**server.env, **elsewhere, "ANGELIA_PORT": "0"}
    process = await asyncio.create_subprocess_exec(
        *SERVE,
        env=env,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode != 0
    assert b"ANGELIA_API_KEY" in said
    assert b"Traceback" not in said


async def test_a_changed_key_keeps_what_belongs_to_it(start_server) -> None:
    server = start_server(ANGELIA_API_KEY="first-key-0123456789")
    async with Client(server.url, "first-key-0123456789") as client:
        run_id = await start(client, "hello")
        await events(client, run_id)
    server.stop()
    again = AngeliaServer(server.home.parent, {"ANGELIA_API_KEY": "second-key-0123456789"})
    again.start()
    try:
        async with Client(again.url, "second-key-0123456789") as client:
            assert (await client.get(f"/v1/runs/{run_id}")).status == 200
        async with Client(again.url, "first-key-0123456789") as client:
            assert (await client.get("/v1/models")).status == 401
    finally:
        again.kill()

"""Webhooks between real processes: signed, repeated, delivered although the server was killed."""

import asyncio
import base64
import hashlib
import hmac
from typing import Any

import pytest

from tests.stories.test_runs import events, start
from tests.support.http import Client
from tests.support.process import free_port
from tests.support.receiver import Received, receiving
from tests.support.server import AngeliaServer


def is_genuine(message: Received, key: str) -> bool:
    """As a receiver checks it, with nothing of Angelia but the key."""
    secret = hashlib.sha256(key.encode()).hexdigest().encode()
    head = f"{message.headers['webhook-id']}.{message.headers['webhook-timestamp']}."
    wanted = hmac.new(secret, head.encode() + message.body, hashlib.sha256).digest()
    sent = message.headers["webhook-signature"].removeprefix("v1,")
    return hmac.compare_digest(base64.b64decode(sent), wanted)


async def test_the_end_of_a_run_is_told_with_the_run_as_everybody_sees_it(
    demo_server: AngeliaServer, client: Client
) -> None:
    async with receiving() as receiver:
        run_id = await start(client, "say `echo hello`", webhook=receiver.url)
        (message,) = await receiver.messages(1)
    assert is_genuine(message, demo_server.key)
    assert message.headers["content-type"] == "application/json"
    seen = await events(client, run_id)
    run = (await client.get(f"/v1/runs/{run_id}")).json
    assert message.json == {
        "type": "run.completed",
        "timestamp": seen[-1]["timestamp"],
        "data": run,
    }
    assert message.headers["webhook-id"] == f"{run_id}_{len(seen)}"


async def test_a_run_that_waits_for_a_person_says_what_it_waits_for(start_server: Any) -> None:
    server = start_server_asking(start_server)
    async with receiving() as receiver, Client(server.url, server.key) as client:
        run_id = await start(client, "say `echo hello`", webhook={"url": receiver.url})
        (waiting,) = await receiver.messages(1)
        assert waiting.json["type"] == "run.waiting"
        assert waiting.json["data"]["status"] == "waiting_for_approval"
        (pending,) = waiting.json["data"]["pending_approvals"]
        approval = {"approval_id": pending["approval_id"], "choice": "once"}
        assert (await client.post(f"/v1/runs/{run_id}/approval", approval)).status == 200
        messages = await receiver.messages(2)
    assert [message.json["type"] for message in messages] == ["run.waiting", "run.completed"]
    assert all(is_genuine(message, server.key) for message in messages)


def start_server_asking(start_server: Any) -> AngeliaServer:
    server = start_server(ANGELIA_APPROVALS="ask")
    server.stop()
    (server.home / "angelia.toml").write_text('[approvals]\nask = ["terminal"]\n')
    server.start()
    return server


async def test_a_stopped_run_is_told_as_cancelled(client: Client) -> None:
    async with receiving() as receiver:
        wish = {"url": receiver.url, "events": ["run.cancelled"]}
        run_id = await start(client, "say `sleep 30`", webhook=wish)
        await client.post(f"/v1/runs/{run_id}/stop")
        (message,) = await receiver.messages(1)
    assert message.json["type"] == "run.cancelled"
    assert message.json["data"]["status"] == "cancelled"


async def test_a_receiver_that_fails_once_is_told_again(client: Client) -> None:
    async with receiving(503) as receiver:
        await start(client, "hello", webhook=receiver.url)
        first, second = await receiver.messages(2)
    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


@pytest.mark.parametrize("signal", ["kill", "stop"])
async def test_what_a_server_could_not_deliver_before_its_end_is_delivered_after_the_next_start(
    server: AngeliaServer, signal: str
) -> None:
    port = free_port()
    async with Client(server.url, server.key) as client:
        run_id = await start(client, "hello", webhook=f"http://127.0.0.1:{port}/hook")
        seen = await events(client, run_id)
    server.kill() if signal == "kill" else await asyncio.to_thread(server.stop)
    async with receiving(port=port) as receiver:
        assert receiver.received == []
        await asyncio.to_thread(server.start)
        (message,) = await receiver.messages(1)
    assert is_genuine(message, server.key)
    assert message.json["type"] == "run.completed"
    assert message.json["timestamp"] == seen[-1]["timestamp"]


async def test_a_run_cut_off_by_a_kill_is_told_when_it_has_come_to_its_end(
    server: AngeliaServer,
) -> None:
    async with receiving() as receiver:
        async with Client(server.url, server.key) as client:
            await start(client, "say `sleep 2; echo hello`", webhook=receiver.url)
        server.kill()
        await asyncio.to_thread(server.start)
        (message,) = await receiver.messages(1)
    assert message.json["type"] == "run.completed"


async def test_a_private_address_is_refused_where_the_server_is_open_to_others(
    start_server: Any,
) -> None:
    server = start_server(ANGELIA_HOST="0.0.0.0", ANGELIA_API_KEY="a-key-that-is-long-enough")
    async with Client(server.url, server.key) as client:
        answer = await client.post("/v1/runs", {"input": "x", "webhook": "http://10.0.0.1/"})
    assert answer.status == 400
    assert answer.json["error"]["param"] == "webhook.url"

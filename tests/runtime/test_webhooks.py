"""Those who asked for it are told what becomes of a run: once it is durable, until they have it."""

import hashlib
import logging
from random import Random
from typing import Any

import pytest
from msgspec import UNSET, json

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.deliveries import MemoryDeliveries, ScriptedPoster
from angelia.adapters.memory.keys import MemoryKeys
from angelia.adapters.memory.log import MemoryLog, MemoryRuns
from angelia.core.events import (
    Cancelled,
    ClientReplied,
    Completed,
    Ending,
    Fact,
    Failed,
    ModelReplied,
    RunEnded,
    RunStarted,
    RunWaited,
    TextDelta,
)
from angelia.core.messages import Assistant, Reply, ToolCall, ToolResult, ToolSpec, user
from angelia.core.run import fold
from angelia.errors import BadRequest, LogUnavailable
from angelia.ports import Mark, RunRecord
from angelia.ports.deliveries import Answered, Barred, Delivery, Posted, Unreached
from angelia.runtime.keyring import Keyring
from angelia.runtime.webhooks import GIVE_UP_AFTER, LONGEST_PAUSE, Webhooks, pause, verdict
from angelia.wire.runs.webhooks import EVENTS, Wish, signature, to_raw

KEY = "ang-a-key-of-a-test"
URL = "https://example.com/hook?token=secret"
CALL = ToolCall("call_1", "ask_me", "{}")
REPLIED = ModelReplied(Reply(Assistant((CALL,)), "tool_calls"))
WAITED = RunWaited("client_tools", ("call_1",))
WENT_ON = ClientReplied((ToolResult("call_1", "yes"),))


class BrokenDeliveries(MemoryDeliveries):
    """Cannot be written for a while."""

    broken = False

    async def put(self, delivery: Delivery) -> None:
        if self.broken:
            raise LogUnavailable("The disk is full.")
        await super().put(delivery)

    async def delete(self, run_id: str) -> None:
        if self.broken:
            raise LogUnavailable("The disk is full.")
        await super().delete(run_id)


class World:
    """A log, keys and a receiver; `open` begins anew with what is kept, as a restart does."""

    def __init__(self, *answers: Posted, allow_private: bool = False) -> None:
        self.clock = ManualClock()
        self.log = MemoryLog(self.clock)
        self.runs = MemoryRuns(self.log)
        self.keyring = Keyring(MemoryKeys(), self.clock)
        self.store = BrokenDeliveries()
        self.poster = ScriptedPoster(*answers)
        self.allow_private = allow_private
        self.open()

    def open(self) -> None:
        self.webhooks = Webhooks(
            store=self.store,
            poster=self.poster,
            log=self.log,
            runs=self.runs,
            keyring=self.keyring,
            clock=self.clock,
            allow_private=self.allow_private,
            randomness=Random(1),
        )

    async def start(self, run_id: str = "run_1", wish: Wish | None = None) -> RunStarted:
        key = await self.keyring.keep_first(KEY)
        fact = RunStarted(
            "angelia",
            (user("hello"),),
            tools=(ToolSpec("ask_me", owner="client"),),
            webhook=self.webhooks.accept(wish or Wish(URL)),
        )
        await self.log.create(_record(run_id, key.id), [fact])
        return fact

    async def begin(self, run_id: str = "run_1", wish: Wish | None = None) -> None:
        fact = await self.start(run_id, wish)
        record = await self.runs.get(run_id)
        assert record is not None
        await self.webhooks.attach(record, fact)

    async def write(self, *facts: Fact | TextDelta, run_id: str = "run_1") -> None:
        before = await self.log.read(run_id)
        assert before is not None
        state = fold([*(entry.event for entry in before.entries), *facts])
        await self.log.append(run_id, 1, facts, Mark(state.status))

    async def end(self, ending: Ending | None = None) -> None:
        await self.write(RunEnded(ending or Completed(), "done"))

    async def told(self, count: int) -> list[Any]:
        """What the receiver heard, once it heard so much and all of it is settled."""
        for _ in range(200):
            await self.clock.sleep(0)
        assert len(self.poster.posts) == count
        return [json.decode(post.body) for post in self.poster.posts]

    async def next_attempt(self, seconds: float = LONGEST_PAUSE) -> None:
        await self.clock.sleepers()
        self.clock.advance(seconds)


def _record(run_id: str, tenant: str) -> RunRecord:
    return RunRecord(run_id, tenant, "angelia", "session", "runs", 1.0, 1.0, last_seq=1)


def kinds(messages: list[Any]) -> list[str]:
    return [message["type"] for message in messages]


# ── what is told ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ending", "event"),
    [
        (Completed(), "run.completed"),
        (Failed("no luck", "upstream_refused"), "run.failed"),
        (Cancelled(), "run.cancelled"),
    ],
)
async def test_the_end_of_a_run_is_told_and_then_nothing_is_left_to_tell(
    ending: Ending, event: str
) -> None:
    world = World()
    await world.begin()
    await world.write(TextDelta("do"))
    await world.end(ending)
    (message,) = await world.told(1)
    assert message["type"] == event
    assert message["timestamp"] == world.clock.now()
    assert message["data"]["run_id"] == "run_1"
    assert message["data"]["status"] == event.removeprefix("run.")
    assert message["data"]["last_seq"] == 3
    assert await world.store.list() == ()


async def test_a_run_that_needs_somebody_is_told_as_it_was_then() -> None:
    world = World()
    await world.begin()
    await world.write(REPLIED, WAITED, WENT_ON)
    await world.end()
    waiting, completed = await world.told(2)
    assert (waiting["type"], completed["type"]) == ("run.waiting", "run.completed")
    assert waiting["data"]["status"] == "waiting_for_client"
    assert waiting["data"]["last_seq"] == 3
    assert {post.url for post in world.poster.posts} == {URL}
    assert completed["data"]["status"] == "completed"


async def test_only_what_was_wished_for_is_told() -> None:
    world = World()
    await world.begin(wish=Wish(URL, ("run.failed",)))
    await world.write(REPLIED, WAITED, WENT_ON)
    await world.end()
    assert await world.told(0) == []
    assert await world.store.list() == ()


async def test_a_run_without_a_webhook_costs_nothing() -> None:
    world = World()
    record = _record("run_1", "key_first")
    await world.webhooks.attach(record, RunStarted("angelia", ()))
    assert await world.store.list() == ()
    assert world.webhooks.accept(None) is UNSET


async def test_the_message_is_signed_with_the_key_of_its_run() -> None:
    world = World()
    await world.begin()
    await world.end()
    await world.told(1)
    (post,) = world.poster.posts
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    sent_at = int(world.clock.now())
    assert post.url == URL
    assert post.headers["webhook-id"] == "run_1_2"
    assert post.headers["webhook-timestamp"] == str(sent_at)
    assert post.headers["webhook-signature"] == signature("run_1_2", sent_at, post.body, digest)


def test_private_addresses_are_refused_unless_they_are_allowed() -> None:
    wish = Wish("http://127.0.0.1:1/")
    with pytest.raises(BadRequest):
        World().webhooks.accept(wish)
    assert bytes(World(allow_private=True).webhooks.accept(wish)) == bytes(to_raw(wish))


# ── when it does not work at once ───────────────────────────────────────────────────────────


async def test_a_receiver_that_fails_is_told_again_with_the_same_words() -> None:
    world = World(Answered(503), Unreached("down"), Answered(429, 60))
    await world.begin()
    await world.end()
    for _ in range(3):
        await world.next_attempt()
    await world.told(4)
    posts = world.poster.posts
    assert {(post.body, post.headers["webhook-id"]) for post in posts} == {
        (posts[0].body, "run_1_2")
    }
    # Receivers refuse what was signed long ago, so each attempt is signed anew.
    assert len({post.headers["webhook-timestamp"] for post in posts}) == 4
    assert await world.store.list() == ()


async def test_what_comes_later_waits_for_what_came_before() -> None:
    world = World(Answered(500))
    await world.begin()
    await world.write(REPLIED, WAITED, WENT_ON)
    await world.end()
    assert kinds(await world.told(1)) == ["run.waiting"]
    await world.next_attempt()
    assert kinds(await world.told(3)) == ["run.waiting", "run.waiting", "run.completed"]


@pytest.mark.parametrize("answer", [Answered(404), Answered(307), Barred()])
async def test_a_receiver_that_will_never_listen_is_given_up(
    answer: Posted, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(answer)
    await world.begin()
    await world.write(REPLIED, WAITED, WENT_ON)
    await world.end()
    assert kinds(await world.told(2)) == ["run.waiting", "run.completed"]
    assert await world.store.list() == ()
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "run_1" in line
    assert "example.com" in line
    assert "secret" not in line


async def test_after_a_day_nobody_tries_any_more(caplog: pytest.LogCaptureFixture) -> None:
    world = World(*[Answered(500)] * 1000)
    await world.begin()
    await world.end()
    ended_at = world.clock.now()
    while await world.store.list():
        await world.next_attempt()
        for _ in range(20):
            await world.clock.sleep(0)
    assert 24 <= len(world.poster.posts) <= 50
    assert GIVE_UP_AFTER - LONGEST_PAUSE <= world.clock.now() - ended_at <= GIVE_UP_AFTER
    assert "gave up" in caplog.text


async def test_a_deleted_run_is_told_to_nobody() -> None:
    world = World(Answered(500))
    await world.begin()
    await world.end()
    await world.told(1)
    await world.runs.delete("run_1")
    await world.next_attempt()
    await world.told(1)
    assert await world.store.list() == ()


async def test_a_message_that_was_delivered_is_not_repeated_while_the_store_is_broken() -> None:
    world = World()
    await world.begin()
    await world.write(REPLIED, WAITED)
    await world.told(1)
    world.store.broken = True
    await world.write(WENT_ON)
    await world.end()
    await world.told(2)
    await world.next_attempt()
    await world.told(2)
    world.store.broken = False
    await world.next_attempt()
    await world.told(2)
    assert await world.store.list() == ()


async def test_a_webhook_that_could_not_be_stored_is_told_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = World()
    world.store.broken = True
    await world.begin()
    world.store.broken = False
    await world.end()
    await world.told(1)
    assert "not stored yet" in caplog.text


# ── after a restart ─────────────────────────────────────────────────────────────────────────


async def restart(world: World) -> int:
    await world.webhooks.close()
    world.open()
    return await world.webhooks.resume(await world.runs.unfinished())


async def test_what_a_process_left_untold_is_told_by_the_next_one() -> None:
    world = World(Answered(500))
    await world.begin()
    await world.end()
    await world.told(1)
    assert await restart(world) == 1
    assert kinds(await world.told(2)) == ["run.completed"] * 2
    assert await world.store.list() == ()


async def test_what_was_told_before_a_restart_is_not_told_again() -> None:
    world = World()
    await world.begin()
    await world.write(REPLIED, WAITED)
    await world.told(1)
    await restart(world)
    await world.write(WENT_ON)
    await world.end()
    assert kinds(await world.told(2)) == ["run.waiting", "run.completed"]


async def test_a_run_that_started_just_before_a_crash_still_knows_its_webhook() -> None:
    world = World()
    await world.start()
    assert await world.store.list() == ()
    assert await restart(world) == 1
    assert await world.store.list() == (Delivery("run_1", "key_first", URL, EVENTS),)
    await world.end()
    await world.told(1)


async def test_nothing_is_left_running_once_it_is_closed() -> None:
    world = World(Answered(500))
    await world.begin()
    await world.end()
    await world.clock.sleepers()
    await world.webhooks.close()
    world.clock.advance(LONGEST_PAUSE)
    await world.told(1)


# ── the rules ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (Answered(200), "delivered"),
        (Answered(204), "delivered"),
        (Answered(301), "never"),
        (Answered(400), "never"),
        (Answered(410), "never"),
        (Answered(408), "again"),
        (Answered(429), "again"),
        (Answered(500), "again"),
        (Answered(503), "again"),
        (Unreached("x"), "again"),
        (Barred(), "never"),
    ],
)
def test_what_an_answer_means(answer: Posted, wanted: str) -> None:
    assert verdict(answer) == wanted


def test_pauses_grow_to_an_hour_and_are_never_quite_the_same() -> None:
    chance = Random(1)
    pauses = [pause(attempt, Unreached("x"), chance) for attempt in range(1, 100)]
    assert 1 <= pauses[0] <= 2
    assert all(LONGEST_PAUSE / 2 <= seconds <= LONGEST_PAUSE for seconds in pauses[12:])
    assert len(set(pauses[12:])) > 80


def test_a_receiver_may_ask_for_a_longer_pause_but_not_for_more_than_an_hour() -> None:
    assert pause(1, Answered(429, 600), Random(1)) == 600
    assert pause(1, Answered(503, 1e9), Random(1)) == LONGEST_PAUSE
    assert pause(1, Answered(429, 0), Random(1)) >= 1


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

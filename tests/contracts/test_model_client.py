"""What every model must do, whoever is behind it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import pytest

from angelia.adapters.demo import DemoModel
from angelia.adapters.memory.models import ScriptedModel
from angelia.adapters.upstream.endpoint import ProtocolName
from angelia.core.demo.answer import answer
from angelia.core.events import Delta
from angelia.core.messages import Prompt, Reasoning
from angelia.ports import ModelClient
from angelia.surfaces.upstream import UpstreamServer
from tests.adapters.upstream.asking import (
    PROTOCOLS,
    HastyClock,
    Seen,
    calls_of,
    endpoint,
    prompt,
    upstream,
)

Open = Callable[[Prompt], AbstractAsyncContextManager[ModelClient]]

PROMPTS = {
    "text": prompt("hello"),
    "one call": prompt("`echo Grüße 🌍`"),
    "calls side by side": prompt("`ls -la`, read notes.txt and `pwd`"),
    "reasoning and text": prompt("think"),
    "reasoning and calls": prompt("think, then `ls`"),
    "text and a call": prompt("`ls` and call nothing_like_it"),
}


@asynccontextmanager
async def scripted(asked: Prompt) -> AsyncIterator[ModelClient]:
    yield ScriptedModel([answer(asked)])


@asynccontextmanager
async def demo(_asked: Prompt) -> AsyncIterator[ModelClient]:
    yield DemoModel(HastyClock())


@asynccontextmanager
async def over_http(
    protocol: ProtocolName, stream: bool, _asked: Prompt
) -> AsyncIterator[ModelClient]:
    async with UpstreamServer() as server, upstream() as pool:
        yield pool.model(endpoint(server.base_url, protocol, stream=stream))


MODELS: dict[str, Open] = {
    "scripted": scripted,
    "demo": demo,
    **{
        f"{protocol}, {'streamed' if stream else 'whole'}": partial(over_http, protocol, stream)
        for protocol in PROTOCOLS
        for stream in (True, False)
    },
}


@pytest.fixture(params=MODELS)
def open_model(request: pytest.FixtureRequest) -> Open:
    return MODELS[request.param]


@pytest.mark.parametrize("case", PROMPTS)
async def test_deltas_come_first_and_then_the_same_in_one_reply(open_model: Open, case: str):
    asked = PROMPTS[case]
    seen = Seen()
    async with open_model(asked) as model:
        reply = await model.ask(asked, seen.emit)
    wanted = answer(asked)
    thought = "".join(part.text for part in reply.message.parts if isinstance(part, Reasoning))
    assert seen.text == reply.message.text == wanted.message.text
    assert seen.reasoning == thought
    assert bool(thought) == case.startswith("reasoning")
    assert seen.calls == calls_of(reply) == list(wanted.message.calls)
    assert reply.finish == wanted.finish
    assert seen.notices == []


@pytest.mark.parametrize("case", ["text", "calls side by side"])
async def test_the_reply_says_what_it_used(open_model: Open, case: str):
    asked = PROMPTS[case]
    async with open_model(asked) as model:
        reply = await model.ask(asked, Seen().emit)
    wanted = answer(asked)
    assert reply.usage is not None
    assert wanted.usage is not None
    assert (reply.usage.input, reply.usage.output) == (wanted.usage.input, wanted.usage.output)


async def test_a_cancelled_question_ends_at_once_and_shows_nothing_more(open_model: Open):
    asked = prompt("long 500")
    begun = asyncio.Event()
    batches = 0

    async def hold(_: Sequence[Delta]) -> None:
        nonlocal batches
        batches += 1
        begun.set()
        await asyncio.Event().wait()

    async with open_model(asked) as model:
        task = asyncio.create_task(model.ask(asked, hold))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert batches == 1


@pytest.mark.parametrize("failure", [OSError, TimeoutError, LookupError])
async def test_a_failure_of_whoever_listens_is_passed_on_as_it_is(
    open_model: Open, failure: type[Exception]
):
    async def fail(_: Sequence[Delta]) -> None:
        raise failure("the disk is full")

    asked = prompt("hello")
    async with open_model(asked) as model:
        with pytest.raises(failure, match="the disk is full"):
            await model.ask(asked, fail)

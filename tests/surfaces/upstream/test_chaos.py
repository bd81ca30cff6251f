import aiohttp
import msgspec
import pytest

from angelia.surfaces.upstream.chaos import strike
from angelia.surfaces.upstream.script import Chaos, Fault, Script, parse
from angelia.surfaces.upstream.server import UpstreamServer

BODIES = [b"%d" % number for number in range(1000)]


def struck(chaos: Chaos, nth: int = 1) -> list[Fault | None]:
    return [strike(chaos, body, nth) for body in BODIES]


def test_about_as_many_requests_fail_as_should():
    faults = [fault for fault in struck(Chaos(0.2, 7)) if fault is not None]
    assert 150 < len(faults) < 250
    assert all(fault.times == 1 for fault in faults)


def test_chance_finds_every_kind_of_fault_and_every_place():
    words = [msgspec.to_builtins(fault) for fault in struck(Chaos(1.0, 7))]
    assert {name for fault in words for name in fault} >= {
        *("status", "retry_after", "reset", "cut", "empty", "stall"),
        *("error_event", "after", "malformed", "no_finish"),
    }
    assert {fault.get("cut") for fault in words} >= {"start", "open", "text", "arguments"}


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_none_or_all_fail(rate: float):
    assert {fault is not None for fault in struck(Chaos(rate))} == {bool(rate)}


def test_the_same_seed_strikes_the_same_requests():
    assert struck(Chaos(0.5, 7)) == struck(Chaos(0.5, 7))
    assert struck(Chaos(0.5, 7)) != struck(Chaos(0.5, 8))


def test_a_request_that_comes_back_has_another_chance():
    assert struck(Chaos(0.5, 7)) != struck(Chaos(0.5, 7), nth=2)


async def test_a_script_under_chaos_keeps_its_steps_for_those_who_come_back():
    script = parse(b'{"steps": [{"text": "at last"}], "chaos": {"rate": 0.6, "seed": 3}}')
    assert await until_it_answers(script) == "at last"


async def until_it_answers(script: Script) -> str:
    asked = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    async with UpstreamServer(script) as server:
        while True:
            try:
                patience = aiohttp.ClientTimeout(total=0.2)
                async with (
                    aiohttp.ClientSession(timeout=patience) as client,
                    client.post(server.base_url + "/chat/completions", json=asked) as response,
                ):
                    return (await response.json())["choices"][0]["message"]["content"]
            except (aiohttp.ClientError, TimeoutError, ValueError, KeyError):
                assert len(server.calls) < 50

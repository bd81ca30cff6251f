import io
from collections.abc import AsyncIterator

import pytest

from angelia.errors import AngeliaError
from angelia.surfaces.cli.ask import Ask, Consent, Conversation
from angelia.surfaces.cli.screen import Screen

HEAD = '"run_id":"run_1","seq":1,"timestamp":1.0'
USAGE = (
    '"usage":{"input_tokens":0,"output_tokens":0,"total_tokens":0,"cached_tokens":0,'
    '"cache_write_tokens":0,"reasoning_tokens":0}'
)
HELLO = f'{{"event":"message.delta",{HEAD},"delta":"hello"}}'
UNKNOWN = f'{{"event":"comet.sighted",{HEAD}}}'
APPROVAL = (
    f'{{"event":"approval.requested",{HEAD},"approval_id":"apr_1","tool_call_id":"1",'
    '"tool":"terminal","preview":"ls","reason":"","choices":[],"expires_at":null,"code":"7F3"}'
)
DONE = (
    f'{{"event":"run.completed",{HEAD},"output":"hello",{USAGE},"finish_reason":"stop","cost":0.0}}'
)
STOPPED = f'{{"event":"run.cancelled",{HEAD},"by":"somebody",{USAGE}}}'


class Recorded:
    """A source that plays back events and keeps what it was told."""

    def __init__(self, *events: str, shared: bool = False) -> None:
        self._events = events
        self.shared = shared
        self.told: list[tuple[str, ...]] = []

    async def start(self, ask: Ask) -> str:
        self.told.append(("start", ask.prompt))
        return "run_1"

    async def events(self, run_id: str) -> AsyncIterator[bytes]:
        for event in self._events:
            yield event.encode()

    async def stop(self, run_id: str) -> None:
        self.told.append(("stop", run_id))

    async def consent(self, run_id: str, approval_id: str, choice: Consent, reason: str) -> None:
        self.told.append(("consent", approval_id, choice, reason))


async def converse(source: Recorded, *, as_json: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    conversation = Conversation(source, Screen({}, out, err), as_json=as_json)
    return await conversation.run(Ask("hi")), out.getvalue(), err.getvalue()


async def test_the_answer_is_shown_and_the_end_is_the_exit_code() -> None:
    assert await converse(Recorded(HELLO, UNKNOWN, DONE)) == (0, "hello\n", "")


async def test_json_passes_every_event_on_as_it_came() -> None:
    _, out, _ = await converse(Recorded(HELLO, UNKNOWN, DONE), as_json=True)
    assert out.splitlines() == [HELLO, UNKNOWN, DONE]


async def test_a_run_that_somebody_else_stopped_is_cancelled() -> None:
    code, out, err = await converse(Recorded(HELLO, STOPPED))
    assert (code, out, err) == (3, "hello\n", "cancelled\n")


@pytest.mark.parametrize("as_json", [True, False])
async def test_without_a_person_every_approval_is_denied(as_json: bool) -> None:
    source = Recorded(APPROVAL, DONE)
    await converse(source, as_json=as_json)
    assert ("consent", "apr_1", "deny", "nobody is there who could be asked.") in source.told


async def test_where_somebody_else_can_answer_it_says_how_and_waits() -> None:
    source = Recorded(APPROVAL, DONE, shared=True)
    code, _, err = await converse(source)
    assert code == 0
    assert "angelia approve run_1 --code 7F3" in err
    assert not [told for told in source.told if told[0] == "consent"]


async def test_events_that_break_off_are_an_error_and_not_an_end() -> None:
    with pytest.raises(AngeliaError, match="run_1"):
        await converse(Recorded(HELLO))

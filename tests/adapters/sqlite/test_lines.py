import asyncio

import pytest

from angelia.adapters.sqlite.lines import UNWRITTEN_BYTES, Line
from angelia.errors import Fenced, LogUnavailable


def test_a_line_admits_its_own_epoch_until_it_has_ended() -> None:
    line = Line("run", 3)
    line.admit(3)
    for epoch in (2, 4):
        with pytest.raises(Fenced, match="run"):
            line.admit(epoch)
    line.ended = True
    with pytest.raises(Fenced):
        line.admit(3)


def test_a_loss_is_told_once() -> None:
    line = Line("run", 1)
    line.lose(LogUnavailable("lost"))
    with pytest.raises(LogUnavailable, match="lost"):
        line.admit(1)
    line.admit(1)


async def test_there_is_room_up_to_the_bound() -> None:
    line = Line("run", 1)
    line.unwritten = UNWRITTEN_BYTES
    await line.room()
    line.unwritten += 2
    waiting = asyncio.ensure_future(line.room())
    await asyncio.sleep(0)
    line.written(1)
    await asyncio.sleep(0)
    assert not waiting.done()
    line.written(1)
    await waiting


async def test_a_loss_is_told_to_those_who_wait_and_to_nobody_else() -> None:
    line = Line("run", 1)
    line.unwritten = UNWRITTEN_BYTES + 1
    waiting = [asyncio.ensure_future(line.room()) for _ in range(2)]
    await asyncio.sleep(0)
    line.lose(LogUnavailable("lost"))
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(answer) for answer in answers] == ["lost", "lost"]
    line.admit(1)


def test_what_arrives_after_it_was_called_lost_is_not_sent_again() -> None:
    line = Line("run", 1)
    line.spool((1, 1, 0.0, b"x"))
    line.send()
    line.resend(LogUnavailable("lost"))
    rows = line.send()
    line.resend(LogUnavailable("lost before that"))
    line.settle(rows)
    assert (line.unsent_bytes, line.send()) == (0, ())
    line.spool((2, 2, 0.0, b"y"))
    assert line.send() == ((2, 2, 0.0, b"y"),)

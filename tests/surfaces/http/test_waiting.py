"""How much may wait: messages of a socket, sockets of a key."""

from contextlib import ExitStack

import pytest

from angelia.errors import RateLimited
from angelia.ports import ApiKey
from angelia.surfaces.http.waiting import (
    MOST_BYTES,
    MOST_MESSAGES,
    MOST_SOCKETS,
    Sockets,
    Waiting,
)


def key(name: str) -> ApiKey:
    return ApiKey(id=f"key_{name}", name=name, digest="", scopes=("chat",), created_at=0.0)


async def test_messages_come_out_in_their_order_and_make_room() -> None:
    waiting = Waiting()
    for number in range(MOST_MESSAGES):
        waiting.put(str(number))
    with pytest.raises(RateLimited) as refused:
        waiting.put("one more")
    assert refused.value.code == "too_many_messages"
    assert await waiting.get() == "0"
    waiting.put(b"one more")
    assert [await waiting.get() for _ in range(MOST_MESSAGES)][-2:] == ["15", b"one more"]


async def test_one_message_may_be_large_but_not_those_behind_it() -> None:
    waiting = Waiting()
    waiting.put("x" * 2 * MOST_BYTES)
    with pytest.raises(RateLimited, match="8 MB"):
        waiting.put("small")
    await waiting.get()
    waiting.put(b"x" * (MOST_BYTES // 2))
    waiting.put("small")
    with pytest.raises(RateLimited):
        waiting.put(b"x" * (MOST_BYTES // 2))


def test_a_key_has_so_many_sockets_and_others_have_theirs() -> None:
    sockets = Sockets()
    with ExitStack() as held:
        for _ in range(MOST_SOCKETS):
            held.enter_context(sockets.admit(key("a")))
        with pytest.raises(RateLimited) as refused:
            sockets.admit(key("a"))
        assert refused.value.code == "too_many_sockets"
        assert refused.value.retry_after
        with sockets.admit(key("b")):
            assert len(sockets) == 2
    assert len(sockets) == 0
    with sockets.admit(key("a")):
        pass

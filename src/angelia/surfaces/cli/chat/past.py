"""What was said in a session so far, as blocks."""

from collections.abc import Iterator

from msgspec import Struct

from angelia.errors import RequestError
from angelia.surfaces.cli.chat.blocks import Block, Prose, Remark, Spoken
from angelia.surfaces.cli.chat.events import read
from angelia.surfaces.cli.chat.harmless import harmless
from angelia.surfaces.cli.chat.markdown import Blocks
from angelia.surfaces.cli.chat.view import View
from angelia.surfaces.cli.server import Server, Turn
from angelia.wire.sessions.shapes import AssistantOut, MessageOut, TextOut, UserOut

_OVER = ("completed", "failed", "cancelled")
_TURNS = 20


class Past(Struct, frozen=True):
    """`under_way` is a run that has not ended; `tokens` and `cost` are those of all runs before."""

    blocks: tuple[Block, ...] = ()
    tokens: int = 0
    cost: float = 0.0
    under_way: str | None = None


async def past_of(server: Server, session_id: str) -> Past:
    """The last turns. A session that does not exist yet has no past."""
    try:
        session = await server.session(session_id)
    except RequestError as error:
        if error.status == 404:
            return Past()
        raise
    tokens, cost, under_way = 0, 0.0, None
    async for run in server.every_run(session_id=session_id):
        if run.status in _OVER:
            tokens, cost = tokens + run.usage.total_tokens, cost + run.cost
        elif under_way is None:
            under_way = run.run_id
    blocks = await _said(server, session_id, session.runs, under_way)
    return Past(blocks, tokens, cost, under_way)


async def _said(
    server: Server, session_id: str, runs: int, under_way: str | None
) -> tuple[Block, ...]:
    try:
        page = await server.turns(session_id, _TURNS)
    except RequestError as error:
        if error.status != 404:
            raise
        # An older server tells what was said, without what was done.
        messages = await server.messages(session_id)
        return tuple(block for message in messages for block in _message(message))
    left_out = runs - len(page.data)
    head = [Remark(f"… {left_out} earlier turns")] if page.has_more and left_out > 0 else []
    return (*head, *(block for turn in page.data for block in _turn(turn, under_way)))


def _turn(turn: Turn, under_way: str | None) -> Iterator[Block]:
    for message in turn.input:
        yield from _message(message)
    if turn.run.run_id == under_way:
        # It is followed from its beginning.
        return
    view = View()
    for raw in turn.events:
        event = read(bytes(raw))
        if event is not None:
            yield from view.feed(event)


def _message(message: MessageOut) -> Iterator[Block]:
    if isinstance(message, UserOut):
        yield Spoken(harmless(_words(message)))
    elif isinstance(message, AssistantOut) and message.content:
        blocks = Blocks()
        for text in (*blocks.feed(harmless(message.content)), *blocks.close()):
            yield Prose(text)


def _words(message: UserOut) -> str:
    if isinstance(message.content, str):
        return message.content
    return "\n".join(
        part.text if isinstance(part, TextOut) else "[image]" for part in message.content
    )

"""A long conversation made short, as a client asks for it and as the window that comes back.

The window is what a client sends as its next input: the words of people as they were, and one
item that holds the summary of everything.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Raw, Struct, json

from angelia.core.messages import Message, System, Usage, User
from angelia.wire import fields
from angelia.wire.responses import items_in
from angelia.wire.responses.ids import input_id
from angelia.wire.responses.items_in import Piece
from angelia.wire.responses.items_out import input_items
from angelia.wire.responses.response import usage_out
from angelia.wire.responses.response_shapes import CompactionOut, UsageOut
from angelia.wire.responses.sealed import summary_token


class CompactIn(Struct):
    model: str
    input: str | list[Raw] | None = None
    previous_response_id: str | None = None
    instructions: str | None = None


class Compact(Struct, frozen=True):
    """`references` are the ids that `messages` has to be told of."""

    model: str
    input: tuple[Piece, ...]
    references: tuple[str, ...]
    previous_response_id: str | None
    instructions: str | None


class CompactedOut(Struct, frozen=True):
    id: str
    object: Literal["response.compaction"]
    created_at: int
    output: tuple[Raw, ...]
    usage: UsageOut


_decoder = json.Decoder(CompactIn)


def parse_compact(body: bytes) -> Compact:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body, _decoder)
    if given.input in (None, []) and given.previous_response_id is None:
        raise fields.missing("input")
    pieces = items_in.read_input(given.input)
    return Compact(
        given.model,
        pieces,
        items_in.references(pieces),
        given.previous_response_id,
        given.instructions,
    )


def compacted(
    messages: Iterable[Message], summary: str, *, compaction_id: str, created_at: int, usage: Usage
) -> bytes:
    """The window. Its items are not stored, so nobody can refer to them by id."""
    owner = f"resp_{compaction_id.partition('_')[2]}"
    kept = input_items((message for message in messages if _is_kept(message)), owner)
    summarised = CompactionOut(input_id("cmp", owner, len(kept)), summary_token(summary))
    return json.encode(
        CompactedOut(
            compaction_id,
            "response.compaction",
            created_at,
            (*kept, Raw(json.encode(summarised))),
            usage_out(usage),
        )
    )


def _is_kept(message: Message) -> bool:
    """What people said; an older summary is part of the new one."""
    return isinstance(message, User | System) and not items_in.is_recalled(message)

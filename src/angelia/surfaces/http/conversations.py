"""/v1/conversations: sessions as OpenAI's clients know them, item by item."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from msgspec import UNSET, Raw, UnsetType, json
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.messages import EMPTY_OBJECT, Message
from angelia.errors import Conflict, NotFound
from angelia.ports import ApiKey, Scope, Session
from angelia.runtime.archive import Draft
from angelia.runtime.ids import fresh
from angelia.runtime.one_by_one import OneByOne
from angelia.runtime.orders import Order
from angelia.surfaces.http.items import Stored, conversation_items
from angelia.surfaces.http.requests import body, caller, services
from angelia.surfaces.http.responding import CONVERSATION, conversation, referred
from angelia.surfaces.http.responses import wanted_page
from angelia.wire.responses import conversations as wire
from angelia.wire.responses.items_in import assemble, read
from angelia.wire.responses.items_out import id_of
from angelia.wire.responses.items_out import items as shown
from angelia.wire.responses.listing import listed, whole

JSON = "application/json"


async def create(request: Request) -> Response:
    key = await caller(request, "chat")
    asked = wire.parse_create(await body(request))
    given = services(request)
    session_id = fresh(CONVERSATION.rstrip("_"), given.clock.now())
    said = await _meant(request, key, asked.items)
    metadata = EMPTY_OBJECT if isinstance(asked.metadata, UnsetType) else asked.metadata
    session = await given.archive.create(
        Draft(key.id, "conversation", id=session_id, metadata=metadata)
    )
    if said:
        await _seed(request, session, said, _named(request, said))
    return _conversation(session)


async def get(request: Request) -> Response:
    return _conversation(await _owned(request, "chat", "read"))


async def change(request: Request) -> Response:
    session = await _owned(request, "chat")
    metadata = wire.parse_update(await body(request))
    changed = await services(request).archive.change(
        session, UNSET, EMPTY_OBJECT if isinstance(metadata, UnsetType) else metadata
    )
    return _conversation(changed)


async def delete(request: Request) -> Response:
    session = await _owned(request, "chat")
    await services(request).archive.delete(session)
    return Response(wire.deleted_conversation(session.id), media_type=JSON)


async def items(request: Request) -> Response:
    session = await _owned(request, "chat", "read")
    held = await _items(request, session)
    return Response(listed(held, wanted_page(request)), media_type=JSON)


async def add_items(request: Request) -> Response:
    key = await caller(request, "chat")
    asked = wire.parse_items(await body(request))
    async with _editing(request) as session:
        said = await _meant(request, key, asked)
        before, _ = await services(request).runs.said(session.tenant, session.id)
        held, new = await _items(request, session), _named(request, said)
        await _seed(request, session, before + said, [*held, *new])
    return Response(json.encode(whole(new)), media_type=JSON)


async def item(request: Request) -> Response:
    session = await _owned(request, "chat", "read")
    held = await _items(request, session)
    return Response(bytes(held[_place(request, held)]), media_type=JSON)


async def remove_item(request: Request) -> Response:
    async with _editing(request) as session:
        held = await _items(request, session)
        place = _place(request, held)
        left = held[:place] + held[place + 1 :]
        await _seed(request, session, assemble(read(left, "items"), {}), left)
    return _conversation(session)


@asynccontextmanager
async def _editing(request: Request) -> AsyncGenerator[Session]:
    """The conversation as it is once nobody else changes it."""
    session = await _owned(request, "chat")
    edits: OneByOne = request.app.state.edits
    async with edits.at((session.tenant, session.id)):
        yield await _owned(request, "chat")


async def _owned(request: Request, *scopes: Scope) -> Session:
    key = await caller(request, *scopes)
    named = request.path_params["conversation_id"]
    return await conversation(services(request), key.id, named, "conversation_id")


async def _meant(request: Request, key: ApiKey, asked: wire.NewItems) -> tuple[Message, ...]:
    return assemble(asked.pieces, await referred(request, key, asked.references))


def _named(request: Request, said: tuple[Message, ...]) -> list[Raw]:
    now = services(request).clock.now()
    return shown(said, lambda kind, _: fresh(kind, now))


async def _items(request: Request, session: Session) -> list[Raw]:
    return await conversation_items(services(request), session.tenant, session.last_run)


def _place(request: Request, held: Sequence[Raw]) -> int:
    wanted = request.path_params["item_id"]
    for place, one in enumerate(held):
        if id_of(one) == wanted:
            return place
    raise NotFound(
        f"There is no item {wanted!r} in this conversation.",
        param="item_id",
        code="item_not_found",
    )


async def _seed(
    request: Request, session: Session, said: tuple[Message, ...], held: Sequence[Raw]
) -> None:
    """The log only grows: a conversation that was changed goes on from a run that says how.

    Raises Conflict if a response was or is under way, which does not know of the change.
    """
    order = Order(
        tenant=session.tenant,
        messages=(),
        surface="conversation",
        session_id=session.id,
        user=session.user,
        history=said,
        request=Raw(json.encode(Stored(tuple(held)))),
    )
    now = await services(request).archive.get(session.tenant, session.id)
    runs = services(request).runs
    if now.last_run != session.last_run or runs.busy(session.tenant, session.id):
        raise Conflict(
            "A response of this conversation is under way. Wait until it has ended, or cancel it.",
            param="conversation_id",
            code="session_busy",
        )
    await runs.seed(order)


def _conversation(session: Session) -> Response:
    answer = wire.conversation(session.id, session.created_at, session.metadata)
    return Response(answer, media_type=JSON)

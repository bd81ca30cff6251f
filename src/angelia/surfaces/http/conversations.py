"""/v1/conversations: sessions as OpenAI's clients know them, item by item."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, nullcontext

from msgspec import UNSET, Raw, UnsetType, json
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.chain import chain
from angelia.core.messages import EMPTY_OBJECT, Message
from angelia.errors import Conflict, NotFound
from angelia.ports import ApiKey, Scope, Session
from angelia.runtime.archive import Draft
from angelia.runtime.ids import fresh
from angelia.runtime.orders import EDITED, Order
from angelia.runtime.services import Services
from angelia.surfaces.http.items import Stored, conversation_items, page_of_items
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
    said = await _meant(request, key, asked.items)
    draft = Draft(
        tenant=key.id,
        surface=EDITED,
        id=fresh(CONVERSATION.rstrip("_"), given.clock.now()),
        metadata=EMPTY_OBJECT if isinstance(asked.metadata, UnsetType) else asked.metadata,
        messages=said,
        kept=_stored(_named(request, said)),
    )
    with await given.admission.admit(key) if said else nullcontext():
        return _conversation(await given.archive.create(draft))


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
    given, wanted = services(request), wanted_page(request)
    _, run_id = await given.runs.said(session.tenant, session.id)
    held = await page_of_items(given, session.tenant, run_id, wanted)
    return Response(listed(held, wanted), media_type=JSON)


async def add_items(request: Request) -> Response:
    key = await caller(request, "chat")
    asked = wire.parse_items(await body(request))
    async with _editing(request, key) as session:
        said = await _meant(request, key, asked)
        held, before = await _held(request, session)
        new = _named(request, said)
        await _seed(request, session, before + said, [*held, *new])
    return Response(json.encode(whole(new)), media_type=JSON)


async def item(request: Request) -> Response:
    session = await _owned(request, "chat", "read")
    held, _ = await _held(request, session)
    return Response(bytes(held[_place(request, held)]), media_type=JSON)


async def remove_item(request: Request) -> Response:
    async with _editing(request, await caller(request, "chat")) as session:
        held, said = await _held(request, session)
        place = _place(request, held)
        _refuse_loss(held, said)
        left = held[:place] + held[place + 1 :]
        await _seed(request, session, assemble(read(left, "items"), {}), left)
    return _conversation(session)


@asynccontextmanager
async def _editing(request: Request, key: ApiKey) -> AsyncGenerator[Session]:
    """The conversation as it is while nobody else changes it and no response of it begins.

    Raises Conflict if a response is under way, which does not know of the change.
    """
    given, named = services(request), request.path_params["conversation_id"]
    await conversation(given, key.id, named, "conversation_id")
    with await given.admission.admit(key):
        async with given.runs.session_turn(key.id, named):
            session = await conversation(given, key.id, named, "conversation_id")
            _refuse_busy(given, session)
            yield session


def _refuse_busy(given: Services, session: Session) -> None:
    if given.runs.busy(session.tenant, session.id):
        raise Conflict(
            "A response of this conversation is under way. Wait until it has ended, or cancel it.",
            param="conversation_id",
            code="session_busy",
        )


async def _owned(request: Request, *scopes: Scope) -> Session:
    key = await caller(request, *scopes)
    named = request.path_params["conversation_id"]
    return await conversation(services(request), key.id, named, "conversation_id")


async def _meant(request: Request, key: ApiKey, asked: wire.NewItems) -> tuple[Message, ...]:
    return assemble(asked.pieces, await referred(request, key, asked.references))


def _named(request: Request, said: tuple[Message, ...]) -> list[Raw]:
    now = services(request).clock.now()
    return shown(said, lambda kind, _: fresh(kind, now))


async def _held(request: Request, session: Session) -> tuple[list[Raw], tuple[Message, ...]]:
    """Its items, and what the model is told."""
    given = services(request)
    said, run_id = await given.runs.said(session.tenant, session.id)
    return await conversation_items(given, session.tenant, run_id), said


def _refuse_loss(held: Sequence[Raw], said: tuple[Message, ...]) -> None:
    """Raises Conflict if making the conversation anew from its items would lose words of it."""
    if chain(assemble(read(held, "items"), {}), "") != chain(said, ""):
        raise Conflict(
            "This conversation holds more than its items, such as words that steered a response; "
            "they would be lost with the item. Begin another conversation with what you want kept.",
            param="item_id",
            code="items_incomplete",
        )


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
    """The log only grows: a conversation that was changed goes on from a run that says how."""
    order = Order(
        tenant=session.tenant,
        messages=(),
        surface=EDITED,
        session_id=session.id,
        user=session.user,
        history=said,
        request=_stored(held),
    )
    await services(request).runs.seed(order)


def _stored(held: Sequence[Raw]) -> Raw:
    return Raw(json.encode(Stored(tuple(held))))


def _conversation(session: Session) -> Response:
    answer = wire.conversation(session.id, session.created_at, session.metadata)
    return Response(answer, media_type=JSON)

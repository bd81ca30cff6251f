"""Beginning a response, however it was asked for: by HTTP or on a socket."""

from collections.abc import Iterable, Mapping

from msgspec import Raw, Struct
from msgspec.structs import replace
from starlette.requests import HTTPConnection

from angelia.core.context import prompt
from angelia.core.messages import Assistant, Message, Prompt, ToolResult, ToolSpec
from angelia.core.policy import Limits
from angelia.core.run import begin as opening
from angelia.errors import BadRequest, NotFound
from angelia.ports import ApiKey, Claim, Session
from angelia.runtime.approvals import Said
from angelia.runtime.orders import Order, started
from angelia.runtime.replies import Reply, go_on
from angelia.runtime.runs import Runs, Started
from angelia.runtime.services import Services
from angelia.runtime.sessions import Continuation
from angelia.surfaces.http import verdicts
from angelia.surfaces.http.claims import chat_session
from angelia.surfaces.http.items import items_of
from angelia.surfaces.http.ordering import order_of
from angelia.surfaces.http.previous import previous
from angelia.surfaces.http.requests import services, session_id, shortened
from angelia.wire.responses import request as wire
from angelia.wire.responses.dialects import Dialect, choose_items
from angelia.wire.responses.ids import leg_of, owner_of
from angelia.wire.responses.items_out import known

CONVERSATION = "conv_"


class Kept(Struct, frozen=True):
    """The last response of a socket, not stored, so that only this socket can go on from it."""

    response_id: str
    messages: tuple[Message, ...]


class Asking(Struct, frozen=True):
    """A request for a response, and who makes it."""

    connection: HTTPConnection
    key: ApiKey
    asked: wire.Asked
    claim: Claim | None = None
    kept: Kept | None = None


def dialect(connection: HTTPConnection, key: ApiKey, *, declares_tools: bool) -> Dialect:
    return choose_items(
        requested=connection.headers.get("x-angelia-tool-items"),
        key_setting=key.rules.tool_items or services(connection).settings.responses.tool_items,
        user_agent=connection.headers.get("user-agent", ""),
        headers=connection.headers.keys(),
        declares_tools=declares_tools,
    )


async def begin(asking: Asking) -> Started:
    """The run, or the leg of one, that the response is a view of."""
    runs, tenant = services(asking.connection).runs, asking.key.id
    async with runs.claiming(tenant, asking.claim):
        earlier = await runs.claimed(tenant, asking.claim) if asking.claim else None
        return earlier or await _begin(asking)


async def _begin(asking: Asking) -> Started:
    given, key, asked = services(asking.connection), asking.key, asking.asked
    shown = dialect(asking.connection, key, declares_tools=bool(asked.tools))
    said = wire.messages(asked, await referred(asking.connection, key, asked.references))
    kept = wire.echo(asked, shown)
    order, found = await _continued(asking, _order(asking, said, kept))
    answered = await _answered(asking, order, found)
    if answered is not None:
        return answered
    reply = Reply(
        tenant=key.id,
        messages=said,
        tools=_tools(asked),
        sampling=asked.sampling,
        param="input",
        claim=asking.claim,
        allowed=order.allowed,
        request=kept,
    )
    with await given.admission.admit(key):
        going_on = await go_on(given.runs, reply)
        if going_on is not None:
            return going_on
        await _refuse_orphans(given.runs, order)
        return await given.runs.start(order)


async def _answered(asking: Asking, order: Order, found: Continuation | None) -> Started | None:
    """The run whose question the request answers, by items or by words.

    It is one of those under way, and needs no place among them.
    """
    given = services(asking.connection)
    said = Said(request=order.request, claim=asking.claim)
    if asking.asked.verdicts:
        return await verdicts.answered(given, asking.key, order, asking.asked, said)
    return None if found is None else await given.approvals.heard(found, said)


async def _refuse_orphans(runs: Runs, order: Order) -> None:
    """A model is never shown a result of something it did not call."""
    brought = [said.call_id for said in order.messages if isinstance(said, ToolResult)]
    if not brought:
        return
    before = order.history
    if order.follows and order.session_id is not None:
        before, _ = await runs.said(order.tenant, order.session_id)
    replies = (said for said in before + order.messages if isinstance(said, Assistant))
    called = {call.id for reply in replies for call in reply.calls}
    for call_id in brought:
        if call_id not in called:
            raise BadRequest(
                f"No tool call found for the output with call_id {shortened(call_id)!r}: send the "
                "function_call item too, or the previous_response_id of the response that has it.",
                param="input",
                code="invalid_value",
            )


def _order(asking: Asking, said: tuple[Message, ...], kept: Raw) -> Order:
    key, asked = asking.key, asking.asked
    return replace(
        order_of(asking.connection, key, "responses", said, user=asked.user, claim=asking.claim),
        model=asked.model,
        instructions=asked.instructions or "",
        tools=_tools(asked),
        sampling=asked.sampling,
        limits=Limits(max_calls=asked.max_tool_calls),
        metadata=asked.metadata,
        allowed=_both(key.rules.tools, asked.allowed_tools),
        stored=asked.store,
        request=kept,
        overlong="truncate" if asked.truncation == "auto" else "refuse",
    )


def _tools(asked: wire.Asked) -> tuple[ToolSpec, ...] | None:
    """SDKs send an empty list for having none of their own; who wants none says so otherwise."""
    return asked.tools or None


async def conversation(given: Services, tenant: str, named: str, param: str) -> Session:
    """Raises NotFound."""
    try:
        return await given.archive.get(tenant, named)
    except NotFound:
        raise NotFound(
            f"There is no conversation {named!r}.", param=param, code="conversation_not_found"
        ) from None


def _both(first: tuple[str, ...] | None, second: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if first is None or second is None:
        return second if first is None else first
    return tuple(name for name in first if name in second)


async def _continued(asking: Asking, order: Order) -> tuple[Order, Continuation | None]:
    """The order, with what was said before it; and where its words go if somebody was asked."""
    given, asked = services(asking.connection), asking.asked
    bare = given.runs.agents.resolve(order.model, order.models).bare
    if asked.previous_response_id is not None:
        return await _after(asking, order, asked.previous_response_id)
    if asked.conversation is not None:
        if bare:
            raise BadRequest(
                "A bare model keeps no conversations; leave out ':bare' or 'conversation'.",
                param="conversation",
            )
        if asked.conversation.startswith(CONVERSATION):
            await conversation(given, order.tenant, asked.conversation, "conversation")
        found = await given.sessions.asked_in(
            order.tenant, order.user, asked.conversation, order.messages
        )
        return replace(order, session_id=asked.conversation, follows=True), found
    if bare or not asked.store:
        return order, None
    found = await given.sessions.resent(
        order.tenant,
        order.user,
        order.messages,
        named=session_id(asking.connection),
        usual=chat_session(asking.connection),
    )
    return found.applied(order), found


async def _after(
    asking: Asking, order: Order, response_id: str
) -> tuple[Order, Continuation | None]:
    given, kept = services(asking.connection), asking.kept
    leg = leg_of(response_id)
    if kept is not None and kept.response_id == response_id and leg is not None:
        run = await given.runs.get(order.tenant, leg.run_id)
        found = await given.sessions.asked_behind(run, leg.after, order.messages)
        return replace(order, history=kept.messages), found
    before = await previous(given, asking.key, response_id)
    found = None
    if leg is not None and before.run.user == order.user:
        found = await given.sessions.asked_behind(before.run, leg.after, order.messages)
    order = replace(
        order,
        history=before.messages,
        parent=before.run.id,
        session_id=before.run.session_id or None,
        yields=True,
    )
    return (found.applied(order) if found and not found.asks else order), found


async def prompt_of(asking: Asking) -> Prompt:
    """What the model would be asked first."""
    given, asked = services(asking.connection), asking.asked
    said = wire.messages(asked, await referred(asking.connection, asking.key, asked.references))
    order, _ = await _continued(asking, _order(asking, said, wire.echo(asked, "off")))
    agent = given.runs.agents.resolve(order.model, order.models)
    if order.follows and order.session_id is not None:
        order = replace(order, history=(await given.runs.said(order.tenant, order.session_id))[0])
    order = await given.runs.briefed(await given.runs.digested(order), agent)
    return prompt(opening(started(order, agent, "", given.runs.toolbox)))


async def referred(
    connection: HTTPConnection, key: ApiKey, references: Iterable[str]
) -> Mapping[str, tuple[Message, ...]]:
    """What the items that a client refers to stand for; whatever is not there is left out."""
    found: dict[str, tuple[Message, ...]] = {}
    for reference in references:
        if reference in found or (owner := owner_of(reference)) is None:
            continue
        leg = leg_of(owner)
        if leg is None:
            continue
        try:
            run = await services(connection).runs.get(key.id, leg.run_id)
        except NotFound:
            continue
        if run.stored:
            found |= known(await items_of(services(connection), run))
            found |= known(await items_of(services(connection), run, as_asked=True))
    return found

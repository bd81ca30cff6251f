"""A client's request for a response, read strictly into what a run is made of."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType, json
from msgspec.structs import replace

from angelia.core.messages import Message, Sampling, ToolSpec
from angelia.errors import BadRequest
from angelia.wire import fields, formats
from angelia.wire.responses import items_in, metadata
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.echo import Echo, shown
from angelia.wire.responses.items_in import Piece, Verdict
from angelia.wire.responses.request_shapes import CreateIn, FormatIn, TextOptionsIn
from angelia.wire.responses.tools import (
    Choice,
    allowed_names,
    permitted,
    read_choice,
    read_tools,
    tool_choice,
)

_create = json.Decoder(CreateIn)


class Asked(Struct, frozen=True):
    """`tools` is None where the client said nothing of tools, and empty where it wants none.

    With `allowed_tools` no tool but those may be called, the server's own included. Without a
    `model` it is the server's choice. `verdicts` are what people decided about approval requests,
    `behind` is what stands behind the first of them. `references` are the ids that `messages` has
    to be told of; `shown` is what the response repeats of the request.
    """

    model: str | None
    instructions: str | None
    input: tuple[Piece, ...]
    references: tuple[str, ...]
    tools: tuple[ToolSpec, ...] | None
    allowed_tools: tuple[str, ...] | None
    sampling: Sampling
    stream: bool
    background: bool
    store: bool
    previous_response_id: str | None
    conversation: str | None
    user: str | None
    metadata: Raw | UnsetType
    truncation: Literal["auto", "disabled"]
    max_tool_calls: int | None
    shown: Echo
    verdicts: tuple[Verdict, ...] = ()
    behind: tuple[Piece, ...] = ()


class CountOut(Struct, frozen=True):
    object: Literal["response.input_tokens"]
    input_tokens: int


def parse(body: bytes) -> Asked:
    """Raises BadRequest, which names the path of the field that is wrong."""
    return complete(fields.decode(body, _create))


def complete(given: CreateIn) -> Asked:
    """A request for a response; one that says nothing and continues nothing is a BadRequest."""
    continues = given.previous_response_id is not None or given.conversation is not None
    if not continues and given.input in (None, []):
        raise fields.missing("input")
    return read(given)


def parse_count(body: bytes) -> Asked:
    """A request whose tokens are to be counted: the same fields, none of them required."""
    return read(fields.decode(body, _create))


def counted(tokens: int) -> bytes:
    return json.encode(CountOut("response.input_tokens", tokens))


def messages(asked: Asked, known: Mapping[str, tuple[Message, ...]]) -> tuple[Message, ...]:
    """What the client says. `known` holds what the items it refers to stand for.

    Raises BadRequest for an item that is not known.
    """
    return items_in.assemble(asked.input, known)


def echo(asked: Asked, dialect: Dialect, *, conversation: str | None = None) -> Raw:
    """What is kept with the run, to show the response as it was asked for.

    `conversation` is the id of the conversation where it is another than the client's word for it.
    """
    conversation = conversation or asked.conversation
    return Raw(json.encode(replace(asked.shown, dialect=dialect, conversation=conversation)))


def read(given: CreateIn) -> Asked:
    _refuse_contradictions(given)
    choice = read_choice(given.tool_choice)
    allowed = allowed_names(choice)
    tools = None if given.tools is None else read_tools(given.tools)
    pieces = items_in.read_input(given.input)
    verdicts, behind = items_in.verdicts(pieces)
    return Asked(
        model=given.model,
        instructions=given.instructions,
        input=pieces,
        references=items_in.references(pieces),
        tools=permitted(tools, allowed),
        allowed_tools=allowed,
        sampling=_sampling(given, choice),
        stream=bool(given.stream),
        background=bool(given.background),
        store=given.store is not False,
        previous_response_id=given.previous_response_id,
        conversation=_conversation(given),
        user=given.user or given.safety_identifier,
        metadata=metadata.read(given.metadata),
        truncation=given.truncation or "disabled",
        max_tool_calls=given.max_tool_calls,
        shown=shown(given, tools or (), choice),
        verdicts=verdicts,
        behind=behind,
    )


def _refuse_contradictions(given: CreateIn) -> None:
    if given.previous_response_id is not None and given.conversation is not None:
        raise BadRequest(
            "'previous_response_id' and 'conversation' exclude each other: send one of them.",
            param="conversation",
            code="mutually_exclusive_parameters",
        )
    if given.background and given.store is False:
        raise BadRequest(
            "'background' needs 'store': a response that is not stored cannot be fetched later.",
            param="background",
            code="invalid_value",
        )
    if not fields.is_absent(given.prompt):
        raise fields.unsupported("prompt", "stored prompts are")


def _conversation(given: CreateIn) -> str | None:
    named = given.conversation
    if named is None:
        return None
    if isinstance(named, str):
        return fields.session_id(named, "conversation")
    return fields.session_id(named.id, "conversation.id")


def _sampling(given: CreateIn, choice: Choice) -> Sampling:
    return Sampling(
        temperature=given.temperature,
        top_p=given.top_p,
        max_tokens=given.max_output_tokens,
        frequency_penalty=given.frequency_penalty,
        presence_penalty=given.presence_penalty,
        reasoning_effort=given.reasoning.effort if given.reasoning else None,
        response_format=_response_format(given.text),
        parallel_tool_calls=given.parallel_tool_calls,
        tool_choice=tool_choice(choice),
        user=given.user or given.safety_identifier,
    )


def _response_format(text: TextOptionsIn | None) -> Raw | UnsetType:
    wanted = text.format if text else None
    if wanted is None or wanted.type == "text":
        return UNSET
    if wanted.type == "json_object":
        return Raw(json.encode(formats.Format("json_object")))
    return Raw(json.encode(formats.Format("json_schema", _schema(wanted))))


def _schema(wanted: FormatIn) -> formats.Schema:
    """Chat completions nest what stands beside `type` here."""
    if wanted.name is None:
        raise fields.missing("text.format.name")
    schema = fields.optional_object(wanted.schema, "text.format.schema")
    if isinstance(schema, UnsetType):
        raise fields.missing("text.format.schema")
    return formats.Schema(wanted.name, wanted.description, schema, wanted.strict)

"""What a request must be beyond what its types say, as data."""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from angelia.surfaces.http.openapi.choices import ListOf, OneOf
from angelia.surfaces.http.openapi.items import ITEMS, FunctionTool
from angelia.surfaces.http.openapi.shapes import Schema
from angelia.wire import content, functions
from angelia.wire.chat import shapes as chat
from angelia.wire.responses import compaction, conversations, echo, listing
from angelia.wire.responses import request_shapes as asked
from angelia.wire.responses import response_shapes as answered
from angelia.wire.runs import shapes as runs
from angelia.wire.sessions import shapes as sessions

SESSION_ID_PATTERN = "^[!-~]{1,256}$"

ImageAddress = Annotated[
    str,
    Meta(
        pattern="^(data:image/|https?://)",
        description="An http(s) URL or a data:image/… URL.",
    ),
]
WebAddress = Annotated[
    str,
    Meta(
        max_length=2048,
        pattern=(
            r"^[hH][tT][tT][pP][sS]?://"
            r"(\[[0-9a-fA-F:.]+\]|[0-9a-zA-Z_]([0-9a-zA-Z._-]*[0-9a-zA-Z_.])?)"
            r"(:\d{1,5})?([/?][!\x22$-~]*)?$"
        ),
        description="An http(s) URL without a user, a password or a fragment.",
    ),
]
SessionId = Annotated[
    str,
    Meta(pattern=SESSION_ID_PATTERN, description="Visible ASCII characters, without spaces."),
]
OptionalSessionId = SessionId | None
Object = dict[str, object]
OptionalObject = Object | None
UserName = Annotated[str, Meta(max_length=256)] | None
Metadata = Annotated[
    dict[Annotated[str, Meta(max_length=64)], Annotated[str, Meta(max_length=512)]],
    Meta(max_length=16),
]
OptionalMetadata = Metadata | None

ITEM_IN = OneOf(ITEMS, "responses.ItemIn")
ITEM_OUT = OneOf(get_args(answered.ItemOut), "responses.ItemOut")
RUN_EVENT = OneOf(tuple(runs.Frame.__subclasses__()), "runs.Event")
INPUT = OneOf((str, ListOf(ITEM_IN), None))

# A part of a type that is known only so that it can be refused by its name.
REFUSED: frozenset[type[Struct]] = frozenset(
    {chat.AudioIn, chat.FileIn, asked.InputFileIn, asked.InputAudioIn, asked.InputVideoIn}
)

# The type that a field really has.
FIELDS: Mapping[tuple[type[Struct], str], object] = {
    (content.ImageUrl, "url"): ImageAddress,
    (content.ImageIn, "image_url"): content.ImageUrl | ImageAddress,
    (content.InputImageIn, "image_url"): ImageAddress,
    (functions.FunctionIn, "parameters"): OptionalObject,
    (chat.RequestIn, "n"): Literal[1, None],
    (chat.RequestIn, "response_format"): OptionalObject,
    (chat.RequestIn, "metadata"): OptionalObject,
    (chat.RequestIn, "user"): UserName,
    (asked.InputImageIn, "image_url"): ImageAddress,
    (asked.FunctionCallOutputIn, "output"): OneOf((str, ListOf(OneOf((content.InputTextIn,))))),
    (asked.McpCallIn, "server_label"): Literal["angelia"],
    (asked.ConversationIn, "id"): SessionId,
    (asked.CreateIn, "input"): INPUT,
    (asked.CreateIn, "conversation"): OneOf((SessionId, asked.ConversationIn, None)),
    (asked.CreateIn, "tools"): OneOf((ListOf(OneOf((FunctionTool,))), None)),
    (asked.CreateIn, "tool_choice"): OneOf(
        (asked.ToolMode, asked.NamedToolIn, asked.AllowedToolsIn, None)
    ),
    (asked.CreateIn, "metadata"): OptionalMetadata,
    (asked.CreateIn, "user"): UserName,
    (asked.CreateIn, "safety_identifier"): UserName,
    (asked.CreateIn, "prompt"): None,
    (compaction.CompactIn, "input"): INPUT,
    (compaction.CompactedOut, "output"): ListOf(ITEM_OUT),
    (conversations.CreateConversationIn, "items"): OneOf((ListOf(ITEM_IN, most=20), None)),
    (conversations.CreateConversationIn, "metadata"): OptionalMetadata,
    (conversations.UpdateConversationIn, "metadata"): OptionalMetadata,
    (conversations.CreateItemsIn, "items"): ListOf(ITEM_IN, least=1, most=20),
    (conversations.ConversationOut, "metadata"): Object,
    (answered.ResponseOut, "output"): ListOf(ITEM_OUT),
    (echo.FunctionOut, "parameters"): Object,
    (listing.ItemListOut, "data"): ListOf(ITEM_OUT),
    (runs.ToolIn, "parameters"): OptionalObject,
    (runs.CreateRunIn, "session_id"): OptionalSessionId,
    (runs.CreateRunIn, "user"): UserName,
    (runs.CreateRunIn, "metadata"): OptionalObject,
    (runs.WebhookIn, "url"): WebAddress,
    (runs.CreateRunIn, "webhook"): OneOf((WebAddress, runs.WebhookIn, None)),
    (sessions.CreateIn, "id"): OptionalSessionId,
    (sessions.CreateIn, "metadata"): OptionalObject,
    (sessions.ChangeIn, "metadata"): OptionalObject,
    (sessions.ForkIn, "id"): OptionalSessionId,
    (sessions.SessionOut, "metadata"): Object,
    (sessions.TurnOut, "run"): runs.RunOut,
    (sessions.TurnOut, "events"): ListOf(RUN_EVENT),
}

_TEXT = Schema(type="string")


def _with(**fields: Schema) -> Schema:
    return Schema(required=tuple(fields), properties=fields)


_SAYING = _with(input=Schema(any_of=(_TEXT, Schema(type="array", min_items=1))))
_GOING_ON = _with(previous_response_id=_TEXT)
_NESTED = _with(function=Schema(type="object"))

# Fields of which one must be there, alone or with others.
WHOLE: Mapping[type[Struct], tuple[Schema, ...]] = {
    asked.InputImageIn: (_with(image_url=_TEXT),),
    asked.FormatIn: (
        _with(type=Schema(enum=("text", "json_object"))),
        _with(name=_TEXT, schema=Schema(type="object")),
    ),
    asked.CreateIn: (
        _SAYING,
        _GOING_ON,
        _with(conversation=Schema(type=("string", "object"))),
    ),
    compaction.CompactIn: (_SAYING, _GOING_ON),
    runs.ToolIn: (_NESTED, _with(name=_TEXT)),
    sessions.CallIn: (_NESTED, _with(name=_TEXT, arguments=_TEXT)),
}

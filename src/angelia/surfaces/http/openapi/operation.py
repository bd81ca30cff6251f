"""How a route is described: what it takes, what it answers with, what it refuses."""

from typing import Literal

from msgspec import Struct

from angelia.ports import Scope
from angelia.surfaces.http.openapi.shapes import Parameter, Schema

Method = Literal["get", "post", "patch", "delete"]
HeaderName = Literal[
    "Accept-Ranges",
    "Content-Disposition",
    "Content-Range",
    "ETag",
    "Idempotency-Replayed",
    "Retry-After",
    "X-Angelia-Run-Id",
    "X-Hermes-Session-Id",
    "X-Hermes-Session-Key",
]
RUN_HEADERS: tuple[HeaderName, ...] = (
    "X-Angelia-Run-Id",
    "X-Hermes-Session-Id",
    "X-Hermes-Session-Key",
)
START_HEADERS: tuple[HeaderName, ...] = (*RUN_HEADERS, "Idempotency-Replayed")


class Json(Struct, frozen=True):
    """A body of this type, which is one that a catalogue of schemas knows."""

    type: object


class Event(Struct, frozen=True):
    """A server-sent event whose data is JSON of `type`; nameless unless named."""

    type: object
    name: str | None = None


class Typed(Struct, frozen=True):
    """A server-sent event that is named as the `type` in its JSON says."""

    type: object


class Done(Struct, frozen=True):
    """The word `[DONE]`, behind which a stream ends."""


class Stream(Struct, frozen=True):
    events: tuple[Event | Typed | Done, ...]


class Text(Struct, frozen=True):
    media_type: str


Content = Json | Stream | Text


class Answer(Struct, frozen=True):
    """What comes with one status; several contents are different forms of the same thing."""

    status: int
    description: str
    content: tuple[Content, ...] = ()
    headers: tuple[HeaderName, ...] = ()


class Operation(Struct, frozen=True, kw_only=True):
    """`refusals` are the codes of its errors besides those that every such operation has.

    One of `scopes` suffices; without any the operation needs no key. `body` is the type that the
    request is read into.
    """

    method: Method
    path: str
    id: str
    tag: str
    summary: str
    description: str | None = None
    scopes: tuple[Scope, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    body: object | None = None
    body_required: bool = True
    answers: tuple[Answer, ...]
    refusals: tuple[str, ...] = ()


def ok(*content: Content, headers: tuple[HeaderName, ...] = (), status: int = 200) -> Answer:
    return Answer(status, "Done.", content, headers)


def path(name: str, description: str, schema: Schema | None = None) -> Parameter:
    return Parameter(name, "path", description, schema or Schema(type="string"), required=True)


def query(name: str, description: str, schema: Schema) -> Parameter:
    return Parameter(name, "query", description, schema)


def header(name: str, description: str, schema: Schema) -> Parameter:
    return Parameter(name, "header", description, schema)

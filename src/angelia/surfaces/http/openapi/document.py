"""The OpenAPI document, made of the operations and the types they name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

import msgspec
from msgspec.structs import replace

from angelia import __version__
from angelia.surfaces.http.openapi import errors, shapes
from angelia.surfaces.http.openapi.frames import Error, WebhookMessage
from angelia.surfaces.http.openapi.operation import (
    Answer,
    Content,
    Done,
    Event,
    HeaderName,
    Json,
    Operation,
    Stream,
    Text,
    Typed,
)
from angelia.surfaces.http.openapi.operations import OPERATIONS
from angelia.surfaces.http.openapi.prose import (
    ABOUT,
    HEADERS,
    PHRASES,
    SECURITY,
    TAGS,
    WEBHOOK,
    WEBHOOK_HEADERS,
)
from angelia.surfaces.http.openapi.schemas import Catalogue
from angelia.surfaces.http.openapi.shapes import MediaType, Schema

JSON = "application/json"


def build() -> bytes:
    return msgspec.json.encode(describe(OPERATIONS))


def describe(operations: Iterable[Operation]) -> shapes.Document:
    writer = _Writer(Catalogue())
    paths: dict[str, dict[str, shapes.Operation]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = writer.operation(operation)
    return shapes.Document(
        openapi="3.1.0",
        info=shapes.Info("Angelia", __version__, ABOUT, shapes.License("Apache 2.0", "Apache-2.0")),
        servers=(shapes.Server("/", "This server."),),
        tags=TAGS,
        security=tuple({name: ()} for name in SECURITY),
        paths=paths,
        webhooks={"run": {"post": writer.webhook()}},
        components=shapes.Components(writer.schemas, HEADERS, SECURITY),
    )


class _Writer:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._error = catalogue.of(Error, answer=True)

    @property
    def schemas(self) -> Mapping[str, Schema]:
        return self._catalogue.schemas

    def operation(self, given: Operation) -> shapes.Operation:
        return shapes.Operation(
            operation_id=given.id,
            summary=given.summary,
            tags=(given.tag,),
            description=_about(given),
            security=msgspec.UNSET if given.scopes else (),
            parameters=given.parameters,
            request_body=self._body(given),
            responses={
                **{str(answer.status): self._response(answer) for answer in given.answers},
                **dict(self._refusals(given)),
            },
        )

    def webhook(self) -> shapes.Operation:
        """What this server sends to others."""
        headers = WEBHOOK_HEADERS.items()
        message = MediaType(self._catalogue.of(WebhookMessage, answer=True))
        return shapes.Operation(
            operation_id="runWebhook",
            summary="A run has ended, or waits",
            tags=("runs",),
            description=WEBHOOK,
            security=(),
            parameters=tuple(
                shapes.Parameter(name, "header", words, Schema(type="string"), required=True)
                for name, words in headers
            ),
            request_body=shapes.RequestBody(required=True, content={JSON: message}),
            responses={"2XX": shapes.Response("It was taken.")},
        )

    def _body(self, given: Operation) -> shapes.RequestBody | None:
        if given.body is None:
            return None
        content = {JSON: MediaType(self._catalogue.of(given.body))}
        return shapes.RequestBody(given.body_required, content)

    def _response(self, answer: Answer) -> shapes.Response:
        content = dict(self._media_type(each) for each in answer.content)
        return shapes.Response(answer.description, _headers(answer.headers), content or None)

    def _media_type(self, content: Content) -> tuple[str, MediaType]:
        match content:
            case Json(type=wanted):
                return JSON, MediaType(self._catalogue.of(wanted, answer=True))
            case Stream(events=events):
                forms = tuple(self._event(event) for event in events)
                schema = forms[0] if len(forms) == 1 else Schema(any_of=forms)
                return "text/event-stream", MediaType(schema)
            case Text(media_type=media_type):
                return media_type, MediaType(Schema(type="string"))
            case _:
                assert_never(content)

    def _event(self, event: Event | Typed | Done) -> Schema:
        """In OpenAPI 3.1 the schema of an event stream is that of each event."""
        match event:
            case Done():
                return _frame(Schema(const="[DONE]"))
            case Typed(type=wanted):
                return _frame(self._data(wanted), event=Schema(type="string"))
            case Event(type=wanted, name=None):
                nameless = Schema(const="message")
                return replace(_frame(self._data(wanted), event=nameless), required=("data",))
            case Event(type=wanted, name=name):
                return _frame(self._data(wanted), event=Schema(const=name))
            case _:
                assert_never(event)

    def _data(self, wanted: object) -> Schema:
        return Schema(
            type="string",
            content_media_type=JSON,
            content_schema=self._catalogue.of(wanted, answer=True),
        )

    def _refusals(self, given: Operation) -> Iterator[tuple[str, shapes.Response]]:
        taken = {answer.status for answer in given.answers}
        for status, codes in errors.by_status(_codes(given)):
            if status not in taken:
                yield str(status), self._refusal(status, codes)

    def _refusal(self, status: int, codes: tuple[str, ...]) -> shapes.Response:
        """Some refusals of a bad value name the field alone."""
        allowed = Schema(enum=(*codes, None) if status == 400 else codes)
        details = Schema(properties={"code": allowed})
        schema = Schema(all_of=(self._error, Schema(properties={"error": details})))
        listed = "; ".join(f"`{code}`: {errors.CODES[code].meaning}" for code in codes)
        headers = _headers(("Retry-After",)) if status == 429 else None
        content = {JSON: MediaType(schema)}
        return shapes.Response(f"{PHRASES[status]}. {listed}.", headers, content)


def _frame(data: Schema, **fields: Schema) -> Schema:
    properties = {"data": data, **fields}
    return Schema(type="object", required=tuple(properties), properties=properties)


def _about(given: Operation) -> str:
    words = f"Scope: {' or '.join(f'`{scope}`' for scope in given.scopes)}."
    lines = (given.description, words if given.scopes else "Needs no key.")
    return "\n\n".join(line for line in lines if line)


def _codes(given: Operation) -> Iterator[str]:
    if given.parameters:
        yield from errors.WITH_PARAMETERS
    if given.body is not None:
        yield from errors.WITH_BODY
    if given.scopes:
        yield from errors.WITH_KEY
    yield from given.refusals
    yield from errors.EVERYWHERE


def _headers(names: Iterable[HeaderName]) -> dict[str, shapes.Header] | None:
    return {name: shapes.Header(ref=f"#/components/headers/{name}") for name in names} or None

"""The vocabulary of OpenAPI 3.1 and of the JSON schemas in it, as far as it is needed here."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

Location = Literal["path", "query", "header"]
Number = int | float


class Discriminator(Struct, frozen=True, rename="camel"):
    property_name: str
    mapping: Mapping[str, str]


class Schema(Struct, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    """One without any field allows every value."""

    ref: str | None = field(default=None, name="$ref")
    type: str | tuple[str, ...] | None = None
    description: str | None = None
    enum: tuple[str | int | None, ...] | None = None
    const: str | int | None = None
    default: str | int | float | bool | UnsetType = UNSET
    format: str | None = None
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    minimum: Number | None = None
    maximum: Number | None = None
    exclusive_minimum: Number | None = None
    exclusive_maximum: Number | None = None
    items: "Schema | None" = None
    min_items: int | None = None
    max_items: int | None = None
    properties: Mapping[str, "Schema"] | None = None
    required: tuple[str, ...] = ()
    additional_properties: "Schema | bool | None" = None
    property_names: "Schema | None" = None
    max_properties: int | None = None
    any_of: tuple["Schema", ...] = ()
    all_of: tuple["Schema", ...] = ()
    discriminator: Discriminator | None = None
    content_media_type: str | None = None
    content_schema: "Schema | None" = None


class Parameter(Struct, frozen=True, rename={"place": "in"}, omit_defaults=True):
    name: str
    place: Location
    description: str
    schema: Schema
    required: bool = False


class Header(Struct, frozen=True, omit_defaults=True):
    """Either a reference, or what the header is."""

    ref: str | None = field(default=None, name="$ref")
    description: str | None = None
    schema: Schema | None = None
    required: bool = False


class MediaType(Struct, frozen=True):
    schema: Schema


class Response(Struct, frozen=True, omit_defaults=True):
    description: str
    headers: Mapping[str, Header] | None = None
    content: Mapping[str, MediaType] | None = None


class RequestBody(Struct, frozen=True):
    required: bool
    content: Mapping[str, MediaType]


class Operation(Struct, frozen=True, rename="camel", omit_defaults=True):
    operation_id: str
    summary: str
    tags: tuple[str, ...]
    responses: Mapping[str, Response]
    parameters: tuple[Parameter, ...] = ()
    request_body: RequestBody | None = None
    description: str | None = None
    security: tuple[Mapping[str, tuple[str, ...]], ...] | UnsetType = UNSET


class SecurityScheme(Struct, frozen=True, rename={"place": "in"}, omit_defaults=True):
    type: str
    description: str
    scheme: str | None = None
    name: str | None = None
    place: Location | None = None


class Components(Struct, frozen=True, rename="camel"):
    schemas: Mapping[str, Schema]
    headers: Mapping[str, Header]
    security_schemes: Mapping[str, SecurityScheme]


class License(Struct, frozen=True):
    name: str
    identifier: str


class Info(Struct, frozen=True):
    title: str
    version: str
    description: str
    license: License


class Server(Struct, frozen=True):
    url: str
    description: str


class Tag(Struct, frozen=True):
    name: str
    description: str


class Document(Struct, frozen=True):
    openapi: str
    info: Info
    servers: tuple[Server, ...]
    tags: tuple[Tag, ...]
    security: tuple[Mapping[str, tuple[str, ...]], ...]
    paths: Mapping[str, Mapping[str, Operation]]
    webhooks: Mapping[str, Mapping[str, Operation]]
    components: Components

"""The JSON of signing in as Structs."""

from typing import Annotated

from msgspec import Meta, Struct


class SignInIn(Struct):
    key: Annotated[str, Meta(min_length=1, max_length=512)]


class SignedInKey(Struct):
    id: str
    name: str
    scopes: tuple[str, ...]


class SignInOut(Struct, tag_field="object", tag="angelia.signin"):
    """`key` is the one that the browser has signed in with, null where it has not."""

    signed_in: bool
    key: SignedInKey | None
    version: str

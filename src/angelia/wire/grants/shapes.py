"""The JSON of grants, as Structs."""

from msgspec import Struct


class GrantOut(Struct, tag_field="object", tag="hermes.grant"):
    """`what` is a tool, and the command, host or path that it may be used with.

    It holds in later runs of the `user`, who is null where none is named; with a `session_id` only
    in that session.
    """

    id: str
    what: str
    user: str | None
    session_id: str | None
    run_id: str
    created_at: float


class GrantListOut(Struct, tag_field="object", tag="list"):
    data: tuple[GrantOut, ...]
    has_more: bool = False


class GrantRevokedOut(Struct, tag_field="object", tag="hermes.grant"):
    id: str
    deleted: bool

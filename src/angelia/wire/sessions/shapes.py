"""The JSON of the session API as Structs: requests, sessions, messages and hits."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from angelia.wire.content import ImageUrl, PartIn, TextPartIn
from angelia.wire.fields import ABSENT

Id = Annotated[str, Meta(min_length=1, max_length=256)]
Title = Annotated[str, Meta(max_length=200)]
User = Annotated[str, Meta(min_length=1, max_length=256)]
Name = Annotated[str, Meta(max_length=128)]


# ── requests ────────────────────────────────────────────────────────────────────────────────


class FunctionIn(Struct):
    name: Name
    arguments: str


class CallIn(Struct):
    """Flat, as we show it, or below `function`, as in chat completions."""

    id: str
    name: Name | None = None
    arguments: str | None = None
    function: FunctionIn | None = None


class SystemIn(Struct, tag_field="role", tag="system"):
    content: str | list[TextPartIn]


class DeveloperIn(Struct, tag_field="role", tag="developer"):
    content: str | list[TextPartIn]


class UserIn(Struct, tag_field="role", tag="user"):
    content: str | list[PartIn]
    name: Name | None = None


class AssistantIn(Struct, tag_field="role", tag="assistant"):
    content: str | list[TextPartIn] | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[CallIn] | None = None


class ToolIn(Struct, tag_field="role", tag="tool"):
    tool_call_id: str
    content: str | list[TextPartIn]
    failed: bool = False


MessageIn = SystemIn | DeveloperIn | UserIn | AssistantIn | ToolIn


class CreateIn(Struct):
    """With `messages` the session begins as if they had been said in it."""

    id: Id | None = None
    title: Title | None = None
    user: User | None = None
    metadata: Raw = ABSENT
    messages: list[MessageIn] | None = None


class ChangeIn(Struct):
    """What is absent stays; null takes it away."""

    title: Title | UnsetType | None = UNSET
    metadata: Raw = ABSENT


class ForkIn(Struct):
    """Behind the run `run_id`, or behind all that was said."""

    run_id: Id | None = None
    id: Id | None = None
    title: Title | None = None


# ── messages ────────────────────────────────────────────────────────────────────────────────


class TextOut(Struct, tag_field="type", tag="text"):
    text: str


class ImageOut(Struct, tag_field="type", tag="image_url"):
    image_url: ImageUrl


class CallOut(Struct):
    """`arguments` is the model's own text, which should be JSON and need not be."""

    id: str
    name: str
    arguments: str


class SystemOut(Struct, tag_field="role", tag="system", omit_defaults=True):
    content: str
    index: int | UnsetType = UNSET


class UserOut(Struct, tag_field="role", tag="user", omit_defaults=True):
    """`content` is a string unless it has images or more than one part."""

    content: str | list[TextOut | ImageOut]
    name: str | None = None
    index: int | UnsetType = UNSET


class AssistantOut(Struct, tag_field="role", tag="assistant", omit_defaults=True):
    """`content` is null in a message without any text."""

    content: str | None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[CallOut] | None = None
    index: int | UnsetType = UNSET


class ToolOut(Struct, tag_field="role", tag="tool", omit_defaults=True):
    tool_call_id: str
    content: str
    failed: bool
    index: int | UnsetType = UNSET


MessageOut = SystemOut | UserOut | AssistantOut | ToolOut


class MessagesOut(Struct, tag_field="object", tag="list"):
    """The `index` of the last message is the cursor of the next page."""

    data: list[MessageOut]
    has_more: bool


class TurnOut(Struct):
    """A run, what was asked in it, and its events as they are followed, without the pieces.

    `cut_off` is the text it has shown of a reply that its end cut off.
    """

    run: Raw
    input: list[MessageOut]
    events: list[Raw]
    cut_off: str


class TurnsOut(Struct, tag_field="object", tag="list"):
    """Oldest first; the first run is the `before` of the page with older ones."""

    data: list[TurnOut]
    has_more: bool


# ── sessions ────────────────────────────────────────────────────────────────────────────────

SessionStatus = Literal[
    "idle", "queued", "running", "waiting_for_approval", "waiting_for_client", "stopping"
]


class SessionOut(Struct, tag_field="object", tag="hermes.session"):
    """`status` is `idle` unless a run is under way; times are seconds since the epoch."""

    id: str
    title: str
    created_at: float
    updated_at: float
    user: str | None
    key: str | None
    runs: int
    last_run_id: str | None
    forked_from: str | None
    metadata: Raw
    status: SessionStatus


class SessionsOut(Struct, tag_field="object", tag="list"):
    """Latest change first; the last `id` is the cursor of the next page."""

    data: list[SessionOut]
    has_more: bool


class DeletedOut(Struct, tag_field="object", tag="hermes.session"):
    id: str
    deleted: bool


class HitSession(Struct):
    id: str
    title: str


class HitOut(Struct, tag_field="object", tag="hermes.session.hit"):
    """What was found stands between « and » in `snippet`."""

    session: HitSession
    run_id: str
    role: Literal["user", "assistant"]
    snippet: str
    at: float


class HitsOut(Struct, tag_field="object", tag="list"):
    """Best first."""

    data: list[HitOut]
    has_more: bool

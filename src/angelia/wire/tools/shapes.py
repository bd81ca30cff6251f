"""The JSON by which tools and MCP servers are switched, added and removed."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Name = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
        description="Letters, digits, `_`, `.` and `-`, at most 64.",
    ),
]
Text = Annotated[str, Meta(max_length=100_000)]
Place = Annotated[str, Meta(min_length=1, max_length=4_096)]
Pattern = Annotated[str, Meta(max_length=256)]
Patterns = Annotated[tuple[Pattern, ...], Meta(max_length=1_000)]
Values = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=256)], Text], Meta(max_length=256)
]
# The bound keeps infinity out. It is some thirty years.
Seconds = Annotated[float, Meta(gt=0, le=1_000_000_000)]


class SwitchIn(Struct):
    enabled: bool


class AddServerIn(Struct):
    """A `command` of the server's machine or a `url`, with the keys of the configuration.

    `tools` and `allow` are the same. One that is `disabled` is added and switched off.
    """

    name: Name
    command: Place | None = None
    args: Annotated[tuple[Text, ...], Meta(max_length=1_000)] = ()
    env: Values = field(default_factory=dict[str, str])
    cwd: Place | None = None
    url: Place | None = None
    headers: Values = field(default_factory=dict[str, str])
    type: Literal["stdio", "http", "streamable-http", "streamableHttp", "sse"] | None = None
    disabled: bool = False
    tools: Patterns | None = None
    allow: Patterns | None = None
    deny: Patterns = ()
    approval: Literal["auto", "allow", "ask", "deny"] = "auto"
    timeout: Seconds = 120
    network: bool | None = None


class ServerRemovedOut(Struct, tag_field="object", tag="mcp.server"):
    name: str
    deleted: bool
